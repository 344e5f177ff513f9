import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../../db/types.ts'
import type { Storage } from '../storage.ts'

/** What a storage says of itself, in an object of its own. */
interface StorageMark {
  /** Its own ID, for good. */
  id: string
  /** The same as in the database that swept it last; null before the first sweep. */
  mark: string | null
  /** Which database that was. */
  home: string | null
}

/**
 * How a database and a storage stand to each other: they know each other again, have not met, or this database was
 * restored or copied, or the storage is another one (rules/files#storage-mark).
 */
export type Standing = 'agrees' | 'new' | 'differs'

/** Marks or reads a storage for good: two with the same ID are one. */
export async function storageIdOf(storage: Storage): Promise<string> {
  return (await markOf(storage)).id
}

/** How a database and a storage stand to each other now. */
export async function standingOf(pool: pg.Pool, storage: Storage): Promise<Standing> {
  return compare(await readMark(storage), await ownMarks(pool))
}

/**
 * Whether this database may remove files that its own rows name: a copy must not end the uploads of its original
 * (rules/files#storage-mark).
 */
export async function mayRemove(db: Kysely<Database>, storage: Storage): Promise<boolean> {
  const { rows } = await sql<OwnMarks>`${sql.raw(OWN_MARKS)}`.execute(db)
  return compare(await readMark(storage), rows[0] ?? NONE) !== 'differs'
}

function compare(its: StorageMark | null, { marks, home }: OwnMarks): Standing {
  const mark = its?.mark ?? null
  if (mark === null) return marks.length === 0 ? 'new' : 'differs'
  return its?.home === home && marks.includes(mark) ? 'agrees' : 'differs'
}

/**
 * Draws a new mark for both: whatever was copied or dumped before is an older state from then on. Whenever it dies on the
 * way, database and storage still know each other.
 */
export async function moveMark(pool: pg.Pool, storage: Storage): Promise<void> {
  const its = await markOf(storage)
  const { home } = await ownMarks(pool)
  const mark = randomUUID()
  const keep = 'insert into storage_mark (marks) values ($1) on conflict (only_one) do update set marks = $1'
  await pool.query(keep, [[...(its.mark === null ? [] : [its.mark]), mark]])
  await storage.writeMark(JSON.stringify({ ...its, mark, home } satisfies StorageMark))
  await pool.query(keep, [[mark]])
}

/**
 * An operator's decision that this database and this storage belong together, with all that is in it now
 * (rules/files#storage-mark).
 */
export async function adoptStorage(pool: pg.Pool, storage: Storage): Promise<void> {
  await moveMark(pool, storage)
  await pool.query('update storage_mark set accepted_at = now(), stopped = null, swept_at = null')
}

/** Whether any database has swept a storage. */
export async function isSwept(storage: Storage): Promise<boolean> {
  return ((await readMark(storage))?.mark ?? null) !== null
}

/** Says of a storage that its last sweep was another database's: whoever comes to it next is asked. */
export async function estrange(storage: Storage): Promise<void> {
  await storage.writeMark(JSON.stringify({ ...(await markOf(storage)), mark: randomUUID(), home: 'none' }))
}

/** What tells a database from its copies. */
export const homeOf = async (pool: pg.Pool): Promise<string> => (await ownMarks(pool)).home

/**
 * The database has moved: what a storage takes for its own is now the one that is told by `to`, with the same marks.
 * @param from the one of before, where the storage may have been another's
 */
export async function moveHome(storage: Storage, to: string, from?: string): Promise<void> {
  const its = await markOf(storage)
  if (its.mark === null || (from !== undefined && its.home !== from)) return
  await storage.writeMark(JSON.stringify({ ...its, home: to }))
}

async function readMark(storage: Storage): Promise<StorageMark | null> {
  const text = await storage.readMark()
  return text === null ? null : (JSON.parse(text) as StorageMark)
}

async function markOf(storage: Storage): Promise<StorageMark> {
  const its = await readMark(storage)
  if (its !== null) return its
  const fresh: StorageMark = { id: randomUUID(), mark: null, home: null }
  await storage.writeMark(JSON.stringify(fresh))
  return fresh
}

interface OwnMarks {
  marks: string[]
  home: string
}

const NONE: OwnMarks = { marks: [], home: '' }

// A dump that is restored has another number of PostgreSQL, of its cluster or of the database; a standby has the same.
const OWN_MARKS = `select coalesce((select marks::text[] from storage_mark), '{}') as marks,
    (select system_identifier from pg_control_system()) || '/' || oid as home
  from pg_database where datname = current_database()`

async function ownMarks(pool: pg.Pool): Promise<OwnMarks> {
  return (await pool.query<OwnMarks>(OWN_MARKS)).rows[0] ?? NONE
}
