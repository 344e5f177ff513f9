import { execFileSync } from 'node:child_process'
import { accessSync, constants, type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** A part of a backup: which one, and its bytes. */
export interface BackupPart {
  name: string
  bytes: Buffer
}

/** The whole database as pg_dump writes it; undefined where this machine has none that reads this server. */
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
 * What a copy of the server's folder holds of this database: its files, the journal, what the server logged. Other
 * databases' files are left out, as is a journal that was written before `since`; none where this process may not read.
 * @param write writes what the journal is to hold, whatever checkpoints others cause meanwhile
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
  // The journal is kept from here on: with every database that another test drops the server lets go of what it needs no more.
  await pool.query('select pg_create_physical_replication_slot($1, true)', [slot])
  try {
    // What is only in memory so far is written, too, and each page that changes afterwards goes to the journal whole.
    await pool.query('checkpoint')
    await write()
    // Only now it is in the files of the journal for certain.
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
 * The paths below this folder, as far as they stay there; none below a file. Other databases' folders, which come and go, are
 * never looked into.
 */
function within(dir: string, name: string): string[] {
  return entriesOf(join(dir, name)).flatMap((entry) => {
    const path = join(name, entry.name)
    return entry.isDirectory() ? [path, ...within(dir, path)] : [path]
  })
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return []
    throw error
  }
}

/** The file's bytes; undefined for a folder, what is older, and what went away: others work on this server too. */
function readIfThere(path: string, since: number): Buffer | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.mtimeMs >= since ? readFileSync(path) : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
