/** Error if the folder of the files is missing or was exchanged, for example because it was unmounted. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'
}

/** Error codes of a failing disk or file server; EACCES after the owner of the folder was changed. */
const FAILURE_CODES = new Set([
  'EACCES',
  'EHOSTDOWN',
  'EIO',
  'ENODEV',
  'ENOTCONN',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
])

/** Returns whether an error means that the whole storage is unavailable, or that a bucket denies access. A full disk does not. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, path, $metadata } = error as Error & {
    code?: unknown
    path?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  if (error instanceof StorageAway) return true
  // An error of the file system about a path or an open file.
  if (
    FAILURE_CODES.has(String(code)) &&
    (path !== undefined || ('syscall' in error && isFileCall(error.syscall)))
  )
    return true
  if ($metadata === undefined) return false
  const { httpStatusCode: status } = $metadata
  // A bucket that does not respond, denies access or does not exist.
  return (
    name === 'TimeoutError' ||
    name === 'NoSuchBucket' ||
    status === undefined ||
    status === 403 ||
    (status >= 500 && status !== 507)
  )
}

/** Returns whether a system call concerns an open file, so that its error has no path. */
const isFileCall = (syscall: unknown) => ['fsync', 'fdatasync', 'fstat', 'close'].includes(String(syscall))
