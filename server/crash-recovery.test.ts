import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlOf } from '../dev/test-kit/database.ts'
import { OPERATIONS } from '../dev/test-kit/kill/operations.ts'
import {
  killDuring,
  killServer,
  type RunningServer,
  startServer,
  sweepAfterDays,
  type World,
} from '../dev/test-kit/kill/round.ts'
import { createOwnDatabase, type OwnDatabase } from '../dev/test-kit/own-database.ts'
import { populate } from '../dev/test-kit/people.ts'

/*
 * `kill -9` of a real server (rules/files#rows-and-bytes); `npm run bench -- faults` kills under other writers.
 */

// Four starts of the whole program, which a busy machine takes long for.
const TIMEOUT_MS = 600_000
const SIZES = [64 * 1024, 6 * 1024 * 1024]
let own: OwnDatabase
let world: World
let running: RunningServer

beforeAll(async () => {
  own = await createOwnDatabase()
  const writers = populate(own.database, 'nobody logs in')
  const people = await Promise.all(OPERATIONS.map(() => writers.createUser()))
  world = {
    pool: own.database.pool,
    dataDir: mkdtempSync(join(tmpdir(), 'maru-kill-')),
    databaseUrl: urlOf(own.database.pool.options),
    sessions: people.map(({ session }) => session),
    leasesEnd: true,
  }
  running = await startServer(world)
})

afterAll(async () => {
  // Undefined when it did not even start.
  if (running) await killServer(running)
  await own.drop()
  rmSync(world.dataDir, { recursive: true, force: true })
})

test(
  `keeps every notice with its file after ${SIZES.length} kills during writes (design/uploads-and-files#rows-before-bytes)`,
  async () => {
    const outcomes = []
    for (const size of SIZES) {
      const round = await killDuring(world, running, OPERATIONS, size)
      running = round.running
      outcomes.push(...round.outcomes)
    }
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
    expect(outcomes).toHaveLength(SIZES.length * OPERATIONS.length)
    expect(outcomes.some(({ isAnswered }) => !isAnswered)).toBe(true)
    const swept = await sweepAfterDays(world, running)
    running = swept.running
    expect(swept.faults).toEqual([])
  },
  TIMEOUT_MS,
)
