let lastAt = 0

/** Somebody types, reads or points at something, or a file of theirs is on its way (rules/account#activity). */
export function noteActivity(): void {
  lastAt = Date.now()
}

/** When that was last. */
export function lastActivity(): number {
  return lastAt
}
