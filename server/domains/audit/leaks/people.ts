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

const personState = sql<
  (typeof PERSON_STATES)[number]
>`case when u.id is null or u.erased_at is not null then 'ERASED'
  when u.withdrawn_at is not null then 'WITHDRAWN' else 'PRESENT' end`

/**
 * Returns the query for the data subjects of an incident, each once, the most accessed first. Searches may overlap, so
 * a data subject has the largest of their counts.
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

const titlesOf = (calls: readonly string[], language: Language) => [
  ...new Set(calls.map((path) => titleAt(path)?.[language] ?? path)),
]

/** Returns a page of the data subjects of an incident (rules/audit#leak-people). */
export const listLeakPeople: Handler<typeof listEndpoint> = async (call, input) => {
  const { rows, totalCount } = await pageOf(call.db, people(call.db, input), input)
  call.touches(rows.map(({ personId }) => personId))
  return {
    totalCount,
    rows: rows.map(({ calls, ...row }) => ({ ...row, tasks: titlesOf(calls, call.language) })),
  }
}

/**
 * Exports the data subjects of an incident, with masked phone numbers and emails unless the caller enters the password.
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

const countOf = (wanted: (typeof PERSON_STATES)[number]) =>
  sql`(count(*) filter (where ${personState} = ${wanted}))::float8`

/** Figures of all data subjects of an incident. */
interface Figures {
  personCount: number
  withdrawnCount: number
  erasedCount: number
  firstTouchedAt: string
  lastTouchedAt: string
  calls: string[]
}

/** Returns the figures of all data subjects of an incident, each counted once. */
export async function figuresOf(db: Kysely<Database>, incidentId: string): Promise<Figures> {
  const searches = searchesOf({ incidentId, leakSearchId: '' })
  const { rows } = await sql<Figures>`
    select count(*)::float8 as person_count, ${countOf('WITHDRAWN')} as withdrawn_count, ${countOf('ERASED')} as erased_count,
      coalesce(${wireTime(sql<Date>`min(p.first_at)`)}, '') as first_touched_at,
      coalesce(${wireTime(sql<Date>`max(p.last_at)`)}, '') as last_touched_at,
      array(select distinct c from leak_people, unnest(calls) as c where search_id in ${searches} order by c) as calls
    from (
      select person_id, min(first_at) as first_at, max(last_at) as last_at
      from leak_people where search_id in ${searches} group by person_id
    ) as p left join users u on u.id = p.person_id`.execute(db)
  return rows[0] as Figures
}
