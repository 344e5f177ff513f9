import type { Priority } from './fair-queue.ts'

/** Ranks networks by their users' sessions and their recent wrong passwords, for the queue of logins. */
export interface LoginReputation {
  /** Returns 0 for a network whose users log in, 1 for an unknown one, 2 for one with more failures than successes. */
  priorityOf(network: string): Priority
  /** Counts a user of the network whose session or token was found for the first time. */
  recordSuccess(network: string): void
  /** Counts a wrong password. */
  recordFailure(network: string): void
}

/**
 * Most successes that count per network: an office of a hundred users mistypes a few times in a morning, and no guesser
 * has more tries.
 */
const MAX_SUCCESSES = 20
/** Time after its first failure in which a network's failures count. */
const FAILURE_LIFETIME_MS = 15 * 60_000
/** Most networks whose successes are stored, and most whose failures are; the oldest are forgotten first. */
const MAX_NETWORKS = 10_000

/** Creates an empty reputation table. It is in process memory and lost at a restart, because it only orders the queue. */
export function createLoginReputation(): LoginReputation {
  const successes = new Map<string, number>()
  const failures = new Map<string, { count: number; since: number }>()

  const failuresOf = (network: string) => {
    const recorded = failures.get(network)
    const isRecent = recorded !== undefined && Date.now() - recorded.since <= FAILURE_LIFETIME_MS
    return isRecent ? recorded : { count: 0, since: Date.now() }
  }
  return {
    priorityOf(network) {
      const balance = (successes.get(network) ?? 0) - failuresOf(network).count
      if (balance > 0) return 0
      return balance === 0 ? 1 : 2
    },
    recordSuccess(network) {
      setNewest(successes, network, Math.min(MAX_SUCCESSES, (successes.get(network) ?? 0) + 1), MAX_NETWORKS)
    },
    recordFailure(network) {
      const { count, since } = failuresOf(network)
      setNewest(failures, network, { count: count + 1, since }, MAX_NETWORKS)
    },
  }
}

/** Sets a key as the newest of a map, and deletes the oldest one if there are more than `max`. */
export function setNewest<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
