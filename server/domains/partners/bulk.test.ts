import { beforeEach, describe, expect, it } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { changeLimits, MAX_LIMIT, previewLimits } from '../../../contract/partners.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

type Asked = InputOf<typeof previewLimits>
const preview = (asked: Asked, by = admin) => maru.call(previewLimits, asked, by)
const change = async (asked: Asked, by = admin) =>
  maru.call(changeLimits, { ...asked, version: (await preview(asked)).data.version }, by)
const limitsOf = async (code: string) =>
  Object.values(
    (
      await sql('select limit_day, limit_week, limit_month, limit_total from partners where code = $1', [
        code,
      ])
    ).rows[0],
  )
const auditRows = async (code: string) =>
  (await sql(`select detail, records from audit_log where action = 'partner.update' and target = $1`, [code]))
    .rows

describe('previewLimits (rules/partners#bulk-limits)', () => {
  it('returns limits before and after, counts unchanged partners and writes nothing', async () => {
    const few = await partnerWith(maru, { limits: { day: 10, month: 300 } })
    const same = await partnerWith(maru, { limits: { day: 20 } })
    const partnerCodes = [few.code, same.code, 'NOT-THERE']
    const { data } = await preview({ partnerCodes, limitChange: 'set', maxKeysPerDay: 20 })
    const before = { maxKeysPerDay: 10, maxKeysPerWeek: null, maxKeysPerMonth: 300, maxKeysTotal: null }
    expect(data).toMatchObject({ partnerCount: 1, unchangedCount: 2 })
    expect(data.partners).toEqual([
      {
        partnerCode: few.code,
        partnerName: '',
        before,
        after: { ...before, maxKeysPerDay: 20 },
        isUsedUp: false,
      },
    ])
    expect(await limitsOf(few.code)).toEqual([10, null, 300, null])
    expect(await auditRows(few.code)).toEqual([])
  })

  it('counts the partners whose keys have used up a new limit in its period', async () => {
    const partners: { id: string; code: string }[] = []
    for (let at = 0; at < 3; at += 1) partners.push(await partnerWith(maru, { limits: { total: 9 } }))
    const [today, before, none] = partners
    const issue = async (partner = today, days = 0) =>
      sql(
        `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
         select $1, n::text, $2, 'BEL001', '서울특별시', '종로구', now() - $3 * interval '1 day' from generate_series(1, 2) n`,
        [(await holderOf(maru, partner ?? { id: '' })).id, partner?.id, days],
      )
    await issue()
    await issue(before, 60)
    const usedUp = async (asked: Partial<Asked>) => {
      const partnerCodes = partners.map(({ code }) => code)
      const { data } = await preview({ partnerCodes, limitChange: 'set', ...asked })
      const found = new Set(
        data.partners.filter(({ isUsedUp }) => isUsedUp).map(({ partnerCode }) => partnerCode),
      )
      expect(data.usedUpCount).toBe(found.size)
      return found
    }
    const both = [today?.code, before?.code]
    expect(await usedUp({ maxKeysPerDay: 2 })).toEqual(new Set([today?.code]))
    expect(await usedUp({ maxKeysPerDay: 3, maxKeysPerWeek: 2 })).toEqual(new Set([today?.code]))
    expect(await usedUp({ maxKeysPerMonth: 1 })).toEqual(new Set([today?.code]))
    expect(await usedUp({ maxKeysTotal: 2 })).toEqual(new Set(both))
    expect(await usedUp({ maxKeysPerDay: 3 })).toEqual(new Set())
    expect(await usedUp({ maxKeysTotal: null })).toEqual(new Set())
    expect(await usedUp({ maxKeysPerDay: 0 })).toEqual(new Set([...both, none?.code]))
  })

  it('refuses no limit, no selection, two selections, and a raise by no limit', async () => {
    const { code } = await partnerWith(maru)
    const wrong: Asked[] = [
      { partnerCodes: [code], limitChange: 'set' },
      { limitChange: 'set', maxKeysPerDay: 1 },
      { partnerCodes: [code], found: { affiliationCode: '' }, limitChange: 'set', maxKeysPerDay: 1 },
      { partnerCodes: [code], limitChange: 'raise', maxKeysPerDay: null },
      { partnerCodes: [code], limitChange: 'set', maxKeysPerDay: MAX_LIMIT + 1 },
    ]
    for (const asked of wrong) expect((await preview(asked)).code).toBe('INPUT_INVALID')
  })
})

describe('changeLimits (rules/partners#bulk-limits)', () => {
  it('sets the given limits alone, with an audit row for each changed partner', async () => {
    const first = await partnerWith(maru, { limits: { day: 10, week: 50 } })
    const second = await partnerWith(maru, { limits: { total: 7 } })
    const same = await partnerWith(maru, { limits: { day: 20 } })
    const other = await partnerWith(maru, { limits: { day: 1, total: 1 } })
    const partnerCodes = [first.code, second.code, same.code]
    const { data } = await change({ partnerCodes, limitChange: 'set', maxKeysPerDay: 20, maxKeysTotal: null })
    expect(data).toEqual({ partnerCount: 2 })
    expect(await limitsOf(first.code)).toEqual([20, 50, null, null])
    expect(await limitsOf(second.code)).toEqual([20, null, null, null])
    expect(await limitsOf(other.code)).toEqual([1, null, null, 1])
    expect(await auditRows(second.code)).toEqual([
      {
        detail: { limitDay: { before: null, after: 20 }, limitTotal: { before: 7, after: null } },
        records: [`partner/${second.id}`],
      },
    ])
    expect(await auditRows(same.code)).toEqual([])
  })

  it('raises each limit by the number, up to the largest, and leaves unlimited partners', async () => {
    const some = await partnerWith(maru, { limits: { month: 100 } })
    const most = await partnerWith(maru, { limits: { month: MAX_LIMIT - 1 } })
    const none = await partnerWith(maru)
    const partnerCodes = [some.code, most.code, none.code]
    const { data } = await change({ partnerCodes, limitChange: 'raise', maxKeysPerMonth: 50 })
    expect(data).toEqual({ partnerCount: 2 })
    expect(await limitsOf(some.code)).toEqual([null, null, 150, null])
    expect(await limitsOf(most.code)).toEqual([null, null, MAX_LIMIT, null])
    expect(await limitsOf(none.code)).toEqual([null, null, null, null])
  })

  it('changes all results of a search except exclusions', async () => {
    const affiliation = 'BEL007'
    const some = [await partnerWith(maru, { affiliation }), await partnerWith(maru, { affiliation })]
    const left = await partnerWith(maru, { affiliation, limits: { day: 5 } })
    const found = { affiliationCode: affiliation }
    const asked: Asked = { found, except: [left.code], limitChange: 'set', maxKeysPerDay: 9 }
    expect((await change(asked)).status).toBe(200)
    for (const { code } of some) expect(await limitsOf(code)).toEqual([9, null, null, null])
    expect(await limitsOf(left.code)).toEqual([5, null, null, null])
    expect((await change(asked)).code).toBe('BULK_NOBODY')
  })

  it('refuses all after an edit since the preview, and a version of another request', async () => {
    const some = [
      await partnerWith(maru, { limits: { day: 1 } }),
      await partnerWith(maru, { limits: { day: 2 } }),
    ]
    const asked: Asked = {
      partnerCodes: some.map(({ code }) => code),
      limitChange: 'raise',
      maxKeysPerDay: 10,
    }
    const { version } = (await preview(asked)).data
    const run = (more: Partial<Asked> = {}) => maru.call(changeLimits, { ...asked, ...more, version }, admin)
    expect((await run({ maxKeysPerDay: 11 })).code).toBe('RECORD_CHANGED')
    expect((await run({ limitChange: 'set' })).code).toBe('RECORD_CHANGED')
    await sql('update partners set limit_day = 3 where code = $1', [some[1]?.code])
    expect((await run()).code).toBe('RECORD_CHANGED')
    expect(await limitsOf(some[0]?.code ?? '')).toEqual([1, null, null, null])
    // A second click with the same version finds the raised limits.
    expect((await change(asked)).status).toBe(200)
    expect((await run()).code).toBe('RECORD_CHANGED')
  })

  it('lets one of two concurrent changes of the same partners succeed', async () => {
    const partners = []
    for (let at = 0; at < 20; at += 1) partners.push(await partnerWith(maru, { limits: { day: 1 } }))
    const codes = partners.map(({ code }) => code)
    const asked: Asked = { partnerCodes: codes, limitChange: 'raise', maxKeysPerDay: 10 }
    const other = await maru.createUser({ role: 'admin' })
    const [mine, theirs] = [
      (await preview(asked)).data,
      (await preview({ ...asked, partnerCodes: codes.toReversed() }, other)).data,
    ]
    const outcomes = await Promise.all([
      maru.call(changeLimits, { ...asked, version: mine.version }, admin),
      maru.call(changeLimits, { ...asked, partnerCodes: codes.toReversed(), version: theirs.version }, other),
    ])
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([undefined, 'RECORD_CHANGED']))
    for (const code of codes) {
      expect(await limitsOf(code)).toEqual([11, null, null, null])
      expect(await auditRows(code)).toHaveLength(1)
    }
  })

  it('is closed to users without the permission, and requires reauthentication', async () => {
    const { code } = await partnerWith(maru)
    const asked: Asked = { partnerCodes: [code], limitChange: 'set', maxKeysPerDay: 1 }
    const hr = await maru.createUser({ role: 'hr' })
    expect((await preview(asked, hr)).code).toBe('FORBIDDEN')
    expect((await change(asked, hr)).code).toBe('FORBIDDEN')
    await sql(`update sessions set created_at = created_at - interval '11 minutes' where user_id = $1`, [
      admin.id,
    ])
    expect((await change(asked)).code).toBe('CONFIRMATION_REQUIRED')
    expect(await limitsOf(code)).toEqual([null, null, null, null])
  })

  it('changes 10,000 partners in one step and refuses one more', async () => {
    await maru.owner.query(
      `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y)
       select 'MANY-' || n, 'pa', 'BEL006', '11', '서울특별시', '종로구', 1, 1 from generate_series(1, 10001) n`,
    )
    const asked: Asked = {
      found: { affiliationCode: 'BEL006', partnerCode: 'MANY-' },
      limitChange: 'set',
      maxKeysPerDay: 3,
    }
    expect((await preview(asked)).code).toBe('BULK_TOO_LARGE')
    expect((await change({ ...asked, except: ['MANY-7'] })).data).toEqual({ partnerCount: 10_000 })
    expect(await limitsOf('MANY-7')).toEqual([null, null, null, null])
    const { rows } = await sql(`select count(*)::int as n from audit_log where target like 'MANY-%'`)
    expect(rows).toEqual([{ n: 10_000 }])
  })
})
