import { sql } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import {
  type listSavedSearches as listEndpoint,
  type removeSearch as removeEndpoint,
  type renameSearch as renameEndpoint,
  type saveSearch as saveEndpoint,
  SAVED_SEARCHES_MAX,
  searchConditions,
} from '../../../../contract/users.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import type { Db } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { inBranch, withinReach } from '../../roles/index.ts'
import { nameColumn } from '../../../db/sql.ts'

/** Name of the list that the searches belong to. Other lists may use the same table. */
const LIST = 'users'

/** Error for the unique index of the names of a user. */
const TAKEN_NAMES = { saved_searches_name: 'SEARCH_NAME_TAKEN' } as const

/** Saved search as the list returns it. */
type Saved = OutputOf<typeof listEndpoint>['searches'][number]
/** Filter of a saved search whose value no longer exists. */
type Missing = Saved['missing'][number]

/**
 * Returns the caller's saved searches, ordered by name (rules/users#saved-searches), each with its filters whose values
 * no longer exist.
 */
export const listSavedSearches: Handler<typeof listEndpoint> = async ({ db, actor, language }) => {
  const rows = await ownSearches(db, actor)
    .select(['id', 'name', 'conditions'])
    .orderBy(sql`lower(name)`)
    .execute()
  const read = rows.map((row) => ({ ...row, ...readConditions(row.conditions) }))
  const missing = await findMissing(
    db,
    actor,
    read.map(({ conditions }) => conditions),
    language,
  )
  return {
    searches: read.map(({ id, name, conditions, unknown }) => ({
      searchId: id,
      searchName: name,
      conditions,
      missing: [
        ...unknown,
        ...missing.flatMap(({ field, value, missingName }) =>
          conditions[field] === value ? [{ field, missingName }] : [],
        ),
      ],
    })),
  }
}

/** Returns the query for the saved searches of the caller. */
const ownSearches = (db: Db, { id }: SignedIn) =>
  db.selectFrom('savedSearches').where('userId', '=', id).where('list', '=', LIST)

/**
 * Converts stored conditions to the current form of the list. A condition that is no longer valid gets its default, and
 * is returned in `unknown`.
 */
function readConditions(kept: unknown): { conditions: Saved['conditions']; unknown: Missing[] } {
  const unknown: Missing[] = []
  const conditions = Object.entries(searchConditions).map(([field, schema]) => {
    const value = (kept as Record<string, unknown>)[field]
    const { success, data } = schema.safeParse(value)
    if (success) return [field, data]
    unknown.push({ field, missingName: String(value) })
    return [field, schema.parse(undefined)]
  })
  return { conditions: Object.fromEntries(conditions) as Saved['conditions'], unknown }
}

/** Filters whose value is the code of a record that may be deleted. */
const BY_RECORD = ['affiliationCode', 'approvalCode', 'roleCode', 'partnerCode'] as const

/** Returns the SQL condition that the code `a.value` exists in a group and is not closed. */
const isOpen = (group: string) =>
  sql`exists (select from codes c where c.group_code = ${group} and c.code = a.value and c.closed_at is null)`

/**
 * Returns the filter values whose records no longer exist, are closed or are out of the caller's reach. `missingName`
 * is the name of a closed affiliation, and the code itself for any other record.
 */
async function findMissing(
  db: Db,
  actor: SignedIn,
  searches: readonly Saved['conditions'][],
  language: Language,
): Promise<(Missing & { field: (typeof BY_RECORD)[number]; value: string })[]> {
  const asked = searches.flatMap((conditions) =>
    BY_RECORD.map((field) => ({ field, value: conditions[field] })).filter(({ value }) => value !== ''),
  )
  if (asked.length === 0) return []
  const { rows } = await sql<Missing & { field: (typeof BY_RECORD)[number]; value: string }>`
    select distinct a.field, a.value, coalesce((select ${sql.ref(`c.${nameColumn[language]}`)} from codes c
      where a.field = 'affiliationCode' and c.group_code = ${CODE_GROUP.affiliation} and c.code = a.value), a.value) as missing_name
    from unnest(${asked.map(({ field }) => field)}::text[], ${asked.map(({ value }) => value)}::text[]) as a (field, value)
    where not case a.field
      when 'affiliationCode' then ${isOpen(CODE_GROUP.affiliation)} and ${inBranch(actor, sql.ref('a.value'))}
      when 'approvalCode' then ${isOpen(CODE_GROUP.approval)}
      when 'roleCode' then exists (select from roles r where r.code = a.value and ${withinReach(actor, sql.ref('r.code'))})
      else exists (select from partners p where position(upper(a.value) in p.code) > 0 and ${inBranch(actor, sql.ref('p.affiliationCode'))})
    end`.execute(db)
  return rows
}

/**
 * Saves a search under a name for the caller. Locks the caller's row, so that two concurrent calls cannot exceed the
 * maximum.
 * @throws {Refusal} SEARCHES_FULL beyond SAVED_SEARCHES_MAX; SEARCH_NAME_TAKEN
 */
export const saveSearch: Handler<typeof saveEndpoint> = async ({ db, actor }, input) => {
  const { searchName: name, conditions } = input
  const searchId = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
    const { count } = await ownSearches(tx, actor)
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    if (count >= SAVED_SEARCHES_MAX) refuse('SEARCHES_FULL')
    const { id } = await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .insertInto('savedSearches')
        .values({ userId: actor.id, list: LIST, name, conditions: JSON.stringify(conditions) })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return id
  })
  return { searchId }
}

/**
 * Renames a saved search of the caller.
 * @throws {Refusal} SEARCH_NOT_FOUND, also for another user's search; SEARCH_NAME_TAKEN
 */
export const renameSearch: Handler<typeof renameEndpoint> = async (
  { db, actor },
  { searchId, searchName },
) => {
  const renamed = await mapConstraintErrors(TAKEN_NAMES, () =>
    db
      .updateTable('savedSearches')
      .set({ name: searchName })
      .where('id', '=', searchId)
      .where('userId', '=', actor.id)
      .where('list', '=', LIST)
      .executeTakeFirst(),
  )
  if (renamed.numUpdatedRows === 0n) refuse('SEARCH_NOT_FOUND')
}

/**
 * Deletes a saved search of the caller.
 * @throws {Refusal} SEARCH_NOT_FOUND, also for another user's search
 */
export const removeSearch: Handler<typeof removeEndpoint> = async ({ db, actor }, { searchId }) => {
  const removed = await db
    .deleteFrom('savedSearches')
    .where('id', '=', searchId)
    .where('userId', '=', actor.id)
    .where('list', '=', LIST)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) refuse('SEARCH_NOT_FOUND')
}
