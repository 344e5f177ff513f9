import type { FastifyBaseLogger } from 'fastify'

/** What a server does by itself. Every server runs every job: each sees to it that what must happen once does. */
export interface Job {
  /** As the log and /metrics call it. */
  name: string
  everySeconds: number
  /** From this hour in Asia/Seoul, and no more on a day on which it ended well. */
  fromHour?: number
  /** How many runs may go on at once; one when left out. */
  lanes?: number
  /**
   * @param signal aborted when the server stops and has waited long enough
   * @returns true when there may be more to do at once
   */
  run(signal: AbortSignal): Promise<unknown>
}

/** How a job fares in this process. */
export interface JobReport {
  name: string
  /** When it last ended well, in milliseconds since 1970; 0 until it has. */
  lastRunAt: number
  failures: number
}

/** Everything that runs by itself. */
export interface Jobs {
  /** Runs each job now and at its times; after `stop` too. */
  start(list: readonly Job[]): void
  /** There may be something to do for this job: called after the commit. Without effect while the job does not run here. */
  wake(name: string): void
  /** Begins nothing more, and waits for what runs; after a while it is told to give up. */
  stop(): Promise<void>
  report(): JobReport[]
}

interface State extends JobReport {
  job: Job
  running: number
  isWoken: boolean
  doneOn: string
}

/**
 * Makes the one runner of a server's jobs; a timer each, and no other state than the database's.
 * @param patienceMs how long `stop` waits before it aborts what runs
 */
export function createJobs(logger: FastifyBaseLogger, patienceMs = 5_000): Jobs {
  const states = new Map<string, State>()
  const timers: NodeJS.Timeout[] = []
  const working = new Set<Promise<void>>()
  let givingUp = new AbortController()
  const isStopped = () => timers.length === 0

  function begin(state: State): void {
    const { name, lanes = 1, fromHour } = state.job
    if (isStopped() || state.running >= lanes) return
    const [day = '', hour] = koreanTime()
    if (fromHour !== undefined && (Number(hour) < fromHour || day === state.doneOn)) return
    state.running += 1
    const work = runOut(state)
      .then(() => void (state.doneOn = day))
      .catch((error: unknown) => {
        state.failures += 1
        logger.error({ err: error, job: name }, 'a job failed and is tried again')
      })
      .finally(() => {
        state.running -= 1
        working.delete(work)
      })
    working.add(work)
  }

  async function runOut(state: State): Promise<void> {
    for (let isMore = true; isMore && !isStopped();) {
      state.isWoken = false
      isMore = (await state.job.run(givingUp.signal)) === true || state.isWoken
      state.lastRunAt = Date.now()
    }
  }

  return {
    start(list) {
      givingUp = new AbortController()
      for (const job of list) {
        const { name, everySeconds } = job
        const state = { name, job, running: 0, isWoken: false, doneOn: '', lastRunAt: 0, failures: 0 }
        states.set(name, state)
        timers.push(setInterval(() => begin(state), everySeconds * 1000).unref())
        begin(state)
      }
    },
    wake(name) {
      const state = states.get(name)
      if (state === undefined) return
      state.isWoken = true
      begin(state)
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer)
      const patience = setTimeout(() => givingUp.abort(), patienceMs)
      await Promise.all(working)
      clearTimeout(patience)
    },
    report: () =>
      [...states.values()].map(({ name, lastRunAt, failures }) => ({ name, lastRunAt, failures })),
  }
}

/** The day and the hour in Asia/Seoul. */
function koreanTime(): string[] {
  return new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(/[ :]/)
}
