import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
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

/**
 * The name of a code that a row holds; the code itself where it has none any more. Looked up for each row that is shown: as
 * a join it takes PostgreSQL longer to plan than all rows of a page to find.
 * @param column the column that holds the code
 */
export function codeName(group: string, column: string, language: Language): RawBuilder<string> {
  return sql<string>`coalesce((select ${sql.ref(`c.name_${language}`)} from codes c
    where c.group_code = ${group} and c.code = ${sql.ref(column)}), ${sql.ref(column)})`
}

/** The name of an affiliation, like `codeName`. */
export function affiliationName(column: string, language: Language): RawBuilder<string> {
  return codeName(CODE_GROUP.affiliation, column, language)
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
