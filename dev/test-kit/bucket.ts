import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { openS3Storage, type S3Place } from '../../server/services/storage/s3.ts'
import { readStorageUrl } from '../../server/services/storage/url.ts'

/** The bucket of STORAGE_URL below a folder that nobody else uses; undefined without the variable. */
export function ownFolder(): string | undefined {
  const given = process.env['STORAGE_URL'] ?? ''
  if (given === '') return undefined
  const url = new URL(given)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${randomUUID()}`
  return url.href
}

/** Reads the URL of a bucket as Maru does. */
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

/** Opens a bucket as Maru does. */
export function openBucket(url: string): ReturnType<typeof openS3Storage> {
  return openS3Storage(placeOf(url))
}

/** A client of the tests' own, to look past Maru at what a bucket holds. */
export function lookInto(url: string) {
  const { bucket: Bucket, prefix: Prefix, client: config } = placeOf(url)
  const settings: S3ClientConfig = { forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' }
  const client = new S3Client({ ...settings, ...config })
  return {
    client,
    /** The target of a command. */
    at: (key: { path: string; name: string }) => ({ Bucket, Key: `${Prefix}${key.path}/${key.name}` }),
    /** The names of what can be seen there. */
    async files(): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
      return Contents.map(({ Key = '' }) => nameOf(Key)).filter((name) => !['.owner', '.mark'].includes(name))
    },
    /** The names of what is on its way in. */
    async unfinished(): Promise<string[]> {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
      return Uploads.map(({ Key = '' }) => nameOf(Key))
    },
  }
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
