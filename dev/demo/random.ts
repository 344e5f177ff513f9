/** Chances that come out the same for the same seed. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  /** True this often: 0 never, 1 always. */
  chance(probability: number): boolean
  /** @throws when there is nothing to pick from */
  pick<T>(items: readonly T[]): T
  /** Picks an item as often as its weight says. */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[]): T
  /** A copy in another order. */
  shuffle<T>(items: readonly T[]): T[]
  /** Upper-case hexadecimal digits. */
  hex(digits: number): string
  /** A moment between the two, in the working hours of Seoul on a weekday as far as they allow. */
  moment(from: Date, to: Date): Date
}

const DAY_MS = 86_400_000

/** Mulberry32: 32 bits of state, plenty for demo data. Never for anything secret. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
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
