import { Refusal } from '../../contract/errors.ts'
import { createTally } from './tally.ts'

/** Work that takes turns: so much at once, and of what waits one of each person in every round. */
export interface FairQueue {
  /**
   * Does the work when its turn has come.
   * @param whose a person or an address; each has a line of its own
   * @param weight how much of `maxWaiting` it takes while it waits
   * @param rank of whom it is, asked whenever it may begin, with how much else of theirs waits and is worked on: the lower one
   * begins first, and each above 0 leaves one place more free. Of one rank above 0 the shorter line begins first; those of
   * the last have one place together
   * @throws {Refusal} UNAVAILABLE when it has waited too long, or when too much waits and this is the heaviest line: then
   * nothing of it was done
   */
  run<T>(whose: string, work: () => Promise<T>, how?: { weight?: number; rank?: RankOf }): Promise<T>
  /** How much waits, in all or in one line. */
  waiting(whose?: string): number
}

/** Who begins first; 0 where nobody is told apart. */
export type Rank = 0 | 1 | 2
type RankOf = (ofTheirs: number) => Rank
const LAST: Rank = 2

interface Waiting {
  /** @param rank with which its place was taken */
  begin: (rank: Rank) => void
  giveUp: () => void
}

interface Line {
  entries: Set<Waiting>
  weight: number
  rank: RankOf
}

const RETRY_AFTER_SECONDS = 5

const RANK_OF_ALL = (): Rank => 0

/** Who begins more calls than a person's pages do is busy: so many in one to two of these. */
const BUSY_CALLS = 40
const BUSY_MS = 1_000

/**
 * @param places how much is worked on at once
 * @param ofOne how much of that is one's, however free the others are: whoever comes then waits for no more than that.
 * Of one who is busy while others are there it is one place: what others do takes as long as beside anybody else
 * @param restOfLast how many times as long as it was worked in the place of the last rank it is left empty then
 * @param maxWaiting how much may wait, by weight, all lines together
 * @param maxWaitMs how long it may wait
 */
export function createFairQueue({
  places,
  ofOne = places,
  restOfLast = 0,
  maxWaiting,
  maxWaitMs,
}: {
  places: number
  ofOne?: number
  restOfLast?: number
  maxWaiting: number
  maxWaitMs: number
}): FairQueue {
  // In the order of the round: whose turn it is comes first, and goes to the end with the rest of the line.
  const lines = new Map<string, Line>()
  const working = createTally()
  const recent = createRecent(BUSY_MS)
  let free = places
  let isLastTaken = false
  let waiting = 0
  let waitingWeight = 0
  let again: NodeJS.Timeout | undefined
  const isTooMuch = () => waitingWeight > maxWaiting

  function waitInLine(whose: string, weight: number, rank: RankOf): Promise<Rank> {
    return new Promise((resolve, reject) => {
      const line = lines.get(whose) ?? { entries: new Set(), weight: 0, rank }
      line.rank = rank
      lines.set(whose, line)
      const count = (sign: 1 | -1) => {
        waiting += sign
        waitingWeight += sign * weight
        line.weight += sign * weight
        // Who is busy no longer begins again, also where nothing else ends that would begin it: one call may take long. More than
        // once, because a timer may come a little before its time.
        if (waiting > 0) again ??= setInterval(beginWhatMay, BUSY_MS)
        else clearInterval(again)
        if (waiting === 0) again = undefined
      }
      const leave = () => {
        clearTimeout(timer)
        line.entries.delete(entry)
        if (line.entries.size === 0) lines.delete(whose)
        count(-1)
      }
      const entry: Waiting = {
        begin(taken) {
          leave()
          resolve(taken)
        },
        giveUp() {
          leave()
          reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
        },
      }
      const timer = setTimeout(entry.giveUp, maxWaitMs)
      line.entries.add(entry)
      count(1)
      while (isTooMuch()) [...heaviest().entries].at(-1)?.giveUp()
    })
  }

  const placesOf = (whose: string) =>
    recent.of(whose) >= BUSY_CALLS && recent.ofOthers(whose) > 0 ? Math.min(1, ofOne) : ofOne
  const mayBegin = (whose: string, rank: Rank) =>
    free > Math.min(rank, places - 1) &&
    working.of(whose) < placesOf(whose) &&
    !(rank === LAST && isLastTaken)

  const rankOf = (whose: string, { entries, rank }: Line) => rank(entries.size - 1 + working.of(whose))

  /** Of those that would begin last; of several the one that came last: whoever has waited in another goes on waiting. */
  function heaviest(): Line {
    const ranked = [...lines].map(([whose, line]) => ({ line, rank: rankOf(whose, line) }))
    return ranked.reduce((heavy, one) => {
      if (one.rank !== heavy.rank) return one.rank > heavy.rank ? one : heavy
      return one.line.weight >= heavy.line.weight ? one : heavy
    }).line
  }

  function take(whose: string, rank: Rank): void {
    free -= 1
    working.add(whose, 1)
    recent.add(whose)
    if (rank === LAST) isLastTaken = true
  }

  function giveBack(whose: string, rank: Rank, workedMs: number): void {
    free += 1
    working.add(whose, -1)
    if (rank === LAST && restOfLast > 0) setTimeout(endRest, workedMs * restOfLast)
    else if (rank === LAST) isLastTaken = false
    beginWhatMay()
  }

  function endRest(): void {
    isLastTaken = false
    beginWhatMay()
  }

  /** @returns whether there was one that may begin */
  function beginNext(): boolean {
    let next: { whose: string; line: Line; rank: Rank } | undefined
    if (free === 0) return false
    for (const [whose, line] of lines) {
      const rank = rankOf(whose, line)
      if ((next === undefined || isBefore({ line, rank }, next)) && mayBegin(whose, rank))
        next = { whose, line, rank }
    }
    if (next === undefined) return false
    const { whose, line, rank } = next
    lines.delete(whose)
    lines.set(whose, line)
    take(whose, rank)
    const [first] = line.entries
    first?.begin(rank)
    return true
  }

  function beginWhatMay(): void {
    while (beginNext());
  }

  return {
    async run(whose, work, { weight = 1, rank = RANK_OF_ALL } = {}) {
      // Its place is taken for it when its turn comes.
      const now = rank((lines.get(whose)?.entries.size ?? 0) + working.of(whose))
      const begins = mayBegin(whose, now)
      if (begins) take(whose, now)
      const taken = begins ? now : await waitInLine(whose, weight, rank)
      const since = performance.now()
      try {
        return await work()
      } finally {
        giveBack(whose, taken, performance.now() - since)
      }
    },
    waiting: (whose) => (whose === undefined ? waiting : (lines.get(whose)?.entries.size ?? 0)),
  }
}

/**
 * Who asks once is not held up by those who ask again before they are answered. Of rank 0 all are known, and who has much to
 * do is nobody to put off.
 */
function isBefore(one: { line: Line; rank: Rank }, other: { line: Line; rank: Rank }): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  return one.rank > 0 && one.line.entries.size < other.line.entries.size
}

/** How much each has begun in the last one to two stretches of time. */
function createRecent(ms: number) {
  let [now, before] = [createTally(), createTally()]
  let [sum, sumBefore, since] = [0, 0, performance.now()]
  const turn = () => {
    const passed = performance.now() - since
    if (passed < ms) return
    ;[before, sumBefore] = passed < 2 * ms ? [now, sum] : [createTally(), 0]
    ;[now, sum] = [createTally(), 0]
    since = performance.now()
  }
  const of = (whose: string) => {
    turn()
    return now.of(whose) + before.of(whose)
  }
  return {
    of,
    ofOthers: (whose: string) => sum + sumBefore - of(whose),
    add(whose: string): void {
      turn()
      now.add(whose, 1)
      sum += 1
    },
  }
}
