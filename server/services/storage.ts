import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Location of a file in the storage: a folder and a name, `storedPath` and `storedName` in the contract (rules/files#opaque-names). */
export interface StorageKey {
  /** Year and month, '2026/11': keeps folders small and backups by month simple. */
  path: string
  /** A UUID, independent of the original file name. */
  name: string
}

/** Range of bytes, counted from 0. Both ends are included, as in an HTTP Range header. */
export interface ByteRange {
  start: number
  end: number
}

/** Stored file, opened for reading. */
export interface StoredFile {
  /** Size of the whole file in bytes, even for a range. */
  size: number
  /** The file or the range of it; the caller reads it to the end or destroys it. */
  stream: Readable
}

/** Upload in progress. Its chunks may arrive on different days and at different processes. */
export interface StorageUpload {
  key: StorageKey
  /** Expected size in bytes; null if it is known only at the end. */
  size: number | null
  /** State of the storage driver for this upload; '' at first. */
  state: string
  /** Stores a new state and assigns it to `state`. */
  remember: (state: string) => Promise<void>
}

/** Files of one `path`: the time of each by its name. */
export interface StoredFolder {
  path: string
  files: Map<string, Date>
}

/**
 * Place of a file in the storage: `kept` for files in use, or `quarantine` for files that no row names and that wait for deletion
 * (rules/files#quarantine).
 */
export type Shelf = 'kept' | 'quarantine'

/**
 * Storage of attached files as streams, because a file may be larger than the memory. Every method throws if a key does
 * not have the form of `newStorageKey`. While the storage is unavailable, it throws an error that `isStorageAway`
 * recognizes.
 */
export interface Storage {
  /**
   * Appends content to an upload. The caller must not append to one upload concurrently.
   * @throws the error of the stream or the storage. Earlier bytes may be stored: `received` returns their number
   */
  append(file: StorageUpload, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns the number of bytes of a file that have arrived. The upload continues there. */
  received(file: StorageUpload): Promise<number>
  /**
   * Completes a file. After that, `get` finds the file and it survives a power loss. May be repeated.
   * @returns the number of bytes
   */
  finish(file: StorageUpload): Promise<{ size: number }>
  /** Deletes all bytes that have arrived of a file, finished or not. Does nothing if there are none. */
  abandon(file: StorageUpload): Promise<void>
  /**
   * Opens a file or a range of it. Also finds a file in quarantine, because a row may name it after all.
   * @returns null if there is no such file
   * @throws {RangeError} if the range exceeds the file
   */
  get(key: StorageKey, range?: ByteRange): Promise<StoredFile | null>
  /** Returns the size of a file in bytes, also in quarantine; null if there is no such file. */
  sizeOf(key: StorageKey): Promise<number | null>
  /** Deletes a file from a shelf, by default 'kept'. Does nothing if there is none. */
  remove(key: StorageKey, shelf?: Shelf): Promise<void>
  /**
   * Lists every finished file of a shelf, by default 'kept', folder by folder, with the time of its last write, or of its move
   * into quarantine.
   */
  list(shelf?: Shelf): AsyncIterable<StoredFolder>
  /** Moves a file into quarantine at the time `at`. A bucket uses its own time instead. Does nothing if there is no such file. */
  quarantine(key: StorageKey, at: Date): Promise<void>
  /** Moves a file out of quarantine. Does nothing if there is no such file. */
  release(key: StorageKey): Promise<void>
  /**
   * Returns a small text that `writeMark` stored beside the files; null if there is none. Without a name, this is the pairing mark,
   * which shows a database whether this is its storage (design/uploads-and-files#pairing-of-database-and-storage).
   */
  readMark(name?: string): Promise<string | null>
  /** Stores a small text beside the files, in place of an earlier one of that name; without a name the pairing mark. */
  writeMark(text: string, name?: string): Promise<void>
  /**
   * Claims these files for the installation `id` (installation.id) if they have no owner yet.
   * @returns the ID of their owner, which may be another installation
   */
  owner(id: string): Promise<string>
  /** Returns how many bytes may arrive before too little disk space is left (rules/files#room); Infinity if this is unknown. */
  room(): Promise<number>
  /**
   * Checks that files can be stored now, for /readyz (rules/running#health).
   * @throws the error of the storage if they cannot
   */
  ready(): Promise<void>
}

/**
 * Stores a whole file in one step.
 * @returns the number of bytes
 * @throws the error of the stream or the storage, after the incomplete file is deleted
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

/**
 * Creates an upload whose state is kept only in memory.
 * @param size expected bytes; null if they are known only at the end
 */
export function incomingFile(key: StorageKey, size: number | null = null): StorageUpload {
  const file: StorageUpload = {
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

/**
 * Creates the key of a new file: the month in UTC as its folder, and a random name. A key never contains text of a client
 * (rules/files#opaque-names).
 */
export function newStorageKey(now: Date): StorageKey {
  return { path: now.toISOString().slice(0, 7).replace('-', '/'), name: randomUUID() }
}

/** Pattern of the folder of a key: year and month. */
const PATH = /^[0-9]{4}\/(0[1-9]|1[0-2])$/
/** Pattern of the name of a key: a UUID. */
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns whether the name of a file has the form of `newStorageKey`. Files with other names do not belong to Maru. */
export function isStorageName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Checks the form of a key. Every driver calls it before it accesses a file.
 * @throws {Error} if the key does not have the form of `newStorageKey`
 */
export function checkStorageKey({ path, name }: StorageKey): void {
  if (!PATH.test(path) || !NAME.test(name)) throw new Error('Not a key of the storage')
}

/**
 * Checks that a range lies within a file of this size in bytes; undefined is the whole file.
 * @throws {RangeError} if it does not
 */
export function checkRange(range: ByteRange | undefined, size: number): void {
  if (range === undefined) return
  const { start, end } = range
  if (!(start >= 0 && start <= end && end < size))
    throw new RangeError('The range does not lie within the file')
}
