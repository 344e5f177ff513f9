import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  CUSTOM_SLOTS,
  type CustomField,
  type CustomSlot,
  periodOf,
} from '../../../../contract/custom-fields.ts'
import { dateOrEmpty } from '../../../../contract/fields.ts'
import { contains } from '../../../db/list.ts'
import type { Database } from '../../../db/types.ts'
import { InputRefusal } from '../../../http/error-response.ts'

/** A text that sorts after every date: the end of a period without one. */
const LAST_DAY = '9999-12-31'

/**
 * Returns the SQL conditions on the users row `u` of a filter by the company's own fields, one per field with a value
 * (rules/users#custom-field-filters): a text contains it, a choice equals it, a date is in the period. Everyone who
 * searches users sees all of them.
 * @throws {InputRefusal} `unknownField` for a field that is not defined; `dateFormat` for a period whose ends are not
 * days
 */
export async function fieldConditions(
  db: Kysely<Database>,
  wanted: Partial<Record<CustomSlot, string | undefined>>,
): Promise<RawBuilder<boolean>[]> {
  const slots = CUSTOM_SLOTS.filter((slot) => wanted[slot])
  if (slots.length === 0) return []
  const { customFields } = await db.selectFrom('settings').select('customFields').executeTakeFirstOrThrow()
  return slots.map((slot) => {
    const field = (customFields as CustomField[]).find((one) => one.slot === slot)
    if (field === undefined) throw new InputRefusal('unknownField', slot, slot.toUpperCase())
    const value = sql<string>`coalesce(u.custom_values ->> ${slot}, '')`
    const text = wanted[slot] ?? ''
    if (field.kind === 'text') return contains(value, text)
    if (field.kind === 'choice') return sql<boolean>`${value} = ${text}`
    const { from, to } = periodOf(text)
    if (![from, to].every((day) => dateOrEmpty.safeParse(day).success))
      throw new InputRefusal('dateFormat', slot, slot.toUpperCase())
    return sql<boolean>`${value} <> '' and ${value} collate "C" between ${from} and ${to || LAST_DAY}`
  })
}
