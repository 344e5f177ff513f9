import { Refusal } from '../../../contract/errors.ts'
import { createKeyedCounter } from './keyed-counter.ts'

/**
 * Queue that runs a limited number of tasks concurrently. Queued tasks start round-robin: one per caller in every
 * round.
 */
export interface FairQueue {
  /**
   * Runs a task when a slot is free, and returns its result.
   * @param key the caller: a user or an address. Each has a queue of its own
   * @param weight share of `maxWaiting` that the task uses while it is queued; 1 by default
   * @param priority reads the caller's priority whenever the task may start; 0 by default. 0 starts first; each higher number
   * leaves one more slot free. Among callers of a priority above 0 the shorter queue goes first. All callers of priority 2 share
   * one slot
   * @throws {Refusal} UNAVAILABLE if the task is queued for too long, or if too much is queued and this caller's queue is the
   * heaviest. Then the task has not started
   */
  run<T>(
    key: string,
    task: () => Promise<T>,
    options?: { weight?: number; priority?: ReadPriority },
  ): Promise<T>
  /** Returns the number of queued tasks, of all callers or of one. */
  waiting(key?: string): number
}

/** Priority of a caller; the lower number starts first. */
export type Priority = 0 | 1 | 2
/**
 * Function that returns the current priority of a caller.
 * @param otherTasks number of the caller's other tasks, queued or running
 */
type ReadPriority = (otherTasks: number) => Priority
/** Lowest priority, that of callers who guess passwords. All its tasks share one slot. */
const LOWEST: Priority = 2

/** A task that waits for a slot. */
interface QueuedTask {
  /** Starts the task. @param priority with which its slot was taken */
  start: (priority: Priority) => void
  /** Removes the task from the queue and rejects it with UNAVAILABLE. */
  giveUp: () => void
}

/** Queued tasks of one caller, the sum of their weights, and the priority function of the newest. */
interface Queue {
  tasks: Set<QueuedTask>
  weight: number
  readPriority: ReadPriority
}

/** Retry-After of a task that the queue gives up, in seconds. */
const RETRY_AFTER_SECONDS = 5

/** Returns priority 0, which a caller without a priority function has. */
const HIGHEST_PRIORITY = (): Priority => 0

/** Number of tasks started in one to two periods that makes a caller busy: more than the pages of one user start. */
const BUSY_TASKS = 40
/** Milliseconds of a period of BUSY_TASKS, and between attempts to start tasks of callers who are no longer busy. */
const BUSY_PERIOD_MS = 1_000

/**
 * Creates a queue that shares its slots fairly between callers.
 * @param slots tasks that run concurrently
 * @param slotsPerCaller concurrent tasks per caller, even if other slots are free, so that a new caller waits for no more than
 *   these. A busy caller gets one slot while others are active
 * @param pauseFactor how many times its running time the slot of the lowest priority stays empty after a task
 * @param maxWaiting total weight of all queued tasks
 * @param maxWaitMs time that a task may be queued
 */
export function createFairQueue({
  slots,
  slotsPerCaller = slots,
  pauseFactor = 0,
  maxWaiting,
  maxWaitMs,
}: {
  slots: number
  slotsPerCaller?: number
  pauseFactor?: number
  maxWaiting: number
  maxWaitMs: number
}): FairQueue {
  // In round-robin order: the next caller comes first, and moves to the end when a task starts.
  const queues = new Map<string, Queue>()
  const running = createKeyedCounter()
  const recent = createRecentCounter(BUSY_PERIOD_MS)
  let freeSlots = slots
  let isLowestTaken = false
  let waiting = 0
  let waitingWeight = 0
  let retryTimer: NodeJS.Timeout | undefined
  const isOverfull = () => waitingWeight > maxWaiting

  /**
   * Queues a task until `startNext` gives it a slot. If the queue is then too full, the newest tasks of the heaviest queues give
   * up.
   * @returns the priority with which the slot was taken
   * @throws {Refusal} UNAVAILABLE if the task gives up
   */
  function waitInQueue(key: string, weight: number, readPriority: ReadPriority): Promise<Priority> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { tasks: new Set(), weight: 0, readPriority }
      queue.readPriority = readPriority
      queues.set(key, queue)
      const count = (sign: 1 | -1) => {
        waiting += sign
        waitingWeight += sign * weight
        queue.weight += sign * weight
        // A caller that is busy no longer may start a task even if none ends meanwhile: one task may take long. An interval,
        // because a timer may fire a little early.
        if (waiting > 0) retryTimer ??= setInterval(startQueued, BUSY_PERIOD_MS)
        else clearInterval(retryTimer)
        if (waiting === 0) retryTimer = undefined
      }
      const leave = () => {
        clearTimeout(timer)
        queue.tasks.delete(queued)
        if (queue.tasks.size === 0) queues.delete(key)
        count(-1)
      }
      const queued: QueuedTask = {
        start(priority) {
          leave()
          resolve(priority)
        },
        giveUp() {
          leave()
          reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
        },
      }
      const timer = setTimeout(queued.giveUp, maxWaitMs)
      queue.tasks.add(queued)
      count(1)
      while (isOverfull()) [...heaviestQueue().tasks].at(-1)?.giveUp()
    })
  }

  /** Returns how many tasks of a caller may run concurrently now: one if it is busy and others are active. */
  const slotsOf = (key: string) =>
    recent.get(key) >= BUSY_TASKS && recent.ofOthers(key) > 0 ? Math.min(1, slotsPerCaller) : slotsPerCaller
  const mayStart = (key: string, priority: Priority) =>
    freeSlots > Math.min(priority, slots - 1) &&
    running.get(key) < slotsOf(key) &&
    !(priority === LOWEST && isLowestTaken)

  const priorityOf = (key: string, { tasks, readPriority }: Queue) =>
    readPriority(tasks.size - 1 + running.get(key))

  /**
   * Returns the queue that loses its newest task when too much is queued. Among the callers of the lowest priority it is the
   * queue whose tasks have the largest sum of weights; of equal ones the last in round-robin order.
   */
  function heaviestQueue(): Queue {
    const all = [...queues].map(([key, queue]) => ({ queue, priority: priorityOf(key, queue) }))
    return all.reduce((a, b) => {
      if (b.priority !== a.priority) return b.priority > a.priority ? b : a
      return b.queue.weight >= a.queue.weight ? b : a
    }).queue
  }

  /** Counts a slot as taken by a caller. */
  function takeSlot(key: string, priority: Priority): void {
    freeSlots -= 1
    running.add(key, 1)
    recent.add(key)
    if (priority === LOWEST) isLowestTaken = true
  }

  /** Frees a slot and starts queued tasks. The slot of the lowest priority stays empty for the pause of `pauseFactor`. */
  function freeSlot(key: string, priority: Priority, runningMs: number): void {
    freeSlots += 1
    running.add(key, -1)
    if (priority === LOWEST && pauseFactor > 0) setTimeout(endPause, runningMs * pauseFactor)
    else if (priority === LOWEST) isLowestTaken = false
    startQueued()
  }

  /** Lets a task of the lowest priority start again, and starts queued tasks. */
  function endPause(): void {
    isLowestTaken = false
    startQueued()
  }

  /** Starts the next queued task that may start. @returns false if none may */
  function startNext(): boolean {
    let next: { key: string; queue: Queue; priority: Priority } | undefined
    if (freeSlots === 0) return false
    for (const [key, queue] of queues) {
      const priority = priorityOf(key, queue)
      if ((next === undefined || isBefore({ queue, priority }, next)) && mayStart(key, priority))
        next = { key, queue, priority }
    }
    if (next === undefined) return false
    const { key, queue, priority } = next
    queues.delete(key)
    queues.set(key, queue)
    takeSlot(key, priority)
    const [first] = queue.tasks
    first?.start(priority)
    return true
  }

  /** Starts queued tasks until none may start. */
  function startQueued(): void {
    while (startNext());
  }

  return {
    async run(key, task, { weight = 1, priority: readPriority = HIGHEST_PRIORITY } = {}) {
      let priority = readPriority((queues.get(key)?.tasks.size ?? 0) + running.get(key))
      if (mayStart(key, priority)) takeSlot(key, priority)
      // A queued task gets its slot from `startNext`.
      else priority = await waitInQueue(key, weight, readPriority)
      const startedAt = performance.now()
      try {
        return await task()
      } finally {
        freeSlot(key, priority, performance.now() - startedAt)
      }
    },
    waiting: (key) => (key === undefined ? waiting : (queues.get(key)?.tasks.size ?? 0)),
  }
}

/**
 * Returns whether queue `a` goes before queue `b`. Above priority 0 the shorter queue goes first, so that a caller who
 * retries before the response does not delay one who waits for it. At priority 0 only the round-robin order decides: a
 * known user with many calls is not put back.
 */
function isBefore(a: { queue: Queue; priority: Priority }, b: { queue: Queue; priority: Priority }): boolean {
  if (a.priority !== b.priority) return a.priority < b.priority
  return a.priority > 0 && a.queue.tasks.size < b.queue.tasks.size
}

/**
 * Creates a counter of tasks that were started in the current and the previous period: of a key, and of all others (`ofOthers`).
 */
function createRecentCounter(periodMs: number) {
  let [current, previous] = [createKeyedCounter(), createKeyedCounter()]
  let [sum, previousSum, startedAt] = [0, 0, performance.now()]
  const rotate = () => {
    const passedMs = performance.now() - startedAt
    if (passedMs < periodMs) return
    ;[previous, previousSum] = passedMs < 2 * periodMs ? [current, sum] : [createKeyedCounter(), 0]
    ;[current, sum] = [createKeyedCounter(), 0]
    startedAt = performance.now()
  }
  const get = (key: string) => {
    rotate()
    return current.get(key) + previous.get(key)
  }
  return {
    get,
    ofOthers: (key: string) => sum + previousSum - get(key),
    add(key: string): void {
      rotate()
      current.add(key, 1)
      sum += 1
    },
  }
}
