/** How much each of several has; who has nothing takes no room. */
export interface Tally {
  of(whose: string): number
  /** Gives or, with less than nothing, takes. */
  add(whose: string, amount: number): number
}

/** Nobody has anything at first. */
export function createTally(): Tally {
  const amounts = new Map<string, number>()
  const of = (whose: string) => amounts.get(whose) ?? 0
  return {
    of,
    add(whose, amount) {
      const now = of(whose) + amount
      if (now === 0) amounts.delete(whose)
      else amounts.set(whose, now)
      return now
    },
  }
}
