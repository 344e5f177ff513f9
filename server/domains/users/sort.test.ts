import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { listUsers, USER_SORTS } from '../../../contract/users.ts'
import type { TestUser } from '../../test-kit/people.ts'
import { useMaru } from '../../test-kit/maru.ts'

/* Order and the filters of issue 4: role, partner, validity, last login. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const OFFICE = 'BEL004'

const partner = (code: string) => `partner_id = (select id from partners where code = '${code}')`
const at = (minute: number) => `2026-03-01 09:0${minute}:00+09`

let admin: TestUser

/** A day in Asia/Seoul, so many days from today. */
const day = (from: number) =>
  new Date(Date.now() + 9 * 3_600_000 + from * 86_400_000).toISOString().slice(0, 10)

async function person(name: string, more: Parameters<typeof maru.createUser>[0] = {}, set = '') {
  const made = await maru.createUser({ name, affiliation: OFFICE, ...more })
  if (set !== '') await sql(`update users set ${set} where id = $1`, [made.id])
  return made
}

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  for (const code of ['PT-ONE', 'PT-TWO']) await maru.createPartner({ code, affiliation: OFFICE })
  // Made one a minute, in an order that is none of those asked for.
  await person('나하나', { createdAt: at(1), validFrom: day(-10), validTo: day(30) }, partner('PT-TWO'))
  await person('가하나', { createdAt: at(2), validFrom: day(-10), validTo: day(31) }, `last_login_at = now()`)
  await person('bravo', { createdAt: at(3), validTo: day(-1) }, `last_login_at = now() - interval '100 days'`)
  await person('Alpha', { createdAt: at(4), validFrom: day(1), role: 'hr' }, partner('PT-ONE'))
  await person(
    '다하나',
    { createdAt: at(5) },
    `suspended_at = now(), last_login_at = now() - interval '20 days'`,
  )
  await person('나하나', { createdAt: at(6), validTo: day(0), approved: false })
})

const list = (input: InputOf<typeof listUsers>, language = 'ko') =>
  maru.call(
    listUsers,
    { BELONGTO_CODE: OFFICE, PER_PAGE: 100, ...input },
    { session: admin.session, language },
  )
const names = async (input: InputOf<typeof listUsers>) => (await list(input)).data.DATA.map((row) => row.NAME)

const sortedByName = async (ORDER: 'ASC' | 'DESC') =>
  (await list({ SORT: 'NAME', ORDER })).data.DATA.map(
    (row) => `${row.NAME} ${row.REGSTER_DATETIME.slice(15, 16)}`,
  )

describe('order of the user list (issue 4)', () => {
  test('left out, it is newest first, as the callers of spec §7 know it', async () => {
    const newest = ['나하나', '다하나', 'Alpha', 'bravo', '가하나', '나하나']
    expect(await names({})).toEqual(newest)
    expect(await names({ SORT: '' })).toEqual(newest)
    expect(await names({ SORT: 'REGSTER_DATETIME', ORDER: 'DESC' })).toEqual(newest)
    expect(await names({ SORT: 'REGSTER_DATETIME' })).toEqual(newest.toReversed())
  })

  test('by name without regard to capitals; of the same name the newer one first, in both directions', async () => {
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

  test('whoever has no last login, no date and no partner comes last in both directions', async () => {
    for (const ORDER of ['ASC', 'DESC'] as const) {
      const logins = (await list({ SORT: 'LAST_LOGIN_DATETIME', ORDER })).data.DATA
      expect(logins.map((row) => row.NAME).slice(0, 3)).toEqual(
        ORDER === 'ASC' ? ['bravo', '다하나', '가하나'] : ['가하나', '다하나', 'bravo'],
      )
      expect(logins.slice(3).map((row) => row.LAST_LOGIN_DATETIME)).toEqual(['', '', ''])
      const partners = (await list({ SORT: 'PARTNER_CODE', ORDER })).data.DATA.map((row) => row.PARTNER_CODE)
      expect(partners.slice(0, 2)).toEqual(ORDER === 'ASC' ? ['PT-ONE', 'PT-TWO'] : ['PT-TWO', 'PT-ONE'])
    }
  })

  test.each(USER_SORTS)(
    'by %s: ascending or equal from row to row, and pages without gap or double',
    async (SORT) => {
      for (const language of ['ko', 'en']) {
        const { data } = await list({ SORT, BELONGTO_CODE: '' }, language)
        const values = data.DATA.map((row) => (SORT === 'NAME' ? row[SORT].toLowerCase() : row[SORT])).filter(
          (v) => v !== '',
        )
        expect(values).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
        const paged = []
        for (let PAGE = 1; PAGE <= Math.ceil(data.TOTAL_COUNT / 2); PAGE += 1) {
          paged.push(...(await list({ SORT, BELONGTO_CODE: '', PAGE, PER_PAGE: 2 }, language)).data.DATA)
        }
        expect(paged).toEqual(data.DATA)
      }
    },
  )

  test('NO counts down from TOTAL_COUNT in whatever order (decisions §2)', async () => {
    const { data } = await list({ SORT: 'NAME' })
    expect(data.DATA.map((row) => row.NO)).toEqual([6, 5, 4, 3, 2, 1])
  })

  test('an order that the list does not know is refused', async () => {
    for (const input of [{ SORT: 'password_hash' }, { SORT: 'NO' }, { SORT: 'NAME', ORDER: 'desc' }]) {
      const answer = await maru.callRaw(listUsers.path, input, { session: admin.session })
      expect([answer.status, answer.code]).toEqual([400, 'INPUT_INVALID'])
    }
  })
})

describe('more filters (issue 4)', () => {
  test('role and partner code', async () => {
    expect(await names({ AUTHORITYS_CODE: 'AUT002' })).toEqual(['Alpha'])
    expect(await names({ PARTNER_CODE: 'pt-' })).toEqual(['Alpha', '나하나'])
    expect(await names({ PARTNER_CODE: 'two' })).toEqual(['나하나'])
    expect(await names({ PARTNER_CODE: '%' })).toEqual([])
  })

  test('validity as it stands today in Asia/Seoul: the first and the last day count', async () => {
    expect(await names({ VALIDITY: 'ACTIVE' })).toEqual(['나하나', '가하나', '나하나'])
    // Within 30 days: the last of them is the 30th from today.
    expect(await names({ VALIDITY: 'ENDING' })).toEqual(['나하나', '나하나'])
    expect(await names({ VALIDITY: 'EXPIRED' })).toEqual(['bravo'])
    expect(await names({ VALIDITY: 'NOT_YET' })).toEqual(['Alpha'])
    expect(await names({ VALIDITY: 'SUSPENDED' })).toEqual(['다하나'])
    expect(await names({ VALIDITY: 'ALL' })).toHaveLength(6)
  })

  test('last login: since a day, longer than so many days ago, never', async () => {
    expect(await names({ LAST_LOGIN: 'SINCE', LAST_LOGIN_SINCE: day(-20) })).toEqual(['다하나', '가하나'])
    expect(await names({ LAST_LOGIN: 'SINCE', LAST_LOGIN_SINCE: day(-19) })).toEqual(['가하나'])
    expect(await names({ LAST_LOGIN: 'SINCE' })).toEqual(['다하나', 'bravo', '가하나'])
    expect(await names({ LAST_LOGIN: 'BEFORE' })).toEqual(['bravo'])
    expect(await names({ LAST_LOGIN: 'BEFORE', LAST_LOGIN_DAYS: 19 })).toEqual(['다하나', 'bravo'])
    expect(await names({ LAST_LOGIN: 'NEVER' })).toEqual(['나하나', 'Alpha', '나하나'])
    // A day or a number without its kind narrows nothing.
    expect(await names({ LAST_LOGIN_SINCE: day(0), LAST_LOGIN_DAYS: 1 })).toHaveLength(6)
  })
})
