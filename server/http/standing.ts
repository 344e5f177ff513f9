/** How a network stands among those who log in: by the right and wrong passwords that came from it of late. */
export interface Standings {
  /**
   * 0: people work from there; 1: nothing is known; 2: more is guessed than known. Who stands better has their turn
   * before.
   */
  of(network: string): Standing
  /** Somebody signed in has called from there for the first time. */
  wentRight(network: string): void
  /** A password was wrong. */
  wentWrong(network: string): void
}

/** The lower one comes first. */
export type Standing = 0 | 1 | 2

/** An office of a hundred mistypes a few times in a morning; what it is trusted with is used up by as many guesses. */
const MOST_RIGHT = 20
const WRONG_FOR_MS = 15 * 60_000
const MAX_NETWORKS = 10_000

/** Nobody is known at first. In the memory of this process: what it decides is only who goes first. */
export function createStandings(): Standings {
  const right = new Map<string, number>()
  const wrong = new Map<string, { count: number; since: number }>()

  const wrongOf = (network: string) => {
    const found = wrong.get(network)
    return found === undefined || Date.now() - found.since > WRONG_FOR_MS ? undefined : found
  }
  return {
    of(network) {
      const balance = (right.get(network) ?? 0) - (wrongOf(network)?.count ?? 0)
      if (balance > 0) return 0
      return balance === 0 ? 1 : 2
    },
    wentRight(network) {
      keep(right, network, Math.min(MOST_RIGHT, (right.get(network) ?? 0) + 1))
    },
    wentWrong(network) {
      const { count, since } = wrongOf(network) ?? { count: 0, since: Date.now() }
      keep(wrong, network, { count: count + 1, since })
    },
  }
}

/** Sets it as the latest, and forgets the oldest when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MAX_NETWORKS && oldest !== undefined) map.delete(oldest)
}
