/**
 * Supports ARCHITECTURE.md, ADR 015 and docs/rules/files.md#rows-and-bytes: `server/kill.test.ts` does a few of these
 * kills. Small and large files take turns, so that half of the kills hit what surrounds the bytes.
 */
import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { migrate } from '../../server/db/migrate.ts'
import { OPERATIONS } from '../test-kit/kill/operations.ts'
import { killDuring, killServer, type Outcome, startServer, sweepAfterDays } from '../test-kit/kill/round.ts'
import { populate } from '../test-kit/people.ts'
import { atEnd, defineBench, say } from './harness/bench.ts'
import { open, startDatabase } from './harness/maru.ts'
import { countsOf, printHead, printRow } from './harness/numbers.ts'

const SIZES = [64 * 1024, 24 * 1024 ** 2]

export default defineBench({
  name: 'files-kill',
  claim:
    '`kill -9` during uploads, replacements and deletes leaves no notice without its file, nor the reverse',
  options: { rounds: 20, only: '' },
  async run({ rounds, only }) {
    const own = await startDatabase()
    const dataDir = join(own.dataDir, 'maru')
    mkdirSync(dataDir)
    const database = await open(own.connection)
    await migrate(database.db)
    const { session } = await populate(database, 'nobody logs in').createUser()
    const world = {
      pool: database.pool,
      dataDir,
      databaseUrl: own.url,
      sessions: [session],
      leasesEnd: false,
    }
    let running = await startServer(world)
    atEnd(() => killServer(running))
    printHead('operation', 'kills', 'answered before', 'found with', 'resumed', 'faults')
    for (const operation of OPERATIONS.filter(({ name }) => name.includes(only))) {
      const outcomes: Outcome[] = []
      for (let round = 0; round < rounds; round += 1) {
        const done = await killDuring(world, running, [operation], SIZES[round % SIZES.length] ?? 0)
        running = done.running
        outcomes.push(...done.outcomes)
      }
      const swept = await sweepAfterDays(world, running)
      running = swept.running
      const faults = [...outcomes.flatMap((one) => one.faults), ...swept.faults]
      printRow(
        operation.name,
        String(outcomes.length),
        String(outcomes.filter(({ isAnswered }) => isAnswered).length),
        countsOf(outcomes.map(({ state }) => state ?? 'unknown')),
        String(outcomes.filter(({ resumedAt }) => resumedAt !== undefined).length),
        String(faults.length),
      )
      for (const fault of faults) say(`  ${fault}`)
      if (faults.length > 0) process.exitCode = 1
    }
  },
})
