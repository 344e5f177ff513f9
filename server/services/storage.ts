import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Where a file lies in the storage: storedPath and storedName on the wire (rules/files#opaque-names). */
export interface StorageKey {
  /** Year and month, '2026/11': keeps folders small and backups by month simple. */
  path: string
  /** A UUID: nothing of what the person called the file. */
  name: string
}

/** Both ends are included, as in an HTTP Range header. */
export interface ByteRange {
  start: number
  end: number
}

/** A kept file, opened for reading. */
export interface StoredFile {
  /** Size of the whole file in bytes, even for a range. */
  size: number
  /** The file or the range of it; the caller reads it to the end or destroys it. */
  stream: Readable
}

/** An upload in progress. Its chunks may arrive on different days and at different processes. */
export interface Incoming {
  key: StorageKey
  /** How many bytes it will have; null when that is known only at the end. */
  size: number | null
  /** The driver's own state of it; '' at first. */
  state: string
  /** Saves the state, which `state` then holds. */
  remember: (state: string) => Promise<void>
}

/** The files of one `path`, each with when it was written. */
export interface StoredFolder {
  path: string
  files: Map<string, Date>
}

/** Where a file lies: among those in use, or aside, where what no row names waits for its end (rules/files#quarantine). */
export type Shelf = 'kept' | 'quarantine'

/**
 * Keeps attached files as streams: a file may be larger than the memory. Every method throws on a key that
 * `newStorageKey` cannot have made, and what `isStorageAway` knows while the files cannot be reached.
 */
export interface Storage {
  /**
   * Takes what comes next of a file; only one may do so at a time.
   * @throws what the stream or the storage threw; what came until then may be kept, `received` says how much
   */
  append(file: Incoming, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns the number of bytes of a file that have arrived. The upload continues there. */
  received(file: Incoming): Promise<number>
  /**
   * Completes the file: when this resolves, `get` finds it and it survives a power cut. Repeating it does no harm.
   * @returns the number of bytes
   */
  finish(file: Incoming): Promise<{ size: number }>
  /** Removes whatever has arrived of a file, finished or not. */
  abandon(file: Incoming): Promise<void>
  /**
   * Opens a file, or the part of it that `range` names; one in quarantine too, since somebody names it after all.
   * @returns null when there is no such file
   * @throws {RangeError} when the range does not lie within the file
   */
  get(key: StorageKey, range?: ByteRange): Promise<StoredFile | null>
  /** The size of a file; null when there is no such file. */
  sizeOf(key: StorageKey): Promise<number | null>
  /** Removes a file; does nothing when there is none. */
  remove(key: StorageKey, shelf?: Shelf): Promise<void>
  /** Every file that is finished, folder by folder; in quarantine with the time at which it came there. */
  list(shelf?: Shelf): AsyncIterable<StoredFolder>
  /** Puts a file into quarantine as of `at`; does nothing when there is none. A bucket has a clock of its own. */
  quarantine(key: StorageKey, at: Date): Promise<void>
  /** Takes a file out of quarantine; does nothing when there is none. */
  release(key: StorageKey): Promise<void>
  /**
   * Returns the pairing mark that was written last, if any. It shows a database whether this is its storage
   * (design/uploads-and-files#pairing-of-database-and-storage).
   */
  readMark(name?: string): Promise<string | null>
  writeMark(text: string, name?: string): Promise<void>
  /** The owner of these files: `id` if they had none yet, otherwise the first to claim them. */
  owner(id: string): Promise<string>
  /** Returns how many bytes may arrive before too little disk space is left (rules/files#room); Infinity if this is unknown. */
  room(): Promise<number>
  /** @throws when files cannot be kept now, for /readyz (rules/running#health) */
  ready(): Promise<void>
}

/**
 * Keeps a whole file.
 * @returns the number of bytes
 * @throws what the stream or the storage threw, with nothing left behind
 */
export async function putFile(
  storage: Storage,
  key: StorageKey,
  content: AsyncIterable<Uint8Array>,
): Promise<{ size: number }> {
  const file = incomingFile(key)
  try {
    await storage.append(file, content)
    return await storage.finish(file)
  } catch (error) {
    await storage.abandon(file)
    throw error
  }
}

/** A new incoming file whose state is kept only in memory. */
export function incomingFile(key: StorageKey, size: number | null = null): Incoming {
  const file: Incoming = {
    key,
    size,
    state: '',
    remember(state) {
      file.state = state
      return Promise.resolve()
    },
  }
  return file
}

/** A key for a new file: keys are made here alone, never from what a client sent (rules/files#opaque-names). */
export function newStorageKey(now: Date): StorageKey {
  return { path: now.toISOString().slice(0, 7).replace('-', '/'), name: randomUUID() }
}

const PATH = /^[0-9]{4}\/(0[1-9]|1[0-2])$/
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns whether a name has the form of `newStorageKey`. Other files do not belong to Maru. */
export function isStorageName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Every driver checks every key with it before it touches anything.
 * @throws when the key is none of `newStorageKey`'s form
 */
export function checkStorageKey({ path, name }: StorageKey): void {
  if (!PATH.test(path) || !NAME.test(name)) throw new Error('Not a key of the storage')
}

/** @throws {RangeError} when a range does not lie within a file of this size */
export function checkRange(range: ByteRange | undefined, size: number): void {
  if (range === undefined) return
  const { start, end } = range
  if (!(start >= 0 && start <= end && end < size))
    throw new RangeError('The range does not lie within the file')
}
