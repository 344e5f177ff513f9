import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { startEmbedded, urlOf } from '../../../server/db/embedded.ts'
import { type OpenDatabase, openDatabase } from '../../../server/db/open.ts'
import { startSession } from '../../../server/callers/sessions.ts'
import { atEnd, say } from './bench.ts'
import { since, sum } from './numbers.ts'
import {
  cpuMs,
  residentMb,
  threadsCpuMs,
  treeCpuMs,
  createProfileEnv,
  slowestFunctions,
} from './processes.ts'

/** Creates a folder that is removed when the benchmark ends. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A PostgreSQL server that a benchmark started, with fsync on as in production. It stops, and its data is removed, at the end. */
export interface OwnDatabase {
  connection: pg.PoolConfig & { database: string }
  url: string
  /** A folder for Maru's data. */
  dataDir: string
  /** Returns the CPU time in ms of all its processes. */
  cpuMs(): number
}

/**
 * Starts a PostgreSQL that stops, with its data removed, when the benchmark ends.
 * @param settings settings of PostgreSQL
 */
export async function startDatabase(settings: Record<string, string> = {}): Promise<OwnDatabase> {
  const dataDir = createFolder()
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings })
  atEnd(() => embedded.stop())
  const postmaster = () => Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const { owner } = embedded
  return { connection: owner, url: urlOf(owner), dataDir, cpuMs: () => treeCpuMs(postmaster()) }
}

/** Opens a database with 2 connections by default. It closes when the benchmark ends. */
export async function open(connection: pg.PoolConfig): Promise<OpenDatabase> {
  const database = await openDatabase({ max: 2, ...connection }, () => {})
  atEnd(() => database.close())
  return database
}

/**
 * Starts a session of a user without a login, and returns its sessionUid. Does not check whether the user may log in.
 * @param userId users.id
 */
export function signIn({ db }: OpenDatabase, userId: string, address = '127.0.0.1'): Promise<string> {
  return db.transaction().execute((tx) => startSession(tx, { userId, address, userAgent: 'bench' }))
}

/** A started Maru in another process. */
export interface Maru {
  port: number
  pid: number
  /** Milliseconds from the start to the line that it is ready. */
  startMs: number
  /** Returns the resident memory in MB of all its processes, without those of PostgreSQL. */
  residentMb(): number
  /** Returns the CPU time in ms of the server process. */
  cpuMs(): number
  /** Returns this CPU time by thread name, of the threads that still run. */
  threadsCpuMs(): Map<string, number>
  /** Stops it before the end of the benchmark. May be repeated. */
  stop(): Promise<void>
}

/** Options to start Maru. */
export interface StartOptions {
  /** Variables that are added to those of this process, or replace them. */
  env: Record<string, string>
  /** Command of the launcher; `start` by default. */
  verb?: 'start' | 'demo'
  /** True to print the functions that took most CPU time when Maru stops. */
  profile?: boolean
}

/**
 * Starts Maru as `npm start` does, on a free port, and waits until it is ready. It stops when the benchmark ends.
 * @throws {Error} with its output if it does not start
 */
export async function startMaru({ env, verb = 'start', profile = false }: StartOptions): Promise<Maru> {
  const profiles = profile ? createFolder() : ''
  const begin = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../bin/maru.mjs'), verb], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      ...(profile && createProfileEnv(profiles)),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid ?? 0
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    if (profile) for (const line of slowestFunctions(profiles)) say(line)
  }
  atEnd(stop)
  let text = ''
  for await (const line of createInterface(child.stdout)) {
    text += `${line}\n`
    const port = Number(/Maru is ready: open http:\/\/localhost:(\d+)/.exec(line)?.[1])
    if (!(port > 0)) continue
    child.stdout.resume()
    return {
      port,
      pid,
      startMs: since(begin),
      residentMb: () => sum(residentMb(pid)),
      cpuMs: () => cpuMs(pid),
      threadsCpuMs: () => threadsCpuMs(pid),
      stop,
    }
  }
  throw new Error(`Maru did not start: ${text}`)
}

/** A Maru with the demo data on a database of the benchmark. */
export interface Demo extends Maru {
  /** The same database, opened by its owner. */
  database: OpenDatabase
  /** Returns the CPU time in ms of PostgreSQL. */
  databaseCpuMs(): number
  /** Returns the users who may log in, by users.id. */
  users(): Promise<{ id: string; loginId: string }[]>
  /** Starts a session of the administrator, and returns its sessionUid. */
  signInAdmin(): Promise<string>
}

/**
 * Starts Maru with the demo data, on a PostgreSQL of its own. Both stop when the benchmark ends.
 * @param options as of `startMaru`
 */
export async function startDemo({ env = {}, ...how }: Partial<StartOptions> = {}): Promise<Demo> {
  const own = await startDatabase()
  const dataDir = createFolder()
  const maru = await startMaru({
    ...how,
    env: { DATABASE_URL: own.url, DATA_DIR: dataDir, ...env },
    verb: 'demo',
  })
  const database = await open(own.connection)
  return {
    ...maru,
    database,
    databaseCpuMs: () => own.cpuMs(),
    async users() {
      const { rows } = await database.pool.query<{ id: string; loginId: string }>(
        `select id, login_id as "loginId" from users u where login_refusal(u) is null order by id`,
      )
      return rows
    },
    async signInAdmin() {
      const { rows } = await database.pool.query<{ id: string }>(
        `select id from users where login_id = 'admin'`,
      )
      return signIn(database, rows[0]?.id ?? '')
    },
  }
}
