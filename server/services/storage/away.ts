/** The folder of the files is not there any more: it was unmounted, say, and what is below its name now is something else. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'
}

/** What a disk or a file server that fails says; EACCES, when somebody changed whom the folder belongs to. */
const FAILS = new Set([
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

/** Whether files cannot be kept or read at all now, whichever is asked for; a full disk is not meant. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, path, $metadata } = error as Error & {
    code?: unknown
    path?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  if (error instanceof StorageAway) return true
  // An error of the file system about a file, or of a file that is open.
  if (FAILS.has(String(code)) && (path !== undefined || ('syscall' in error && isOfFiles(error.syscall))))
    return true
  if ($metadata === undefined) return false
  const { httpStatusCode: status } = $metadata
  // A bucket that answers no request, lets nobody in, or is not there.
  return (
    name === 'TimeoutError' ||
    name === 'NoSuchBucket' ||
    status === undefined ||
    status === 403 ||
    (status >= 500 && status !== 507)
  )
}

const isOfFiles = (syscall: unknown) => ['fsync', 'fdatasync', 'fstat', 'close'].includes(String(syscall))
