import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { listUsers, USER_SORTS } from '../../../../contract/users.ts'
import { koreanDay } from '../../../../dev/test-kit/days.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'

/* Order and the filters that fold away: role, partner, validity, last login. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const OFFICE = 'BEL004'

const partner = (code: string) => `partner_id = (select id from partners where code = '${code}')`
const at = (minute: number) => `2026-03-01 09:0${minute}:00+09`

let admin: TestUser

async function person(name: string, more: Parameters<typeof maru.createUser>[0] = {}, set = '') {
  const made = await maru.createUser({ name, affiliation: OFFICE, ...more })
  if (set !== '') await sql(`update users set ${set} where id = $1`, [made.id])
  return made
}

/** First and last day and last login of the user created in this minute, in days from today. */
const DAYS: [minute: number, from: number | null, to: number | null, login: number | null][] = [
  [1, -10, 30, null],
  [2, -10, 31, 0],
  [3, null, -1, -100],
  [4, 1, null, null],
  [5, null, null, -20],
  [6, null, 0, null],
]

const dayOf = (from: number | null) => (from === null ? null : koreanDay(from))

async function giveDays(): Promise<void> {
  for (const [minute, from, to, login] of DAYS)
    await sql(
      `update users set valid_from = $2, valid_to = $3, last_login_at = now() + make_interval(days => $4)
       where created_at = $1`,
      [at(minute), dayOf(from), dayOf(to), login],
    )
}

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  for (const code of ['PT-ONE', 'PT-TWO']) await maru.createPartner({ code, affiliation: OFFICE })
  // Made one a minute, in an order that is not one of those asked for.
  await person('나하나', { createdAt: at(1) }, partner('PT-TWO'))
  await person('가하나', { createdAt: at(2) })
  await person('bravo', { createdAt: at(3) })
  await person('Alpha', { createdAt: at(4), role: 'hr' }, partner('PT-ONE'))
  await person('다하나', { createdAt: at(5) }, 'suspended_at = now()')
  await person('나하나', { createdAt: at(6), approved: false })
  await giveDays()
})

const list = (input: InputOf<typeof listUsers>, language = 'ko') =>
  maru.call(
    listUsers,
    { affiliationCode: OFFICE, perPage: 100, ...input },
    { session: admin.session, language },
  )
const names = async (input: InputOf<typeof listUsers>) =>
  (await list(input)).data.users.map((row) => row.name)

/** Returns the plan of a statement as text. Rows that no index has in order are sorted only if nothing else is possible. */
async function planWithoutSort(statement: string): Promise<string> {
  const client = await maru.database.pool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_sort = off')
    await client.query('set local enable_incremental_sort = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const sortedByName = async (order: 'ASC' | 'DESC') =>
  (await list({ sort: 'name', order })).data.users.map(
    (row) => `${row.name} ${row.registeredAt.slice(15, 16)}`,
  )

describe('the order of the user list (rules/lists#order)', () => {
  test('is newest first by default', async () => {
    const newest = ['나하나', '다하나', 'Alpha', 'bravo', '가하나', '나하나']
    expect(await names({})).toEqual(newest)
    expect(await names({ sort: '' })).toEqual(newest)
    expect(await names({ sort: 'registeredAt', order: 'DESC' })).toEqual(newest)
    expect(await names({ sort: 'registeredAt' })).toEqual(newest.toReversed())
  })

  test('ignores case by name, and puts the newer first among equals in both directions', async () => {
    expect(await sortedByName('ASC')).toEqual([
      'Alpha 4',
      'bravo 3',
      '가하나 2',
      '나하나 6',
      '나하나 1',
      '다하나 5',
    ])
    expect(await sortedByName('DESC')).toEqual([
      '다하나 5',
      '나하나 6',
      '나하나 1',
      '가하나 2',
      'bravo 3',
      'Alpha 4',
    ])
  })

  test.each([
    ['userId', 'users_by_id'],
    ['name', 'users_by_name'],
    ['phoneNumber', 'users_by_phone'],
    ['email', 'users_by_email'],
  ] as const)('reads a page by %s from the index alone', async (sort, index) => {
    const statements = await roundTrips(maru.database.pool, () =>
      list({ sort, affiliationCode: '', page: 2, perPage: 2 }),
    )
    const statement = statements.find((text) => text.includes('total_count')) ?? ''
    const plan = await planWithoutSort(
      statement.replaceAll(/offset \$\d+/g, 'offset 2').replaceAll(/\$\d+/g, `'PROGRAM'`),
    )
    expect(plan).toContain(`Index Only Scan using ${index} on users`)
  })

  test('puts people without a last login, a date or a partner last in both directions', async () => {
    for (const order of ['ASC', 'DESC'] as const) {
      const logins = (await list({ sort: 'lastLoginAt', order })).data.users
      expect(logins.map((row) => row.name).slice(0, 3)).toEqual(
        order === 'ASC' ? ['bravo', '다하나', '가하나'] : ['가하나', '다하나', 'bravo'],
      )
      expect(logins.slice(3).map((row) => row.lastLoginAt)).toEqual(['', '', ''])
      const partners = (await list({ sort: 'partnerCode', order })).data.users.map((row) => row.partnerCode)
      expect(partners.slice(0, 2)).toEqual(order === 'ASC' ? ['PT-ONE', 'PT-TWO'] : ['PT-TWO', 'PT-ONE'])
    }
  })

  test.each(USER_SORTS)(
    'ascends by %s from row to row, without gaps or repeats between pages',
    async (sort) => {
      for (const language of ['ko', 'en']) {
        const { data } = await list({ sort, affiliationCode: '' }, language)
        const values = data.users
          .map((row) => (sort === 'name' ? row[sort].toLowerCase() : (row[sort] ?? '')))
          .filter((v) => v !== '')
        expect(values).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
        const paged = []
        for (let page = 1; page <= Math.ceil(data.totalCount / 2); page += 1) {
          paged.push(...(await list({ sort, affiliationCode: '', page, perPage: 2 }, language)).data.users)
        }
        expect(paged).toEqual(data.users)
      }
    },
  )

  test('leaves row numbers counting down from totalCount', async () => {
    const { data } = await list({ sort: 'name' })
    expect(data.users.map((row) => row.rowNumber)).toEqual([6, 5, 4, 3, 2, 1])
  })

  test('is refused when the list does not know it', async () => {
    for (const input of [{ sort: 'password_hash' }, { sort: 'rowNumber' }, { sort: 'name', order: 'desc' }]) {
      const answer = await maru.callRaw(listUsers.path, input, { session: admin.session })
      expect([answer.status, answer.code]).toEqual([400, 'INPUT_INVALID'])
    }
  })
})

describe('more user filters (rules/users#more-user-filters)', () => {
  // Midnight may have passed since the people were made.
  beforeEach(giveDays)

  test('match role and partner code', async () => {
    expect(await names({ roleCode: 'AUT002' })).toEqual(['Alpha'])
    expect(await names({ partnerCode: 'pt-' })).toEqual(['Alpha', '나하나'])
    expect(await names({ partnerCode: 'two' })).toEqual(['나하나'])
    expect(await names({ partnerCode: '%' })).toEqual([])
  })

  test('match today’s validity in Asia/Seoul, including the first and the last day', async () => {
    expect(await names({ validity: 'ACTIVE' })).toEqual(['나하나', '가하나', '나하나'])
    // Within 30 days: the last of them is the 30th from today.
    expect(await names({ validity: 'ENDING' })).toEqual(['나하나', '나하나'])
    expect(await names({ validity: 'EXPIRED' })).toEqual(['bravo'])
    expect(await names({ validity: 'NOT_YET' })).toEqual(['Alpha'])
    expect(await names({ validity: 'SUSPENDED' })).toEqual(['다하나'])
    expect(await names({ validity: 'ALL' })).toHaveLength(6)
  })

  test('match the last login: since a day, before a number of days, or never', async () => {
    expect(await names({ lastLogin: 'SINCE', lastLoginSince: koreanDay(-20) })).toEqual(['다하나', '가하나'])
    expect(await names({ lastLogin: 'SINCE', lastLoginSince: koreanDay(-19) })).toEqual(['가하나'])
    expect(await names({ lastLogin: 'SINCE' })).toEqual(['다하나', 'bravo', '가하나'])
    expect(await names({ lastLogin: 'BEFORE' })).toEqual(['bravo'])
    expect(await names({ lastLogin: 'BEFORE', lastLoginDays: 19 })).toEqual(['다하나', 'bravo'])
    expect(await names({ lastLogin: 'NEVER' })).toEqual(['나하나', 'Alpha', '나하나'])
    // A day or a number without its kind narrows nothing.
    expect(await names({ lastLoginSince: koreanDay(0), lastLoginDays: 1 })).toHaveLength(6)
  })
})
