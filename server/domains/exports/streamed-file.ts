import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { refuse } from '../../../contract/errors.ts'

/** Milliseconds without a read by the client after which a file is aborted. */
const STALL_MS = 60_000

/** Milliseconds after which a file is aborted, even if the client reads. */
const DEADLINE_MS = 60 * 60_000

/** Bytes of one read from the temporary file. */
const CHUNK_BYTES = 64 * 1024

/** Bytes between two checks of the free disk space. */
const CHECK_EVERY_BYTES = 16 * 1024 ** 2

/** Free space that temporary files leave on their disk, as attached files do: these bytes or this share, if less (rules/files#room). */
const MIN_FREE_BYTES = 1024 ** 3
/** Free share of the disk that temporary files leave. */
const MIN_FREE_SHARE = 0.05
/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 30

/** Options of a file that is written while it is sent. */
export interface LiveFile {
  /** Folder of the temporary file. */
  folder: string
  /** Called when the source is exhausted or abandoned. Must be idempotent. */
  onEnd: () => Promise<void>
  /** Called when the client has the file or has left. Must be idempotent. */
  onSent: () => void
  /** Milliseconds without a read after which the file is aborted; STALL_MS by default. */
  stallMs?: number
  /** Milliseconds after which the file is aborted in any case; DEADLINE_MS by default. */
  deadlineMs?: number
}

/** Returns the folder of temporary files below DATA_DIR. */
export const temporaryFolder = (dataDir: string): string => join(dataDir, 'temporary')

/**
 * Creates the folder of temporary files, and refuses if its disk is nearly full.
 * @throws {Refusal} DISK_FULL if less than 1 GB and less than 5% of the disk are free
 */
export async function checkTemporaryRoom(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (await isNearlyFull(folder)) refuse('DISK_FULL', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Returns whether the disk of a folder has less free space than temporary files must leave. */
async function isNearlyFull(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return bavail * bsize < Math.min(MIN_FREE_BYTES, blocks * bsize * MIN_FREE_SHARE)
}

/**
 * Returns a stream of a file that is created while a source is read. The source is read as fast as the disk takes
 * it, into a temporary file without a name, so that a slow client holds no database connection. Memory does not
 * grow with the file.
 * @param given the source, such as the rows of a query
 * @param write creates the file from the values of the source
 * @returns the stream; it fails after `stallMs` without a read, after `deadlineMs`, and if the disk is nearly full
 */
export async function liveFile<T>(
  given: AsyncIterable<T>,
  write: (parts: AsyncIterable<T>) => Readable,
  { folder, onEnd, onSent, stallMs = STALL_MS, deadlineMs = DEADLINE_MS }: LiveFile,
): Promise<Readable> {
  const source = given[Symbol.asyncIterator]()
  const end = async () => {
    // The query ends before its connection is given back, even if it has not returned a row yet.
    await Promise.resolve(source.return?.()).catch(() => {})
    await onEnd()
  }
  const handle = await openUnlinked(folder).catch(async (error: unknown) => {
    await end()
    onSent()
    throw error
  })
  const file = write(endingParts({ [Symbol.asyncIterator]: () => source }, onEnd))
  file.once('close', () => void end())
  return follow(file, handle, { folder, onSent, stallMs, deadlineMs })
}

/** Yields the parts, then calls `onEnd`. */
async function* endingParts<T>(parts: AsyncIterable<T>, onEnd: LiveFile['onEnd']) {
  yield* parts
  await onEnd()
}

/** Opens a file without a name: the system deletes it when it is closed, and when the process is killed. */
async function openUnlinked(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  await rm(path)
  return handle
}

/**
 * Writes a stream to a temporary file, and returns a stream of the bytes written so far, at the speed of its reader. It fails
 * after `stallMs` without a read, after `deadlineMs`, and if the disk is nearly full. Closes the file at the end.
 */
function follow(
  file: Readable,
  handle: FileHandle,
  { folder, onSent, stallMs, deadlineMs }: Required<Omit<LiveFile, 'onEnd'>>,
): Readable {
  let [written, position, checkedAt] = [0, 0, 0]
  let [isWhole, isWanted, isReading] = [false, false, false]
  let failure: Error | undefined
  const copy = async () => {
    for await (const chunk of file as AsyncIterable<string | Uint8Array>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      if (written - checkedAt > CHECK_EVERY_BYTES) {
        checkedAt = written
        if (await isNearlyFull(folder)) throw new Error('The disk has no free space for the file')
      }
      for (let at = 0; at < bytes.length;)
        at += (await handle.write(bytes, at, bytes.length - at, written + at)).bytesWritten
      written += bytes.length
      give().catch(fail)
    }
    isWhole = true
  }
  const give = async () => {
    if (failure !== undefined) return void out.destroy(failure)
    if (!isWanted || isReading) return
    if (position === written) {
      if (!isWhole) return
      // Before the last byte is sent: a client with the whole file may ask for the next one.
      onSent()
      return void out.push(null)
    }
    isReading = true
    const length = Math.min(CHUNK_BYTES, written - position)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    position += bytesRead
    ;[isReading, isWanted] = [false, false]
    if (isWhole && position === written) onSent()
    timer.refresh()
    out.push(buffer.subarray(0, bytesRead))
  }
  const fail = (error: Error) => {
    failure = error
    out.destroy(error)
  }
  const finish = async (error: Error | null, done: (error: Error | null) => void) => {
    await copied
    try {
      await handle.close()
      done(error)
    } catch (closing) {
      done(error ?? (closing as Error))
    } finally {
      onSent()
    }
  }
  const out: Readable = new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      isWanted = true
      timer.refresh()
      give().catch(fail)
    },
    destroy(error, done) {
      clearTimeout(timer)
      clearTimeout(deadline)
      file.destroy()
      void finish(error, done)
    },
  })
  const timer = setTimeout(() => fail(new Error('The client does not read the file')), stallMs)
  const deadline = setTimeout(() => fail(new Error('The file takes too long')), deadlineMs)
  const copied = copy().then(give).catch(fail)
  return out
}
