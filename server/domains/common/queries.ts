import type { Kysely } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import type { Database } from '../../db/types.ts'

/** A code group in the order that selects show it. */
export async function findCodes(db: Kysely<Database>, group: string, language: Language) {
  return db
    .selectFrom('codes')
    .select(['code as code', `name_${language} as codeName`])
    .where('group_code', '=', group)
    .orderBy('sort_order')
    .execute()
}
