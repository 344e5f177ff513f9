import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where attached files are kept: below a folder, or in a bucket. */
export type StoragePlace =
  | { kind: 'disk'; root: string }
  | { kind: 's3'; endpoint: string; region: string; bucket: string; prefix: string }

/** What opens a bucket; undefined: what the machine itself is given (role, environment of the AWS tools). */
export type StorageSecret = { accessKeyId: string; secretAccessKey: string } | undefined

const KNOWN = new Set(['region', 'endpoint'])

/**
 * Reads STORAGE_URL: empty, `file:///folder`, or `s3://key:secret@host/bucket/prefix?region=…&endpoint=…`, where the
 * endpoint is needed only if it is not https://host.
 * @returns null when it is none of these or holds what would be ignored
 */
export function readStorageUrl(
  text: string,
  dataDir: string,
): { place: StoragePlace; secret: StorageSecret } | null {
  if (text === '') return { place: { kind: 'disk', root: join(dataDir, 'files') }, secret: undefined }
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'file:' ? readFolder(url) : url.protocol === 's3:' ? readBucket(url) : null
}

function readFolder(url: URL): ReturnType<typeof readStorageUrl> {
  if (url.search !== '' || url.hash !== '' || url.pathname === '/') return null
  try {
    const root = fileURLToPath(url)
    return isAbsolute(root) ? { place: { kind: 'disk', root }, secret: undefined } : null
  } catch {
    return null
  }
}

function readBucket(url: URL): ReturnType<typeof readStorageUrl> {
  const [, bucket = '', ...folders] = url.pathname.split('/')
  const prefix = folders.filter((part) => part !== '').join('/')
  const endpoint = url.searchParams.get('endpoint') ?? `https://${url.host}`
  const isWhole =
    url.host !== '' &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    /^[\w./-]*$/.test(prefix) &&
    (url.username === '') === (url.password === '') &&
    [...url.searchParams.keys()].every((name) => KNOWN.has(name)) &&
    url.hash === '' &&
    isHttp(endpoint)
  if (!isWhole) return null
  try {
    return {
      place: {
        kind: 's3',
        endpoint,
        region: url.searchParams.get('region') ?? 'us-east-1',
        bucket,
        prefix: prefix === '' ? '' : `${prefix}/`,
      },
      secret:
        url.username === ''
          ? undefined
          : {
              accessKeyId: decodeURIComponent(url.username),
              secretAccessKey: decodeURIComponent(url.password),
            },
    }
  } catch {
    return null
  }
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
