/**
 * Claim (rules/files#rows-and-bytes): `kill -9` of the server in the middle of an upload, of a replace, of a delete,
 * ROUNDS times at random moments each: no notice without its file, no file without its notice after the sweep, the old
 * file intact unless the new one is stored. What was answered stays as answered; an upload by tus goes on
 * where it was.
 *
 * Each kill hits one operation alone, on a server of production's kind that is started again after it; small and
 * large files in turns, so that half of the kills fall on what is around the bytes. Leases run out in their own time.
 *
 * Run: npm run bench -- files-kill (ONLY=tus: operations whose name has it; ROUNDS)
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { urlOf } from '../test-kit/database.ts'
import { OPERATIONS } from '../test-kit/kill/operations.ts'
import { killDuring, killServer, type Outcome, startServer, sweepAfterDays } from '../test-kit/kill/round.ts'
import { populate } from '../test-kit/people.ts'
import { startOwnDatabase } from './own-database.ts'

const MB = 1024 * 1024
const ROUNDS = Number(process.env['ROUNDS'] ?? 20)
const ONLY = process.env['ONLY'] ?? ''
const SIZES = [64 * 1024, 24 * MB]

const say = (line: string) => void process.stdout.write(`${line}\n`)
const own = await startOwnDatabase()
const dataDir = join(own.dataDir, 'maru')
mkdirSync(dataDir)
const database = await openDatabase({ ...own.connection, max: 2 }, () => {})
let stop = () => Promise.resolve()
let faultCount = 0

/** How many of each, most first: `12 old, 8 new`. */
function tally(outcomes: readonly Outcome[]): string {
  const counts = Map.groupBy(outcomes, ({ state }) => state ?? 'not found out')
  return [...counts]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([state, { length }]) => `${length} ${state}`)
    .join(', ')
}

function report(name: string, outcomes: readonly Outcome[], afterSweep: readonly string[]): void {
  const answered = outcomes.filter(({ isAnswered }) => isAnswered).length
  const longest = Math.max(...outcomes.map(({ at }) => at))
  const resumed = outcomes.flatMap(({ resumedAt }) => resumedAt ?? [])
  const faults = [...outcomes.flatMap((one) => one.faults), ...afterSweep]
  faultCount += faults.length
  say(
    `${name.padEnd(24)} ${outcomes.length} kills within ${longest.toFixed(0)} ms, ${answered} after the answer; found with: ${tally(outcomes)}` +
      (resumed.length === 0
        ? ''
        : `; ${resumed.length} gone on with, ${resumed.filter((at) => at > 0).length} of them past the first byte`) +
      `; faults: ${faults.length}`,
  )
  for (const fault of faults) say(`  ${fault}`)
}

try {
  await migrate(database.db)
  const { session } = await populate(database, 'nobody logs in').createUser()
  const world = {
    pool: database.pool,
    dataDir,
    databaseUrl: urlOf(own.connection),
    sessions: [session],
    leasesEnd: false,
  }
  let running = await startServer(world)
  stop = () => killServer(running)
  for (const operation of OPERATIONS.filter(({ name }) => name.includes(ONLY))) {
    const outcomes: Outcome[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const done = await killDuring(world, running, [operation], SIZES[round % SIZES.length] ?? 0)
      running = done.running
      outcomes.push(...done.outcomes)
    }
    const swept = await sweepAfterDays(world, running)
    running = swept.running
    report(operation.name, outcomes, swept.faults)
  }
  say(
    faultCount === 0
      ? 'No notice without its file, no file without its notice, no old file lost.'
      : `${faultCount} faults`,
  )
  if (faultCount > 0) process.exitCode = 1
} finally {
  await stop()
  await database.close()
  await own.stop()
}
