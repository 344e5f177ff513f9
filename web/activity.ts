let lastAt = 0

/** Records user activity: typing, reading, pointing, or a running upload (rules/account#activity). */
export function noteActivity(): void {
  lastAt = Date.now()
}

/** Returns the time of the last activity, in milliseconds since 1970; 0 if there was none. */
export function lastActivity(): number {
  return lastAt
}
