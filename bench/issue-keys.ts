/**
 * Claim: limits hold exactly under any concurrency and across processes (decisions §7). 1,000 calls at once, spread over
 * four server processes on one PostgreSQL (durable, as in production), for a partner with a limit per day, week, month
 * and in all, the tightest in turn at every boundary: none, one, one fewer than asked, as many, one more. Never one key
 * too many, never one too few; then the same around a Korean midnight, Monday and month's end.
 *
 * Run: npm run bench -- issue-keys
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { openDatabase } from '../server/db/open.ts'
import { askAtOnce, setClock, startServers, stopServers } from '../server/test-kit/issue-race.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../server/test-kit/keys.ts'
import { populate } from '../server/test-kit/people.ts'

const CALLS = 1000
const SERVERS = 4
const PEOPLE = 20

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '150' } })
const database = await openDatabase(embedded.connection, () => {})
let servers: Awaited<ReturnType<typeof startServers>> = []
let failures = 0
let requests = 0

try {
  await migrate(database.db)
  servers = await startServers(SERVERS, embedded.connection, dataDir)
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
  await race({ limits: { ...wide, day: 700 } }, [
    ['2026-11-17T23:59:59.999+09:00', 700],
    ['2026-11-18T00:00:00.000+09:00', 700],
  ])
  await race({ limits: { ...wide, week: 700 } }, [
    ['2026-11-22T23:59:59.999+09:00', 700],
    ['2026-11-23T00:00:00.000+09:00', 700],
  ])
  await race({ limits: { ...wide, month: 700 } }, [
    ['2028-02-29T23:59:59.999+09:00', 700],
    ['2028-03-01T00:00:00.000+09:00', 700],
  ])

  async function race(
    settings: PartnerSettings,
    rounds: [moment: string, expected: number][],
  ): Promise<void> {
    const partner = await partnerWith(maker, settings)
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => holderOf(maker, partner)))
    for (const [moment, expected] of rounds) {
      await setClock(servers, moment)
      const keys = Array.from({ length: CALLS }, () => `request ${(requests += 1)}`)
      const begin = performance.now()
      const asked = await askAtOnce(
        servers,
        people.map(({ session }) => session),
        keys,
      )
      const seconds = (performance.now() - begin) / 1000
      const issued = asked.filter(({ isIssued }) => isIssued).length
      const others = new Set(asked.filter(({ isIssued }) => !isIssued).map(({ answer }) => answer))
      const isRight = issued === expected && [...others].every((code) => code.startsWith('KEY_LIMIT_'))
      if (!isRight) failures += 1
      process.stdout.write(
        `${JSON.stringify(settings.limits)} ${moment}: ${issued} of ${expected}, others ${[...others].join(' ') || 'none'}, ` +
          `${seconds.toFixed(1)} s ${isRight ? '' : 'WRONG'}\n`,
      )
    }
  }
  process.stdout.write(failures === 0 ? 'exact, every time\n' : `${failures} RACES WENT WRONG\n`)
  if (failures > 0) process.exitCode = 1
} finally {
  await stopServers(servers)
  await database.close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
