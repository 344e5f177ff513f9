import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { StartRefusal } from '../start-refusal.ts'
import { answerMetrics } from './metrics.ts'

/** Longer than a worker takes, once its calls have ended, to end its jobs (5 s) and close its pools (4 s). */
const END_MS = 10_000
/** A worker that lived for so long was well: the next one is started at once. */
const WELL_MS = 60_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 30_000

/** What a worker says when it serves, or that it cannot start. */
export type WorkerReport = { ready: string } | { refused: string }

/** Processes that serve one port. */
export interface Workers {
  /** Where they serve. */
  url: string
  /** Drains all of them. */
  stop(): Promise<void>
}

/**
 * Starts this program again as `count` workers and replaces each that ends, ever later when it ends again at once
 * (rules/running#workers).
 * @param env variables that differ from those of this process
 * @param drainMs how long their calls may take to end
 * @throws {StartRefusal} with what the first worker that cannot start says
 */
export async function superviseWorkers(
  count: number,
  env: Record<string, string>,
  logger: Logger,
  drainMs: number,
): Promise<Workers> {
  const running = new Set<Worker>()
  const ready = new Set<Worker>()
  let isStopping = false

  /** @param delayMs how long after this one the next is started; without it, this one has to be ready first */
  function start(delayMs?: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const begun = Date.now()
      let isReplaced = delayMs !== undefined
      let refused = ''

      function replace(how: string, details: object): void {
        reject(new StartRefusal(refused || `a worker ${how} before it was ready`))
        if (isStopping || !isReplaced) return
        const isWell = Date.now() - begun > WELL_MS
        const againInMs = isWell || delayMs === undefined ? FIRST_DELAY_MS : delayMs
        logger.error(
          { ...details, againInMs, ...(refused !== '' && { refused }) },
          'a worker ended and is replaced',
        )
        setTimeout(() => {
          if (!isStopping) start(Math.min(againInMs * 2, MAX_DELAY_MS)).catch(() => {})
        }, againInMs)
      }

      let worker: Worker
      try {
        worker = cluster.fork(env)
      } catch (error) {
        return replace(`could not be made (${String(error)})`, { err: error })
      }
      running.add(worker)
      worker.on('message', (message: WorkerReport | object) => {
        if ('ready' in message) {
          isReplaced = true
          ready.add(worker)
          resolve(message.ready)
        } else if ('refused' in message) refused = message.refused
        else
          answerMetrics(worker, message, () => ready).catch((error: unknown) =>
            logger.warn({ err: error }, 'the metrics of all workers could not be told'),
          )
      })
      worker.on('error', (error) => {
        // Of one that runs, a message did not arrive; one without a number was never there and has no exit.
        if (worker.process.pid === undefined && running.delete(worker))
          replace(`could not be made (${String(error)})`, { err: error })
      })
      worker.once('exit', (status, signal) => {
        ready.delete(worker)
        if (running.delete(worker))
          replace(`ended with ${signal ?? status}`, { worker: worker.process.pid, status, signal })
      })
    })
  }

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all([...running].map((worker) => endWorker(worker, drainMs + END_MS)))
  }

  try {
    // One before the others: what is wrong with all of them is said once.
    const url = await start()
    await Promise.all(Array.from({ length: count - 1 }, () => start()))
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function endWorker(worker: Worker, withinMs: number): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), withinMs)
  worker.process.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}
