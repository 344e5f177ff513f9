import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { openS3Storage, type S3Place } from '../../server/services/storage/s3.ts'
import { readStorageUrl } from '../../server/services/storage/url.ts'

/**
 * Returns the URL of a new folder in the bucket of STORAGE_URL; undefined if the variable is empty or not set. Creates
 * nothing.
 */
export function ownFolder(): string | undefined {
  const given = process.env['STORAGE_URL'] ?? ''
  if (given === '') return undefined
  const url = new URL(given)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${randomUUID()}`
  return url.href
}

/**
 * Parses the URL of a bucket, as Maru does.
 * @throws {Error} if it names no bucket
 */
export function placeOf(url: string): S3Place {
  const read = readStorageUrl(url, '')
  if (read?.place.kind !== 's3') throw new Error(`${url} is no bucket`)
  const { bucket, prefix, endpoint, region } = read.place
  return {
    bucket,
    prefix,
    client: { endpoint, region, ...(read.secret && { credentials: read.secret }) },
  }
}

/**
 * Opens a bucket as Maru does.
 * @throws {Error} if the URL names no bucket
 */
export function openBucket(url: string): ReturnType<typeof openS3Storage> {
  return openS3Storage(placeOf(url))
}

/**
 * Creates a client that reads and changes a bucket without Maru.
 * @throws {Error} if the URL names no bucket
 */
export function lookInto(url: string) {
  const { bucket: Bucket, prefix: Prefix, client: config } = placeOf(url)
  const settings: S3ClientConfig = { forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' }
  const client = new S3Client({ ...settings, ...config })
  return {
    client,
    /** Returns the target of a command for a file. */
    at: (key: { path: string; name: string }) => ({ Bucket, Key: `${Prefix}${key.path}/${key.name}` }),
    /** Returns the names of the finished files, without Maru's marks; at most the first 1,000. */
    async files(): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
      return Contents.map(({ Key = '' }) => nameOf(Key)).filter((name) => !['.owner', '.mark'].includes(name))
    },
    /** Returns the names of unfinished uploads. */
    async unfinished(): Promise<string[]> {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
      return Uploads.map(({ Key = '' }) => nameOf(Key))
    },
  }
}

/** Returns the part of a key after its last slash; all of it without a slash. */
const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
