import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { listPartners, PARTNER_SORTS } from '../../../contract/partners.ts'
import { useMaru } from '../../test-kit/maru.ts'
import type { TestUser } from '../../test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

// Made one a minute, in an order that is none of those asked for.
const PARTNERS = [
  { code: 'HANBIT-ENG', affiliation: 'BEL008', from: '2026-01-01', to: '2026-06-30', day: 10 },
  { code: 'SEJIN_LAB', affiliation: 'BEL007', from: '2026-07-01', to: '2026-12-31', day: -1 },
  { code: 'MIRAE-TECH', affiliation: 'BEL008', from: null, to: null, day: 0 },
  { code: 'SEJIN-SOFT', affiliation: 'BEL001', from: '2026-03-01', to: null, day: 200 },
  { code: 'A100_B', affiliation: 'BEL008', from: null, to: '2026-02-28', day: 9 },
]

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  for (const [index, { code, affiliation, from, to, day }] of PARTNERS.entries()) {
    await maru.createPartner({ code, affiliation })
    await maru.database.pool.query(
      'update partners set valid_from = $2, valid_to = $3, limit_day = $4, created_at = $5 where code = $1',
      [code, from, to, day, `2026-03-01 09:0${index}:00+09`],
    )
  }
})

type Input = InputOf<typeof listPartners>
const list = (input: Input = {}, language = 'ko') =>
  maru.call(listPartners, { PER_PAGE: 100, ...input }, { session: admin.session, language })
const codes = async (input: Input = {}) =>
  (await list(input)).data.PARTNER_LIST.map((row) => row.PARTNER_CODE)

const NEWEST = PARTNERS.map(({ code }) => code).toReversed()

describe('partner search (spec §2)', () => {
  test('a row holds the columns of spec §3, newest first, NO counting down (decisions §2)', async () => {
    const { data } = await list()
    expect(data.TOTAL_COUNT).toBe(5)
    expect(data.PARTNER_LIST.map((row) => [row.NO, row.PARTNER_CODE])).toEqual(
      NEWEST.map((code, index) => [5 - index, code]),
    )
    expect(data.PARTNER_LIST.at(-1)).toEqual({
      NO: 1,
      PARTNER_CODE: 'HANBIT-ENG',
      PARTNER_TYPE: 'pa',
      BELONGTO_CODE: 'BEL008',
      BELONGTO_CODE_NAME: '협력사',
      SIDO_NAME: '서울특별시',
      SIGUNGU_NAME: '종로구',
      CTPRVN_CD: '11',
      X: 126.9774,
      Y: 37.5949,
      MAX_KEY_NUM_DAY: 10,
      MAX_KEY_NUM_WEEK: -1,
      MAX_KEY_NUM_MONTH: -1,
      TOTAL_KEY_NUM: -1,
      EXPIRY_DATETIME_START: '2026-01-01',
      EXPIRY_DATETIME_END: '2026-06-30 23:59:59',
    })
    expect((await list({}, 'en')).data.PARTNER_LIST.at(-1)?.BELONGTO_CODE_NAME).not.toBe('협력사')
  })

  test.each([
    ['any part of the code', 'SEJIN', ['SEJIN-SOFT', 'SEJIN_LAB']],
    ['without regard to capitals', 'tech', ['MIRAE-TECH']],
    ['_ is an ordinary character', 'n_l', ['SEJIN_LAB']],
    ['% is an ordinary character', 'A%B', []],
    ['one letter', 'b', ['A100_B', 'SEJIN_LAB', 'HANBIT-ENG']],
    ['two', '_B', ['A100_B']],
    ['what no code can hold', '한글', []],
  ])('the code filter takes %s: %s (decisions §2)', async (_, PARTNER_CODE, found) => {
    expect(await codes({ PARTNER_CODE })).toEqual(found)
  })

  test('the affiliation narrows it; ALL or nothing takes it back (decisions §2)', async () => {
    const partners = ['A100_B', 'MIRAE-TECH', 'HANBIT-ENG']
    expect(await codes({ BELONGTO_CODE: 'BEL008' })).toEqual(partners)
    expect(await codes({ BELONGTO_CODE: 'BEL008', PARTNER_CODE: 'T' })).toEqual(['MIRAE-TECH', 'HANBIT-ENG'])
    expect(await codes({ BELONGTO_CODE: 'ALL' })).toEqual(NEWEST)
    expect(await codes({ BELONGTO_CODE: '' })).toEqual(NEWEST)
    expect(await codes({ BELONGTO_CODE: 'BEL006' })).toEqual([])
  })

  test.each([
    ['from a day on', '2026-07-01', '', ['SEJIN-SOFT', 'MIRAE-TECH', 'SEJIN_LAB']],
    ['up to a day', '', '2026-02-28', ['A100_B', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['on the last day', '2026-06-30', '2026-06-30', ['SEJIN-SOFT', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['on the first day', '2026-07-01', '2026-07-01', ['SEJIN-SOFT', 'MIRAE-TECH', 'SEJIN_LAB']],
    ['in a period', '2026-03-01', '2026-03-31', ['SEJIN-SOFT', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['in a period that is none', '2026-12-31', '2026-01-01', ['MIRAE-TECH']],
  ])('the validity filter finds who is valid %s; no date is no end', async (_, from, to, found) => {
    const EXPIRY_DATETIME_END = to === '' ? '' : `${to} 23:59:59`
    expect(await codes({ EXPIRY_DATETIME_START: from, EXPIRY_DATETIME_END })).toEqual(found)
  })

  test('6 rows a page unless told; a page past the end is empty with the right count', async () => {
    expect((await list({ PAGE: 2, PER_PAGE: 2 })).data).toMatchObject({
      TOTAL_COUNT: 5,
      PARTNER_LIST: [
        { NO: 3, PARTNER_CODE: 'MIRAE-TECH' },
        { NO: 2, PARTNER_CODE: 'SEJIN_LAB' },
      ],
    })
    expect((await list({ PAGE: 3, PER_PAGE: 2 })).data.PARTNER_LIST).toMatchObject([{ NO: 1 }])
    expect((await list({ PAGE: 1_000_000_000 })).data).toEqual({ TOTAL_COUNT: 5, PARTNER_LIST: [] })
  })
})

describe('the order of the partner list', () => {
  test.each(PARTNER_SORTS)('by %s, both ways: the same rows, each once, over all pages', async (SORT) => {
    for (const ORDER of ['ASC', 'DESC'] as const) {
      const paged: string[] = []
      for (let PAGE = 1; PAGE <= 3; PAGE += 1)
        paged.push(...(await codes({ SORT, ORDER, PAGE, PER_PAGE: 2 })))
      expect(paged).toEqual(await codes({ SORT, ORDER }))
      expect(paged.toSorted()).toEqual(NEWEST.toSorted())
    }
  })

  test('no limit and no date come last in either direction; of equal ones the newer first', async () => {
    const byDay = ['MIRAE-TECH', 'A100_B', 'HANBIT-ENG', 'SEJIN-SOFT']
    expect(await codes({ SORT: 'MAX_KEY_NUM_DAY' })).toEqual([...byDay, 'SEJIN_LAB'])
    expect(await codes({ SORT: 'MAX_KEY_NUM_DAY', ORDER: 'DESC' })).toEqual([
      ...byDay.toReversed(),
      'SEJIN_LAB',
    ])
    expect(await codes({ SORT: 'EXPIRY_DATETIME_END' })).toEqual([
      'A100_B',
      'HANBIT-ENG',
      'SEJIN_LAB',
      'SEJIN-SOFT',
      'MIRAE-TECH',
    ])
    expect(await codes({ SORT: 'TOTAL_KEY_NUM' })).toEqual(NEWEST)
  })

  test('a column that is none is refused', async () => {
    expect((await list({ SORT: 'created_at' as never })).field).toBe('SORT')
  })
})
