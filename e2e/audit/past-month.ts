const today = new Date(Date.now() + 9 * 3_600_000)

/** A month that is over whenever this runs: too long ago for a notification, and not long enough for a file. YYYY-MM. */
export const PAST_MONTH = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 6, 1))
  .toISOString()
  .slice(0, 7)

/** The quarter that it is. YYYY-Qn. */
export const PRESENT_QUARTER = `${today.getUTCFullYear()}-Q${Math.floor(today.getUTCMonth() / 3) + 1}`
