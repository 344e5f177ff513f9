import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { type Parcel, sumOf } from '../portal.ts'

/** Files of the storage, and the rows that refer to files. */
interface Kept {
  /** Sizes of the files by their paths below the storage's folder. */
  files: Map<string, number>
  /** Rows of notices' files, discarded files and unfinished uploads, by the same paths. `size` is null for an upload. */
  rows: Map<string, { table: string; name: string; size: number | null }>
}

/**
 * Reads the files of a storage and the rows of the database. Leaves out Maru's marks, and files that are deleted
 * meanwhile.
 */
async function readKept(pool: pg.Pool, root: string): Promise<Kept> {
  const files = new Map<string, number>()
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || ['.owner', '.mark'].includes(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    // A server that runs may have removed it meanwhile.
    const { size } = (await stat(path).catch(() => null)) ?? {}
    if (size !== undefined) files.set(path.slice(root.length + 1), size)
  }
  const { rows } = await pool.query<{ place: string; table: string; name: string; size: string | null }>(`
    select save_path || '/' || save_file_name as place, 'notice_files' as table, original_name as name, size_bytes as size
      from notice_files
    union all select save_path || '/' || save_file_name, 'discarded_files', original_name, size_bytes from discarded_files
    union all select save_path || '/' || save_file_name, 'uploads', original_name, null from uploads where finished_at is null`)
  return {
    files,
    rows: new Map(
      rows.map(({ place, table, name, size }) => [
        place,
        { table, name, size: size === null ? null : Number(size) },
      ]),
    ),
  }
}

/**
 * Compares the rows with the files in the storage.
 * @param isSwept true if only the files of notices may remain
 * @returns a line for every row of a finished file whose bytes are missing or incomplete, and for every file without a row
 */
export async function faultsOfBytes(pool: pg.Pool, root: string, isSwept: boolean): Promise<string[]> {
  const { files, rows } = await readKept(pool, root)
  const faults: string[] = []
  for (const [place, { table, name, size }] of rows) {
    if (isSwept && table !== 'notice_files') faults.push(`a row of ${table} is left after the sweep: ${name}`)
    if (size !== null && files.get(place) !== size) {
      faults.push(`${table} names ${name} with ${size} bytes, and there are ${files.get(place) ?? 'none'}`)
    }
  }
  for (const place of files.keys()) {
    const [key, mayBe] = place.startsWith('.incoming/')
      ? [place.slice('.incoming/'.length), ['uploads']]
      : [place, ['notice_files', 'discarded_files', 'uploads']]
    const row = [...rows].find(([of]) => of === key || of.endsWith(`/${key}`))?.[1]
    if (row === undefined || !mayBe.includes(row.table)) faults.push(`no row names ${place}`)
  }
  return faults
}

/**
 * Compares the contents of all notice files with the one that was sent. Skips missing files, which `faultsOfBytes`
 * finds.
 * @param sum SHA-256 of each
 * @returns a line for each that differs
 */
export async function faultsOfContents(pool: pg.Pool, root: string, sum: string): Promise<string[]> {
  const { files, rows } = await readKept(pool, root)
  const faults: string[] = []
  for (const [place, { table, name }] of rows) {
    if (table !== 'notice_files' || !files.has(place)) continue
    if ((await sumAt(join(root, place))) !== sum) faults.push(`${name} holds other bytes than were sent`)
  }
  return faults
}

/** Returns the SHA-256 of a file. */
async function sumAt(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Returns whether the bytes of a file are complete in the storage and a row refers to them: of its notice, or of a
 * deleted file.
 */
export async function isKeptWhole(pool: pg.Pool, root: string, parcel: Parcel): Promise<boolean> {
  const { rows } = await readKept(pool, root)
  for (const [place, { name, table }] of rows) {
    if (name !== parcel.name || table === 'uploads') continue
    if ((await sumAt(join(root, place))) === sumOf(parcel)) return true
  }
  return false
}

/** Moves the times of all rows about files and of all files eight days back. No server may run. */
export async function letDaysPass(pool: pg.Pool, root: string): Promise<void> {
  await pool.query(`update uploads set created_at = created_at - interval '8 days',
    touched_at = touched_at - interval '8 days',
    held_until = held_until - interval '8 days', finished_at = finished_at - interval '8 days'`)
  await pool.query(`update discarded_files set discarded_at = discarded_at - interval '8 days'`)
  await pool.query(`update storage_mark set swept_at = swept_at - interval '8 days'`)
  const { files } = await readKept(pool, root)
  for (const place of files.keys()) {
    const path = join(root, place)
    const then = new Date((await stat(path)).mtimeMs - 8 * 86_400_000)
    await utimes(path, then, then)
  }
}
