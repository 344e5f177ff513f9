import type { FastifyBaseLogger } from 'fastify'
import type { SystemJob } from '../../contract/settings.ts'
import { withTimeout } from './with-timeout.ts'

/** Periodic work of a server. Every server runs every job. A job that must run only once ensures that itself. */
export interface Job {
  /** Name in the log and in /metrics. */
  name: string
  /** Seconds between two starts of the job, unless it is woken. */
  everySeconds: number
  /** Hour in Asia/Seoul from which the job runs, until it has succeeded on that day. */
  fromHour?: number
  /** Number of concurrent runs; 1 if absent. */
  lanes?: number
  /**
   * Runs the job once.
   * @param signal aborts if the server stops and has waited long enough
   * @returns true if there may be more work now, 'later' if the job may not work now
   */
  run(signal: AbortSignal): Promise<unknown>
}

/** A job of the portal itself, which the system page lists. */
export interface PortalJob extends Job {
  name: SystemJob
}

/** State of a job in this process, since its start. */
export interface JobReport {
  name: string
  /** Time of its last success, in milliseconds since 1970; 0 if there was none. */
  lastRunAt: number
  /** Number of runs that threw an error. */
  failures: number
  /** Time of its last failure, in milliseconds since 1970; 0 if there was none. */
  lastFailedAt: number
  everySeconds: number
  /** Whether it runs once a day. */
  isDaily: boolean
  /** Whether its last run was postponed: the clock is untrusted, or the disk is full. */
  isPaused: boolean
}

/** The background jobs of a server. */
export interface Jobs {
  /** Runs each job now and at its times. Works after `stop`, too. */
  start(list: readonly Job[]): void
  /**
   * Runs a job soon, again if it runs now. Call it after a commit that made work for the job. Does nothing where the job does not
   * run.
   */
  wake(name: string): void
  /** Starts no more jobs and waits for running ones. Aborts them after a while; leaves those that then do not end. */
  stop(): Promise<void>
  /** Returns the state of each job that was started. */
  report(): JobReport[]
}

/** State of a started job, with its concurrent runs, whether it was woken, and the day on which a daily job has succeeded. */
interface State extends JobReport {
  job: Job
  runs: Set<Promise<void>>
  isWoken: boolean
  doneOn: string
}

/**
 * Creates the job runner of a server, without jobs. Its state is only in this process. A job that throws is logged and runs again
 * at its next time.
 * @param patienceMs milliseconds that `stop` waits before it aborts running jobs, and again before it leaves them
 */
export function createJobs(logger: FastifyBaseLogger, patienceMs = 5_000): Jobs {
  const states = new Map<string, State>()
  const timers: NodeJS.Timeout[] = []
  let givingUp = new AbortController()
  const isStopped = () => timers.length === 0

  /** Starts a run of a job, unless it may not run now or enough runs are in progress. */
  function begin(state: State): void {
    const { lanes = 1, fromHour = 0 } = state.job
    const [day = '', hour] = koreanTime()
    const isDone = state.job.fromHour !== undefined && state.doneOn === day
    if (isStopped() || state.runs.size >= lanes || Number(hour) < fromHour || isDone) return
    const run = runOut(state, day).finally(() => state.runs.delete(run))
    state.runs.add(run)
  }

  /** Runs a job until it has no more work. */
  async function runOut(state: State, day: string): Promise<void> {
    try {
      for (let isMore = true; isMore && !isStopped();) {
        state.isWoken = false
        const did = await state.job.run(givingUp.signal)
        state.isPaused = did === 'later'
        if (state.isPaused) return
        isMore = did === true || state.isWoken
        state.lastRunAt = Date.now()
      }
      state.doneOn = day
    } catch (error) {
      state.isPaused = false
      state.failures += 1
      state.lastFailedAt = Date.now()
      logger.error({ err: error, job: state.name }, 'a job failed and will be retried')
    }
  }

  return {
    start(list) {
      givingUp = new AbortController()
      for (const job of list) {
        const { name, everySeconds, fromHour } = job
        const state = {
          name,
          job,
          runs: new Set<Promise<void>>(),
          isWoken: false,
          doneOn: '',
          lastRunAt: 0,
          failures: 0,
          lastFailedAt: 0,
          everySeconds,
          isDaily: fromHour !== undefined,
          isPaused: false,
        }
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
      const ended = Promise.all([...states.values()].flatMap(({ runs }) => [...runs]))
      await withTimeout(ended, patienceMs, async () => {
        givingUp.abort()
        // The signal does not end a query that waits for a lock.
        await withTimeout(ended, patienceMs, () => {})
      })
    },
    report: () => [...states.values()],
  }
}

/**
 * Formatter of a time in Asia/Seoul as 'YYYY-MM-DD HH:mm:ss'. Created once, because that takes longer than the rest of a job
 * without work, and jobs check for work every second.
 */
const KOREAN_TIME = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** Returns the day, the hour and the rest of the current time in Asia/Seoul, as texts. */
function koreanTime(): string[] {
  return KOREAN_TIME.format(new Date()).split(/[ :]/)
}
