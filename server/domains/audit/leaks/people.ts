import { type Kysely, sql } from 'kysely'
import {
  type exportLeakPeople as exportEndpoint,
  LEAK_EXPORT_COLUMNS,
  type listLeakPeople as listEndpoint,
  type PERSON_STATES,
} from '../../../../contract/audit.ts'
import { leak as en } from '../../../../contract/messages/en/leak.ts'
import { leak as ko } from '../../../../contract/messages/ko/leak.ts'
import { everyRowOf, pageOf } from '../../../db/list.ts'
import { orEmpty, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Handler } from '../../../http/handler.ts'
import { exportList } from '../../exports/index.ts'
import { titleAt } from '../access-log/call-names.ts'

/** Texts of incidents in each language. */
const texts = { ko, en }

/** Filters of the data subjects of an incident. */
interface Filter {
  incidentId: string
  /** '' for all searches. */
  leakSearchId: string
}

/** Returns the subquery for the IDs of the searches of a filter. */
const searchesOf = ({ incidentId, leakSearchId }: Filter) =>
  sql`(select id from leak_searches where incident_id = ${incidentId}::bigint
    ${leakSearchId === '' ? sql`` : sql`and id = ${leakSearchId}::bigint`})`

/** SQL expression for the state of the account `u` of a data subject: present, withdrawn or erased. */
const personState = sql<
  (typeof PERSON_STATES)[number]
>`case when u.id is null or u.erased_at is not null then 'ERASED'
  when u.withdrawn_at is not null then 'WITHDRAWN' else 'PRESENT' end`

/**
 * Returns the query for the data subjects of an incident, each once, the most accessed first, with their current
 * account data, the paths of the calls, and the number and times of accesses. Searches may overlap, so a data subject
 * has the largest of their counts.
 */
function people(db: Kysely<Database>, filter: Filter) {
  const searches = searchesOf(filter)
  const found = db
    .selectFrom('leakPeople')
    .select(({ fn }) => [
      'personId',
      fn.max('touches').as('touches'),
      fn.min('firstAt').as('firstAt'),
      fn.max('lastAt').as('lastAt'),
    ])
    .where(sql<boolean>`search_id in ${searches}`)
    .groupBy('personId')
  return db
    .selectFrom(found.as('p'))
    .leftJoin('users as u', 'u.id', 'p.personId')
    .select([
      'p.personId',
      orEmpty('u.loginId').as('userId'),
      orEmpty('u.name').as('name'),
      orEmpty('u.email').as('email'),
      orEmpty('u.phoneNumber').as('phoneNumber'),
      personState.as('personState'),
      sql<string[]>`array(select distinct c from leak_people q, unnest(q.calls) as c
        where q.person_id = p.person_id and q.search_id in ${searches} order by c)`.as('calls'),
      sql<number>`p.touches::float8`.as('touchCount'),
      wireTime(sql<Date>`p.first_at`).as('firstTouchedAt'),
      wireTime(sql<Date>`p.last_at`).as('lastTouchedAt'),
    ])
    .orderBy('p.touches', 'desc')
    .orderBy('p.personId')
}

/** Returns the titles of calls in a language, each once; the path of a call that has none. */
const titlesOf = (calls: readonly string[], language: Language) => [
  ...new Set(calls.map((path) => titleAt(path)?.[language] ?? path)),
]

/**
 * Returns a page of the data subjects of an incident, or of one of its searches, the most accessed first, with the
 * titles of the calls (rules/audit#leak-people).
 */
export const listLeakPeople: Handler<typeof listEndpoint> = async (call, input) => {
  const { rows, totalCount } = await pageOf(call.db, people(call.db, input), input)
  call.touches(rows.map(({ personId }) => personId))
  return {
    totalCount,
    rows: rows.map(({ calls, ...row }) => ({ ...row, tasks: titlesOf(calls, call.language) })),
  }
}

/**
 * Exports the data subjects of an incident, or of one of its searches. Masks phone numbers and emails unless the caller enters
 * the password.
 * @throws {Refusal} as `exportList`
 */
export const exportLeakPeople: Handler<typeof exportEndpoint> = async (call, input) => {
  const t = texts[call.language]
  return exportList(call, input, {
    list: 'leakPeople',
    columns: LEAK_EXPORT_COLUMNS,
    headers: t.people.columns,
    kinds: { touchCount: 'number', firstTouchedAt: 'moment', lastTouchedAt: 'moment' },
    read: (tx) => everyRowOf(people(tx, input)),
    peopleIn: ({ personId }) => [personId],
    cells: ({ calls, touchCount, ...row }) => ({
      ...row,
      personState: t.people.states[row.personState],
      tasks: titlesOf(calls, call.language).join(', '),
      touchCount: String(touchCount),
    }),
  })
}

/** Returns the SQL expression for the number of data subjects whose account has this state. */
const countOf = (wanted: (typeof PERSON_STATES)[number]) =>
  sql`(count(*) filter (where ${personState} = ${wanted}))::float8`

/** Summary of the data subjects of an incident. Times are '' and `calls` is empty if there are none. */
interface PeopleSummary {
  personCount: number
  withdrawnCount: number
  erasedCount: number
  firstTouchedAt: string
  lastTouchedAt: string
  calls: string[]
}

/**
 * Returns a summary of the data subjects of an incident: how many there are, how many are withdrawn or erased,
 * the first and the last access to their data, and the paths of the calls that accessed it. Counts a data subject once,
 * even if several searches found it.
 */
export async function summarizePeople(db: Kysely<Database>, incidentId: string): Promise<PeopleSummary> {
  const searches = searchesOf({ incidentId, leakSearchId: '' })
  const { rows } = await sql<PeopleSummary>`
    select count(*)::float8 as person_count, ${countOf('WITHDRAWN')} as withdrawn_count, ${countOf('ERASED')} as erased_count,
      coalesce(${wireTime(sql<Date>`min(p.first_at)`)}, '') as first_touched_at,
      coalesce(${wireTime(sql<Date>`max(p.last_at)`)}, '') as last_touched_at,
      array(select distinct c from leak_people, unnest(calls) as c where search_id in ${searches} order by c) as calls
    from (
      select person_id, min(first_at) as first_at, max(last_at) as last_at
      from leak_people where search_id in ${searches} group by person_id
    ) as p left join users u on u.id = p.person_id`.execute(db)
  return rows[0] as PeopleSummary
}
