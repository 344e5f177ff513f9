import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import pLimit from 'p-limit'
import type pg from 'pg'
import { withConnection } from '../db/one-connection.ts'
import type { Storage, StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { copyLog } from './access-log.ts'
import { createEarlierFiles, type AddEarlierFile } from './earlier-files.ts'
import { createPartWriter, type PartWriter } from './encryption.ts'
import { BACKUP_ROW_FILTERS } from './backup-row-filters.ts'
import { fileOf, MANIFEST, type Manifest, PARTS } from './manifest.ts'
import { listSequences, listTables, rowsOf, type TableShape } from './tables.ts'

/** Input of a backup. */
export interface BackupParts {
  /** Connections without a time limit. */
  pool: pg.Pool
  storage: Storage
  keySecret: string
  /** Folder of the access log's signed heads and older months. */
  dataDir: string
  /** Folder that is new or empty. */
  folder: string
  /** Public keys of age that the content is encrypted for; empty for no encryption. */
  recipients: readonly string[]
  /** Prints a line of progress. */
  say: (line: string) => void
  /** Folders of earlier backups on the same disk, the newest first. */
  earlier?: readonly string[]
  /** Aborts the backup, and leaves the files that were written. */
  signal?: AbortSignal | undefined
}

/** Most files that are copied concurrently. */
const FILES_AT_ONCE = 4

/**
 * Backs up database, access log, files and key secret into a folder, also while Maru runs. Copies one snapshot of the
 * database, then the files that it names. Files that are deleted during the backup stay in the storage for days
 * (design/uploads-and-files#rows-before-bytes).
 * @returns the manifest, which is written last; it lists files that are missing in the storage
 * @throws {StartRefusal} if the folder is not empty
 */
export async function backUp({
  pool,
  storage,
  keySecret,
  dataDir,
  folder,
  recipients,
  say,
  earlier = [],
  signal,
}: BackupParts): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new StartRefusal(`${folder} is not empty. Name a new or empty folder.`)
  await mkdir(join(folder, PARTS.tables), { mode: 0o700 })
  const writer = createPartWriter(folder, { recipients, signal })
  // Heads are copied before the rows, which continue from them. Months in files are copied after the rows, because they may still
  // be among them.
  await copyLog(dataDir, writer, 'heads')
  const { keys, ...database } = await copyDatabase(pool, writer, signal)
  await copyLog(dataDir, writer, 'months')
  const rows = database.tables.reduce((all, table) => all + table.rows, 0)
  say(`Database: ${rows} rows of ${database.tables.length} tables.`)

  const files: Manifest['files'] = []
  const missing: StorageKey[] = []
  const addEarlier = createEarlierFiles(earlier, recipients)
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(keys, async (key) => {
    signal?.throwIfAborted()
    const bytes = await copyFile(storage, key, writer, addEarlier)
    if (bytes === null) missing.push(key)
    else files.push({ ...key, bytes })
  })
  say(`Files: ${files.length}, ${files.reduce((all, { bytes }) => all + bytes, 0)} bytes.`)

  await writer.write(PARTS.keySecret, Readable.from([Buffer.from(`${keySecret}\n`)]))
  const content = { ...database, files, missing }
  const manifest: Manifest =
    recipients.length === 0
      ? { format: 1, ...content }
      : { format: 2, ...content, encryption: { recipients: [...recipients], parts: writer.parts } }
  // Written last and synced, because an unfinished backup must not look complete.
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  })
  return manifest
}

/**
 * Copies all tables from one snapshot. An aborted signal ends the connection.
 * @returns the part of the manifest about the database, and the keys of the files that the rows name
 */
async function copyDatabase(pool: pg.Pool, writer: PartWriter, signal?: AbortSignal) {
  return withConnection(pool, async (client) => {
    signal?.throwIfAborted()
    // Ends the connection, whatever the query waits for: the query fails, and the pool opens another connection.
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
        const rows = rowsOf(client, table, BACKUP_ROW_FILTERS[table.name])
        await writer.write(tableFile(table), rows, createZstdCompress())
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

/** Returns the path of a table's rows in a backup, below its folder. */
export const tableFile = ({ name }: TableShape): string => `${PARTS.tables}/${name}.copy.zst`

/** Lists the files that rows of a backup name, each once. All tables that name files use the same columns. */
export async function listFiles(client: pg.ClientBase, tables: readonly TableShape[]): Promise<StorageKey[]> {
  const named = tables.filter(
    ({ columns }) => columns.includes('save_path') && columns.includes('save_file_name'),
  )
  const { rows } = await client.query<StorageKey>(
    named
      .map(
        ({ name }) =>
          `select save_path as path, save_file_name as name from ${name} where ${BACKUP_ROW_FILTERS[name] ?? 'true'}`,
      )
      .join(' union '),
  )
  return rows
}

/**
 * Copies a file of the storage into the backup, from an earlier backup if that has it.
 * @returns its size in bytes; null if neither has it
 */
async function copyFile(
  storage: Storage,
  key: StorageKey,
  writer: PartWriter,
  addEarlier: AddEarlierFile,
): Promise<number | null> {
  await mkdir(join(writer.folder, PARTS.files, key.path), { recursive: true, mode: 0o700 })
  const earlier = await addEarlier(key, await storage.sizeOf(key), writer)
  if (earlier !== null) return earlier
  const found = await storage.get(key)
  if (found === null) return null
  await writer.write(fileOf(key), found.stream)
  return found.size
}
