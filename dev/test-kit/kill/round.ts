/** `kill -9` of a real server while users work on files. */
import type pg from 'pg'
import { join } from 'node:path'
import { type Parcel, type Portal, portalAt, RefusedError } from '../portal.ts'
import { type Program, startProgram } from '../program.ts'
import { faultsOfBytes, isKeptWhole, letDaysPass } from './bytes.ts'
import { type Operation, type State, stateOf, type Target } from './operations.ts'

/** A Maru that is killed and restarted on the same database. */
export interface World {
  pool: pg.Pool
  dataDir: string
  databaseUrl: string
  /** A sessionUid for each concurrent operation, because one user may have few open uploads (rules/files#room). */
  sessions: string[]
  /** True to expire the leases of a killed server immediately. */
  leasesEnd: boolean
}

/** The current server process, with one portal per session. */
export interface RunningServer {
  program: Program
  portals: Portal[]
}

/** Outcome of one operation. */
export interface Outcome {
  operation: Operation
  /** Bytes of each file. */
  size: number
  /** Milliseconds that the operation had run when the server was killed. */
  at: number
  /** Milliseconds that the operation takes alone. */
  usual: number
  /** True if the operation ended before the server was killed. */
  isAnswered: boolean
  /** State after the restart; undefined if it could not be read. */
  state: State | undefined
  /** Byte from which a tus upload continued. */
  resumedAt: number | undefined
  /** A line for each problem that was found after the restart. */
  faults: string[]
}

/** Returns the folder of the stored files of a Maru: `files` in its DATA_DIR. */
const filesFolderOf = ({ dataDir }: World) => join(dataDir, 'files')

/**
 * Starts the server of a world in production mode, and waits until it is ready. Returns it with a client for each
 * session. Rejects with the output if it ends before.
 */
export async function startServer(world: World): Promise<RunningServer> {
  const program = startProgram(world.dataDir, {
    NODE_ENV: 'production',
    DATA_DIR: world.dataDir,
    DATABASE_URL: world.databaseUrl,
    LOG_LEVEL: 'error',
  })
  const port = Number(new URL(await program.url).port)
  return { program, portals: world.sessions.map((session) => portalAt(port, session)) }
}

/** Kills the server with SIGKILL, and waits until it has ended. */
export async function killServer({ program }: RunningServer): Promise<void> {
  program.process.kill('SIGKILL')
  await program.ended
}

/**
 * Measures the operations, runs them concurrently, and kills the server with SIGKILL at a random moment of each.
 * Starts the server again, ends old leases if the world says so, and checks each operation and all stored bytes.
 * @param operations of several, the first is always cut off; others may have ended before the kill
 * @param size bytes of each file
 * @returns the server that was started, and the outcome of each operation; faults of the stored bytes are in the
 * last outcome
 */
export async function killDuring(
  world: World,
  running: RunningServer,
  operations: readonly Operation[],
  size: number,
): Promise<{ running: RunningServer; outcomes: Outcome[] }> {
  const runs = []
  for (const [i, operation] of operations.entries()) {
    const portal = portalOf(running, i)
    // The first run takes longer, so the second one is measured.
    await timed(portal, operation, await prepare(portal, operation, size))
    const usual = await timed(portal, operation, await prepare(portal, operation, size))
    runs.push({ operation, usual, target: await prepare(portal, operation, size) })
  }
  // Concurrent operations take longer than each alone.
  const slower = Math.max(1, operations.length / 2)
  const killAt = performance.now() + 1.15 * slower * Math.max(...runs.map(({ usual }) => usual))
  const ends = runs.map(async (run, i) => {
    // Up to 15% longer than usual, because the result of an answered operation must be there. The first of several is always cut off.
    const within = runs.length > 1 && i === 0 ? 0.5 : 1.15 * slower
    const at = within * Math.random() * run.usual
    await until(killAt - at)
    return { ...run, at, end: await endOf(run.operation.run(portalOf(running, i), run.target)) }
  })
  await until(killAt)
  await killServer(running)
  const done = await Promise.all(ends)

  const next = await startServer(world)
  if (world.leasesEnd) await world.pool.query(`update uploads set held_until = now() - interval '1 second'`)
  const outcomes: Outcome[] = []
  for (const [i, { operation, target, at, usual, end }] of done.entries()) {
    const outcome = { operation, size, at, usual, isAnswered: end === 'answered' }
    outcomes.push({ ...outcome, ...(await lookAt(world, portalOf(next, i), operation, target, end)) })
  }
  const faults = await faultsOfBytes(world.pool, filesFolderOf(world), false)
  outcomes.at(-1)?.faults.push(...faults)
  return { running: next, outcomes }
}

/**
 * Kills the server, moves all times eight days back, and starts the server again, which sweeps. Waits up to 2 minutes for the sweep.
 * @returns the new server, and a line for each file without a row, row without a file, or row marked as missing
 */
export async function sweepAfterDays(
  world: World,
  running: RunningServer,
): Promise<{ running: RunningServer; faults: string[] }> {
  await killServer(running)
  await letDaysPass(world.pool, filesFolderOf(world))
  const next = await startServer(world)
  let faults: string[] = []
  const deadline = performance.now() + 120_000
  do {
    await new Promise((resolve) => setTimeout(resolve, 100))
    faults = await faultsOfBytes(world.pool, filesFolderOf(world), true)
  } while (faults.length > 0 && performance.now() < deadline)
  const { rows } = await world.pool.query(`select id from notice_files where missing_since is not null`)
  return { running: next, faults: [...faults, ...rows.map(({ id }) => `${id} is marked as missing`)] }
}

/**
 * Returns the client of the session that an operation uses, by the index of the operation.
 * @throws {Error} if there is no such session
 */
function portalOf({ portals }: RunningServer, index: number): Portal {
  const portal = portals[index]
  if (portal === undefined) throw new Error(`Nobody is there for operation ${index}`)
  return portal
}

/** Number of files that were made, for distinct names and contents. */
let count = 0

/** Returns a file to send whose name and content differ from all others. */
function parcel(name: string, size: number): Parcel {
  count += 1
  return { name: `${name} ${count}.bin`, size, from: count * 977 }
}

/**
 * Creates the notice for an operation, and uploads an earlier file if the operation needs one. Returns both with
 * the new file to send, which is not sent yet.
 */
async function prepare(portal: Portal, { hasOld }: Operation, size: number): Promise<Target> {
  const target = { noticeId: await portal.write(), next: parcel('새 파일', size), old: undefined }
  if (!hasOld) return target
  const old = parcel('옛 파일', size)
  await portal.sendForm(target.noticeId, old)
  return { ...target, old }
}

/** Runs an operation, and returns the milliseconds that it took. Throws if the operation is refused. */
async function timed(portal: Portal, operation: Operation, target: Target): Promise<number> {
  const began = performance.now()
  await operation.run(portal, target)
  return performance.now() - began
}

/** Waits until a time of `performance.now()` (milliseconds), exactly enough to kill within an operation. */
async function until(moment: number): Promise<void> {
  while (performance.now() < moment) {
    await new Promise((resolve) =>
      moment - performance.now() > 5 ? setTimeout(resolve, 1) : setImmediate(resolve),
    )
  }
}

/** Returns how an operation ended: 'answered', 'cut' by the kill, or the refusal of the server, which is a fault. */
async function endOf(run: Promise<void>): Promise<'answered' | 'cut' | RefusedError> {
  try {
    await run
    return 'answered'
  } catch (error) {
    return error instanceof RefusedError ? error : 'cut'
  }
}

/**
 * Checks the notice of an operation after the restart: its state must be one of before, between or after, and
 * after if the call was answered. Then continues a cut tus upload or repeats the operation, and checks the end.
 * @returns the state that was found, the byte at which a tus upload continued, and a line for each fault
 */
async function lookAt(
  world: World,
  portal: Portal,
  operation: Operation,
  target: Target,
  end: Awaited<ReturnType<typeof endOf>>,
): Promise<Pick<Outcome, 'state' | 'resumedAt' | 'faults'>> {
  const faults: string[] = []
  let state: State | undefined
  let resumedAt: number | undefined
  const fault = (text: string) => faults.push(`${operation.name}, notice ${target.noticeId}: ${text}`)
  try {
    if (end instanceof RefusedError) fault(`refused: ${end.message}`)
    state = await stateOf(portal, target)
    const before: State = operation.hasOld ? 'old' : 'no file'
    const allowed = end === 'answered' ? [operation.end] : [before, operation.between, operation.end]
    if (!allowed.includes(state)) fault(`it is found with ${state}, ${end}`)
    if (state !== 'new' && target.old && !(await isKeptWhole(world.pool, filesFolderOf(world), target.old))) {
      fault('the old file is not kept whole')
    }
    if (target.uploadId !== undefined && end !== 'answered') {
      resumedAt = await portal.resumeTus(target.uploadId, target.next)
    } else if (state !== operation.end) {
      await operation.run(portal, target)
    }
    const last = await stateOf(portal, target)
    if (last !== operation.end) fault(`done again, it is found with ${last}`)
  } catch (error) {
    fault(String(error))
  }
  return { state, resumedAt, faults }
}
