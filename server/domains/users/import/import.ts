import { roleGrantDetail } from '../../roles/index.ts'
import { refuse } from '../../../../contract/errors.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { APPROVAL } from '../../../../contract/users.ts'
import {
  type checkImport as checking,
  IMPORT_PREVIEWED,
  type importUsers as endpoint,
} from '../../../../contract/users/import.ts'
import { DEADLOCK, mapConstraintErrors } from '../../../db/constraints.ts'
import type { Tx } from '../../../db/database.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import {
  ACCOUNT_CONSTRAINTS,
  type InvitedUser,
  lockVerifiedPassword,
  refuseErasedIds,
  sendInvitations,
  verifyOwnPassword,
} from '../../account/index.ts'
import { hasLandlines, isEndOptional, isPositionListed } from '../../common/index.ts'
import { ERRORS_SHOWN } from '../../imports/index.ts'
import { joinTeams } from '../../teams/index.ts'
import { nobodysPassword } from '../../../services/password.ts'
import { fieldsOf, withoutDetails } from '../record/details.ts'
import { checkRows, type ImportUser } from './import-check.ts'
import { holdRolesAndPartners } from './import-choices.ts'

/** Rows per insert statement: PostgreSQL accepts 65,535 values. */
const ROWS_PER_INSERT = 1000

/**
 * Checks the rows of an import and returns at most ERRORS_SHOWN errors, and the first IMPORT_PREVIEWED users as they
 * would be registered (rules/users#import-check). Writes nothing, but records in the access log the users whose ID or
 * email is in use.
 */
export const checkImport: Handler<typeof checking> = async (call, { rows }) => {
  const { db, actor, services, language } = call
  const { users, errors, owners, nameOf } = await checkRows(
    db,
    actor,
    rows,
    catalogues[language],
    services.keySecret,
    settingsOf(call),
  )
  call.touches(owners)
  return {
    rowCount: rows.length,
    errorCount: errors.length,
    errors: errors.slice(0, ERRORS_SHOWN),
    preview: users.slice(0, IMPORT_PREVIEWED).map((user) => ({
      ...user,
      affiliationName: nameOf(user.affiliationCode, language),
      roleName: nameOf(user.roleCode, language),
    })),
  }
}

/**
 * Registers the users of all rows or none in one transaction, after it repeats all checks. The accounts are approved
 * and have no usable password: their owners are invited by mail to choose one (rules/users#import). Adds users to their
 * teams. Writes one audit row for all.
 * @returns the number of rows
 * @throws {Refusal} MAIL_UNAVAILABLE; IMPORT_INVALID if a row has an error, also one that arose since the check; and as
 * `verifyOwnPassword`
 * @throws {InputRefusal} as `roleGrantDetail`
 */
export const importUsers: Handler<typeof endpoint> = async (call, { rows, managerPassword, ...given }) => {
  const { db, actor, services, language } = call
  const managerHash = await verifyOwnPassword(call, managerPassword)
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const hash = await services.passwords.hash(nobodysPassword())

  await db.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, actor.id, managerHash)
    const messages = catalogues[language]
    const { users, errors } = await checkRows(tx, actor, rows, messages, services.keySecret, settingsOf(call))
    if (errors.length > 0) refuse('IMPORT_INVALID')
    await holdRolesAndPartners(tx, actor, {
      roles: users.map(({ roleCode }) => roleCode),
      partners: users.map(({ partnerId }) => partnerId),
    })
    const made = await insertAll(tx, users, hash, language)
    const ids = made.map(({ loginId }) => loginId)
    const idOf = new Map(made.map(({ id, loginId }) => [loginId, id]))
    await joinTeams(
      tx,
      users.flatMap(({ userId, teamId }) =>
        teamId === undefined ? [] : [{ userId: idOf.get(userId) ?? '', teamId }],
      ),
    )
    await refuseErasedIds(tx, services.keySecret, ids, 'IMPORT_INVALID')
    await sendInvitations(
      tx,
      services,
      made.map((user) => ({ ...user, language })),
      call.requester,
    )
    await call.audit(tx, {
      target: 'users',
      detail: {
        rows: users.length,
        users: users.map(({ userId: loginId, roleCode }) => ({ id: idOf.get(loginId), loginId, roleCode })),
        ...Object.assign({}, ...users.map(({ roleCode }) => roleGrantDetail(call, { ...given, roleCode }))),
      },
      records: made.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { rowCount: rows.length }
}

/** Returns the settings that the check of rows needs. */
const settingsOf = (call: Pick<Call, 'services'>) => ({
  mayEndBeEmpty: isEndOptional(call),
  mayBeLandline: hasLandlines(call),
  isListed: (position: string) => isPositionListed(call, position),
  fields: fieldsOf(call),
})

/**
 * Inserts approved accounts without a usable password, ROWS_PER_INSERT per statement.
 * @param hash hash of a random password that is not disclosed
 * @returns the inserted users with their users.id
 * @throws {Refusal} IMPORT_INVALID if an ID, email or employee number is in use by now
 */
async function insertAll(
  tx: Tx,
  users: readonly ImportUser[],
  hash: string,
  language: 'ko' | 'en',
): Promise<Omit<InvitedUser, 'language'>[]> {
  const made: Omit<InvitedUser, 'language'>[] = []
  const rows = users.map((user) => {
    const { userId: loginId, partnerCode: _, teamName: _path, teamId: _team, ...form } = user
    const { fields: columns } = withoutDetails(form)
    const [validTo, employeeNumber] = [columns.validTo || null, user.employeeNumber || null]
    return {
      ...columns,
      validTo,
      employeeNumber,
      loginId,
      passwordHash: hash,
      approvalCode: APPROVAL.approved,
      language,
    }
  })
  // Another call took an ID or email since the check, or another import takes it concurrently. The next check shows the row.
  const codes = Object.fromEntries(
    [...Object.keys(ACCOUNT_CONSTRAINTS), DEADLOCK].map((name) => [name, 'IMPORT_INVALID'] as const),
  )
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT) {
    const some = await mapConstraintErrors(codes, () =>
      tx
        .insertInto('users')
        .values(rows.slice(first, first + ROWS_PER_INSERT))
        .returning(['id', 'loginId', 'name', 'email'])
        .execute(),
    )
    made.push(...some)
  }
  return made
}
