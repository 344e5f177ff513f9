/** The widths of a column, in pixels. */
export interface ColumnSize {
  /** Width with every row on one line. */
  natural: number
  /** Width with every row and the header on one line, used if all columns have space for it. */
  roomy?: number | undefined
  /** Minimum width. Below it the table scrolls sideways. */
  least: number
  /** Width that the user set. It is never changed. */
  set?: number | undefined
}

/** Padding of a column in pixels. A column that is not wider gets no share of spare width. */
const NARROW = 64
/** Maximum width of a column in pixels while the table scrolls, unless the user or its minimum requires more. */
const LONG = 320

/**
 * Width of a table in pixels, as on a phone, below which it scrolls instead of cutting short columns (dates, states).
 */
const SMALL_ROOM = 600
/** Pixels up to which a column is not cut in a table narrower than SMALL_ROOM. */
const SHORT = 180

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/**
 * Returns the widths of the columns in pixels for a table of `room` pixels. Each column gets the width of its content
 * or of the user, and spare width in proportion to its content. If the width is too small, the widest columns shrink
 * first. If that is not enough, the table scrolls, and no column is wider than LONG unless the user or its minimum
 * requires it.
 */
export function fitColumns(given: readonly ColumnSize[], room: number): number[] {
  const roomy = given.map((column) => ({ ...column, natural: column.roomy ?? column.natural }))
  const columns = sum(roomy.map(({ natural, set }) => set ?? natural)) <= room ? roomy : given
  const whole = room < SMALL_ROOM ? SHORT : 0
  const atMost = (level: number) =>
    columns.map(
      ({ natural, least, set }) =>
        set ?? Math.max(Math.min(Math.max(least, whole), natural), Math.min(natural, level)),
    )
  const wanted = atMost(Infinity)
  const left = room - sum(wanted)
  if (left >= 0) {
    const shares = columns.map(({ natural, set }) => (set === undefined ? Math.max(natural - NARROW, 0) : 0))
    // No column takes a share, so the last gets all spare width.
    if (sum(shares) === 0) shares[shares.length - 1] = 1
    return wanted.map((width, index) => width + (left * (shares[index] ?? 0)) / sum(shares))
  }
  // The table scrolls, so only very long columns are cut.
  if (sum(atMost(0)) > room) return atMost(LONG)
  let low = 0
  let high = Math.max(...wanted)
  for (let step = 0; step < 24; step += 1) {
    const level = (low + high) / 2
    if (sum(atMost(level)) > room) high = level
    else low = level
  }
  return atMost(low)
}
