/**
 * Claim: limits hold exactly under any concurrency and across processes (rules/keys#limits). 1,000 calls at once,
 * spread over four server processes on one PostgreSQL (durable, as in production), for a partner with a limit per day,
 * week, month and in all, the tightest in turn at every boundary: none, one, one fewer than asked, as many, one more.
 * Never one key too many, never one too few; then the same around a Korean midnight, Monday, month's end and leap day,
 * and with each request asked twice at once. Each server, and the database, has another time zone. What the database
 * holds afterwards is counted too.
 *
 * Run: npm run bench -- issue-keys (CALLS=100 asks for fewer)
 */
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { askAtOnce, setClock, startServers, stopServers } from '../test-kit/issue-race.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../test-kit/keys.ts'
import { populate } from '../test-kit/people.ts'
import { startOwnDatabase } from './own-database.ts'

const CALLS = Number(process.env['CALLS'] ?? 1000)
const SERVERS = 4
const PEOPLE = 20
/** A limit that stops some of the calls. */
const SOME = Math.round(CALLS * 0.7)
const ZONES = ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Seoul', 'UTC']

// As many connections as a PostgreSQL allows that nobody has tuned.
const own = await startOwnDatabase({ max_connections: '100' })
const database = await openDatabase(own.connection, () => {})
let servers: Awaited<ReturnType<typeof startServers>> = []
let failures = 0
let requests = 0

try {
  await migrate(database.db)
  await database.pool.query(`alter database ${own.connection.database} set timezone to 'Pacific/Pago_Pago'`)
  servers = await startServers(SERVERS, own.connection, own.dataDir, ZONES)
  const maker = { database, ...populate(database, 'no password') }
  process.stdout.write(
    `${CALLS} calls at once on ${SERVERS} server processes, ${PEOPLE} users of one partner\n`,
  )
  const wide = { day: CALLS * 3, week: CALLS * 3, month: CALLS * 3, total: CALLS * 3 }
  for (const period of ['day', 'week', 'month', 'total'] as const) {
    for (const limit of [0, 1, CALLS - 1, CALLS, CALLS + 1]) {
      await race({ limits: { ...wide, [period]: limit } }, [
        ['2026-11-18T12:00:00+09:00', Math.min(limit, CALLS)],
      ])
    }
  }
  // The last moment of a period, then the first of the next: full, and fresh again.
  for (const [period, last, first] of [
    ['day', '2026-11-17T23:59:59.999', '2026-11-18T00:00:00.000'],
    ['week', '2026-11-22T23:59:59.999', '2026-11-23T00:00:00.000'],
    ['month', '2026-12-31T23:59:59.999', '2027-01-01T00:00:00.000'],
    ['day', '2028-02-28T23:59:59.999', '2028-02-29T00:00:00.000'],
    ['month', '2028-02-29T23:59:59.999', '2028-03-01T00:00:00.000'],
  ] as const) {
    await race({ limits: { ...wide, [period]: SOME } }, [
      [`${last}+09:00`, SOME],
      [`${first}+09:00`, SOME],
    ])
  }
  // Every request comes to two servers at once, and is one key.
  await race({ limits: { ...wide, total: CALLS / 2 } }, [['2026-11-18T12:00:00+09:00', CALLS / 2]], 2)

  async function race(
    settings: PartnerSettings,
    rounds: [moment: string, expected: number][],
    times = 1,
  ): Promise<void> {
    const partner = await partnerWith(maker, settings)
    // A request is of its user: where it comes twice, both are of the same one.
    const people = times === 1 ? PEOPLE : 1
    const holders = await Promise.all(Array.from({ length: people }, () => holderOf(maker, partner)))
    let inAll = 0
    for (const [moment, expected] of rounds) {
      await setClock(servers, moment)
      const first = requests
      requests += CALLS
      const keys = Array.from({ length: CALLS }, (_, i) => `request ${first + Math.floor(i / times)}`)
      const begin = performance.now()
      const asked = await askAtOnce(
        servers,
        holders.map(({ session }) => session),
        keys,
      )
      const seconds = (performance.now() - begin) / 1000
      const issued = new Set(asked.filter(({ isIssued }) => isIssued).map(({ answer }) => answer)).size
      const refused = asked.filter(({ isIssued }) => !isIssued)
      const others = new Set(refused.map(({ answer }) => answer))
      inAll += expected
      const { rows } = await database.pool.query<{ n: number }>(
        'select count(*)::int as n from issued_keys where partner_id = $1',
        [partner.id],
      )
      const isRight =
        issued === expected &&
        refused.length === CALLS - expected * times &&
        rows[0]?.n === inAll &&
        [...others].every((code) => code.startsWith('KEY_LIMIT_'))
      if (!isRight) failures += 1
      process.stdout.write(
        `${JSON.stringify(settings.limits)} ${moment}${times === 1 ? '' : `, each ${times} times`}: ${issued} of ${expected}, ` +
          `others ${[...others].join(' ') || 'none'}, ${seconds.toFixed(1)} s ${isRight ? '' : 'WRONG'}\n`,
      )
    }
  }
  process.stdout.write(failures === 0 ? 'exact, every time\n' : `${failures} RACES WENT WRONG\n`)
  if (failures > 0) process.exitCode = 1
} finally {
  await stopServers(servers)
  await database.close()
  await own.stop()
}
