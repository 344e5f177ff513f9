import { beforeAll, describe, expect, test } from 'vitest'
import {
  getErasure,
  getRetention,
  listErasures,
  RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  updateRetention,
} from '../../../contract/settings/retention.ts'
import { RESTORE_DAYS } from '../../../contract/users.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()

let admin: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})
const read = async () => (await maru.call(getRetention, {}, admin)).data
const keptFor = async (kind: RetentionKind) => (await read()).kinds.find((one) => one.kind === kind)?.keptFor
async function save(kinds: { kind: RetentionKind; keptFor: number }[], more = {}, by = admin) {
  const { version, officerName } = await read()
  return maru.callRaw(updateRetention.path, { kinds, officerName, version, ...more }, by)
}

describe('how long data are kept (rules/retention#settings)', () => {
  test('returns the defaults until they are changed, and logs old and new values', async () => {
    expect((await read()).kinds).toEqual(
      RETENTION_KINDS.map((kind) => ({ kind, keptFor: RETENTION[kind].usual })),
    )
    expect(
      (await save([{ kind: 'closedRequests', keptFor: 30 }], { officerName: '개인정보 보호책임자 강보호' }))
        .status,
    ).toBe(200)
    expect(await keptFor('closedRequests')).toBe(30)
    expect(await keptFor('trail')).toBe(RETENTION.trail.usual)
    expect((await read()).officerName).toBe('개인정보 보호책임자 강보호')
    const { rows } = await maru.database.pool.query(
      `select detail -> 'closedRequests' as detail from audit_log where action = 'setting.retention'`,
    )
    expect(rows).toEqual([{ detail: { before: RETENTION.closedRequests.usual, after: 30 } }])
  })

  test.each(RETENTION_KINDS)('%s has bounds, and a value beyond them changes nothing', async (kind) => {
    const { min, max } = RETENTION[kind]
    const before = await keptFor(kind)
    for (const wrong of [min - 1, max + 1, 0, -1, 30.5, 1e9])
      expect(await save([{ kind, keptFor: wrong }])).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    expect(await keptFor(kind)).toBe(before)
    for (const right of [min, max]) {
      expect((await save([{ kind, keptFor: right }])).status).toBe(200)
      expect(await keptFor(kind)).toBe(right)
    }
  })

  test('is changed by those who may set the portal, and by the second of two not unseen', async () => {
    const { version } = await read()
    for (const role of ['hr', 'user'] as const) {
      const other = await maru.createUser({ role })
      expect((await maru.call(getRetention, {}, other)).code).toBe('FORBIDDEN')
      expect((await save([{ kind: 'trail', keptFor: 40 }], {}, other)).code).toBe('FORBIDDEN')
    }
    expect((await save([{ kind: 'trail', keptFor: 41 }])).status).toBe(200)
    expect((await save([{ kind: 'trail', keptFor: 42 }], { version })).code).toBe('RECORD_CHANGED')
    expect(await keptFor('trail')).toBe(41)
    const twice = [
      { kind: 'trail' as const, keptFor: 40 },
      { kind: 'trail' as const, keptFor: 50 },
    ]
    expect((await save(twice)).code).toBe('INPUT_INVALID')
  })

  test('keeps users while restorable, and the audit log for at least three years', () => {
    expect(RETENTION.withdrawnAccounts.min).toBeGreaterThanOrEqual(RESTORE_DAYS)
    expect(RETENTION.trail.min).toBe(36)
  })

  test('says what goes by rules of its own (rules/retention#elsewhere)', async () => {
    expect((await read()).elsewhere).toContainEqual({ kind: 'accessLog', keptFor: 24 })
  })
})

/** Creates a batch that was erased at a time in Seoul. */
const erased = (at: string, kind: RetentionKind, n: number, kept = 30) =>
  maru.owner.query(
    `insert into erasures (at, kind, method, kept_for, n) values ($1::timestamp at time zone 'Asia/Seoul', $2, $3, $4, $5)`,
    [at, kind, RETENTION[kind].method, kept, n],
  )
const certificate = async (erasedFrom: string, erasedTo: string) =>
  (await maru.call(getErasure, { erasedFrom, erasedTo }, admin)).data

describe('what was erased (rules/retention#erasures, rules/retention#certificate)', () => {
  test('is listed by day in Korea and summed up by kind and retention setting', async () => {
    await erased('2026-03-01 00:00:00', 'withdrawnAccounts', 200)
    await erased('2026-03-01 00:10:00', 'withdrawnAccounts', 3)
    await erased('2026-03-01 23:59:59', 'trail', 7, 60)
    await erased('2026-03-02 00:00:00', 'withdrawnAccounts', 1, 60)
    await erased('2026-04-01 00:00:00', 'refusedMails', 5)
    const { data } = await maru.call(listErasures, { perPage: 2, page: 2 }, admin)
    expect(data).toEqual({
      totalCount: 3,
      rows: [
        {
          rowNumber: 1,
          erasedOn: '2026-03-01',
          erasedKinds: ['trail', 'withdrawnAccounts'],
          erasedCount: 210,
        },
      ],
    })
    expect((await certificate('2026-03-01', '2026-03-01')).rows).toEqual([
      {
        kind: 'withdrawnAccounts',
        erasureMethod: 'ANONYMIZED',
        keptFor: 30,
        erasedCount: 203,
        firstAt: '2026-03-01 00:00:00',
        lastAt: '2026-03-01 00:10:00',
      },
      {
        kind: 'trail',
        erasureMethod: 'DELETED',
        keptFor: 60,
        erasedCount: 7,
        firstAt: '2026-03-01 23:59:59',
        lastAt: '2026-03-01 23:59:59',
      },
    ])
    const month = await certificate('2026-03-01', '2026-03-31')
    expect(month.rows.map(({ kind, keptFor: kept, erasedCount }) => [kind, kept, erasedCount])).toEqual([
      ['withdrawnAccounts', 30, 203],
      ['trail', 60, 7],
      ['withdrawnAccounts', 60, 1],
    ])
  })

  test('is empty for an empty or reversed period, and requires the settings permission', async () => {
    expect((await certificate('2020-01-01', '2020-12-31')).rows).toEqual([])
    expect((await certificate('2026-03-31', '2026-03-01')).rows).toEqual([])
    for (const wrong of [
      { erasedFrom: '2026-02-30', erasedTo: '2026-03-01' },
      { erasedFrom: '2026-03-01' },
      {},
    ])
      expect((await maru.callRaw(getErasure.path, wrong, admin)).code).toBe('INPUT_INVALID')
    for (const role of ['hr', 'user'] as const) {
      const other = await maru.createUser({ role })
      expect((await maru.call(listErasures, {}, other)).code).toBe('FORBIDDEN')
      const asked = { erasedFrom: '2026-03-01', erasedTo: '2026-03-31' }
      expect((await maru.call(getErasure, asked, other)).code).toBe('FORBIDDEN')
    }
  })
})
