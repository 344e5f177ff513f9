import { createWriteStream } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import pLimit from 'p-limit'
import type pg from 'pg'
import { onOneConnection } from '../db/one-connection.ts'
import type { Storage, StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../start-refusal.ts'
import { copyLog } from './access-log.ts'
import { KEPT } from './kept.ts'
import { MANIFEST, type Manifest, PARTS } from './manifest.ts'
import { listSequences, listTables, rowsOf, type TableShape } from './tables.ts'

/** What a backup is made of, and where it goes. */
export interface BackupParts {
  /** Without a time limit. */
  pool: pg.Pool
  storage: Storage
  keySecret: string
  /** Where the access log's signed ends and older months are. */
  dataDir: string
  /** New, or empty. */
  folder: string
  say: (line: string) => void
  /** Gives up, and leaves what was written. */
  signal?: AbortSignal | undefined
}

const FILES_AT_ONCE = 4

/**
 * Writes database, files and key secret into a folder, while people work: the database as it is at one moment, then the files that
 * it names. A file that is deleted meanwhile is still there, since the storage keeps it for days (ADR 015).
 * @throws {StartRefusal} when the folder holds something
 */
export async function backUp({
  pool,
  storage,
  keySecret,
  dataDir,
  folder,
  say,
  signal,
}: BackupParts): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new StartRefusal(`${folder} holds something already. Name a folder that is new or empty.`)
  await mkdir(join(folder, PARTS.tables), { mode: 0o700 })
  // The ends before the rows, which go on from them; the months that are in files after them, in which they may still be.
  await copyLog(dataDir, folder, 'heads')
  const { keys, ...database } = await copyDatabase(pool, folder, signal)
  await copyLog(dataDir, folder, 'months')
  const rows = database.tables.reduce((all, table) => all + table.rows, 0)
  say(`Database: ${rows} rows of ${database.tables.length} tables.`)

  const files: Manifest['files'] = []
  const missing: StorageKey[] = []
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(keys, async (key) => {
    signal?.throwIfAborted()
    const bytes = await copyFile(storage, key, folder, signal)
    if (bytes === null) missing.push(key)
    else files.push({ ...key, bytes })
  })
  say(`Files: ${files.length}, ${files.reduce((all, { bytes }) => all + bytes, 0)} bytes.`)

  await writeFile(join(folder, PARTS.keySecret), `${keySecret}\n`, { mode: 0o600, flush: true })
  const manifest: Manifest = { format: 1, ...database, files, missing }
  // Last, and as the rest on the disk: half a backup must not look like one.
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  })
  return manifest
}

/** All tables as they are at one moment, and the keys of the files that they name. */
async function copyDatabase(pool: pg.Pool, folder: string, signal?: AbortSignal) {
  return onOneConnection(pool, async (client) => {
    signal?.throwIfAborted()
    // Whatever it waits for: what was asked fails, and the pool makes another connection.
    const giveUp = () => void (client as pg.PoolClient & { end: () => Promise<void> }).end()
    signal?.addEventListener('abort', giveUp, { once: true })
    await client.query('begin isolation level repeatable read, read only')
    try {
      const { rows: about } = await client.query<{
        installation: string
        takenAt: Date
        migrations: string[]
      }>(
        `select (select id from installation) as installation, now() as "takenAt",
          (select array_agg(name::text order by name) from migrations) as migrations`,
      )
      const [
        { installation, takenAt, migrations } = { installation: '', takenAt: new Date(), migrations: [] },
      ] = about
      const shapes = await listTables(client)
      const tables = []
      for (const table of shapes) {
        const rows = rowsOf(client, table, KEPT[table.name])
        await pipeline(rows, createZstdCompress(), privateFile(tableFile(folder, table)))
        tables.push({ ...table, rows: rows.rowCount })
      }
      const sequences = await listSequences(client)
      const keys = await listFiles(client, shapes)
      return { installation, takenAt: takenAt.toISOString(), migrations, tables, sequences, keys }
    } finally {
      signal?.removeEventListener('abort', giveUp)
      if (signal?.aborted !== true) await client.query('rollback')
    }
  })
}

/** The file of a table's rows in a backup. */
export const tableFile = (folder: string, { name }: TableShape) =>
  join(folder, PARTS.tables, `${name}.copy.zst`)

/** Where the file of a key lies in a backup. */
export const fileOf = (folder: string, { path, name }: StorageKey) => join(folder, PARTS.files, path, name)

/** The files that rows name: every table that does calls them alike. */
export async function listFiles(client: pg.ClientBase, tables: readonly TableShape[]): Promise<StorageKey[]> {
  const named = tables.filter(
    ({ columns }) => columns.includes('save_path') && columns.includes('save_file_name'),
  )
  const { rows } = await client.query<StorageKey>(
    named
      .map(
        ({ name }) =>
          `select save_path as path, save_file_name as name from ${name} where ${KEPT[name] ?? 'true'}`,
      )
      .join(' union '),
  )
  return rows
}

async function copyFile(
  storage: Storage,
  key: StorageKey,
  folder: string,
  signal?: AbortSignal,
): Promise<number | null> {
  const found = await storage.get(key)
  if (found === null) return null
  const target = fileOf(folder, key)
  await mkdir(join(folder, PARTS.files, key.path), { recursive: true, mode: 0o700 })
  await pipeline(found.stream, privateFile(target), { signal })
  return found.size
}

const privateFile = (path: string) => createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
