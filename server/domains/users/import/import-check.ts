import * as z from 'zod/mini'
import type { OutputOf, ParsedInputOf } from '../../../../contract/endpoint.ts'
import { datesInOrder, endRequired, isMobile, plainLandline } from '../../../../contract/fields.ts'
import { newUserId } from '../../../../contract/reserved-names.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import type { CustomField } from '../../../../contract/custom-fields.ts'
import type { Actor } from '../../../../contract/permissions.ts'
import {
  type checkImport as endpoint,
  IMPORT_COLUMNS,
  type ImportColumn,
  importedUser,
} from '../../../../contract/users/import.ts'
import { anyOf } from '../../../db/sql.ts'
import type { Db } from '../../../db/database.ts'
import { phoneMessage } from '../../common/index.ts'
import { mapInTurns, nameFault, nameKey, placeOf, rowErrors } from '../../imports/index.ts'
import { findErasedIds, reservesEmail } from '../../account/index.ts'
import type { SealKeys } from '../../../services/encryption.ts'
import { storedValues } from '../record/details.ts'
import { findNumbers, readCustomCells } from './import-details.ts'
import { lookUpChoices, partnerKey, teamKey } from './import-choices.ts'

/** Row of the file, as texts. */
type Row = ParsedInputOf<typeof endpoint>['rows'][number]
/** Error of a cell. */
type ImportError = OutputOf<typeof endpoint>['errors'][number]

/** Row that may be registered, with the ID of its partner. */
export interface ImportUser extends Record<ImportColumn, string> {
  partnerId: string
  /** ID of the main team; undefined without one. */
  teamId: string | undefined
  /** Values of the fields that the company defines, as they are stored. */
  customValues: string
}

/** Schema of a row if the settings allow no end. The ID must be a new one, and the dates in order. */
const openSchema = z.extend(importedUser, { userId: newUserId }).check(datesInOrder)
/** Schema of a row that requires an end. */
const schema = openSchema.check(endRequired)

/**
 * Checks every row by the rules of the form and against the database: IDs, emails and employee numbers that are in use
 * or appear twice; unknown affiliations, partners and teams; and roles that are unknown or that the actor may not grant
 * (rules/roles#reach). Writes nothing.
 * @param settings whether the settings allow no end (rules/users#open-end), landlines, and a position; and the fields
 * that the company defines
 * @returns the users of rows without errors, and the errors by row. The caller must write users only if there are no
 * errors
 */
export async function checkRows(
  db: Db,
  actor: Actor,
  rows: readonly Row[],
  messages: Messages,
  keys: SealKeys,
  {
    mayEndBeEmpty,
    mayBeLandline,
    isListed,
    fields,
  }: {
    mayEndBeEmpty: boolean
    mayBeLandline: boolean
    isListed: (position: string) => boolean
    fields: readonly CustomField[]
  },
): Promise<{
  users: ImportUser[]
  errors: ImportError[]
  /** Existing users (users.id) whose ID or email is in the rows. */
  owners: string[]
  nameOf: (code: string, language: Language) => string
}> {
  const known = await lookUp(db, actor, rows, keys)
  const seen = {
    userId: new Map<string, string>(),
    email: new Map<string, string>(),
    employeeNumber: new Map<string, string>(),
  }
  const errors: ImportError[] = []
  const users: ImportUser[] = []

  await mapInTurns(rows, ({ line, ...row }, index) => {
    const number = index + 1
    const own = rowErrors(IMPORT_COLUMNS, messages)
    const { wrong } = own
    const affiliationCode = known.affiliations.get(nameKey(row.affiliationCode)) ?? row.affiliationCode
    const named = {
      ...row,
      affiliationCode,
      // A row without a partner gets the default partner of the affiliation (rules/affiliations#default-partner).
      partnerCode: row.partnerCode.trim() || (known.defaultPartners.get(affiliationCode)?.code ?? ''),
      roleCode: known.roles.get(nameKey(row.roleCode)) ?? row.roleCode,
    }
    for (const field of ['affiliationCode', 'roleCode'] as const) {
      const list = field === 'affiliationCode' ? known.affiliations : known.roles
      const fault = nameFault(list.get(nameKey(row[field])), messages)
      if (row[field].trim() !== '' && fault !== undefined) wrong(field, fault)
    }
    if (known.closed.has(affiliationCode)) wrong('affiliationCode', messages.errors.AFFILIATION_CLOSED)
    // The partner code cannot be checked if the affiliation is wrong.
    const isPlaced = !own.has('affiliationCode')
    if (isPlaced && named.partnerCode === '' && known.defaultPartners.has(affiliationCode))
      wrong('partnerCode', messages.imports.users.noDefaultPartner)
    const parsed = (mayEndBeEmpty ? openSchema : schema).safeParse(named)
    const issues = parsed.error?.issues.filter(({ path }) => isPlaced || path[0] !== 'partnerCode')
    own.takeIssues(
      issues?.map((issue) => ({ ...issue, message: phoneMessage(issue.message, mayBeLandline) })),
    )
    const user = parsed.data ?? named
    const phone = plainLandline(user.phoneNumber.trim())
    if (phone !== '' && !isMobile(phone) && !mayBeLandline)
      wrong('phoneNumber', messages.validation.phoneNumberFormat)
    if (!own.has('position') && !isListed(user.position.trim()))
      wrong('position', messages.validation.codeFormat)
    for (const field of ['userId', 'email', 'employeeNumber'] as const) {
      const value = user[field].trim().toLowerCase()
      if (value === '') continue
      const first = seen[field].get(value)
      if (first !== undefined) wrong(field, first)
      else seen[field].set(value, placeOf(messages.imports.users, line, number))
    }
    if (known.userIds.has(user.userId.trim().toLowerCase())) wrong('userId', messages.errors.USER_ID_TAKEN)
    if (known.emails.has(user.email.trim().toLowerCase())) wrong('email', messages.errors.EMAIL_TAKEN)
    if (known.numbers.has(user.employeeNumber)) wrong('employeeNumber', messages.errors.EMPLOYEE_NUMBER_TAKEN)
    const values = readCustomCells(row, fields, messages, wrong)
    const partner = known.partners.get(partnerKey(user.affiliationCode, user.partnerCode))
    const partnerId = partner?.id
    // Without an affiliation no partner is found; the error is about the affiliation.
    if (partnerId === undefined && !own.has('affiliationCode'))
      wrong('partnerCode', messages.imports.users.partnerUnknown)
    if (partner?.isStopped === true) wrong('partnerCode', messages.imports.users.partnerStopped)

    const team = row.teamName.trim()
    const teamId = known.teams.get(teamKey(affiliationCode, team))?.teamId
    if (team !== '' && isPlaced && teamId === undefined) wrong('teamName', messages.imports.users.teamUnknown)

    errors.push(...own.list(number))
    if (own.isGood && parsed.success && partnerId !== undefined)
      users.push({ ...parsed.data, ...values, partnerId, teamId, customValues: storedValues(values) })
  })
  return { users, errors, owners: known.owners, nameOf: known.nameOf }
}

/**
 * Returns what the rows refer to, read with one query per kind for all rows: the choices, and the IDs, emails and
 * employee numbers that are in use.
 */
async function lookUp(db: Db, actor: Actor, rows: readonly Row[], keys: SealKeys) {
  const column = (name: 'userId' | 'email') => rows.map((row) => row[name].trim().toLowerCase())
  // Sequential, because a transaction has one connection.
  const choices = await lookUpChoices(db, actor, rows)
  const ids = await db
    .selectFrom('loginIds')
    .select(['loginId', 'userId'])
    .where('loginId', '=', anyOf(column('userId')))
    .execute()
  const erased = await findErasedIds(db, keys, column('userId'))
  const emails = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(reservesEmail)
    .where('email', '=', anyOf(column('email')))
    .execute()
  return {
    ...choices,
    numbers: await findNumbers(db, rows),
    userIds: new Set([...ids.map(({ loginId }) => loginId), ...erased]),
    owners: [...ids.map(({ userId: id }) => id), ...emails.map(({ id }) => id)],
    emails: new Set(emails.map(({ email }) => email)),
  }
}
