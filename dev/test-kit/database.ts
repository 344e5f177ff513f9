import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedDatabase, startEmbedded } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase, type OpenDatabase } from '../../server/db/open.ts'

/**
 * Settings of a PostgreSQL for a run of tests, which `startTestServer` uses. They trade safety for speed, because no
 * data is needed after a crash.
 */
export const THROWN_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // It may lie in memory.
  max_wal_size: '128MB',
}

/** Folder in memory, which only Linux has. */
const MEMORY = '/dev/shm'
/** Free bytes that a folder in memory must have. */
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * Creates a folder for temporary databases: in memory if 2 GB are free there, because copying hundreds of files on a disk takes several
 * times as long. The caller deletes it.
 * @param disk parent folder if memory is not available
 */
export function makeScratchFolder(prefix: string, disk = tmpdir()): string {
  return mkdtempSync(join(hasRoomInMemory() ? MEMORY : disk, prefix))
}

/** Returns whether a folder in memory can be written and has ROOM_BYTES free. */
function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES
  } catch {
    return false
  }
}

/** Starts an embedded PostgreSQL for a run of tests. Its data does not survive a crash. */
export function startTestServer(dataDir: string): Promise<EmbeddedDatabase> {
  // Its databases are small and in memory: processes that read and write ahead for it only take turns with it.
  const settings = {
    ...THROWN_AWAY,
    io_method: 'sync',
    bgwriter_lru_maxpages: '0',
    max_connections: '200',
  }
  return startEmbedded({ dataDir, log: () => {}, settings })
}

/**
 * Creates the application role on an external server, as in docs/operations.md, and gives it a new password. Replaces
 * an existing role, unless it owns something.
 * @param server must have a connectionString
 * @returns the connection of that role
 */
export async function servingRoleOf(server: pg.ClientConfig): Promise<pg.ClientConfig> {
  const role = 'maru_test_portal'
  const password = randomUUID()
  await onServer(server, `drop role if exists ${role}`).catch(() => {})
  await onServer(server, `create role ${role} login`).catch(() => {})
  await onServer(server, `alter role ${role} password '${password}'`)
  const url = new URL(server.connectionString ?? '')
  url.username = role
  url.password = password
  return { connectionString: url.href }
}

/**
 * Creates the migrated database that tests get copies of. Drops an earlier one of that name.
 * @param server connection of the owner
 * @param serving connection of the application role
 * @param fill writes more rows, as the application role
 */
export async function createTemplate(
  server: pg.ClientConfig,
  serving: pg.ClientConfig,
  name: string,
  fill: (database: OpenDatabase) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await onServer(server, `drop database if exists ${name}`)
  await onServer(
    server,
    `create database ${name} encoding 'UTF8' template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  const owner = await openDatabase(onDatabase(server, name), () => {})
  const database = await openDatabase(onDatabase(serving, name), () => {})
  await migrate(owner.db, database.role)
  await owner.close()
  await fill(database)
  // No test is led to the guide of a new installation but those that ask for it.
  await database.pool.query(`update settings set setup_state = 'finished'`)
  await database.close()
}

/**
 * Copies a template, which must have no connections.
 * @returns the name of the copy, and a function that drops it and ends its connections
 */
export async function cloneTemplate(server: pg.ClientConfig, template: string) {
  const name = `maru_test_${randomUUID().replaceAll('-', '')}`
  // Copied as files, which takes half the work of writing each page to the journal.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  return { name, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

/** Returns the connection to another database of the same server. */
export function onDatabase(server: pg.ClientConfig, name: string): pg.ClientConfig {
  if (server.connectionString === undefined) return { ...server, database: name }
  const url = new URL(server.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

/** Returns the DATABASE_URL of a connection, for a program on this machine. It contains the password, if there is one. */
export function urlOf({ connectionString, host, port, user, password, database }: pg.ClientConfig): string {
  if (connectionString !== undefined) return connectionString
  // The folder of a socket is not a host name.
  const isSocket = host?.startsWith('/') === true
  const url = new URL(`postgresql://${user}@${isSocket ? 'localhost' : host}:${port}/${database}`)
  if (typeof password === 'string') url.password = password
  if (isSocket) url.searchParams.set('host', host)
  return url.href
}

/**
 * Runs one statement outside a transaction, as `create database` requires, on a new connection. Rejects with the error
 * of the database.
 */
export async function onServer(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
