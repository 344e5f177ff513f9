import { execFileSync } from 'node:child_process'
import { accessSync, constants, type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** Name and bytes of a file of a backup, in which tests search for personal data. */
export interface BackupPart {
  name: string
  bytes: Buffer
}

/**
 * Dumps the whole database as SQL text with pg_dump, into memory.
 * @returns undefined if this machine has no pg_dump, or one that is older than the server
 * @throws {Error} if pg_dump fails
 */
export async function dumpOf(pool: pg.Pool): Promise<BackupPart | undefined> {
  const { rows } = await pool.query<{ name: string; version: number }>(
    `select current_database() as name, current_setting('server_version_num')::int / 10000 as version`,
  )
  const { name = '', version = 0 } = rows[0] ?? {}
  try {
    const own = Number(/(\d+)\./.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1])
    if (own < version) return undefined
  } catch {
    return undefined
  }
  const { connectionString: url, host, port, user, password } = pool.options
  const where =
    url === undefined ? ['-h', String(host), '-p', String(port), '-U', String(user), '-d', name] : ['-d', url]
  const bytes = execFileSync('pg_dump', where, {
    maxBuffer: 1 << 28,
    env: { ...process.env, PGPASSWORD: typeof password === 'string' ? password : '' },
  })
  return { name: 'pg_dump', bytes }
}

/**
 * Yields the files of PostgreSQL's data folder that a physical backup of this database would copy: its data, the
 * WAL, the server's log. Keeps the WAL during the call with a replication slot, which it drops.
 * @param since ms since 1970: WAL files that were written earlier are left out
 * @param write writes the rows that the WAL must contain; called between two checkpoints
 * @returns nothing at all if this process may not read the data folder
 */
export async function* filesOf(
  pool: pg.Pool,
  since: number,
  write: () => Promise<unknown>,
): AsyncGenerator<BackupPart> {
  const { rows } = await pool.query<{ dir: string; oid: string }>(
    `select replace(current_setting('data_directory'), '/proc/self/', '/proc/' || pg_backend_pid() || '/') as dir,
       (select oid::text from pg_database where datname = current_database()) as oid`,
  )
  const { dir = '', oid = '' } = rows[0] ?? {}
  try {
    accessSync(join(dir, 'base', oid), constants.R_OK | constants.X_OK)
  } catch {
    return
  }
  const slot = `maru_test_${oid}`
  // The WAL is kept from here on: each time another test drops a database, PostgreSQL deletes WAL that it no longer needs.
  await pool.query('select pg_create_physical_replication_slot($1, true)', [slot])
  try {
    // The checkpoint writes the data that is only in memory, and makes PostgreSQL log each page that changes afterwards
    // in full.
    await pool.query('checkpoint')
    await write()
    // Only this writes the rows into the WAL files for certain.
    await pool.query('checkpoint')
    const top = readdirSync(dir).map((name) => (name === 'base' ? `base/${oid}` : name))
    for (const name of top.flatMap((each) => [each, ...within(dir, each)])) {
      const bytes = readIfThere(join(dir, name), name.startsWith('pg_wal/') ? since : 0)
      if (bytes !== undefined) yield { name, bytes }
    }
  } finally {
    await pool.query('select pg_drop_replication_slot($1)', [slot])
  }
}

/**
 * Returns the paths of all files and folders below a folder, relative to `dir`; none for a file or a missing
 * folder. Other tests may delete entries meanwhile.
 */
function within(dir: string, name: string): string[] {
  return entriesOf(join(dir, name)).flatMap((entry) => {
    const path = join(name, entry.name)
    return entry.isDirectory() ? [path, ...within(dir, path)] : [path]
  })
}

/** Returns the entries of a folder; none for a file or a missing folder. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return []
    throw error
  }
}

/** Returns the bytes of a file; undefined for a folder, a file last written before `since` (ms), and one that was deleted meanwhile. */
function readIfThere(path: string, since: number): Buffer | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.mtimeMs >= since ? readFileSync(path) : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
