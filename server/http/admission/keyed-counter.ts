/** Counter per key. Keys at 0 use no memory. */
export interface KeyedCounter {
  /** Returns the count of a key; 0 for an unknown one. */
  get(key: string): number
  /**
   * Adds an amount, which may be negative.
   * @returns the new count
   */
  add(key: string, amount: number): number
}

/** Creates a counter in which every key starts at 0. */
export function createKeyedCounter(): KeyedCounter {
  const counts = new Map<string, number>()
  const get = (key: string) => counts.get(key) ?? 0
  return {
    get,
    add(key, amount) {
      const count = get(key) + amount
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
      return count
    },
  }
}
