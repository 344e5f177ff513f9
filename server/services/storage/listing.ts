import type pg from 'pg'
import type { Storage, StorageKey } from '../storage.ts'

/**
 * Files of a storage, compared with the rows of the database. A row of `notice_files`, `uploads` or `discarded_files` names a
 * file.
 */
export interface StorageListing {
  /** Every file outside the quarantine, as path/name. */
  files: ReadonlySet<string>
  /** Files among `files` that no row names and that are older than `orphanHours`. */
  orphans: StorageKey[]
  /** Files in quarantine; `isNamed` if a row names the file after all. */
  quarantined: { key: StorageKey; since: Date; isNamed: boolean }[]
  /** Number of files, in use or in quarantine, that no row names and no operator has accepted. */
  unacceptedCount: number
}

/**
 * Lists a storage, and looks up the row of each file. Changes nothing.
 * @param acceptedAt when an operator accepted all files
 * @param orphanHours minimum age of an orphan: the row of a younger file may not be committed yet
 */
export async function listStorage(
  pool: pg.Pool,
  storage: Storage,
  acceptedAt: Date | null,
  orphanHours: number,
): Promise<StorageListing> {
  const allFiles = new Set<string>()
  const orphans: StorageKey[] = []
  const quarantined: StorageListing['quarantined'] = []
  let unacceptedCount = 0
  const countUnaccepted = (at: Date | undefined) => {
    if (at !== undefined && (acceptedAt === null || at > acceptedAt)) unacceptedCount += 1
  }
  const before = Date.now() - orphanHours * 3_600_000
  for await (const { path, files } of storage.list()) {
    for (const name of files.keys()) allFiles.add(`${path}/${name}`)
    const old = [...files].filter(([, at]) => at.getTime() <= before).map(([name]) => name)
    for (const name of await findUnnamed(pool, path, old)) {
      orphans.push({ path, name })
      countUnaccepted(files.get(name))
    }
  }
  for await (const { path, files } of storage.list('quarantine')) {
    const unnamed = new Set(await findUnnamed(pool, path, [...files.keys()]))
    for (const [name, since] of files) {
      quarantined.push({ key: { path, name }, since, isNamed: !unnamed.has(name) })
      if (unnamed.has(name)) countUnaccepted(since)
    }
  }
  return { files: allFiles, orphans, quarantined, unacceptedCount }
}

/**
 * Returns those of `names` that no row of the database refers to.
 * @param path folder of the files in the storage
 */
async function findUnnamed(pool: pg.Pool, path: string, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($2::text[]) as name
      where not exists (select 1 from notice_files where save_path = $1 and save_file_name = name)
        and not exists (select 1 from uploads where save_path = $1 and save_file_name = name)
        and not exists (select 1 from discarded_files where save_path = $1 and save_file_name = name)`,
    [path, names],
  )
  return rows.map(({ name }) => name)
}
