import { type Kysely, sql, type Transaction } from 'kysely'
import type { searchLeak as searchEndpoint } from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { isPerson } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { searchInExportSlot } from '../inspections/inspect.ts'
import { lockOpenIncident } from './incidents.ts'
import { findOrigin, type Origin } from './origins.ts'

/** A data subject that a search found: users.id, the paths of the calls, and the number, first and last time of the accesses. */
interface FoundPerson {
  personId: string
  calls: string[]
  touches: string
  firstAt: string
  lastAt: string
}

/** Seconds after which a search is ended. */
const SEARCH_SECONDS = 60
/** PostgreSQL code of a statement that exceeded its time limit. */
const CANCELED = '57014'
/** Memory of a search for its sums, so that they do not go to the disk. */
const SEARCH_MEMORY = '64MB'
/** Most data subjects that one statement stores. */
const PEOPLE_AT_ONCE = 5000

/**
 * Searches the access log for the data subjects of a leak and adds the search with them to an incident, with an audit row
 * (rules/audit#leak-search). Runs in an export slot, so that calls need not wait for it.
 * @returns the ID of the search, and the numbers of its data subjects and rows
 * @throws {Refusal} INCIDENT_NOT_FOUND; INCIDENT_CLOSED; LEAK_ORIGIN_NOT_FOUND; LEAK_SEARCH_SLOW after SEARCH_SECONDS;
 * EXPORT_BUSY if all export slots are in use
 */
export const searchLeak: Handler<typeof searchEndpoint> = async (call, { incidentId, ...asked }) => {
  const { actor, db, longReads } = call
  const origin = await call.inTurn(() =>
    db.transaction().execute(async (tx) => {
      await lockOpenIncident(tx, incidentId)
      return findOrigin(tx, asked)
    }),
  )
  const { people, records } = await searchInExportSlot(longReads, actor.userId, (snapshot) =>
    findPeople(snapshot, origin),
  )
  const leakSearchId = await call.inTurn(() =>
    db.transaction().execute(async (tx) => {
      await lockOpenIncident(tx, incidentId)
      const { id } = await tx
        .insertInto('leakSearches')
        .values({
          incidentId,
          origin: asked.leakOrigin,
          accountId: origin.accountId,
          value: origin.value,
          searchedFrom: origin.from,
          searchedTo: origin.to,
          searchedBy: actor.id,
          people: String(people.length),
          records,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE)
        await storePeople(tx, id, people.slice(start, start + PEOPLE_AT_ONCE))
      const found = { personCount: people.length, recordCount: Number(records) }
      await call.audit(tx, { target: incidentId, detail: { ...asked, ...found }, records: null })
      return id
    }),
  )
  call.touches(origin.accountId === null ? [] : [origin.accountId])
  return { leakSearchId, personCount: people.length, recordCount: Number(records) }
}

/**
 * Returns the SQL expression for the first day of the month of a time in Seoul, which is the month of its partition.
 */
const monthOf = (at: Origin['from']) => sql`date_trunc('month', ${at} at time zone 'Asia/Seoul')::date`

/**
 * Returns the number of rows of the access log that an origin caused (`records`), and the data subjects with an account
 * that they name. Leaves out refused calls.
 * @param seconds time limit of a statement
 * @throws {Refusal} LEAK_SEARCH_SLOW if it takes longer
 */
export async function findPeople(
  snapshot: Transaction<Database>,
  { isCaused, from, to }: Pick<Origin, 'isCaused' | 'from' | 'to'>,
  seconds = SEARCH_SECONDS,
): Promise<{ people: FoundPerson[]; records: string }> {
  await sql`select set_config('statement_timeout', ${`${seconds}s`}, true), set_config('work_mem', ${SEARCH_MEMORY}, true)`.execute(
    snapshot,
  )
  const rows = sql`access_log l where ${isCaused} and l.result = '' and l.at >= ${from} and l.at < ${to}
    and l.month >= ${monthOf(from)} and l.month <= ${monthOf(to)}`
  try {
    const found = await sql<FoundPerson>`
      select person_id::text, array_agg(call order by call) as calls, sum(n)::text as touches,
        min(first_at)::text as first_at, max(last_at)::text as last_at
      from (
        select p.id as person_id, call, count(*) as n, min(at) as first_at, max(at) as last_at
        from (select l.call, l.at, l.subjects from ${rows}) as l, unnest(l.subjects) as p (id)
        where ${isPerson('p.id')}
        group by p.id, call
      ) as touched
      group by person_id order by person_id`.execute(snapshot)
    const counted = await sql<{ records: string }>`select count(*)::text as records from ${rows}`.execute(
      snapshot,
    )
    return { people: found.rows, records: counted.rows[0]?.records ?? '0' }
  } catch (error) {
    if ((error as { code?: string }).code === CANCELED) refuse('LEAK_SEARCH_SLOW')
    throw error
  }
}

/**
 * Stores data subjects that a search found.
 * @param searchId leak_searches.id
 */
async function storePeople(
  tx: Kysely<Database>,
  searchId: string,
  people: readonly FoundPerson[],
): Promise<void> {
  await sql`insert into leak_people (search_id, person_id, calls, touches, first_at, last_at)
    select ${searchId}::bigint, "personId", array(select jsonb_array_elements_text(calls)), touches, "firstAt", "lastAt"
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as p ("personId" bigint, calls jsonb, touches bigint, "firstAt" timestamptz, "lastAt" timestamptz)`.execute(
    tx,
  )
}
