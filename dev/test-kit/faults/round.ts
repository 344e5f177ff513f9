/**
 * Injects faults of every kind while a client writes every kind of record: the test does so a few times, and `npm run
 * bench -- faults` any number of times.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { login } from '../../../contract/account.ts'
import { openDatabase } from '../../../server/db/open.ts'
import { findRunning } from '../../../server/db/embedded/find-running.ts'
import { holderOf, partnerWith } from '../keys.ts'
import { populate } from '../people.ts'
import { type Program, startProgram } from '../program.ts'
import type { SmallDisk } from '../small-disk.ts'
import { look, type Look } from './look.ts'
import { callAt, type Desk, KINDS, numbersFrom, type Write, writeOne } from './writer.ts'

/** Password of the administrator. */
const PASSWORD = 'Maru-fault-2026'
/** Number of writers that run concurrently. */
const WRITERS = 4
/** Milliseconds in which a write must be answered after a fault. */
const MOST_MS = 120_000

/** Setup of a Maru with an embedded database, in which faults are injected. */
export interface World {
  dataDir: string
  /** Undefined if no disk can be mounted; the kind `disk` is then omitted. Without `power`, the kind `power` is omitted. */
  disk: SmallDisk | undefined
  seed: number
}

/** Outcome of one fault. */
export interface Outcome extends Look {
  fault: Fault
  /** Writes that were answered in its round. */
  written: number
  /** Milliseconds from the end of the fault until a new write is answered. For a kill, they count from the kill. */
  recoveredMs: number
}

/** Functions that cause each kind of fault, and end it. `suffer` calls the one of the requested kind. */
const FAULTS = {
  /** kill -9; a service manager starts it again. */
  async server({ end }: Hit) {
    await end()
  },
  /** kill -9; Maru starts it again. */
  async database({ pids }: Hit) {
    signal(pids().slice(0, 1), 'SIGKILL')
  },
  /** kill -9 of the database and then the server. */
  async both({ pids, end }: Hit) {
    signal(pids().slice(0, 1), 'SIGKILL')
    await end()
  },
  /** Suspends every process of PostgreSQL, as a machine that swaps or a disk that hangs does. */
  async frozen({ pids, random }: Hit) {
    const all = pids()
    signal(all, 'SIGSTOP')
    await sleep(500 + 2_000 * random())
    signal(all, 'SIGCONT')
  },
  /** Every connection to the database breaks. */
  async cut({ dataDir }: Hit) {
    const client = new pg.Client(findRunning(dataDir))
    await client.connect()
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      ['maru'],
    )
    await client.end()
  },
  /** Fills the disk for up to 2 seconds. */
  async disk({ disk, random }: Hit) {
    await disk?.fill()
    await sleep(500 + 1_500 * random())
    disk?.free()
  },
  /** Removes the folder of the files for up to 1.5 seconds, as an unavailable file server does. */
  async storage({ dataDir, random }: Hit) {
    renameSync(join(dataDir, 'files'), join(dataDir, 'files.away'))
    await sleep(500 + 1_000 * random())
    bringBack(dataDir)
  },
  /** Cuts the power: everything stops, and data that was not synced is lost. Then the disk is mounted again. */
  async power({ disk, pids, halt, end }: Hit) {
    // Halt the server first: its answers were sent before the disk ends, and none follows.
    halt()
    signal(pids().slice(0, 1), 'SIGSTOP')
    const all = pids()
    signal(all, 'SIGSTOP')
    disk?.power?.cut()
    signal(all, 'SIGKILL')
    await end()
    await disk?.power?.back()
  },
} satisfies Record<string, (hit: Hit) => Promise<void>>

/** A kind of fault. */
export type Fault = keyof typeof FAULTS
/** All kinds of faults, also those that need a disk that cannot be mounted here. */
export const ALL_FAULTS = Object.keys(FAULTS) as Fault[]

/** Server that a fault hits, and the means to do so. */
interface Hit {
  dataDir: string
  /** Disk of the data folder; undefined if none is mounted. */
  disk: SmallDisk | undefined
  /** Returns a number from 0 to below 1. */
  random: () => number
  /** Process IDs of PostgreSQL, the first process first. */
  pids: () => number[]
  /** Suspends the server. */
  halt: () => void
  /** Ends the server with SIGKILL. */
  end: () => Promise<void>
}

/** A running server in which faults happen one at a time. */
export interface RunningWorld {
  desk: Desk
  /** Every acknowledged write. */
  acknowledged: readonly Write[]
  /**
   * Causes a fault while four writers run, waits until a new write is answered, and checks all acknowledged writes.
   * @throws {Error} if no write is answered within two minutes
   */
  suffer(fault: Fault): Promise<Outcome>
  stop(): Promise<void>
}

/** Starts the server on an empty folder, and creates the accounts and requests that the writers use. */
export async function startWorld({ dataDir, disk, seed }: World): Promise<RunningWorld> {
  mkdirSync(dataDir, { recursive: true })
  const random = numbersFrom(seed)
  const acknowledged: Write[] = []
  let program: Program
  const start = async () => {
    program = startProgram(dataDir, {
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: PASSWORD,
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'fatal',
    })
    return Number(new URL(await program.url).port)
  }
  const halt = () => void program.process.kill('SIGSTOP')
  const end = async () => {
    program.process.kill('SIGKILL')
    await program.ended
  }
  const port = await start()
  const { sessionUid: admin } = (await callAt(port, login, { loginId: 'admin', password: PASSWORD })) as {
    sessionUid: string
  }
  const desk: Desk = { port, admin, password: PASSWORD, ...(await populateDesk(dataDir)) }

  /**
   * Writes random records until it is aborted. After a failed write, tries another one 50 ms later.
   * @param onDone called after each acknowledged write, with the `performance.now()` of its begin
   */
  async function write(stop: AbortSignal, onDone: (beganAt: number) => void): Promise<void> {
    while (!stop.aborted) {
      const beganAt = performance.now()
      const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'notice'
      try {
        acknowledged.push(await writeOne(desk, kind))
        onDone(beganAt)
      } catch {
        await sleep(50)
      }
    }
  }

  return {
    desk,
    acknowledged,
    async suffer(fault) {
      const before = acknowledged.length
      const stop = new AbortController()
      let faultEnded = Infinity
      const recovered = Promise.withResolvers<number>()
      const onDone = (beganAt: number) => {
        if (beganAt >= faultEnded) recovered.resolve(performance.now() - faultEnded)
      }
      const writers = Array.from({ length: WRITERS }, () => write(stop.signal, onDone))
      const late = AbortSignal.timeout(MOST_MS)
      late.addEventListener('abort', () =>
        recovered.reject(new Error(`${fault}: nothing is answered any more`)),
      )
      try {
        await sleep(300 + 1_200 * random())
        const killedAt = performance.now()
        await FAULTS[fault]({ dataDir, disk, random, halt, end, pids: () => pidsOf(dataDir) })
        faultEnded =
          fault === 'server' || fault === 'both' || fault === 'database' ? killedAt : performance.now()
        // One that ended is started again, as a service manager does.
        const restart = async () => {
          for (;;) {
            await Promise.race([program.ended, sleep(100)])
            if (stop.signal.aborted) return
            if (program.process.exitCode !== null || program.process.signalCode !== null)
              desk.port = await start()
          }
        }
        const watching = restart().catch(recovered.reject)
        const recoveredMs = await recovered.promise
        stop.abort()
        await Promise.all([...writers, watching])
        const found = await look(dataDir, desk, acknowledged)
        return { fault, written: acknowledged.length - before, recoveredMs, ...found }
      } finally {
        stop.abort()
        await Promise.all(writers)
      }
    },
    async stop() {
      program.process.kill('SIGTERM')
      await program.ended
    },
  }
}

/**
 * Puts the moved folder of the files back. A pending upload may have created folders in its place.
 * @throws {Error} if a file was stored there meanwhile
 */
function bringBack(dataDir: string): void {
  const place = join(dataDir, 'files')
  const made = existsSync(place) ? readdirSync(place, { recursive: true, withFileTypes: true }) : []
  if (made.some((entry) => entry.isFile())) throw new Error('a file was stored while the storage was away')
  rmSync(place, { recursive: true, force: true })
  renameSync(join(dataDir, 'files.away'), place)
}

/**
 * Creates 5,000 users who wait for approval, and one who requests keys.
 * @returns the sessionUid of the latter (`holder`), and the approval requests
 */
async function populateDesk(dataDir: string): Promise<Pick<Desk, 'holder' | 'waiting'>> {
  const database = await openDatabase({ ...findRunning(dataDir), max: 2 }, () => {})
  try {
    const people = populate(database, 'nobody logs in')
    await people.createPartner({ code: 'HEAD-1' })
    const maker = { ...people, database }
    const { session: holder } = await holderOf(maker, await partnerWith(maker))
    await database.pool.query(
      `with made as (
         insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
         select 'asks.' || n, 'nobody logs in', '박하나', '대리', '01012345678', 'asks.' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP002'
         from generate_series(1, 5000) n returning id, login_id, name, email, affiliation_code)
       insert into approval_requests (user_id, login_id, name, email, affiliation_code)
       select id, login_id, name, email, affiliation_code from made`,
    )
    const { rows: waiting } = await database.pool.query<{ id: string; loginId: string }>(
      `select id, login_id as "loginId" from approval_requests where state = 'waiting'`,
    )
    return { holder, waiting }
  } finally {
    await database.close()
  }
}

/** Returns the process IDs of PostgreSQL: its first process and those that it started; none if it does not run. */
function pidsOf(dataDir: string): number[] {
  try {
    const first = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8')
    return [first, ...children.split(' ').filter(Boolean).map(Number)]
  } catch {
    return []
  }
}

/** Sends a signal to processes. Ignores those that have ended. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}
