import type { Readable } from 'node:stream'

/** How long a file may wait for its reader before it is given up. */
const STALL_MS = 60_000

/** How long a file may take in all: its snapshot takes a place and keeps the database from cleaning up. */
const DEADLINE_MS = 60 * 60_000

/** What a file that is written as it is read needs to be told. */
export interface LiveFile {
  /** Told when all is read, and when no file is written any more: it is closed, or could not be begun. */
  onEnd: () => Promise<void>
  stallMs?: number
  deadlineMs?: number
}

/**
 * A file that is written as its source is read: what is in memory does not grow with it, and it is given up where nobody reads it.
 * @param write makes the file of what the source gives
 */
export function liveFile<T>(
  given: AsyncIterable<T>,
  write: (parts: AsyncIterable<T>) => Readable,
  { onEnd, stallMs = STALL_MS, deadlineMs = DEADLINE_MS }: LiveFile,
): Readable {
  const source = given[Symbol.asyncIterator]()
  const timer = setTimeout(() => file.destroy(new Error('Nobody reads the file')), stallMs)
  const deadline = setTimeout(() => file.destroy(new Error('The file takes too long')), deadlineMs)
  const file = write(liveParts({ [Symbol.asyncIterator]: () => source }, timer, onEnd))
  file.once('close', () => {
    clearTimeout(timer)
    clearTimeout(deadline)
    // The query ends before its connection is given back, even if it has not given a row yet.
    void Promise.resolve(source.return?.())
      .catch(() => {})
      .then(onEnd)
  })
  return file
}

async function* liveParts<T>(parts: AsyncIterable<T>, timer: NodeJS.Timeout, onEnd: LiveFile['onEnd']) {
  for await (const part of parts) {
    timer.refresh()
    yield part
  }
  // Before the last byte is sent: a caller with the whole file may ask for the next one.
  await onEnd()
}
