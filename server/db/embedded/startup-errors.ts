import { StartRefusal } from '../../startup-error.ts'

/**
 * Converts the last lines that PostgreSQL (or initdb) printed before it ended into a refusal.
 * @param where the directory to name
 * @param logFile the file with the full output, to name
 */
export function refusalFromOutput(lines: readonly string[], where: string, logFile: string): StartRefusal {
  if (/No space left on device|Disk quota exceeded/.test(lines.join('\n'))) return diskFull(where)
  const reason = lines.find((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'no reason given'
  const plain = reason
    .replace(/^.*?(FATAL|PANIC|error):\s*/, '')
    .replaceAll('/proc/self/cwd', where)
    .trim()
  return new StartRefusal(
    `PostgreSQL did not start on ${where}: ${plain}. See its log ${logFile}, or set DATABASE_URL to another database.`,
  )
}

/** Converts a file system or SQL error during the start into a refusal; returns any other error unchanged. */
export function refusalFromError(error: unknown, where: string): unknown {
  if (error instanceof StartRefusal || !(error instanceof Error) || !('code' in error)) return error
  const elsewhere = 'or set DATA_DIR to another directory.'
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case '53100':
      return diskFull(where)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartRefusal(
        `${where} cannot be written by this user (${error.message}). Give the user that runs Maru write permission, ${elsewhere}`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartRefusal(
        `${where} exists and is not a directory (${error.message}). Move it, ${elsewhere}`,
      )
    default:
      return error
  }
}

/** Returns the refusal for a full disk. */
function diskFull(where: string): StartRefusal {
  return new StartRefusal(
    `The disk that holds ${where} is full: free at least 200 MB and start again. Nothing was lost.`,
  )
}
