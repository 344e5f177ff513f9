import {
  CUSTOM_SLOTS,
  type CustomField,
  employeeNumber as numberSchema,
  faultOf,
  lineValue,
} from '../../../../contract/custom-fields.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import type { ImportColumn } from '../../../../contract/users/import.ts'
import { validationText } from '../../../../contract/validation.ts'
import { anyOf } from '../../../db/sql.ts'
import type { Db } from '../../../db/database.ts'
import { nameKey } from '../../imports/index.ts'
import type { CustomValues } from '../record/details.ts'

/** Returns the holders (users.id) of the employee numbers in a file, by number. Withdrawn holders do not count. */
export async function findNumbers(
  db: Db,
  rows: readonly { employeeNumber: string }[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = rows.flatMap((row) => numberSchema.safeParse(row.employeeNumber).data || [])
  if (numbers.length === 0) return new Map()
  const found = await db
    .selectFrom('users')
    .select(['id', 'employeeNumber'])
    .where('employeeNumber', '=', anyOf(numbers))
    .where('withdrawnAt', 'is', null)
    .execute()
  return new Map(found.map(({ id, employeeNumber }) => [employeeNumber ?? '', id]))
}

/**
 * Reads the cells of the fields that the company has added. A choice may be in any case.
 * @param present the current values, which need not follow the current definitions
 * @param wrong called for each cell that does not fit, also a cell of an unknown field
 * @returns the values of valid cells that are not empty
 */
export function readCustomCells(
  row: Partial<Record<ImportColumn, string>>,
  fields: readonly CustomField[],
  messages: Messages,
  wrong: (column: ImportColumn, message: string) => void,
  present: CustomValues = {},
): CustomValues {
  const values: CustomValues = {}
  for (const slot of CUSTOM_SLOTS) {
    const text = row[slot]?.trim() ?? ''
    if (text === '') continue
    const field = fields.find((one) => one.slot === slot)
    const { data, error } = lineValue.safeParse(text)
    const value = field?.choices.find((choice) => nameKey(choice) === nameKey(data ?? '')) ?? data ?? ''
    const fault =
      field === undefined
        ? 'unknownField'
        : (error?.issues[0]?.message ?? faultOf(field, value, present[slot]))
    if (fault === undefined) values[slot] = value
    else wrong(slot, validationText(messages, fault))
  }
  return values
}
