import { afterAll, beforeAll, expect, test } from 'vitest'
import { holderOf, partnerWith, type PartnerSettings } from '../../../dev/test-kit/keys.ts'
import { askAtOnce, setClock, startServers, stopServers } from '../../../dev/test-kit/issue-race.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

/* Limits hold exactly across processes (rules/keys#limits); `calendar.test.ts` has the boundaries of periods. */
const maru = useMaru()
let servers: Awaited<ReturnType<typeof startServers>>

beforeAll(async () => {
  const { options } = maru.database.pool
  servers = await startServers(2, options, maru.dataDir, ['America/Los_Angeles', 'Pacific/Kiritimati'])
})
afterAll(() => stopServers(servers))

async function race(settings: PartnerSettings, calls: number, moment: string, people = 3) {
  await setClock(servers, moment)
  const partner = await partnerWith(maru, settings)
  const holders = await Promise.all(Array.from({ length: people }, () => holderOf(maru, partner)))
  const keys = Array.from({ length: calls }, (_, i) => `${moment} ${i}`)
  const asked = await askAtOnce(
    servers,
    holders.map(({ session }) => session),
    keys,
  )
  return { partner, asked, issued: asked.filter(({ isIssued }) => isIssued), holders, keys }
}

test.each([
  ['day', 39, 'KEY_LIMIT_DAY'],
  ['week', 40, 'KEY_LIMIT_WEEK'],
  ['month', 1, 'KEY_LIMIT_MONTH'],
  ['total', 25, 'KEY_LIMIT_TOTAL'],
] as const)(
  'stops 60 concurrent calls on two server processes exactly at the %s limit of %i',
  async (period, limit, code) => {
    const { asked, issued, partner } = await race(
      { limits: { [period]: limit } },
      60,
      '2026-11-18T12:00:00+09:00',
    )
    expect(issued).toHaveLength(limit)
    expect(new Set(asked.filter((one) => !one.isIssued).map(({ answer }) => answer))).toEqual(new Set([code]))
    const { rows } = await maru.database.pool.query(
      'select count(*)::int as n from issued_keys where partner_id = $1',
      [partner.id],
    )
    expect(rows).toEqual([{ n: limit }])
  },
)

test('as many simultaneous calls as the limit allows are all answered', async () => {
  const { issued } = await race({ limits: { day: 40, week: 40 } }, 40, '2026-11-18T12:00:00+09:00')
  expect(issued).toHaveLength(40)
})

test('derives the same keys when the calls are repeated on the other process', async () => {
  // One person: a request is of its user.
  const { issued, holders, keys } = await race({ limits: { total: 20 } }, 20, '2026-11-18T12:00:00+09:00', 1)
  const again = await askAtOnce(servers.toReversed(), [holders[0]?.session ?? ''], keys)
  expect(again.map(({ answer }) => answer)).toEqual(issued.map(({ answer }) => answer))
})
