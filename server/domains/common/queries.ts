import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import type { Database } from '../../db/types.ts'

/** A code group in the order that selects show it. */
export async function findCodes(db: Kysely<Database>, group: string, language: Language) {
  return db
    .selectFrom('codes')
    .select(['code', `name_${language} as codeName`])
    .where('group_code', '=', group)
    .orderBy('sort_order')
    .execute()
}

/** Whether a code group holds a code, as a part of a query. */
export function codeExists(group: string, code: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from codes where group_code = ${group} and code = ${code})`
}

/** Whether a code group holds a code. */
export async function hasCode(db: Kysely<Database>, group: string, code: string): Promise<boolean> {
  const { found } = await db.selectNoFrom(codeExists(group, code).as('found')).executeTakeFirstOrThrow()
  return found
}
