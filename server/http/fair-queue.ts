import { Refusal } from '../../contract/errors.ts'
import { createTally } from './tally.ts'

/** Work that takes turns: so much at once, and of what waits one of each person in every round. */
export interface FairQueue {
  /**
   * Does the work when its turn has come.
   * @param whose a person or an address; each has a line of its own
   * @param weight how much of `maxWaiting` it takes while it waits
   * @throws {Refusal} UNAVAILABLE when it has waited too long, or when too much waits and this is the heaviest line: then
   * nothing of it was done
   */
  run<T>(whose: string, work: () => Promise<T>, weight?: number): Promise<T>
  /** How much waits. */
  waiting(): number
}

interface Waiting {
  begin: () => void
  giveUp: () => void
}

interface Line {
  entries: Set<Waiting>
  weight: number
}

const RETRY_AFTER_SECONDS = 5

/**
 * @param places how much is worked on at once
 * @param ofOne how much of that is one's, however free the others are: whoever comes then waits for no more than that
 * @param maxWaiting how much may wait, by weight, all lines together
 * @param maxWaitMs how long it may wait
 */
export function createFairQueue({
  places,
  ofOne = places,
  maxWaiting,
  maxWaitMs,
}: {
  places: number
  ofOne?: number
  maxWaiting: number
  maxWaitMs: number
}): FairQueue {
  // In the order of the round: whose turn it is comes first, and goes to the end with the rest of the line.
  const lines = new Map<string, Line>()
  const working = createTally()
  let free = places
  let waiting = 0
  let waitingWeight = 0
  const isTooMuch = () => waitingWeight > maxWaiting

  function waitInLine(whose: string, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(whose) ?? { entries: new Set(), weight: 0 }
      lines.set(whose, line)
      const count = (sign: 1 | -1) => {
        waiting += sign
        waitingWeight += sign * weight
        line.weight += sign * weight
      }
      const leave = () => {
        clearTimeout(timer)
        line.entries.delete(entry)
        if (line.entries.size === 0) lines.delete(whose)
        count(-1)
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
      line.entries.add(entry)
      count(1)
      while (isTooMuch()) [...heaviest(lines.values()).entries].at(-1)?.giveUp()
    })
  }

  const mayBegin = (whose: string) => free > 0 && working.of(whose) < ofOne

  function take(whose: string): void {
    free -= 1
    working.add(whose, 1)
  }

  function giveBack(whose: string): void {
    free += 1
    working.add(whose, -1)
  }

  function beginNext(): void {
    for (const [whose, line] of lines) {
      if (!mayBegin(whose)) continue
      lines.delete(whose)
      lines.set(whose, line)
      take(whose)
      const [first] = line.entries
      first?.begin()
      return
    }
  }

  return {
    async run(whose, work, weight = 1) {
      // Its place is taken for it when its turn comes.
      if (mayBegin(whose)) take(whose)
      else await waitInLine(whose, weight)
      try {
        return await work()
      } finally {
        giveBack(whose)
        beginNext()
      }
    },
    waiting: () => waiting,
  }
}

/** Of several the one that came last: whoever has waited in another goes on waiting. */
function heaviest(lines: Iterable<Line>): Line {
  return [...lines].reduce((heavy, line) => (line.weight >= heavy.weight ? line : heavy))
}
