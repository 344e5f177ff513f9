import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaries, prepareBinaries } from './embedded/binaries.ts'
import type { Binaries } from './embedded/binaries.ts'
import { checkCluster, CHILD_ENV, createCluster, dataArgument, makeDataDir } from './embedded/cluster.ts'
import { guard } from './embedded/guard.ts'
import type { Guarded } from './embedded/guard.ts'
import { chooseIdentity, giveTree } from './embedded/identity.ts'
import type { Identity } from './embedded/identity.ts'
import { endLeftover, SOCKET_DIR_PREFIX } from './embedded/leftover.ts'
import { isAlive, takeLock } from './embedded/lock.ts'
import { EmbeddedRefusal, refusalFromError, refusalFromOutput } from './embedded/refusal.ts'

export { EmbeddedRefusal }

/** How to connect: a fragment of `pg`'s PoolConfig. */
export interface EmbeddedConnection {
  /** A private directory that holds the Unix socket, or 127.0.0.1. */
  host: string
  port: number
  user: string
  /** Only over TCP. */
  password?: string
  database: string
}

/** Maru's own PostgreSQL, running. */
export interface EmbeddedDatabase {
  connection: EmbeddedConnection
  /** Resolves with one line for the log when the database ends without `stop()`; else never. */
  exited: Promise<string>
  /** Ends the database in order; connections still open are cut. May be called twice. */
  stop(): Promise<void>
}

/** What `startEmbedded` takes. */
export interface EmbeddedOptions {
  /** DATA_DIR; the cluster lies in `postgres` under it, the log beside it in `postgres.log`. */
  dataDir: string
  /** Takes each line of progress that a person may read. */
  log: (line: string) => void
  /** More PostgreSQL settings, for tests: `{ fsync: 'off' }`. Never in production. */
  settings?: Record<string, string>
  /** Default: `tcp` on Windows, else `socket`. */
  transport?: 'socket' | 'tcp'
}

/**
 * Starts Maru's own PostgreSQL on `dataDir`, creating the cluster and the database `maru` on first use
 * (decisions §3, design "database"). It ends by itself when this process does, whatever ended it.
 * Throws EmbeddedRefusal for what a person can put right: its message is one line to print before exit 1.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir)
  const dir = join(dataDir, 'postgres')
  try {
    const found = findBinaries()
    makeDataDir(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    checkCluster(dir, found.major)
    const lock = await takeLock(dataDir)
    try {
      const running = await startLocked({ ...options, dataDir }, dir, found)
      return { ...running, stop: once(() => running.stop().finally(() => lock.release())) }
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw refusalFromError(error, dataDir)
  }
}

async function startLocked(
  options: EmbeddedOptions,
  dir: string,
  found: Binaries,
): Promise<EmbeddedDatabase> {
  const { dataDir, log } = options
  const transport = options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket')
  const logFile = join(dataDir, 'postgres.log')
  const identity = chooseIdentity(dir)
  const binaries = prepareBinaries(found, identity)
  const passwordFile = transport === 'tcp' ? makePasswordFile(dataDir) : undefined

  if (checkCluster(dir, binaries.major)) {
    if (identity && statSync(dir).uid === 0) giveTree(dir, identity) // copied back by root, say
    await endLeftover(dir, log)
  } else {
    log(`Preparing the database in ${dir} …`)
    const durable = options.settings?.['fsync'] !== 'off'
    await createCluster({ dir, binaries, identity, logFile, passwordFile, durable })
  }

  const server = await launch({ dir, binaries, identity, transport, logFile, options })
  const connection: EmbeddedConnection = {
    host: server.host,
    port: server.port,
    user: 'maru',
    database: 'maru',
    ...(passwordFile === undefined ? {} : { password: readFileSync(passwordFile, 'utf8').trim() }),
  }
  try {
    await ensureDatabase(connection)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { connection, exited: server.exited, stop: () => server.stop() }
}

interface Launch {
  dir: string
  binaries: Binaries
  identity: Identity | undefined
  transport: 'socket' | 'tcp'
  logFile: string
  options: EmbeddedOptions
}

interface Server {
  host: string
  port: number
  exited: Promise<string>
  stop(): Promise<void>
}

async function launch(wanted: Launch): Promise<Server> {
  const { dir, binaries, identity, transport, logFile, options } = wanted
  const deadline = Date.now() + 15_000
  for (;;) {
    const socketDir = transport === 'socket' ? makeSocketDir(identity) : undefined
    const port = socketDir === undefined ? await freePort() : 5432
    const settings: Record<string, string> = {
      listen_addresses: socketDir === undefined ? '127.0.0.1' : '',
      unix_socket_directories: socketDir === undefined ? '' : `"${socketDir}"`,
      port: String(port),
      shared_buffers: '128MB',
      max_connections: '60',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_destination: 'stderr',
      ...options.settings,
    }
    const server = guard({
      file: join(binaries.home, 'bin', 'postgres'),
      args: [
        '-D',
        dataArgument(dir),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      cwd: dir,
      env: CHILD_ENV,
      identity,
      logFile,
      readyText: 'database system is ready to accept connections',
      stopCommand:
        process.platform === 'win32'
          ? { file: join(binaries.home, 'bin', 'pg_ctl'), args: ['stop', '-m', 'fast', '-D', dir] }
          : undefined,
      removeAtEnd: socketDir,
    })
    const started = await untilReady(server, options.log)
    if (started === true) return { host: socketDir ?? '127.0.0.1', port, ...watch(server, dir, socketDir) }
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true })
    // After a kill -9 of the database its last children may still be ending.
    const transient = started.some((line) => line.includes('pre-existing shared memory block'))
    if (!transient || Date.now() > deadline) throw refusalFromOutput(started, dir, logFile)
    await sleep(100)
  }
}

async function untilReady(server: Guarded, log: (line: string) => void): Promise<true | string[]> {
  // A start is slow only after a crash, and then it can take as long as it takes.
  const patience = setInterval(() => log('The database is still recovering from an earlier crash …'), 5_000)
  try {
    return await Promise.race([
      server.ready.then(() => true as const),
      server.exit.then((exit) => exit?.tail ?? ['error: its guardian process was killed']),
    ])
  } finally {
    clearInterval(patience)
  }
}

function watch(server: Guarded, dir: string, socketDir: string | undefined): Pick<Server, 'exited' | 'stop'> {
  let stopping = false
  const died = async (): Promise<string> => {
    const exit = await server.exit
    if (stopping) return NEVER
    if (!exit) await endOrphan(server.pid(), dir, socketDir)
    const last = exit?.tail.findLast((line) => /FATAL|PANIC/.test(line)) ?? exit?.tail.at(-1)
    const how = exit ? (exit.signal ?? `code ${exit.code}`) : 'its guardian process was killed'
    return `The database on ${dir} ended unexpectedly (${how})${last === undefined ? '' : `: ${last}`}`
  }
  const stop = once(async () => {
    stopping = true
    server.stop()
    if (!(await server.exit)) await endOrphan(server.pid(), dir, socketDir)
  })
  return { exited: died(), stop }
}

const NEVER = new Promise<never>(() => {})

async function endOrphan(pid: number | undefined, dir: string, socketDir: string | undefined): Promise<void> {
  if (pid !== undefined && isAlive(pid)) await endLeftover(dir, () => {})
  if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true })
}

async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  const probe = new Client(connection)
  try {
    await probe.connect()
    return
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === '3D000'
    if (!missing) throw error
  } finally {
    await probe.end()
  }
  const admin = new Client({ ...connection, database: 'postgres' })
  await admin.connect()
  try {
    await admin.query('CREATE DATABASE maru')
  } finally {
    await admin.end()
  }
}

// A socket's path may have 107 bytes at most, so it cannot lie in the data directory.
function makeSocketDir(identity: Identity | undefined): string {
  // Root's TMPDIR may be one that only root can enter.
  const roomy = identity === undefined && Buffer.byteLength(tmpdir()) < 70
  const dir = mkdtempSync(join(roomy || !existsSync('/tmp') ? tmpdir() : '/tmp', SOCKET_DIR_PREFIX))
  if (identity) chownSync(dir, identity.uid, identity.gid)
  return dir
}

function makePasswordFile(dataDir: string): string {
  const file = join(dataDir, 'postgres.password')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return file
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((settle, fail) => {
    server.once('error', fail).listen(0, '127.0.0.1', settle)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise((settle) => {
    server.close(settle)
  })
  return port
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= run())
}
