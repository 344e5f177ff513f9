/** Returns the message of a caught value: for an error without a message its name, and for another value its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns whether a caught value is an error with this code of Node.js or PostgreSQL. */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code
}
