import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPartnerUsage, issueKey, listKeys } from '../../../contract/keys.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

/* Day, week (Monday) and month are Asia/Seoul calendar periods, whatever the clocks around say (rules/keys#limits). */
let now = new Date()

describe.each([
  ['UTC', 'UTC'],
  ['America/Los_Angeles', 'Asia/Seoul'],
  ['Asia/Seoul', 'America/New_York'],
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
])('with the server in %s and the database in %s', (server, database) => {
  const maru = useMaru({}, { clock: () => now })
  const before = process.env['TZ']
  let twin: Awaited<ReturnType<typeof maru.startTwin>>
  beforeAll(async () => {
    process.env['TZ'] = server
    const { rows } = await maru.database.pool.query('select current_database() as name')
    await maru.owner.query(`alter database ${rows[0].name} set timezone to '${database}'`)
    // Connections that were open keep theirs; the twin's are new.
    twin = await maru.startTwin()
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  // The last moment of a period and the first of the next one.
  test.each([
    ['midnight', 'day', '2026-11-17T23:59:59.999+09:00', '2026-11-18T00:00:00.000+09:00', 'KEY_LIMIT_DAY'],
    ['Monday', 'week', '2026-11-22T23:59:59.999+09:00', '2026-11-23T00:00:00.000+09:00', 'KEY_LIMIT_WEEK'],
    [
      "a month's end",
      'month',
      '2026-11-30T23:59:59.999+09:00',
      '2026-12-01T00:00:00.000+09:00',
      'KEY_LIMIT_MONTH',
    ],
    [
      'the eve of a leap day',
      'day',
      '2028-02-28T23:59:59.999+09:00',
      '2028-02-29T00:00:00.000+09:00',
      'KEY_LIMIT_DAY',
    ],
    [
      'the end of a leap day',
      'month',
      '2028-02-29T23:59:59.999+09:00',
      '2028-03-01T00:00:00.000+09:00',
      'KEY_LIMIT_MONTH',
    ],
    [
      'the end of a year',
      'month',
      '2026-12-31T23:59:59.999+09:00',
      '2027-01-01T00:00:00.000+09:00',
      'KEY_LIMIT_MONTH',
    ],
  ] as const)('%s begins a new %s, and not a moment earlier', async (_, period, last, first, code) => {
    const partner = await partnerWith(maru, { limits: { [period]: 2 } })
    const { session } = await holderOf(maru, partner)
    const ask = (key: string, moment: string) => {
      now = new Date(moment)
      return twin.call(issueKey, { requestKey: key }, { session })
    }
    expect((await ask('a', last)).status).toBe(200)
    expect((await ask('b', last)).data.issuedAt).toBe(last.slice(0, 19).replace('T', ' '))
    expect((await ask('c', last)).code).toBe(code)
    expect((await ask('d', first)).data.issuedAt).toBe(first.slice(0, 19).replace('T', ' '))
    expect((await ask('e', first)).status).toBe(200)
    expect((await ask('f', first)).code).toBe(code)
  })

  test('begins a week in another month if needed and ends it with its Sunday', async () => {
    const partner = await partnerWith(maru, { limits: { week: 2, month: 5 } })
    const { session } = await holderOf(maru, partner)
    const { session: admin } = await maru.createUser({ role: 'admin' })
    const ask = (key: string, moment: string) => {
      now = new Date(moment)
      return twin.call(issueKey, { requestKey: key }, { session })
    }
    // Monday 2026-06-29, Wednesday 1 July, Sunday 5 July, Monday 6 July.
    await ask('mon', '2026-06-29T00:00:00+09:00')
    await ask('wed', '2026-07-01T00:00:00+09:00')
    expect((await ask('sun', '2026-07-05T23:59:59+09:00')).code).toBe('KEY_LIMIT_WEEK')
    const usage = await twin.call(getPartnerUsage, { partnerCode: partner.code }, { session: admin })
    expect(usage.data).toEqual({
      day: { used: 0, limit: null },
      week: { used: 2, limit: 2 },
      month: { used: 1, limit: 5 },
      total: { used: 2, limit: null },
    })
    expect((await ask('next', '2026-07-06T00:00:00+09:00')).status).toBe(200)
  })

  test('treats the dates of the history as inclusive days in Asia/Seoul (rules/keys#key-filters)', async () => {
    const partner = await partnerWith(maru, { province: '제주특별자치도', district: '제주시' })
    const { session } = await holderOf(maru, partner)
    for (const moment of [
      '2025-03-09T23:59:59.999+09:00',
      '2025-03-10T00:00:00+09:00',
      '2025-03-12T23:59:59.999+09:00',
      '2025-03-13T00:00:00+09:00',
    ]) {
      now = new Date(moment)
      await twin.call(issueKey, { requestKey: moment }, { session })
    }
    const dates = { issuedFrom: '2025-03-10', issuedTo: '2025-03-12' }
    const { data } = await twin.call(listKeys, { provinceName: '제주특별자치도', ...dates }, { session })
    expect(data.totalCount).toBe(2)
    expect(data.keys.map((row) => row.issuedAt)).toEqual(['2025-03-12 23:59:59', '2025-03-10 00:00:00'])
  })
})
