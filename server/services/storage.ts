import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Where a file lies in the storage: SAVE_PATH and SAVE_FILE_NAME on the wire (spec §3). */
export interface StorageKey {
  /** Year and month, '2026/11': keeps folders small and backups by month simple. */
  path: string
  /** A UUID: nothing of what the person called the file. */
  name: string
}

/** Both ends are part of it, as in an HTTP Range header. */
export interface ByteRange {
  start: number
  end: number
}

/** A kept file, opened for reading. */
export interface StoredFile {
  /** Of the whole file, whatever the range. */
  size: number
  /** The file or the range of it; whoever asked reads it to the end or destroys it. */
  stream: Readable
}

/** Keeps attached files, as streams: a file may be larger than the memory (decisions §6: 1000 MB). */
export interface Storage {
  /**
   * Keeps what the stream holds; when this resolves, the file survives a power cut.
   * @returns the number of bytes
   * @throws what the stream or the disk threw, with nothing left behind; on a key that `newStorageKey` cannot
   *   have made
   */
  put(key: StorageKey, content: AsyncIterable<Uint8Array>): Promise<{ size: number }>
  /**
   * Opens a file, or the part of it that `range` names.
   * @returns null when there is no such file
   * @throws {RangeError} when the range does not lie within the file
   */
  get(key: StorageKey, range?: ByteRange): Promise<StoredFile | null>
  /** Removes a file; one that is not there is removed already. */
  remove(key: StorageKey): Promise<void>
  /** @throws when files cannot be kept now, for /readyz (decisions §3) */
  ready(): Promise<void>
}

/** A key for a new file: keys are made here alone, never from what a client sent (decisions §2). */
export function newStorageKey(now: Date): StorageKey {
  return { path: now.toISOString().slice(0, 7).replace('-', '/'), name: randomUUID() }
}

const PATH = /^[0-9]{4}\/(0[1-9]|1[0-2])$/
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Every driver checks every key with it before it touches anything.
 * @throws when the key is none of `newStorageKey`'s form
 */
export function checkStorageKey({ path, name }: StorageKey): void {
  if (!PATH.test(path) || !NAME.test(name)) throw new Error('Not a key of the storage')
}
