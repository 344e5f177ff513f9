/** System calls that fail if a server cannot be reached. */
const NETWORK_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo'])
/** Codes with which such a system call fails. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * Returns whether an error means that the database is unavailable: it cannot be reached, is starting or stopping, has
 * no free connection or memory, is a standby, or did not answer in time. Network errors of other servers look the same.
 * False for a wrong query.
 */
export function isDatabaseAway(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  // A host name with several addresses, none of which answers.
  if (error instanceof AggregateError) return error.errors.some((each) => isDatabaseAway(each as Error))
  const code = typeof error.code === 'string' ? error.code : ''
  // SQLSTATE class 08 (connection), 57P0x (shutdown and start-up), 53200 and 53300 (no memory, too many connections), 25006
  // (a write on a server that has become a standby).
  if (/^(08...|57P0.|53[23]00|25006)$/.test(code)) return true
  // A missing file is ENOENT, too, but from another system call.
  if (NETWORK_CODES.has(code) && NETWORK_CALLS.has(String(error.syscall))) return true
  // pg gives these no code.
  return /^(Connection terminated|Client .* is not queryable|timeout exceeded when trying to connect|Query read timeout)/.test(
    error.message,
  )
}
