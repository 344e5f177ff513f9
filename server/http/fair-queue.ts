import { Refusal } from '../../contract/errors.ts'

/** Work that takes turns: so much at once, and of what waits one of each person in every round. */
export interface FairQueue {
  /**
   * Does the work when its turn has come.
   * @param whose a person or an address; each has a line of its own
   * @throws {Refusal} UNAVAILABLE when it has waited too long, or when too much waits and this is the longest line: then
   * nothing of it was done
   */
  run<T>(whose: string, work: () => Promise<T>): Promise<T>
  /** How much waits. */
  waiting(): number
}

interface Waiting {
  begin: () => void
  giveUp: () => void
}

const RETRY_AFTER_SECONDS = 5

/**
 * @param places how much is worked on at once
 * @param maxWaiting how much may wait, all lines together
 * @param maxWaitMs how long it may wait
 */
export function createFairQueue({
  places,
  maxWaiting,
  maxWaitMs,
}: {
  places: number
  maxWaiting: number
  maxWaitMs: number
}): FairQueue {
  // In the order of the round: whose turn it is comes first, and goes to the end with the rest of the line.
  const lines = new Map<string, Set<Waiting>>()
  let free = places
  let waiting = 0

  function waitInLine(whose: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(whose) ?? new Set()
      lines.set(whose, line)
      const leave = () => {
        clearTimeout(timer)
        line.delete(entry)
        if (line.size === 0) lines.delete(whose)
        waiting -= 1
      }
      const entry: Waiting = {
        begin() {
          leave()
          resolve()
        },
        giveUp() {
          leave()
          reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
        },
      }
      const timer = setTimeout(entry.giveUp, maxWaitMs)
      line.add(entry)
      waiting += 1
      if (waiting > maxWaiting) [...longest(lines.values())].at(-1)?.giveUp()
    })
  }

  function beginNext(): void {
    const [next] = lines
    if (next === undefined) {
      free += 1
      return
    }
    const [whose, line] = next
    lines.delete(whose)
    lines.set(whose, line)
    const [first] = line
    first?.begin()
  }

  return {
    async run(whose, work) {
      if (free > 0) free -= 1
      else await waitInLine(whose)
      try {
        return await work()
      } finally {
        beginNext()
      }
    },
    waiting: () => waiting,
  }
}

function longest<T>(lines: Iterable<Set<T>>): Set<T> {
  return [...lines].reduce((long, line) => (line.size > long.size ? line : long))
}
