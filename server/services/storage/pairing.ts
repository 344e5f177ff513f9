import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import type { Storage } from '../storage.ts'

/** Pairing mark of a storage, which is an object in it. */
interface StorageMark {
  /** ID of the storage. It never changes. */
  id: string
  /** Mark that the database has, too, which swept the storage last; null before the first sweep. */
  mark: string | null
  /** Identity of that database. */
  home: string | null
}

/**
 * Pairing state of a database and a storage (rules/files#storage-mark). `agrees` if this database swept the storage
 * last, `new` if none has yet. `differs` if the database was restored or copied, or the storage is another one.
 */
export type PairingState = 'agrees' | 'new' | 'differs'

/** Returns the ID of a storage, which never changes. Writes one if it has none. */
export async function storageIdOf(storage: Storage): Promise<string> {
  return (await readOrCreateMark(storage)).id
}

/** Returns the pairing state of a database and a storage. */
export async function getPairingState(pool: pg.Pool, storage: Storage): Promise<PairingState> {
  return compare(await readMark(storage), await readDatabaseMarks(pool))
}

/**
 * Returns whether this database may delete files that its rows name. False if the two differ: a copy must not delete
 * the uploads of its original (rules/files#storage-mark).
 */
export async function canDeleteFiles(db: Db, storage: Storage): Promise<boolean> {
  const { rows } = await sql<DatabaseMarks>`${sql.raw(DATABASE_MARKS)}`.execute(db)
  return compare(await readMark(storage), rows[0] ?? NO_MARKS) !== 'differs'
}

/** Compares the mark of a storage with those of a database. */
function compare(stored: StorageMark | null, { marks, home }: DatabaseMarks): PairingState {
  const mark = stored?.mark ?? null
  if (mark === null) return marks.length === 0 ? 'new' : 'differs'
  return stored?.home === home && marks.includes(mark) ? 'agrees' : 'differs'
}

/**
 * Writes a new mark to both database and storage, so that they agree and every earlier copy or dump of the database no longer
 * does. Until the storage has it, the database has the old and the new mark: after a crash at any point they still agree.
 */
export async function rotateMark(pool: pg.Pool, storage: Storage): Promise<void> {
  const stored = await readOrCreateMark(storage)
  const { home } = await readDatabaseMarks(pool)
  const mark = randomUUID()
  const save = 'insert into storage_mark (marks) values ($1) on conflict (only_one) do update set marks = $1'
  await pool.query(save, [[...(stored.mark === null ? [] : [stored.mark]), mark]])
  await storage.writeMark(JSON.stringify({ ...stored, mark, home } satisfies StorageMark))
  await pool.query(save, [[mark]])
}

/**
 * Pairs this database and this storage, and accepts all files in it, because an operator has decided so
 * (rules/files#storage-mark). The next sweep may delete.
 */
export async function adoptStorage(pool: pg.Pool, storage: Storage): Promise<void> {
  await rotateMark(pool, storage)
  await pool.query('update storage_mark set accepted_at = now(), stopped = null, swept_at = null')
}

/** Returns whether any database has swept a storage. */
export async function hasBeenSwept(storage: Storage): Promise<boolean> {
  return ((await readMark(storage))?.mark ?? null) !== null
}

/** Gives a storage a mark that no database has, so that no database sweeps it until an operator decides. */
export async function unpairStorage(storage: Storage): Promise<void> {
  const stored = await readOrCreateMark(storage)
  await storage.writeMark(JSON.stringify({ ...stored, mark: randomUUID(), home: 'none' }))
}

/** Returns the identity of a database, which its copies do not share. */
export const databaseIdentity = async (pool: pg.Pool): Promise<string> => (await readDatabaseMarks(pool)).home

/**
 * Pairs a storage with the copy to which its database has moved. The marks stay.
 * @param to identity of the copy
 * @param from identity of the original; a storage that is paired with another database is then left as it is
 */
export async function pairStorageWith(storage: Storage, to: string, from?: string): Promise<void> {
  const stored = await readOrCreateMark(storage)
  if (stored.mark === null || (from !== undefined && stored.home !== from)) return
  await storage.writeMark(JSON.stringify({ ...stored, home: to }))
}

/** Reads the pairing mark of a storage; null if it has none. */
async function readMark(storage: Storage): Promise<StorageMark | null> {
  const text = await storage.readMark()
  return text === null ? null : (JSON.parse(text) as StorageMark)
}

/** Reads the pairing mark of a storage, and writes one with a new ID if it has none. */
async function readOrCreateMark(storage: Storage): Promise<StorageMark> {
  const stored = await readMark(storage)
  if (stored !== null) return stored
  const fresh: StorageMark = { id: randomUUID(), mark: null, home: null }
  await storage.writeMark(JSON.stringify(fresh))
  return fresh
}

/** Marks that a database has, two during a rotation, and its identity. */
interface DatabaseMarks {
  marks: string[]
  home: string
}

/** Marks of a database that has none. */
const NO_MARKS: DatabaseMarks = { marks: [], home: '' }

/**
 * SQL query for `DatabaseMarks`. The identity is the cluster ID and the database OID: a restored dump has another one of these,
 * and a standby has the same ones.
 */
const DATABASE_MARKS = `select coalesce((select marks::text[] from storage_mark), '{}') as marks,
    (select system_identifier from pg_control_system()) || '/' || oid as home
  from pg_database where datname = current_database()`

/** Reads the marks and the identity of a database. */
async function readDatabaseMarks(pool: pg.Pool): Promise<DatabaseMarks> {
  return (await pool.query<DatabaseMarks>(DATABASE_MARKS)).rows[0] ?? NO_MARKS
}
