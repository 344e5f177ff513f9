import { type Expression, type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Db } from '../../db/database.ts'
import { nameColumn } from '../../db/sql.ts'

/**
 * Returns the codes of a group with their names in a language, in the order of selects, including closed ones
 * (`isClosed`).
 * @param group a CODE_GROUP
 */
export async function findCodes(db: Db, group: string, language: Language) {
  return db
    .selectFrom('codes')
    .select([
      'code',
      `${nameColumn[language]} as codeName`,
      sql<boolean>`closed_at is not null`.as('isClosed'),
      'parentCode',
    ])
    .where('groupCode', '=', group)
    .orderBy('sortOrder')
    .orderBy('code')
    .execute()
}

/**
 * Returns the SQL expression for the name of a code; the code itself if it has no name any more. A subquery per row,
 * because PostgreSQL takes longer to plan a join than to find all rows of a page.
 * @param column the column that contains the code
 */
export function codeName(group: string, column: string, language: Language): RawBuilder<string> {
  return sql<string>`coalesce((select ${sql.ref(`c.${nameColumn[language]}`)} from codes c
    where c.group_code = ${group} and c.code = ${sql.ref(column)}), ${sql.ref(column)})`
}

/**
 * Returns the SQL of an affiliation's name in a language, as `codeName` does.
 * @param column the column that contains the code of the affiliation
 */
export function affiliationName(column: string, language: Language): RawBuilder<string> {
  return codeName(CODE_GROUP.affiliation, column, language)
}

/**
 * Returns the SQL expression for whether an affiliation is open or closed; null if it does not exist.
 * @param code code of the affiliation, or the column that contains it
 */
export function affiliationState(code: string | Expression<unknown>): RawBuilder<'open' | 'closed' | null> {
  return sql`(select case when s.closed_at is null then 'open' else 'closed' end
    from codes s where s.group_code = ${CODE_GROUP.affiliation} and s.code = ${code})`
}

/**
 * Refuses an affiliation into which no user or partner may be put (rules/affiliations#close).
 * @param state the state of the affiliation; null if it does not exist
 * @param present code of the current affiliation of the user or partner, which they may keep
 * @throws {Refusal} CODE_NOT_FOUND, AFFILIATION_CLOSED
 */
export function checkPlaceable(state: 'open' | 'closed' | null, code: string, present?: string): void {
  if (state === null) refuse('CODE_NOT_FOUND')
  if (state === 'closed' && code !== present) refuse('AFFILIATION_CLOSED')
}

/**
 * Refuses an affiliation into which no user or partner may be put, as `checkPlaceable`, by its current state.
 * @param present code of the current affiliation of the user or partner, which they may keep
 * @throws {Refusal} CODE_NOT_FOUND, AFFILIATION_CLOSED
 */
export async function requirePlaceable(db: Db, code: string, present?: string): Promise<void> {
  const { state } = await db.selectNoFrom(affiliationState(code).as('state')).executeTakeFirstOrThrow()
  checkPlaceable(state, code, present)
}
