/** Time of the last activity in this tab, in milliseconds since 1970; 0 until there was one. */
let lastAt = 0

/**
 * Records that the user is active in this tab now: typing, reading, pointing, or a running upload
 * (rules/account#activity). Sends nothing.
 */
export function noteActivity(): void {
  lastAt = Date.now()
}

/** Returns the time of the last activity, in milliseconds since 1970; 0 if there was none. */
export function lastActivity(): number {
  return lastAt
}
