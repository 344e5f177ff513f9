import { beforeAll, expect, test } from 'vitest'
import { listAffiliations } from '../../contract/affiliations.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { listWebhooks } from '../../contract/events.ts'
import { getKeyStatistics, listKeys, listServices } from '../../contract/keys.ts'
import { listNotices, listUnread } from '../../contract/notices.ts'
import { listPartners } from '../../contract/partners.ts'
import { listRolesWithFunctions } from '../../contract/roles.ts'
import { ENDING, listEnding } from '../../contract/users/validity.ts'
import { listTeams } from '../../contract/teams.ts'
import { listSavedSearches, listUsers, saveSearch } from '../../contract/users.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { roundTrips } from '../../dev/test-kit/round-trips.ts'
import { sampleOf } from '../../dev/test-kit/samples.ts'

const maru = useMaru()
let admin: TestUser
let noticeId: string

beforeAll(async () => {
  const sample = await maru.createUser({ role: 'admin' })
  await maru.database.pool.query(
    `insert into webhooks (id, name, url, secret, created_by) overriding system value
      values (1, '웹훅', 'https://events.example.com/', '', $1)`,
    [sample.id],
  )
  admin = await maru.createUser({ role: 'admin' })
  const { rows } = await maru.database.pool.query<{ id: string }>(
    `insert into notices (bullet_code, title, memo, author_id, must_read)
     values ('BE0001', '점검 안내', '', ${admin.id}, true) returning id`,
  )
  noticeId = rows[0]?.id ?? ''
  const conditions = { affiliationCode: 'BEL001', roleCode: 'AUT003', partnerCode: 'A' }
  await maru.call(saveSearch, { searchName: '본사', conditions }, admin)
})

/** Lists that answer all they have at once. */
const WHOLE: readonly Endpoint[] = [
  getKeyStatistics,
  listServices,
  listWebhooks,
  listRolesWithFunctions,
  listAffiliations,
  listSavedSearches,
  listTeams,
]

const NAMED = { requesterName: '김', affiliationCode: 'BEL001', issuedFrom: '2026-01-15' }

/** Inputs that make a list expensive; every other list is called with its sample. */
const DEAR = new Map<Endpoint, () => object>([
  [listUsers, () => ({ name: '김', sort: 'roleName' })],
  [listEnding, () => ({ state: ENDING.suspended })],
  [listNotices, () => ({ searchType: '통합검색', title: '점검', author: '점검' })],
  [listUnread, () => ({ noticeId })],
  [listKeys, () => NAMED],
  [getKeyStatistics, () => NAMED],
  [listPartners, () => ({ partnerCode: 'A', sort: 'affiliationName' })],
])

const lists = endpoints.filter((entry) => 'page' in sampleOf(entry) || WHOLE.includes(entry.endpoint))

test('counts every list of the contract', () => {
  const names = lists.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['listRequests', 'listHistory']))
  expect(lists.length).toBeGreaterThanOrEqual(DEAR.size + 4)
})

test.each(lists)('needs few round trips for $name, the session included', async (entry) => {
  const { endpoint } = entry
  const input = DEAR.get(endpoint)?.() ?? sampleOf(entry)
  const call = async () => {
    const { status } = await maru.callRaw(endpoint.path, input, { session: admin.session })
    expect(status).toBe(200)
  }
  await call()
  const statements = await roundTrips(maru.database.pool, call)
  // The affiliations below the one of a filter are read first.
  const most = 'affiliationCode' in input && input.affiliationCode !== '' ? 4 : 3
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most)
  expect(statements.length).toBeGreaterThan(1)
})

test('plans the statements of a page and of an unfiltered list once per connection', async () => {
  const { pool } = maru.database
  const searched = [
    [listUsers, {}],
    [listUsers, { affiliationCode: 'BEL001' }],
    [listNotices, {}],
    [listKeys, {}],
    [listPartners, {}],
  ] as const
  // Only one is left, for the calls as for whatever else the server asks meanwhile.
  const others = await Promise.all(Array.from({ length: (pool.options.max ?? 10) - 1 }, () => pool.connect()))
  const planned = async (part: string) => {
    const { rows } = await pool.query<{ statement: string }>(
      `select statement from pg_prepared_statements where name like 'maru-%' and generic_plans > 0`,
    )
    return rows.filter(({ statement }) => statement.includes(part)).length
  }
  try {
    // PostgreSQL plans a statement for good after some executions. A busy server refuses some of the calls.
    await expect
      .poll(
        async () => {
          for (const [endpoint, input] of searched)
            await maru.callRaw(endpoint.path, input, { session: admin.session })
          return planned('total_count')
        },
        { timeout: 60_000 },
      )
      .toBe(searched.length)
    // For users and notices: with as few rows as here PostgreSQL would otherwise choose another plan.
    expect(await planned('array_position(')).toBeGreaterThanOrEqual(2)
  } finally {
    for (const other of others) other.release()
  }
})
