import { beforeAll, describe, expect, test } from 'vitest'
import {
  exportKeys,
  getKeyStatistics,
  issueKey,
  listKeyDistricts,
  listKeyProvinces,
  listKeys,
  revokeKey,
} from '../../../contract/keys.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { mergeKeyTotals } from './index.ts'

const maru = useMaru()
let session: string

interface Plain {
  id: string
  affiliation: string
  province: string
  district: string
  name: string
  login: string
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
  ;({ session } = await maru.createUser({ role: 'hr' }))
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
       u.login_id as login, u.phone_number as phone, extract(epoch from issued_at)::float8 as at, issued_on as day
     from issued_keys k join users u on u.id = k.user_id`,
  )
  all = (rows as Plain[]).toSorted((a, b) => b.at - a.at || Number(b.id) - Number(a.id))
})

type Filter = Omit<InputOf<typeof listKeys>, 'page' | 'perPage'>

const is = (wanted: string | undefined, value: string) => !wanted || wanted === 'ALL' || wanted === value

/** The same list the plain way: the rules of every list on all rows. */
function plainly(filter: Filter): Plain[] {
  const id = (filter.userId ?? '').toLowerCase()
  const isComplete = all.some(({ login }) => login === id)
  return all.filter(
    (row) =>
      is(filter.affiliationCode, row.affiliation) &&
      is(filter.provinceName, row.province) &&
      is(filter.districtName, row.district) &&
      row.name.toLowerCase().includes((filter.requesterName ?? '').toLowerCase()) &&
      (isComplete ? row.login === id : row.login.includes(id)) &&
      row.phone.includes(filter.phoneNumber ?? '') &&
      (!filter.issuedFrom || row.day >= filter.issuedFrom) &&
      (!filter.issuedTo || row.day <= filter.issuedTo),
  )
}

const FILTERS: Filter[] = [
  {},
  { affiliationCode: 'ALL', provinceName: 'ALL', districtName: 'ALL' },
  { affiliationCode: 'BEL001' },
  { provinceName: '서울특별시' },
  { provinceName: '서울특별시', districtName: '중구' },
  { districtName: '중구' },
  { requesterName: '김' },
  { requesterName: '하늘' },
  { requesterName: 'lee m' },
  { requesterName: '%' },
  { requesterName: '_' },
  { requesterName: '\\' },
  { requesterName: '없는 사람' },
  { userId: 'USER002' },
  { userId: 'ser01' },
  { userId: '%' },
  { phoneNumber: '0101000000' },
  { issuedFrom: '2024-02-15' },
  { issuedTo: '2024-02-29' },
  { issuedFrom: '2024-02-01', issuedTo: '2024-02-29' },
  { issuedFrom: '2024-02-10', issuedTo: '2024-02-12' },
  { issuedFrom: '2024-01-31', issuedTo: '2024-06-03' },
  { issuedFrom: '2024-06-03', issuedTo: '2024-01-31' },
  { affiliationCode: 'BEL008', requesterName: '김', issuedFrom: '2024-02-15' },
  { provinceName: '없는 도' },
]

const phones = async (filter: Filter, by: { session: string }) =>
  (await maru.call(listKeys, { ...filter, perPage: 100 }, by)).data.keys.map((row) => row.phoneNumber)

describe('phone numbers and partner codes in the history (rules/keys#phone-numbers)', () => {
  test('are whole for user managers, and for others only on keys of their own partner', async () => {
    const [own, other] = [
      await partnerWith(maru, { district: '마포구' }),
      await partnerWith(maru, { district: '마포구' }),
    ]
    const reader = await holderOf(maru, own, { phoneNumber: '01011112222' })
    const stranger = await holderOf(maru, other, { phoneNumber: '01033334444' })
    for (const person of [reader, stranger]) await maru.call(issueKey, { requestKey: 'masking' }, person)
    const place = { districtName: '마포구' }

    expect(await phones(place, reader)).toEqual(['010-****-4444', '01011112222'])
    expect(await phones(place, { session })).toEqual(['01033334444', '01011112222'])
    // A number that is masked is not found by guessing either, not even in numbers.
    for (const phoneNumber of ['01033334444', '3333', '4444', '010']) {
      const found = phoneNumber === '010' ? ['01011112222'] : []
      expect(await phones({ ...place, phoneNumber }, reader)).toEqual(found)
      const charts = await maru.call(getKeyStatistics, { ...place, phoneNumber }, reader)
      expect(charts.data.totalCount).toBe(found.length)
    }
    expect(await phones({ ...place, phoneNumber: '3333' }, { session })).toEqual(['01033334444'])
    const nobodys = await maru.createUser({ role: 'user' })
    expect(await phones({ ...place, phoneNumber: '010' }, nobodys)).toEqual([])

    // By partner code: a whole one is that partner alone, any other all that have it as a part.
    await maru.database.pool.query(`update partners set code = 'MASK' where id = $1`, [own.id])
    await maru.database.pool.query(`update partners set code = 'MASK-2' where id = $1`, [other.id])
    for (const [partnerCode, codes] of [
      ['mask', ['MASK']],
      ['MASK-', ['MASK-2']],
      ['MAS', ['MASK-2', 'MASK']],
      ['NONE', []],
    ] as const) {
      const { data } = await maru.call(listKeys, { partnerCode }, reader)
      expect(data.keys.map((row) => row.partnerCode)).toEqual(codes)
      const charts = await maru.call(getKeyStatistics, { partnerCode }, reader)
      expect(charts.data.totalCount).toBe(codes.length)
    }
    await maru.database.pool.query(`delete from issued_keys where request_key = 'masking'`)
  })
})

describe('phone numbers of people above the reader (rules/keys#phone-numbers)', () => {
  const place = { districtName: '용산구' }

  test('are masked for HR, not searchable, and whole for administrators and the partner', async () => {
    const [own, other] = [
      await partnerWith(maru, { district: '용산구' }),
      await partnerWith(maru, { district: '용산구' }),
    ]
    const boss = await holderOf(maru, own, { role: 'admin', phoneNumber: '01055556666' })
    const person = await holderOf(maru, own, { phoneNumber: '01077778888' })
    for (const one of [boss, person]) await maru.call(issueKey, { requestKey: 'above' }, one)
    const admin = await maru.createUser({ role: 'admin' })
    const inOther = await holderOf(maru, other, { role: 'hr' })
    const inOwn = await holderOf(maru, own, { role: 'hr' })
    expect(await phones(place, inOther)).toEqual(['01077778888', '010-****-6666'])
    expect(await phones(place, inOwn)).toEqual(['01077778888', '01055556666'])
    expect(await phones(place, admin)).toEqual(['01077778888', '01055556666'])
    for (const phoneNumber of ['01055556666', '5555', '6666']) {
      expect(await phones({ ...place, phoneNumber }, inOther)).toEqual([])
      const charts = await maru.call(getKeyStatistics, { ...place, phoneNumber }, inOther)
      expect(charts.data.totalCount).toBe(0)
      expect(await phones({ ...place, phoneNumber }, admin)).toEqual(['01055556666'])
    }
    expect(await phones({ ...place, phoneNumber: '7777' }, inOther)).toEqual(['01077778888'])
    await maru.database.pool.query(`delete from issued_keys where request_key = 'above'`)
  })
})

/** IDs of the people whom the newest row of HR in the access log names. */
const logged = async () => {
  const { rows } = await maru.owner.query(
    `select subjects from access_log l join users u on u.id = l.actor_id where u.role_code = 'AUT002'
      order by l.month desc, l.position desc limit 1`,
  )
  return rows[0].subjects as string[]
}

describe('a count of the key history (rules/audit#counted-people)', () => {
  test('is logged for everyone whom a search by name or number finds, past the end', async () => {
    const partner = await partnerWith(maru, { district: '성동구' })
    const person = await holderOf(maru, partner, { name: '셀사람', phoneNumber: '01099998888' })
    await holderOf(maru, partner, { name: '셀사람' })
    await maru.call(issueKey, { requestKey: 'counted' }, person)
    for (const filter of [{ phoneNumber: '99998888' }, { requesterName: '셀사람', districtName: '성동구' }]) {
      const { data } = await maru.call(listKeys, { ...filter, page: 100 }, { session })
      expect(data).toEqual({ totalCount: 1, keys: [] })
      expect(await logged()).toEqual([person.id])
      await maru.call(getKeyStatistics, { districtName: '성동구' }, { session })
      expect(await logged()).toEqual([])
      await maru.call(getKeyStatistics, filter, { session })
      expect(await logged()).toEqual([person.id])
    }
    await maru.call(listKeys, { districtName: '성동구', page: 100 }, { session })
    expect(await logged()).toEqual([])
    await maru.database.pool.query(`delete from issued_keys where request_key = 'counted'`)
  })
})

describe('the key history (rules/keys#key-history, rules/keys#key-filters, rules/keys#key-statistics)', () => {
  test.each(FILTERS)('shows every page newest first with %j, with descending row numbers', async (filter) => {
    const wanted = plainly(filter).map((row) => row.id)
    for (const perPage of [4, 37, 100]) {
      const found: string[] = []
      const pages = Math.ceil(wanted.length / perPage)
      // Every page of the long ones; first, second, middle and last of the short ones.
      const short = [1, 2, Math.ceil(pages / 2), pages, pages + 1]
      for (const page of perPage === 4 ? short : Array.from({ length: pages + 1 }, (_, i) => i + 1)) {
        if (page < 1) continue
        const { data } = await maru.call(listKeys, { ...filter, page, perPage }, { session })
        expect(data.totalCount).toBe(wanted.length)
        const first = (page - 1) * perPage
        expect(data.keys.map((row) => row.keyId)).toEqual(wanted.slice(first, first + perPage))
        expect(data.keys.map((row) => row.rowNumber)).toEqual(
          wanted.slice(first, first + perPage).map((_, i) => wanted.length - first - i),
        )
        found.push(...data.keys.map((row) => row.keyId))
      }
      if (perPage !== 4) expect(found).toEqual(wanted)
    }
  })

  test('has the same rows in reverse if sorted by issue date ascending', async () => {
    const wanted = all.map((row) => row.id).toReversed()
    for (const page of [1, 2, 5, Math.ceil(wanted.length / 37), Math.ceil(wanted.length / 37) + 1]) {
      const { data } = await maru.call(
        listKeys,
        { sort: 'issuedAt', order: 'ASC', page, perPage: 37 },
        { session },
      )
      expect(data.keys.map((row) => row.keyId)).toEqual(wanted.slice((page - 1) * 37, page * 37))
    }
  })

  test.each(FILTERS)('has charts that sum up to the list with %j', async (filter) => {
    const wanted = plainly(filter)
    const { data } = await maru.call(getKeyStatistics, filter, { session })
    const count = (key: (row: Plain) => string) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(wanted, key)).map(([name, rows]) => [name, rows?.length]),
      )
    expect(data.totalCount).toBe(wanted.length)
    expect(Object.fromEntries(data.days.map((row) => [row.date, row.count]))).toEqual(count((row) => row.day))
    expect(Object.fromEntries(data.provinces.map((row) => [row.provinceName, row.count]))).toEqual(
      count((row) => row.province),
    )
    expect(Object.fromEntries(data.affiliations.map((row) => [row.affiliationCode, row.count]))).toEqual(
      count((row) => row.affiliation),
    )
    expect(data.days).toEqual(data.days.toSorted((a, b) => (a.date < b.date ? -1 : 1)))
  })

  test('has the columns of the list and no issued key', async () => {
    const { data, raw } = await maru.call(listKeys, { districtName: '제주시', perPage: 1 }, { session })
    expect(data.keys).toEqual([
      {
        rowNumber: 40,
        keyId: expect.any(String),
        provinceName: '제주특별자치도',
        districtName: '제주시',
        affiliationName: '가족사',
        userId: expect.any(String),
        name: '이하늘',
        phoneNumber: expect.stringMatching(/^\d{11}$/),
        requestKey: 'key 40',
        secretVersion: 1,
        issuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        revokedAt: '',
        revokeReason: '',
        revokedBy: '',
        partnerCode: expect.any(String),
      },
    ])
    expect(raw).not.toContain('MARU1.')
    const english = await maru.call(listKeys, { districtName: '제주시' }, { session, language: 'en' })
    expect(english.data.keys[0]?.affiliationName).toBe('Affiliated company')
  })

  test('keeps a revoked key in its place, marked as revoked with the reason', async () => {
    const { session: admin } = await maru.createUser({ role: 'admin' })
    const filter = { districtName: '제주시', perPage: 3 }
    const before = await maru.call(listKeys, filter, { session })
    const keyId = before.data.keys[1]?.keyId ?? ''
    await maru.call(revokeKey, { keyId, reason: '단말기 분실' }, { session: admin })
    const after = await maru.call(listKeys, filter, { session })
    expect(after.data.totalCount).toBe(before.data.totalCount)
    expect(after.data.keys.map((row) => [row.keyId, row.revokeReason, row.revokedAt !== ''])).toEqual(
      before.data.keys.map((row) =>
        row.keyId === keyId ? [keyId, '단말기 분실', true] : [row.keyId, '', false],
      ),
    )
  })

  test('offers the regions in force, followed by those that keys were issued in', async () => {
    const partner = await partnerWith(maru, { province: '광주광역시', district: '옛구' })
    const { id } = await holderOf(maru, partner)
    await maru.database.pool.query(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
       values ($1, 'old', $2, 'BEL001', '광주광역시', '옛구')`,
      [id, partner.id],
    )
    const { data } = await maru.call(listKeyProvinces, {}, { session })
    expect(data.provinces).toHaveLength(17)
    expect(data.provinces[0]).toEqual({ provinceName: '서울특별시', provinceCode: '11' })
    expect(data.provinces.at(-1)).toEqual({ provinceName: '광주광역시', provinceCode: '' })
    const seoul = await maru.call(listKeyDistricts, { provinceName: '서울특별시' }, { session })
    expect(seoul.data.districts).toHaveLength(25)
    expect(seoul.data.districts.find((row) => row.districtName === '종로구')).toMatchObject({
      longitude: expect.closeTo(126.98, 1),
      latitude: expect.closeTo(37.59, 1),
    })
    const old = await maru.call(listKeyDistricts, { provinceName: '광주광역시' }, { session })
    expect(old.data.districts.map((row) => row.districtName)).toEqual(['옛구'])
    const none = await maru.call(listKeyDistricts, { provinceName: '없는 도' }, { session })
    expect(none.data.districts).toEqual([])
  })

  test('keeps its counts right when keys are written, moved and removed', async () => {
    const { pool } = maru.database
    const keys = `select issued_on as day, cell_id, user_id, count(*)::int as n from issued_keys group by 1, 2, 3`
    const region = 'affiliation_code, province_name, issued_on as day'
    const check = async () => {
      for (const [counts, by] of [
        [
          'select month as day, cell_id, n from key_months',
          `select date_trunc('month', day::timestamp)::date as day, cell_id, sum(n)::int as n from (${keys}) k group by 1, 2`,
        ],
        [
          `select day, sum(n) as n from key_totals where affiliation_code = '' and province_name = '' group by day`,
          `select day, sum(n) as n from (${keys}) k group by 1`,
        ],
        [
          `select affiliation_code, province_name, day, sum(n) as n from key_totals where affiliation_code <> '' group by 1, 2, 3`,
          `select ${region}, count(*) as n from issued_keys group by 1, 2, 3`,
        ],
        [
          'select user_id, n from key_user_totals',
          `select user_id, sum(n)::int as n from (${keys}) k group by 1`,
        ],
      ]) {
        const { rows } = await pool.query(
          `with kept as (${counts}), counted as (${by})
           (select * from kept where n <> 0 except table counted) union all (table counted except table kept)`,
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
    await mergeKeyTotals(pool)
    await check()
    const { rows } = await pool.query('select affiliation_code, province_name, day from key_totals')
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
  })
})

describe('own keys (rules/keys#own-keys)', () => {
  test('are all that a user without autho_key_search finds, counts and exports', async () => {
    const partner = await partnerWith(maru, { district: '은평구' })
    const owner = await holderOf(maru, partner, { name: '은하늘', phoneNumber: '01077770001' })
    const colleague = await holderOf(maru, partner, { name: '은바다', phoneNumber: '01077770002' })
    for (const by of [owner, colleague]) await maru.call(issueKey, { requestKey: 'own' }, by)
    await maru.database.pool.query(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT778', '내 키', 'Own keys', 778)`,
    )
    await maru.database.pool.query(`insert into role_functions values ('AUT778', 'autho_key_own')`)
    await maru.database.pool.query(`update users set role_code = 'AUT778' where id = $1`, [owner.id])

    const own = [owner.userId]
    for (const filter of [
      {},
      { districtName: '은평구' },
      { affiliationCode: 'BEL001' },
      { issuedFrom: '2024-01-01' },
    ]) {
      const { keys, totalCount } = (await maru.call(listKeys, { ...filter, perPage: 100 }, owner)).data
      expect([totalCount, ...keys.map(({ userId }) => userId)]).toEqual([1, ...own])
      expect((await maru.call(getKeyStatistics, filter, owner)).data.totalCount).toBe(1)
    }
    const others = [{ requesterName: '은바다' }, { phoneNumber: '01077770002' }, { userId: colleague.userId }]
    for (const filter of others) {
      expect((await maru.call(listKeys, filter, owner)).data).toMatchObject({ totalCount: 0, keys: [] })
      expect((await maru.call(getKeyStatistics, filter, owner)).data.totalCount).toBe(0)
    }
    const file = await maru.call(exportKeys, { reason: '확인', format: 'csv' }, owner)
    expect(file.raw).toContain(owner.userId)
    expect(file.raw).not.toContain(colleague.userId)
    expect((await maru.call(listKeys, { districtName: '은평구' }, { session })).data.totalCount).toBe(2)
  })
})
