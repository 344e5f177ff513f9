import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf, ParsedInputOf } from '../../../contract/endpoint.ts'
import { deletePartner, getPartner, listPartners, updatePartner } from '../../../contract/partners.ts'
import type { TestMaru } from '../../test-kit/maru.ts'
import { useMaru } from '../../test-kit/maru.ts'
import type { TestUser } from '../../test-kit/people.ts'
import { searchDirectory } from './directory.ts'
import { partnerIds } from './list.ts'

/* Each server searches partners in its memory; what it finds is what the database holds (ADR 021). */
const maru = useMaru()
let admin: TestUser
let twin: Pick<TestMaru, 'call'>

const PARTNERS = 200

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  twin = await maru.startTwin()
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

type Input = InputOf<typeof listPartners>
const list = async (input: Input = {}, server: Pick<TestMaru, 'call'> = maru) =>
  (await server.call(listPartners, { perPage: 100, ...input }, { session: admin.session })).data
const total = async (input: Input, server: Pick<TestMaru, 'call'>) => (await list(input, server)).totalCount

test('it finds what SQL finds, in the same order, whatever the filters', async () => {
  let withSome = 0
  const rows = await maru.database.db.selectFrom('partners').select(['id', 'code']).execute()
  const codes = new Map(rows.map(({ id, code }) => [id, code]))
  for (const affiliationCode of ['', 'BEL002', 'BEL009']) {
    for (const partnerCode of ['', 'B', '-1', 'b-', '_1', '한', 'x'.repeat(30)]) {
      for (const [from, to] of [
        ['', ''],
        ['2026-01-10', ''],
        ['', '2026-01-10'],
        ['2026-03-01', '2026-03-20'],
        ['2026-03-20', '2026-01-02'],
      ] as const) {
        const filter = {
          affiliationCode,
          partnerCode,
          validFrom: from,
          validTo: to === '' ? '' : `${to} 23:59:59`,
        }
        const sorted: ParsedInputOf<typeof listPartners> = {
          ...filter,
          validTo: to,
          sort: '',
          order: 'ASC',
          page: 1,
          perPage: 100,
        }
        const wanted = await partnerIds(maru.database.db, sorted, 'ko').execute()
        const found: string[] = []
        for (let page = 1; found.length < wanted.length; page += 1) {
          const answer = await list({ ...filter, page })
          expect(answer.totalCount).toBe(wanted.length)
          expect(answer.partners.length).toBeGreaterThan(0)
          found.push(...answer.partners.map((row) => row.partnerCode))
        }
        expect(found, JSON.stringify(filter)).toEqual(wanted.map(({ id }) => codes.get(id)))
        if (wanted.length > 0) withSome += 1
        else expect(await total(filter, maru)).toBe(0)
      }
    }
  }
  expect(withSome).toBeGreaterThan(30)
})

describe('what another server commits is found by the next search of this one', () => {
  test('a partner that is registered, edited and deleted', async () => {
    const servers = [maru, twin]
    for (const server of servers) expect(await total({ partnerCode: 'NEW' }, server)).toBe(0)
    const code = await maru.createPartner({ code: 'NEW-1' })
    for (const server of servers) expect(await total({ partnerCode: 'NEW' }, server)).toBe(1)

    const { data } = await maru.call(getPartner, { partnerCode: code }, { session: admin.session })
    const { version: _, memo: __, provinceCode: ___, affiliationName: ____, ...record } = data
    const over = { ...record, validFrom: '', validTo: '2020-12-31 23:59:59' }
    const ended = {
      validTo: '2020-12-31 23:59:59',
      partnerCode: 'NEW',
      validFrom: '',
    }
    const now = { ...ended, validFrom: '2026-01-01', validTo: '' }
    for (const server of servers) expect(await total(now, server)).toBe(1)
    expect((await twin.call(updatePartner, over, { session: admin.session })).status).toBe(200)
    for (const server of servers) {
      expect(await total(ended, server)).toBe(1)
      expect(await total(now, server)).toBe(0)
    }

    await twin.call(deletePartner, { partnerCode: code }, { session: admin.session })
    for (const server of servers) expect(await total({ partnerCode: 'NEW' }, server)).toBe(0)
  })

  test('many searches at once while partners are written: never a count that was not true', async () => {
    const { pool } = maru.database
    const before = await total({}, twin)
    const counts: number[] = []
    const searching = Array.from({ length: 8 }, async (_, i) => {
      for (let round = 0; round < 10; round += 1) counts.push(await total({}, i % 2 === 0 ? maru : twin))
    })
    // Ten of them at a time, then gone again: no search may see a part of it.
    for (let round = 0; round < 5; round += 1) {
      await pool.query(
        `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y)
         select 'RACE-' || i, 'pa', 'BEL001', '11', '서울특별시', '종로구', 126.9774, 37.5949
         from generate_series(1, 10) as i`,
      )
      expect(await total({ partnerCode: 'RACE' }, twin)).toBe(10)
      await pool.query(`delete from partners where code like 'RACE-%'`)
      expect(await total({ partnerCode: 'RACE' }, maru)).toBe(0)
    }
    await Promise.all(searching)
    expect(counts).toHaveLength(80)
    expect(counts.filter((count) => count !== before && count !== before + 10)).toEqual([])
  })

  test('what is rolled back is never found', async () => {
    const client = await maru.database.pool.connect()
    await client.query('begin')
    await client.query(`update partners set affiliation_code = 'BEL009'`)
    expect(await total({ affiliationCode: 'BEL009' }, twin)).toBe(0)
    await client.query('rollback')
    client.release()
    expect(await total({ affiliationCode: 'BEL009' }, twin)).toBe(0)
  })

  test('a backup that was restored under it, with a lower revision', async () => {
    const { pool } = maru.database
    expect(await total({}, twin)).toBe(PARTNERS)
    await pool.query(`update partners set affiliation_code = 'BEL009' where code like '%-1'`)
    await pool.query('update partner_revision set revision = 1')
    await pool.query('update partner_changes set revision = 1')
    expect(await total({ affiliationCode: 'BEL009' }, twin)).toBe(1)
    expect(await total({ affiliationCode: 'BEL009' }, maru)).toBe(1)
  })

  test('a table that was emptied', async () => {
    const { db, pool } = maru.database
    const everything = { affiliation: '', codePart: '', from: '', to: '' }
    const count = async () => (await searchDirectory(db, everything, { offset: 0, limit: 1 })).total
    expect(await count()).toBe(PARTNERS)
    // The users too, and so the sessions: nobody is left who could call.
    await pool.query('truncate partners cascade')
    expect(await count()).toBe(0)
  })
})
