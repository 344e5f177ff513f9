import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { listPartners, PARTNER_SORTS } from '../../../contract/partners.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

// Made one a minute, in an order that is not one of those asked for.
const PARTNERS = [
  { code: 'HANBIT-ENG', affiliation: 'BEL008', from: '2026-01-01', to: '2026-06-30', day: 10 },
  { code: 'SEJIN_LAB', affiliation: 'BEL007', from: '2026-07-01', to: '2026-12-31', day: null },
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
  maru.call(listPartners, { perPage: 100, ...input }, { session: admin.session, language })
const codes = async (input: Input = {}) => (await list(input)).data.partners.map((row) => row.partnerCode)

const NEWEST = PARTNERS.map(({ code }) => code).toReversed()

describe('the partner search (rules/partners#partner-search)', () => {
  test('has the columns of the list, newest first, with row numbers counting down (rules/lists#row-numbers)', async () => {
    const { data } = await list()
    expect(data.totalCount).toBe(5)
    expect(data.partners.map((row) => [row.rowNumber, row.partnerCode])).toEqual(
      NEWEST.map((code, index) => [5 - index, code]),
    )
    expect(data.partners.at(-1)).toEqual({
      rowNumber: 1,
      partnerCode: 'HANBIT-ENG',
      partnerName: '',
      state: 'expired',
      stoppedAt: '',
      partnerType: 'pa',
      affiliationCode: 'BEL008',
      affiliationName: '협력사',
      provinceName: '서울특별시',
      districtName: '종로구',
      provinceCode: '11',
      longitude: 126.9774,
      latitude: 37.5949,
      maxKeysPerDay: 10,
      maxKeysPerWeek: null,
      maxKeysPerMonth: null,
      maxKeysTotal: null,
      validFrom: '2026-01-01',
      validTo: '2026-06-30 23:59:59',
    })
    expect((await list({}, 'en')).data.partners.at(-1)?.affiliationName).not.toBe('협력사')
  })

  test.each([
    ['any part of the code', 'SEJIN', ['SEJIN-SOFT', 'SEJIN_LAB']],
    ['without regard to capitals', 'tech', ['MIRAE-TECH']],
    ['_ is an ordinary character', 'n_l', ['SEJIN_LAB']],
    ['% is an ordinary character', 'A%B', []],
    ['one letter', 'b', ['A100_B', 'SEJIN_LAB', 'HANBIT-ENG']],
    ['two', '_B', ['A100_B']],
    ['what no code can hold', '한글', []],
  ])('filters by code (%s): %s (rules/lists#filters)', async (_, partnerCode, found) => {
    expect(await codes({ partnerCode })).toEqual(found)
  })

  test('narrows by affiliation, and not by ALL or nothing', async () => {
    const partners = ['A100_B', 'MIRAE-TECH', 'HANBIT-ENG']
    expect(await codes({ affiliationCode: 'BEL008' })).toEqual(partners)
    expect(await codes({ affiliationCode: 'BEL008', partnerCode: 'T' })).toEqual(['MIRAE-TECH', 'HANBIT-ENG'])
    expect(await codes({ affiliationCode: 'ALL' })).toEqual(NEWEST)
    expect(await codes({ affiliationCode: '' })).toEqual(NEWEST)
    expect(await codes({ affiliationCode: 'BEL006' })).toEqual([])
  })

  test.each([
    ['from a day on', '2026-07-01', '', ['SEJIN-SOFT', 'MIRAE-TECH', 'SEJIN_LAB']],
    ['up to a day', '', '2026-02-28', ['A100_B', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['on the last day', '2026-06-30', '2026-06-30', ['SEJIN-SOFT', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['on the first day', '2026-07-01', '2026-07-01', ['SEJIN-SOFT', 'MIRAE-TECH', 'SEJIN_LAB']],
    ['in a period', '2026-03-01', '2026-03-31', ['SEJIN-SOFT', 'MIRAE-TECH', 'HANBIT-ENG']],
    ['in a period that ends before it begins', '2026-12-31', '2026-01-01', ['MIRAE-TECH']],
  ])('finds who is valid %s, taking no date as no limit', async (_, from, to, found) => {
    const validTo = to === '' ? '' : `${to} 23:59:59`
    expect(await codes({ validFrom: from, validTo })).toEqual(found)
  })

  test('has 6 rows a page by default, and none but the right count past the end', async () => {
    expect((await list({ page: 2, perPage: 2 })).data).toMatchObject({
      totalCount: 5,
      partners: [
        { rowNumber: 3, partnerCode: 'MIRAE-TECH' },
        { rowNumber: 2, partnerCode: 'SEJIN_LAB' },
      ],
    })
    expect((await list({ page: 3, perPage: 2 })).data.partners).toMatchObject([{ rowNumber: 1 }])
    expect((await list({ page: 1_000_000_000 })).data).toEqual({ totalCount: 5, partners: [] })
  })
})

describe('the order of the partner list', () => {
  test.each(PARTNER_SORTS)(
    'has the same rows once over all pages by %s, in both directions',
    async (sort) => {
      for (const order of ['ASC', 'DESC'] as const) {
        const paged: string[] = []
        for (let page = 1; page <= 3; page += 1)
          paged.push(...(await codes({ sort, order, page, perPage: 2 })))
        expect(paged).toEqual(await codes({ sort, order }))
        expect(paged.toSorted()).toEqual(NEWEST.toSorted())
      }
    },
  )

  test('puts unlimited and undated partners last in both directions, newer ones first', async () => {
    const byDay = ['MIRAE-TECH', 'A100_B', 'HANBIT-ENG', 'SEJIN-SOFT']
    expect(await codes({ sort: 'maxKeysPerDay' })).toEqual([...byDay, 'SEJIN_LAB'])
    expect(await codes({ sort: 'maxKeysPerDay', order: 'DESC' })).toEqual([
      ...byDay.toReversed(),
      'SEJIN_LAB',
    ])
    expect(await codes({ sort: 'validTo' })).toEqual([
      'A100_B',
      'HANBIT-ENG',
      'SEJIN_LAB',
      'SEJIN-SOFT',
      'MIRAE-TECH',
    ])
    expect(await codes({ sort: 'maxKeysTotal' })).toEqual(NEWEST)
  })

  test('rejects an unknown column', async () => {
    expect((await list({ sort: 'created_at' as never })).field).toBe('sort')
  })
})
