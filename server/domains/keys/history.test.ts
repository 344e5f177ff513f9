import { beforeAll, describe, expect, test } from 'vitest'
import {
  getKeyStatistics,
  listKeyDistricts,
  listKeyProvinces,
  listKeys,
  revokeKey,
} from '../../../contract/keys.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { holderOf, partnerWith } from '../../test-kit/keys.ts'
import { useMaru } from '../../test-kit/maru.ts'

const maru = useMaru()
let session: string

interface Plain {
  id: string
  affiliation: string
  province: string
  district: string
  name: string
  phone: string
  at: number
  day: string
}
let all: Plain[]

const PLACES = [
  ['BEL001', '서울특별시', '종로구'],
  ['BEL001', '서울특별시', '중구'],
  ['BEL008', '부산광역시', '중구'],
  ['BEL007', '제주특별자치도', '제주시'],
] as const

beforeAll(async () => {
  ;({ session } = await maru.createUser({ role: 'user' }))
  const names = ['김하늘', '김_강%산', 'Lee Minho', '박\\서준', '이하늘']
  for (const [i, [affiliation, province, district]] of PLACES.entries()) {
    const partner = await partnerWith(maru, { affiliation, province, district })
    for (const name of names.slice(i === 3 ? 4 : 0)) {
      const { id } = await holderOf(maru, partner, { name, affiliation })
      // Some days have many keys, most months none.
      await maru.database.pool.query(
        `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
         select $1, 'key ' || n, $2, $3, $4, $5,
           timestamptz '2024-01-30 23:00:00+09' + (n * n * $6::int) * interval '1 hour' + (n % 3) * interval '0.5 second'
         from generate_series(1, 40) as n`,
        [id, partner.id, affiliation, province, district, 2 + i],
      )
    }
  }
  const { rows } = await maru.database.pool.query(
    `select k.id, k.affiliation_code as affiliation, province_name as province, district_name as district, u.name,
       u.phone_number as phone, extract(epoch from issued_at)::float8 as at, issued_on as day
     from issued_keys k join users u on u.id = k.user_id`,
  )
  all = (rows as Plain[]).toSorted((a, b) => b.at - a.at || Number(b.id) - Number(a.id))
})

type Filter = Omit<InputOf<typeof listKeys>, 'PAGE' | 'PER_PAGE'>

const is = (wanted: string | undefined, value: string) => !wanted || wanted === 'ALL' || wanted === value

/** The same list the plain way: the rules of decisions §2 on all rows. */
function plainly(filter: Filter): Plain[] {
  return all.filter(
    (row) =>
      is(filter.BELONGTO_CODE, row.affiliation) &&
      is(filter.SIDO_NAME, row.province) &&
      is(filter.SIGUNGU_NAME, row.district) &&
      row.name.toLowerCase().includes((filter.USER_NAME ?? '').toLowerCase()) &&
      row.phone.includes(filter.PHONE_NUMBER ?? '') &&
      (!filter.ISSUANCE_DATETIME_START || row.day >= filter.ISSUANCE_DATETIME_START) &&
      (!filter.ISSUANCE_DATETIME_END || row.day <= filter.ISSUANCE_DATETIME_END),
  )
}

const FILTERS: Filter[] = [
  {},
  { BELONGTO_CODE: 'ALL', SIDO_NAME: 'ALL', SIGUNGU_NAME: 'ALL' },
  { BELONGTO_CODE: 'BEL001' },
  { SIDO_NAME: '서울특별시' },
  { SIDO_NAME: '서울특별시', SIGUNGU_NAME: '중구' },
  { SIGUNGU_NAME: '중구' },
  { USER_NAME: '김' },
  { USER_NAME: '하늘' },
  { USER_NAME: 'lee m' },
  { USER_NAME: '%' },
  { USER_NAME: '_' },
  { USER_NAME: '\\' },
  { USER_NAME: '없는 사람' },
  { PHONE_NUMBER: '0101000000' },
  { ISSUANCE_DATETIME_START: '2024-02-15' },
  { ISSUANCE_DATETIME_END: '2024-02-29' },
  { ISSUANCE_DATETIME_START: '2024-02-01', ISSUANCE_DATETIME_END: '2024-02-29' },
  { ISSUANCE_DATETIME_START: '2024-02-10', ISSUANCE_DATETIME_END: '2024-02-12' },
  { ISSUANCE_DATETIME_START: '2024-01-31', ISSUANCE_DATETIME_END: '2024-06-03' },
  { ISSUANCE_DATETIME_START: '2024-06-03', ISSUANCE_DATETIME_END: '2024-01-31' },
  { BELONGTO_CODE: 'BEL008', USER_NAME: '김', ISSUANCE_DATETIME_START: '2024-02-15' },
  { SIDO_NAME: '없는 도' },
]

describe('key history (spec §2, §7)', () => {
  test.each(FILTERS)('%j: every page, newest first, NO counting down from TOTAL_COUNT', async (filter) => {
    const wanted = plainly(filter).map((row) => row.id)
    for (const perPage of [4, 37, 100]) {
      const found: string[] = []
      const pages = Math.ceil(wanted.length / perPage)
      // Every page of the long ones; first, second, middle and last of the short ones.
      const short = [1, 2, Math.ceil(pages / 2), pages, pages + 1]
      for (const page of perPage === 4 ? short : Array.from({ length: pages + 1 }, (_, i) => i + 1)) {
        if (page < 1) continue
        const { data } = await maru.call(listKeys, { ...filter, PAGE: page, PER_PAGE: perPage }, { session })
        expect(data.TOTAL_COUNT).toBe(wanted.length)
        const first = (page - 1) * perPage
        expect(data.KEY_LIST.map((row) => row.KEY_ID)).toEqual(wanted.slice(first, first + perPage))
        expect(data.KEY_LIST.map((row) => row.NO)).toEqual(
          wanted.slice(first, first + perPage).map((_, i) => wanted.length - first - i),
        )
        found.push(...data.KEY_LIST.map((row) => row.KEY_ID))
      }
      if (perPage !== 4) expect(found).toEqual(wanted)
    }
  })

  test('oldest first when the issue date is sorted up: the same rows from the other end', async () => {
    const wanted = all.map((row) => row.id).toReversed()
    for (const page of [1, 2, 5, Math.ceil(wanted.length / 37), Math.ceil(wanted.length / 37) + 1]) {
      const { data } = await maru.call(
        listKeys,
        { SORT: 'ISSUANCE_DATE', ORDER: 'ASC', PAGE: page, PER_PAGE: 37 },
        { session },
      )
      expect(data.KEY_LIST.map((row) => row.KEY_ID)).toEqual(wanted.slice((page - 1) * 37, page * 37))
    }
  })

  test.each(FILTERS)('%j: the charts sum up to the list', async (filter) => {
    const wanted = plainly(filter)
    const { data } = await maru.call(getKeyStatistics, filter, { session })
    const count = (key: (row: Plain) => string) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(wanted, key)).map(([name, rows]) => [name, rows?.length]),
      )
    expect(data.TOTAL_COUNT).toBe(wanted.length)
    expect(Object.fromEntries(data.DAY_LIST.map((row) => [row.DATE, row.COUNT]))).toEqual(
      count((row) => row.day),
    )
    expect(Object.fromEntries(data.SIDO_LIST.map((row) => [row.SIDO_NAME, row.COUNT]))).toEqual(
      count((row) => row.province),
    )
    expect(Object.fromEntries(data.BELONGTO_LIST.map((row) => [row.BELONGTO_CODE, row.COUNT]))).toEqual(
      count((row) => row.affiliation),
    )
    expect(data.DAY_LIST).toEqual(data.DAY_LIST.toSorted((a, b) => (a.DATE < b.DATE ? -1 : 1)))
  })

  test('a row is what spec §3 names and holds no issued key', async () => {
    const { data, raw } = await maru.call(listKeys, { SIGUNGU_NAME: '제주시', PER_PAGE: 1 }, { session })
    expect(data.KEY_LIST).toEqual([
      {
        NO: 40,
        KEY_ID: expect.any(String),
        SIDO_NAME: '제주특별자치도',
        SIGUNGU_NAME: '제주시',
        BELONGTO_CODE_NAME: '가족사',
        USER_ID: expect.any(String),
        NAME: '이하늘',
        PHONE_NUMBER: expect.stringMatching(/^\d{11}$/),
        REQUEST_KEY: 'key 40',
        ISSUANCE_DATE: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        REVOKED_DATE: '',
        REVOKE_REASON: '',
      },
    ])
    expect(raw).not.toContain('MARU1.')
    const english = await maru.call(listKeys, { SIGUNGU_NAME: '제주시' }, { session, language: 'en' })
    expect(english.data.KEY_LIST[0]?.BELONGTO_CODE_NAME).toBe('Family company')
  })

  test('a revoked key stays in its place and is shown as revoked, with the reason', async () => {
    const { session: admin } = await maru.createUser({ role: 'admin' })
    const filter = { SIGUNGU_NAME: '제주시', PER_PAGE: 3 }
    const before = await maru.call(listKeys, filter, { session })
    const KEY_ID = before.data.KEY_LIST[1]?.KEY_ID ?? ''
    await maru.call(revokeKey, { KEY_ID, REASON: '단말기 분실' }, { session: admin })
    const after = await maru.call(listKeys, filter, { session })
    expect(after.data.TOTAL_COUNT).toBe(before.data.TOTAL_COUNT)
    expect(
      after.data.KEY_LIST.map((row) => [row.KEY_ID, row.REVOKE_REASON, row.REVOKED_DATE !== '']),
    ).toEqual(
      before.data.KEY_LIST.map((row) =>
        row.KEY_ID === KEY_ID ? [KEY_ID, '단말기 분실', true] : [row.KEY_ID, '', false],
      ),
    )
  })

  test('provinces and districts: those in force, and after them those that keys were issued in (decisions §6)', async () => {
    const partner = await partnerWith(maru, { province: '광주광역시', district: '옛구' })
    const { id } = await holderOf(maru, partner)
    await maru.database.pool.query(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
       values ($1, 'old', $2, 'BEL001', '광주광역시', '옛구')`,
      [id, partner.id],
    )
    const { data } = await maru.call(listKeyProvinces, {}, { session })
    expect(data.SIDO_LIST).toHaveLength(17)
    expect(data.SIDO_LIST[0]).toEqual({ SIDO_NAME: '서울특별시', CTPRVN_CD: '11' })
    expect(data.SIDO_LIST.at(-1)).toEqual({ SIDO_NAME: '광주광역시', CTPRVN_CD: '' })
    const seoul = await maru.call(listKeyDistricts, { SIDO_NAME: '서울특별시' }, { session })
    expect(seoul.data.SIGUNGU_LIST).toHaveLength(25)
    expect(seoul.data.SIGUNGU_LIST.find((row) => row.SIGUNGU_NAME === '종로구')).toMatchObject({
      X: expect.closeTo(126.98, 1),
      Y: expect.closeTo(37.59, 1),
    })
    const old = await maru.call(listKeyDistricts, { SIDO_NAME: '광주광역시' }, { session })
    expect(old.data.SIGUNGU_LIST.map((row) => row.SIGUNGU_NAME)).toEqual(['옛구'])
    const none = await maru.call(listKeyDistricts, { SIDO_NAME: '없는 도' }, { session })
    expect(none.data.SIGUNGU_LIST).toEqual([])
  })

  test('the counts follow whatever writes, moves and removes keys', async () => {
    const { pool } = maru.database
    const keys = `select issued_on as day, cell_id, user_id, count(*)::int as n from issued_keys group by 1, 2, 3`
    const check = async () => {
      for (const [counts, by] of [
        [
          'select day, cell_id, n from key_days',
          `select day, cell_id, sum(n)::int as n from (${keys}) k group by 1, 2`,
        ],
        [
          'select month as day, cell_id, n from key_months',
          `select date_trunc('month', day::timestamp)::date as day, cell_id, sum(n)::int as n from (${keys}) k group by 1, 2`,
        ],
        ['select day, cell_id, user_id, n from key_user_days', keys],
        [
          'select month as day, cell_id, user_id, n from key_user_months',
          `select date_trunc('month', day::timestamp)::date as day, cell_id, user_id, sum(n)::int as n from (${keys}) k group by 1, 2, 3`,
        ],
      ]) {
        const { rows } = await pool.query(
          `(${counts} where n <> 0 except ${by}) union all (${by} except ${counts})`,
        )
        expect(rows).toEqual([])
      }
    }
    await check()
    await pool.query(
      `update issued_keys set issued_at = issued_at - interval '40 days' where request_key = 'key 7'`,
    )
    await check()
    await pool.query(`delete from issued_keys where request_key in ('key 8', 'key 9')`)
    await check()
  })
})
