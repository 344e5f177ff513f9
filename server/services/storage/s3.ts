import { S3, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  checkRange,
  checkStorageKey,
  type StorageUpload,
  isStorageName,
  type Shelf,
  type Storage,
  type StorageKey,
} from '../storage.ts'

/** Location of a bucket; keys are below `prefix`, which is empty or ends in a slash. */
export interface S3Place {
  bucket: string
  prefix: string
  client: S3ClientConfig
  /** Number of files that the bucket lists per request; by default that of S3, which is 1000. */
  pageSize?: number
}

/** State of an upload: the parts that the bucket has, or the size of a file that was small enough for one request (`whole`). */
interface State {
  /** ID of the multipart upload; absent before its first part. */
  uploadId?: string
  parts: { etag: string; size: number }[]
  whole?: number
}

/**
 * Bytes of every part of an upload except the last. Some servers insist on equal parts. S3 requires at least 5 MiB, and 125
 * parts make the largest file. One part at a time is in memory.
 */
const PART_BYTES = 8 * 1024 * 1024

/** Prefix of the keys of files in quarantine. */
const QUARANTINE = '.quarantine/'
/** Name of the object with the ID of the installation that owns the files. */
const OWNER = '.owner'
/** Name of the object with the pairing mark. */
const MARK = '.mark'

/**
 * Most connections to the bucket. A file keeps one until it is read to its end, so a few slow readers would hold the 50 of the
 * library.
 */
const MAX_SOCKETS = 500

/** Timeouts in milliseconds of the check that the bucket responds. */
const PROBE_TIMES = { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true }

/**
 * Opens a storage in a bucket of S3 or a compatible service (MinIO, Ceph, Swift's s3api). Sends no request. Files arrive by
 * multipart upload, which stores the parts that have arrived; unfinished files are not visible in the bucket.
 */
export function openS3Storage({
  bucket,
  prefix,
  client: config,
  pageSize,
}: S3Place): Storage & { close(): void } {
  const settings: S3ClientConfig = {
    // Servers other than Amazon's support neither its newer checksums nor a host name per bucket.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    forcePathStyle: true,
    ...config,
  }
  const agent = { maxSockets: MAX_SOCKETS }
  const client = new S3({ ...settings, requestHandler: { httpAgent: agent, httpsAgent: agent } })
  // Whether the bucket answers does not wait for the files that are read from it, nor for long.
  const probe = new S3({ ...settings, maxAttempts: 1, requestHandler: PROBE_TIMES })
  const top = (shelf: Shelf) => (shelf === 'kept' ? prefix : prefix + QUARANTINE)
  const place = (key: StorageKey, shelf: Shelf = 'kept') => {
    checkStorageKey(key)
    return { Bucket: bucket, Key: `${top(shelf)}${key.path}/${key.name}` }
  }
  /** Returns the size of a file on a shelf; null if there is none. */
  const sizeOf = async (key: StorageKey, shelf?: Shelf) => {
    const found = await orNull(client.headObject(place(key, shelf)))
    return found === null ? null : (found.ContentLength ?? 0)
  }
  /** Moves a file to another shelf, if it is there. */
  const shift = async (key: StorageKey, from: Shelf, to: Shelf) => {
    const source = place(key, from)
    // S3 sets the time of a copy to now.
    const copy = { ...place(key, to), CopySource: encodeURI(`${bucket}/${source.Key}`) }
    if ((await orNull(client.copyObject(copy))) !== null) await client.deleteObject(source)
  }
  /** Returns the text of an object; null if there is none. */
  const textAt = async (name: string) => {
    const there = await orNull(client.getObject({ Bucket: bucket, Key: prefix + name }))
    return there === null ? null : text(there.Body as Readable)
  }

  /** Returns the ID of a multipart upload, which it begins if necessary. */
  async function uploadIdOf(file: StorageUpload, state: State): Promise<string> {
    if (state.uploadId !== undefined) return state.uploadId
    const { UploadId } = await client.createMultipartUpload({
      ...place(file.key),
      ContentType: 'application/octet-stream',
    })
    if (UploadId === undefined) throw new Error('The storage began no upload')
    state.uploadId = UploadId
    await file.remember(JSON.stringify(state))
    return UploadId
  }

  return {
    close() {
      client.destroy()
      probe.destroy()
    },

    async append(file, content) {
      const state = readState(file)
      let received = sumOf(state)
      for await (const { bytes, isLast } of partsOf(content)) {
        received += bytes.length
        const isEnd = isLast && (file.size === null || received === file.size)
        // Only the last part may be short: the rest is sent again.
        if (bytes.length < PART_BYTES && !isEnd) return
        // Nothing more arrived: no empty part, which might then not be the last.
        if (bytes.length === 0 && received > 0) return
        if (isEnd && state.parts.length === 0) {
          await client.putObject({ ...place(file.key), Body: bytes })
          state.whole = bytes.length
        } else {
          const UploadId = await uploadIdOf(file, state)
          const PartNumber = state.parts.length + 1
          const { ETag } = await client.uploadPart({ ...place(file.key), UploadId, PartNumber, Body: bytes })
          state.parts.push({ etag: ETag ?? '', size: bytes.length })
        }
        await file.remember(JSON.stringify(state))
      }
    },

    received: (file) => {
      checkStorageKey(file.key)
      return Promise.resolve(sumOf(readState(file)))
    },

    async finish(file) {
      const state = readState(file)
      const target = place(file.key)
      if (state.whole !== undefined) return { size: state.whole }
      if (state.uploadId === undefined) {
        await client.putObject({ ...target, Body: new Uint8Array() })
        return { size: 0 }
      }
      const Parts = state.parts.map(({ etag }, index) => ({ ETag: etag, PartNumber: index + 1 }))
      const completion = { ...target, UploadId: state.uploadId, MultipartUpload: { Parts } }
      if ((await orNull(client.completeMultipartUpload(completion))) === null) {
        // Completed before: the answer was lost, or the process died.
        if ((await sizeOf(file.key)) !== sumOf(state)) throw new Error('The storage lost an upload')
      }
      return { size: sumOf(state) }
    },

    async abandon(file) {
      const { uploadId } = readState(file)
      const target = place(file.key)
      if (uploadId !== undefined) {
        await orNull(client.abortMultipartUpload({ ...target, UploadId: uploadId }))
      }
      await orNull(client.deleteObject(target))
    },

    async get(key, range) {
      for (const shelf of ['kept', 'quarantine'] as const) {
        const size = await sizeOf(key, shelf)
        if (size === null) continue
        checkRange(range, size)
        const Range = range && `bytes=${range.start}-${range.end}`
        const found = await orNull(client.getObject({ ...place(key, shelf), Range }))
        if (found !== null) return { size, stream: found.Body as Readable }
      }
      return null
    },

    sizeOf: async (key) => (await sizeOf(key)) ?? sizeOf(key, 'quarantine'),

    async remove(key, shelf) {
      await orNull(client.deleteObject(place(key, shelf)))
    },

    quarantine: (key) => shift(key, 'kept', 'quarantine'),

    release: (key) => shift(key, 'quarantine', 'kept'),

    readMark: (name = MARK) => textAt(name),

    async writeMark(mark, name = MARK) {
      await client.putObject({ Bucket: bucket, Key: prefix + name, Body: mark })
    },

    async *list(shelf = 'kept') {
      let path = ''
      let files = new Map<string, Date>()
      let ContinuationToken: string | undefined
      do {
        const page = await client.listObjectsV2({
          Bucket: bucket,
          Prefix: top(shelf),
          MaxKeys: pageSize,
          ContinuationToken,
        })
        for (const { Key = '', LastModified = new Date() } of page.Contents ?? []) {
          const [, folder, name = ''] = /^(\d{4}\/\d{2})\/([^/]+)$/.exec(Key.slice(top(shelf).length)) ?? []
          if (folder === undefined || !isStorageName(name)) continue
          // Keys are listed in order, so a folder is complete when the next one begins.
          if (folder !== path && files.size > 0) {
            yield { path, files }
            files = new Map()
          }
          path = folder
          files.set(name, LastModified)
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
      if (files.size > 0) yield { path, files }
    },

    async owner(id) {
      const there = await textAt(OWNER)
      if (there !== null) return there.trim()
      await client.putObject({ Bucket: bucket, Key: prefix + OWNER, Body: id })
      return id
    },

    // A bucket has no fixed size.
    room: () => Promise.resolve(Infinity),

    async ready() {
      // The sweep needs the right to list, and some servers do not answer HEAD for a bucket.
      await probe.listObjectsV2({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
    },
  }
}

/** Yields a stream in parts of equal size. The last part may be shorter, and is empty at the end of the stream. */
async function* partsOf(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  let part = new Uint8Array(PART_BYTES)
  let used = 0
  for await (let chunk of content) {
    // Sent only when more follows: a full part may be the last.
    while (used + chunk.length > PART_BYTES) {
      part.set(chunk.subarray(0, PART_BYTES - used), used)
      yield { bytes: part, isLast: false }
      chunk = chunk.subarray(PART_BYTES - used)
      part = new Uint8Array(PART_BYTES)
      used = 0
    }
    part.set(chunk, used)
    used += chunk.length
  }
  yield { bytes: part.subarray(0, used), isLast: true }
}

/** Parses the stored state of an upload; an empty one has no parts. */
function readState({ state }: StorageUpload): State {
  return state === '' ? { parts: [] } : (JSON.parse(state) as State)
}

/** Returns the number of bytes that have arrived. */
function sumOf({ parts, whole = 0 }: State): number {
  return parts.reduce((sum, { size }) => sum + size, whole)
}

/** Error names of a missing object or upload. */
const GONE = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])

/** Returns the result of a request; null if its object or upload does not exist. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && GONE.has(error.name)) return null
    throw error
  }
}
