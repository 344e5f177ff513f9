/** Random choices that are identical for the same seed. */
export interface Random {
  /** Returns a whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  /** Returns true with this probability: 0 is never, 1 is always. */
  chance(probability: number): boolean
  /**
   * Picks an item, each with the same probability.
   * @throws {Error} if the list is empty
   */
  pick<T>(items: readonly T[]): T
  /**
   * Picks an item with a probability in proportion to its weight.
   * @throws {Error} if the list is empty
   */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[]): T
  /** Returns a shuffled copy. */
  shuffle<T>(items: readonly T[]): T[]
  /** Returns this many upper-case hexadecimal digits. */
  hex(digits: number): string
  /** Returns a time between two times, both included: if possible between 09:00 and 18:30 in Seoul on a weekday. */
  moment(from: Date, to: Date): Date
}

/** Milliseconds of a day. */
const DAY_MS = 86_400_000

/** Creates a Mulberry32 generator for demo data. It has 32 bits of state, so it must not be used for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  /** Returns the next number, from 0 to below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))

  function pick<T>(items: readonly T[]): T {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }

  return {
    int,
    pick,
    chance: (probability) => next() < probability,

    weighted(items) {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        left -= weight
        if (left < 0) return item
      }
      return pick(items)[0]
    },

    shuffle(items) {
      const copy = [...items]
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = int(0, last)
        const [a, b] = [copy[last], copy[other]]
        if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a]
      }
      return copy
    },

    hex: (digits) =>
      Array.from({ length: digits }, () => int(0, 15).toString(16))
        .join('')
        .toUpperCase(),

    moment(from, to) {
      for (let tries = 0; tries < 20; tries += 1) {
        const day = int(Math.floor(from.getTime() / DAY_MS), Math.floor(to.getTime() / DAY_MS))
        // 00:00 to 09:30 UTC is 09:00 to 18:30 of the same day in Seoul.
        const moment = new Date(day * DAY_MS + int(0, 9.5 * 3600) * 1000)
        const isWeekend = [0, 6].includes(moment.getUTCDay())
        if (moment >= from && moment <= to && (!isWeekend || tries > 10)) return moment
      }
      return new Date(int(from.getTime(), to.getTime()))
    },
  }
}
