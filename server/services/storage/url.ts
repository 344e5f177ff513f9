import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Location of attached files: a folder, or a bucket. */
export type StoragePlace =
  | { kind: 'disk'; root: string }
  | { kind: 's3'; endpoint: string; region: string; bucket: string; prefix: string }

/**
 * Credentials of a bucket; undefined for a folder, and for the credentials of the machine (role, environment of the AWS tools).
 */
export type StorageSecret = { accessKeyId: string; secretAccessKey: string } | undefined

/**
 * Parses STORAGE_URL: empty for the folder `files` in `dataDir`, `file:///folder`, or
 * `s3://key:secret@host/bucket/prefix?region=…&endpoint=…`, where the endpoint is needed only if it is not https://host.
 * @returns null for any other text, or parts that would be ignored
 */
export function readStorageUrl(
  text: string,
  dataDir: string,
): { place: StoragePlace; secret: StorageSecret } | null {
  if (text === '') return { place: { kind: 'disk', root: join(dataDir, 'files') }, secret: undefined }
  try {
    const url = new URL(text)
    if (url.hash !== '') return null
    return url.protocol === 'file:' ? readFolder(url) : url.protocol === 's3:' ? readBucket(url) : null
  } catch {
    // Not a URL, or one with invalid escapes.
    return null
  }
}

/** Parses the URL of a folder; null if it names the root or has a query. */
function readFolder(url: URL): ReturnType<typeof readStorageUrl> {
  if (url.search !== '' || url.pathname === '/') return null
  return { place: { kind: 'disk', root: fileURLToPath(url) }, secret: undefined }
}

/** Parses the URL of a bucket; null if a part is invalid or would be ignored. */
function readBucket({ host, pathname, username, password, searchParams }: URL) {
  const [bucket = '', ...folders] = pathname.split('/').slice(1)
  const prefix = folders.filter((part) => part !== '').map((part) => `${part}/`)
  const { region = 'us-east-1', endpoint = `https://${host}`, ...ignored } = Object.fromEntries(searchParams)
  const isWhole =
    host !== '' &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    /^[\w./-]*$/.test(prefix.join('')) &&
    (username === '') === (password === '') &&
    Object.keys(ignored).length === 0 &&
    ['http:', 'https:'].includes(new URL(endpoint).protocol)
  if (!isWhole) return null
  return {
    place: { kind: 's3' as const, endpoint, region, bucket, prefix: prefix.join('') },
    secret:
      username === ''
        ? undefined
        : {
            accessKeyId: decodeURIComponent(username),
            secretAccessKey: decodeURIComponent(password),
          },
  }
}
