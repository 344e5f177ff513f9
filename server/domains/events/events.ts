import { type RawBuilder, sql } from 'kysely'
import type { listEvents } from '../../../contract/events.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { wireTime } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'

/** An event as programs get it: without values, names and contact data (rules/events#content). */
export type PortalEvent = OutputOf<typeof listEvents>['events'][number]

/**
 * Returns the SQL expression for a user or record as JSON: its kind, its ID, and its current login ID or partner code
 * (null for other kinds).
 */
const recordOf = (kind: RawBuilder<string>, id: RawBuilder<string>) => sql`json_build_object(
  'kind', ${kind}, 'id', ${id}, 'name', case ${kind}
    when 'user' then (select u.login_id from users u where u.id = ${id}::bigint)
    when 'partner' then (select p.code from partners p where p.id = ${id}::bigint) end)`

/** Columns of `PortalEvent` from the table `audit_log` as `l`. */
export const eventColumns = [
  sql<string>`l.id`.as('eventId'),
  sql<PortalEvent['type']>`l.action`.as('type'),
  wireTime(sql`l.at`).as('occurredAt'),
  sql<PortalEvent['actor']>`case when l.actor_id is not null then
    ${recordOf(sql`'user'`, sql`l.actor_id::text`)} end`.as('actor'),
  sql<PortalEvent['records']>`(select coalesce(json_agg(${recordOf(
    sql`split_part(r.record, '/', 1)`,
    sql`split_part(r.record, '/', 2)`,
  )} order by r.place), '[]') from unnest(l.records) with ordinality as r (record, place))`.as('records'),
] as const

/** Milliseconds for which a call waits for transactions that are writing events. */
const PATIENCE_MS = 2000
/** Milliseconds between two checks whether they have ended. */
const POLL_MS = 50

/**
 * Returns the ID up to which every event is committed or rolled back. IDs are assigned before the commit, so a reader
 * that goes by the newest ID would skip an event that commits later (design/events#pull). Waits up to PATIENCE_MS for
 * transactions that are writing.
 * @returns null if a transaction takes longer
 */
export async function settledEventId(db: Db): Promise<string | null> {
  // The snapshot of the statement is older than its look at the locks: who assigned an ID below the newest one either holds the lock,
  // or has ended.
  const { newest, writers } = await readWriters(db)
  const isBusy = (now: readonly string[]) => now.some((writer) => writers.includes(writer))
  let isSettled = writers.length === 0
  for (let waited = 0; !isSettled && waited < PATIENCE_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    isSettled = !isBusy((await readWriters(db)).writers)
  }
  return isSettled ? newest : null
}

/** Returns the newest ID of an event, and the transactions that may be writing others. */
async function readWriters(db: Db): Promise<{ newest: string; writers: string[] }> {
  const { rows } = await sql<{ newest: string; writers: string[] }>`
    select coalesce((select max(id) from audit_log), 0)::text as newest, array(
      select virtualtransaction from pg_locks where locktype = 'relation' and relation = 'audit_log'::regclass
        and database = (select oid from pg_database where datname = current_database())
        and mode = 'RowExclusiveLock' and granted) as writers`.execute(db)
  return rows[0] ?? { newest: '0', writers: [] }
}
