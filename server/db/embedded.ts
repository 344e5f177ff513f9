import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { prepareArchive } from './embedded/wal-archive.ts'
import { type Binaries, findBinaries, prepareBinaries } from './embedded/binaries.ts'
import { checkCluster, claimCluster, createCluster } from './embedded/cluster.ts'
import { chooseIdentity } from './embedded/os-user.ts'
import { takeLock } from './embedded/lock.ts'
import { endOrphan } from './embedded/orphan.ts'
import { refusalFromError } from './embedded/startup-errors.ts'
import { keepRunning } from './embedded/auto-restart.ts'
import { launch } from './embedded/server.ts'

/** Name of the application role in the embedded PostgreSQL. */
const SERVING_ROLE = 'maru_portal'

/** Connection settings: a fragment of `pg`'s PoolConfig. */
export interface EmbeddedConnection {
  /** Private directory of the Unix socket, or 127.0.0.1. */
  host: string
  port: number
  user: string
  /** Set only for TCP. */
  password?: string
  database: string
}

/** Returns the DATABASE_URL of a connection, for another process on this machine. It contains the password, if there is one. */
export function urlOf({ host, port, user, password = '', database }: EmbeddedConnection): string {
  // The folder of a socket is not a host name.
  const isSocket = host.startsWith('/')
  const url = new URL(`postgresql://${user}@${isSocket ? 'localhost' : host}:${port}/${database}`)
  url.password = password
  if (isSocket) url.searchParams.set('host', host)
  return url.href
}

/** The running embedded PostgreSQL. */
export interface EmbeddedDatabase {
  /** Connection of the application role, which owns nothing (design/database-roles#application-role-and-owner-role). */
  connection: EmbeddedConnection
  /** Connection of the owner role, which changes the schema. */
  owner: EmbeddedConnection
  /** Resolves with one line for the log if the database ends without `stop()`; otherwise never. */
  exited: Promise<string>
  /** Stops the database in order and closes open connections. May be called twice. */
  stop(): Promise<void>
}

/** Options of `startEmbedded`. */
export interface EmbeddedOptions {
  /** DATA_DIR. The cluster is in its folder `postgres`, the log in `postgres.log`. */
  dataDir: string
  /** Takes each line of progress that a person may read. */
  log: (line: string) => void
  /** Additional PostgreSQL settings, for tests: `{ fsync: 'off' }`. Never use them in production. */
  settings?: Record<string, string>
  /** Archives the WAL for point-in-time recovery (design/backups#point-in-time-recovery). */
  archive?: boolean
  /** Restarts the database if it ends unexpectedly. */
  restarts?: boolean
  /** Uses TCP, and a watchdog that needs no signals; default: on Windows. */
  asOnWindows?: boolean
}

/**
 * Starts the embedded PostgreSQL on `dataDir`, and locks the folder for this process. Creates the cluster, the database `maru`
 * and the application role on first use (rules/running#own-database). It ends with this process, however the process ends.
 * @throws {StartRefusal} for problems that the operator can fix, such as another Maru on the folder, a full disk or a cluster of
 * another version
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir)
  const dir = join(dataDir, 'postgres')
  try {
    const found = findBinaries()
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    // Before anything is written there, including the lock.
    checkCluster(dir, found.major)
    const lock = await takeLock(dataDir)
    try {
      const running = await startLocked({ ...options, dataDir }, dir, found)
      let stopped: Promise<void> | undefined
      return { ...running, stop: () => (stopped ??= running.stop().finally(() => lock.release())) }
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw refusalFromError(error, dataDir)
  }
}

/**
 * Starts the database under the lock, and ends one that a crashed Maru left. Creates the cluster on first use. `stop` leaves
 * the lock to the caller.
 * @param dir folder of the cluster
 * @param found programs of PostgreSQL
 * @throws {StartRefusal} as `startEmbedded`
 */
async function startLocked(
  options: EmbeddedOptions,
  dir: string,
  found: Binaries,
): Promise<EmbeddedDatabase> {
  const { dataDir, log, settings = {}, asOnWindows = process.platform === 'win32' } = options
  const logFile = join(dataDir, 'postgres.log')
  const identity = chooseIdentity(dir)
  const binaries = prepareBinaries(found, identity)
  const passwordFile = asOnWindows ? makePasswordFile(dataDir) : undefined

  if (checkCluster(dir, binaries.major)) {
    claimCluster(dir, identity)
    await endOrphan(dir, log)
  } else {
    log(`Preparing the database in ${dir} …`)
    const durable = settings['fsync'] !== 'off'
    await createCluster({ dir, home: binaries.home, identity, logFile, passwordFile, durable, asOnWindows })
  }

  const wanted = {
    dir,
    home: binaries.home,
    identity,
    asOnWindows,
    logFile,
    settings: { ...settings, ...(options.archive === true && prepareArchive(dir, identity)) },
    log,
  }
  const first = await launch(wanted)
  const server = {
    ...first,
    ...(options.restarts === true &&
      keepRunning(first, () => launch({ ...wanted, again: first }), { folder: dataDir, log })),
  }
  const password = passwordFile && { password: readFileSync(passwordFile, 'utf8').trim() }
  const { host, port } = server
  const owner = { host, port, user: 'maru', database: 'maru', ...password }
  try {
    const connection = await ensureDatabase(owner)
    return { connection, owner, exited: server.exited, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Creates the database and the application role if they do not exist. Over TCP it sets a new password of the role.
 * @returns the connection of the application role
 */
async function ensureDatabase(owner: EmbeddedConnection): Promise<EmbeddedConnection> {
  const admin = new Client({ ...owner, database: 'postgres' })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ hasDatabase: boolean; hasRole: boolean }>(
      `select exists (select from pg_database where datname = $1) as "hasDatabase",
        exists (select from pg_roles where rolname = $2) as "hasRole"`,
      [owner.database, SERVING_ROLE],
    )
    if (rows[0]?.hasRole !== true) await admin.query(`create role ${SERVING_ROLE} login`)
    if (rows[0]?.hasDatabase !== true) await admin.query(`create database ${owner.database}`)
    const connection = { ...owner, user: SERVING_ROLE }
    if (owner.password === undefined) return connection
    // Valid while this PostgreSQL runs.
    const password = randomBytes(24).toString('base64url')
    await admin.query(`alter role ${SERVING_ROLE} password '${password}'`)
    return { ...connection, password }
  } finally {
    await admin.end()
  }
}

/** Returns the file with the owner's password for TCP, which it creates if it does not exist. */
function makePasswordFile(dataDir: string): string {
  const file = join(dataDir, 'postgres.password')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
  return file
}
