import type { OutputOf, ParsedInputOf } from '../../../../contract/endpoint.ts'
import { userUpdate as en } from '../../../../contract/messages/en/user-update.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { userUpdate as ko } from '../../../../contract/messages/ko/user-update.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { IMPORT_COLUMNS, importedUser } from '../../../../contract/users/import.ts'
import { type checkUpdates as endpoint } from '../../../../contract/users/import-update.ts'
import { validationText } from '../../../../contract/validation.ts'
import type { Tx } from '../../../db/database.ts'
import type { Call } from '../../../http/handler.ts'
import { hasLandlines, isPositionListed } from '../../common/index.ts'
import { mapInTurns, placeOf, rowErrors } from '../../imports/index.ts'
import { chosenPeople, type ChosenPerson, digestOf } from '../bulk/bulk-people.ts'
import { fieldsOf } from '../record/details.ts'
import { findNumbers } from './import-details.ts'
import { lookUpChoices } from './import-choices.ts'
import { refusalOfAdmins } from '../../roles/index.ts'
import { planRow, type PlannedRow } from './update-row.ts'

/** Row of the file, as texts. */
type Row = ParsedInputOf<typeof endpoint>['rows'][number]

/** Planned change of a user by a row of the file. */
export interface PlannedUpdate extends PlannedRow {
  person: ChosenPerson
}

/** Row of the file after its check, with its errors. */
interface CheckedRow extends PlannedRow {
  /** undefined if the row is about no user who may be changed. */
  person?: ChosenPerson | undefined
}

/**
 * Compares every row with the account of its ID, and returns the changes and errors (rules/users#update-check). A row
 * also has an error if its ID is unknown, out of reach or repeated, or if it changes the caller's own account. Writes
 * nothing. The caller must change no user unless there are no errors.
 * @returns also a version, which changes if any user in the file is changed, added or removed, or if the same rows
 * would have another effect
 */
export async function planUpdates(
  tx: Tx,
  { actor, language, services }: Pick<Call<typeof endpoint>, 'actor' | 'language' | 'services'>,
  rows: readonly Row[],
): Promise<{
  updates: PlannedUpdate[]
  errors: OutputOf<typeof endpoint>['errors']
  /** Users (users.id) whose present values the rows are compared with. */
  compared: string[]
  version: string
}> {
  const messages = catalogues[language]
  const words = { ko, en }[language]
  const choices = await lookUpChoices(tx, actor, rows)
  const numbers = await findNumbers(tx, rows)
  const fields = fieldsOf({ services })
  const people = await chosenPeople(tx, actor, { userIds: idsOf(rows), except: [] }, language, false)
  const byId = new Map(people.map((person) => [person.loginId, person]))
  const seen = new Map<string, string>()
  const numbersSeen = new Map<string, string>()

  const checked = await mapInTurns(rows, (row, index): CheckedRow => {
    const ofNobody = (message: string): CheckedRow => {
      const errors = rowErrors(IMPORT_COLUMNS, messages)
      errors.wrong('userId', message)
      return { columns: {}, values: {}, cells: [], errors }
    }
    const { data: userId, error } = importedUser.shape.userId.safeParse(row.userId)
    if (userId === undefined) return ofNobody(validationText(messages, error?.issues[0]?.message ?? ''))
    const first = seen.get(userId)
    if (first !== undefined) return ofNobody(first)
    seen.set(userId, placeOf(messages.imports.users, row.line, index + 1))
    const person = byId.get(userId)
    if (person === undefined || person.obstacle === 'GONE') return ofNobody(words.gone)
    if (person.obstacle === 'OUT_OF_REACH') return ofNobody(words.outOfReach)
    const planned = planRow(row, person, {
      ...choices,
      numbers,
      mayBeLandline: hasLandlines({ services }),
      isListed: (position) => isPositionListed({ services }, position),
      fields,
      messages,
      words,
      language,
    })
    // The caller's own row may be in the file, unchanged since the export.
    const number = planned.columns.employeeNumber
    if (number !== undefined && number !== null) {
      const earlier = numbersSeen.get(number)
      if (earlier !== undefined) planned.errors.wrong('employeeNumber', earlier)
      else numbersSeen.set(number, placeOf(messages.imports.users, row.line, index + 1))
    }
    const isOwn = person.obstacle === 'OWN'
    if (isOwn && (!planned.errors.isGood || planned.cells.length > 0)) return ofNobody(words.own)
    return { ...planned, person }
  })
  await checkAdmins(tx, checked, messages.errors)

  const updates = checked.flatMap(({ person, ...row }) =>
    person !== undefined && row.errors.isGood && row.cells.length > 0 ? [{ person, ...row }] : [],
  )
  return {
    updates,
    errors: checked.flatMap(({ errors }, index) => errors.list(index + 1)),
    compared: checked.flatMap(({ person }) => person?.id ?? []),
    version: digestOf(people, [
      'update',
      updates.map(({ person, columns, values, team }) => [person.id, columns, values, team]),
    ]),
  }
}

/** Returns the valid IDs in a file, without duplicates. */
export function idsOf(rows: readonly Row[]): string[] {
  const ids = rows.flatMap(({ userId }) => importedUser.shape.userId.safeParse(userId).data ?? [])
  return [...new Set(ids)]
}

/**
 * Adds an error to every row that contributes to the loss of the last 관리자 (rules/roles#last-administrator). Adds none
 * if a 관리자 would remain as long as before. Reads the database and writes nothing.
 */
async function checkAdmins(
  tx: Tx,
  checked: readonly CheckedRow[],
  words: Record<'LAST_ADMIN' | 'LAST_ADMIN_ENDS', string>,
): Promise<void> {
  const ofAdmins = checked.flatMap(({ person, columns, errors }) =>
    person?.roleCode === ROLE.admin || columns.roleCode === ROLE.admin
      ? [{ id: person?.id ?? '', wasAdmin: person?.roleCode === ROLE.admin, columns, errors }]
      : [],
  )
  const costing = ofAdmins.flatMap(({ wasAdmin, columns, errors }) => {
    const column = (['roleCode', 'validTo', 'validFrom', 'affiliationCode'] as const).find(
      (name) => name in columns,
    )
    return wasAdmin && column !== undefined ? [{ field: column, errors }] : []
  })
  if (costing.length === 0) return
  const refusal = await refusalOfAdmins(
    tx,
    ofAdmins.map(({ id, columns }) => ({ id, ...columns })),
  )
  if (refusal === null) return
  for (const { field, errors } of costing) errors.wrong(field, words[refusal])
}
