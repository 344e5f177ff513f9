import { sql } from 'kysely'
import type { CustomField } from '../../../contract/custom-fields.ts'
import type { Tx } from '../../db/database.ts'

/** Returns the definitions of fields as they are stored, with their parts in a fixed order. */
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

/** Deletes the values of removed fields, so that none appears under a later field of the same place (rules/users#custom-fields). */
export async function deleteValues(
  tx: Tx,
  before: readonly CustomField[],
  after: readonly CustomField[],
): Promise<void> {
  const gone = before.map(({ slot }) => slot).filter((slot) => after.every((field) => field.slot !== slot))
  if (gone.length > 0)
    await sql`update users set custom_values = custom_values - ${gone}::text[] where custom_values ?| ${gone}::text[]`.execute(
      tx,
    )
}
