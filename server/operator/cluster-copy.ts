import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import pLimit from 'p-limit'
import pg from 'pg'
import * as z from 'zod/mini'
import { hasCode } from '../caught-errors.ts'
import { findRunning } from '../db/embedded/find-running.ts'
import { partName, type PartOptions, writePart } from './encryption.ts'

/**
 * Folder of the base backup, next to the rows of a backup: the files of the embedded database, from which its WAL leads to any
 * later time.
 */
const COPY = 'cluster'
/** File with the description of the base backup. */
const NOTE = 'cluster.json'

/** Most files that are copied concurrently. */
const FILES_AT_ONCE = 4

/** Folders whose files PostgreSQL creates again, or that hold nothing needed (its documentation, “low-level base backup”). */
const EMPTY =
  /^(pg_wal|archive|spool|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|socket)(\/|$)/
/** Files that a base backup must not contain. */
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init[^/]*|pgsql_tmp[^/]*|backup_label|tablespace_map|recovery\.signal)$/

/** Schema of the description of a base backup. */
const note = z.object({
  /** System identifier of the copied cluster. */
  systemId: z.string(),
  /** First WAL segment that the copy needs. */
  firstPart: z.string(),
  /** Time from which on the copy can be restored to any point in time. */
  endedAt: z.iso.datetime(),
  major: z.string(),
})

/** Description of a base backup of the embedded database. */
export type ClusterNote = z.infer<typeof note>

/** Reads the description of the base backup in a backup's folder; undefined if it has no base backup. */
export function readClusterNote(folder: string): ClusterNote | undefined {
  const path = join(folder, NOTE)
  return existsSync(path) ? note.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

/** Returns the folder of the base backup in the folder of a backup. */
export const copyOf = (folder: string): string => join(folder, COPY)

/**
 * Copies the files of the embedded database, while it runs, into a backup's folder, and writes their description.
 * @returns the description; undefined if the running database is not the embedded one, or it archives no WAL
 */
export async function copyCluster(
  dataDir: string,
  folder: string,
  options: PartOptions,
): Promise<ClusterNote | undefined> {
  const running = findRunning(dataDir)
  if (running === undefined) return undefined
  const client = new pg.Client({ ...running })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ systemId: string; archives: boolean; major: string }>(
      `select system_identifier::text as "systemId", current_setting('archive_mode') = 'on' as archives,
        (current_setting('server_version_num')::int / 10000)::text as major from pg_control_system()`,
    )
    const [about] = rows
    // This process may serve another database, which has no WAL here.
    if (about?.archives !== true) return undefined
    // A fast checkpoint, because a spread one takes minutes.
    const begun = await client.query<{ part: string }>(
      `select pg_walfile_name(pg_backup_start('maru', fast => true)) as part`,
    )
    await copyFiles(join(dataDir, 'postgres'), copyOf(folder), options)
    const ended = await client.query<{ label: string; at: Date }>(
      `select labelfile as label, clock_timestamp() as at from pg_backup_stop(wait_for_archive => true)`,
    )
    const { label, at } = ended.rows[0] ?? { label: '', at: new Date() }
    const labelFile = join(folder, COPY, partName('backup_label', options.recipients))
    await writePart(labelFile, [Readable.from([Buffer.from(label)])], options)
    const { systemId, major } = about
    const made = { systemId, major, firstPart: begun.rows[0]?.part ?? '', endedAt: at.toISOString() }
    await writeFile(join(folder, NOTE), `${JSON.stringify(made, null, 1)}\n`, { mode: 0o600, flush: true })
    return made
  } finally {
    // Also ends the backup mode, if it is still active.
    await client.end()
  }
}

/** Copies the files of a cluster, each compressed, without those that PostgreSQL creates again. */
async function copyFiles(from: string, to: string, options: PartOptions): Promise<void> {
  const limit = pLimit(FILES_AT_ONCE)
  await mkdir(to, { mode: 0o700 })
  const found = await readdir(from, { recursive: true, withFileTypes: true })
  const names = found.map((entry) => ({
    entry,
    name: join(entry.parentPath, entry.name).slice(from.length + 1),
  }))
  for (const { entry, name } of names)
    if (entry.isDirectory()) await mkdir(join(to, name), { recursive: true, mode: 0o700 })
  const wanted = names.filter(
    ({ entry, name }) => entry.isFile() && !EMPTY.test(name) && !LEFT_OUT.test(name),
  )
  await limit.map(wanted, async ({ name }) => {
    options.signal?.throwIfAborted()
    const file = await openSource(join(from, name))
    if (file === undefined) return
    const target = partName(`${join(to, name)}.zst`, options.recipients)
    await writePart(target, [file.createReadStream(), createZstdCompress()], options)
  })
}

/** Opens a file of the cluster; undefined if it was deleted meanwhile. */
async function openSource(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    // The table was dropped meanwhile, and the WAL contains this.
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
