import { sql } from 'kysely'
import { CUSTOM_SLOTS, type CustomField } from '../../../contract/custom-fields.ts'
import type { Tx } from '../../db/database.ts'

/**
 * Returns the definitions of the company's own fields of users as the JSON text that the database stores, with their
 * parts in a fixed order.
 */
export const fieldsText = (fields: readonly CustomField[]): string =>
  JSON.stringify(
    fields.map(({ slot, name, nameEn, kind, choices, seenBy, editedBy }) => ({
      slot,
      name,
      nameEn,
      kind,
      choices: kind === 'choice' ? choices : [],
      seenBy,
      editedBy,
    })),
  )

/**
 * Deletes from all user records the values of slots that begin or cease to have a field, so that none appears under a
 * later field of the same slot (rules/users#custom-fields). Another server may save a value a moment after the removal:
 * it reads the settings every second.
 */
export async function deleteValues(
  tx: Tx,
  before: readonly CustomField[],
  after: readonly CustomField[],
): Promise<void> {
  const [former, present] = [before, after].map((fields) => new Set(fields.map(({ slot }) => slot)))
  const other = CUSTOM_SLOTS.filter((slot) => former?.has(slot) !== present?.has(slot))
  if (other.length > 0)
    await sql`update users set custom_values = custom_values - ${other}::text[] where custom_values ?| ${other}::text[]`.execute(
      tx,
    )
}
