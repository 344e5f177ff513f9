import { type JoinBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
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
 * Joins the affiliation of a row, as `codes as b`, which may be a code that no longer exists: a left join.
 * @param code the column that holds its code
 */
export function onAffiliation(code: string) {
  return <DB, TB extends keyof DB>(join: JoinBuilder<DB, TB>) =>
    join.on(sql<boolean>`b.code = ${sql.ref(code)} and b.group_code = ${CODE_GROUP.affiliation}`)
}

/** The name of an affiliation that was joined by `onAffiliation`; its code where it has none any more. */
export function affiliationName(code: string, language: Language): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`b.name_${language}`)}, ${sql.ref(code)})`
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
