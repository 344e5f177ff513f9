import { beforeAll, expect, test } from 'vitest'
import { listPartners } from '../../../contract/partners.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

const PARTNERS = 200

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await maru.database.pool.query(
    `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y,
       valid_from, valid_to, created_at)
     select substr('AB-1_', 1 + i % 4, 2) || substr(md5(i::text), 1, 3) || '-' || i, 'pa', 'BEL00' || 1 + i % 5, '11',
       '서울특별시', '종로구', 126.9774, 37.5949,
       case when i % 7 = 0 then null when i % 31 = 0 then '-infinity' else date '2025-12-28' + i * 5 % 40 end,
       case when i % 5 = 0 then null when i % 37 = 0 then 'infinity' else date '2026-02-06' + i * 3 % 40 end,
       -- Many of one moment, and none in the order of their numbers.
       timestamptz '2026-01-01' + i * 7 % 50 * interval '1 microsecond'
     from generate_series(1, $1) as i`,
    [PARTNERS],
  )
  await maru.database.pool.query('update partners set code = upper(code)')
})

/** All of them, the newest first; days as texts, which '±infinity' sorts rightly among. */
async function everyPartner() {
  const { rows } = await maru.database.pool.query<Record<'code' | 'affiliation' | 'from' | 'to', string>>(
    `select code, affiliation_code as affiliation, coalesce(valid_from::text, '-infinity') as from,
       coalesce(valid_to::text, 'infinity') as to
     from partners order by created_at desc, id desc`,
  )
  return rows
}

test('finds exactly the matching partners for every filter combination, newest first', async () => {
  let withSome = 0
  const partners = await everyPartner()
  expect(partners).toHaveLength(PARTNERS)
  for (const affiliationCode of ['', 'BEL002', 'BEL009']) {
    for (const partnerCode of ['', 'B', '-1', 'b-', '_1', '한', 'x'.repeat(30)]) {
      for (const [validFrom, to] of [
        ['', ''],
        ['2026-01-10', ''],
        ['', '2026-01-10'],
        ['2026-03-01', '2026-03-20'],
        ['2026-03-20', '2026-01-02'],
      ] as const) {
        const filter = { affiliationCode, partnerCode, validFrom, validTo: to && `${to} 23:59:59` }
        const wanted = partners.filter(
          (partner) =>
            (affiliationCode === '' || partner.affiliation === affiliationCode) &&
            partner.code.includes(partnerCode.toUpperCase()) &&
            (validFrom === '' || partner.to >= validFrom) &&
            (to === '' || partner.from <= to),
        )
        const found: string[] = []
        let page = 0
        do {
          page += 1
          const { data } = await maru.call(
            listPartners,
            { ...filter, page, perPage: 100 },
            { session: admin.session },
          )
          expect(data.totalCount).toBe(wanted.length)
          expect(data.partners.length > 0).toBe(wanted.length > 0)
          found.push(...data.partners.map((row) => row.partnerCode))
        } while (found.length < wanted.length)
        expect(found, JSON.stringify(filter)).toEqual(wanted.map(({ code }) => code))
        if (wanted.length > 0) withSome += 1
      }
    }
  }
  expect(withSome).toBeGreaterThan(30)
})
