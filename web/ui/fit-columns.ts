/** How wide a column wants to be, in pixels. */
export interface ColumnSize {
  /** All of its rows in one line each. */
  natural: number
  /** The same, and its header in one line too: where there is room for that everywhere. */
  roomy?: number | undefined
  /** Below this it is of no use: the table scrolls sideways instead. */
  least: number
  /** What a person made it, which holds. */
  set?: number | undefined
}

/** What a column has around its content, and a narrow one needs no more than: it gets nothing of what is left over. */
const NARROW = 64
/** So much of a column is shown where the table scrolls anyway. */
const LONG = 320

/** In a room like a phone's nothing as short as a date or a state is cut: it scrolls. */
const SMALL_ROOM = 600
const SHORT = 180

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/**
 * Shares the room of a table among its columns: to each what its content needs, what is left over by how much they hold,
 * and where it does not suffice the widest give first. Where even that does not, all are as their content needs: it scrolls.
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
    // Nobody wants it: the last has it.
    if (sum(shares) === 0) shares[shares.length - 1] = 1
    return wanted.map((width, index) => width + (left * (shares[index] ?? 0)) / sum(shares))
  }
  // It scrolls: then nothing need be cut but what is very long.
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
