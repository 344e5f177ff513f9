import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { StartRefusal } from '../start-refusal.ts'
import { answerMetrics } from './metrics.ts'

/** Longer than a worker takes to drain and close. */
const END_MS = 14_000
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
 * @throws {StartRefusal} with what the first worker that cannot start says
 */
export async function superviseWorkers(
  count: number,
  env: Record<string, string>,
  logger: Logger,
): Promise<Workers> {
  const running = new Set<Worker>()
  const ready = new Set<Worker>()
  let isStopping = false
  let isUp = false

  function start(delayMs = FIRST_DELAY_MS): Promise<string> {
    const worker = cluster.fork(env)
    const begun = Date.now()
    running.add(worker)
    return new Promise((resolve, reject) => {
      let refused = ''
      worker.on('message', (message: WorkerReport | object) => {
        if ('ready' in message) {
          ready.add(worker)
          resolve(message.ready)
        } else if ('refused' in message) refused = message.refused
        else void answerMetrics(worker, message, () => ready)
      })
      worker.once('exit', (status, signal) => {
        running.delete(worker)
        ready.delete(worker)
        reject(new StartRefusal(refused || `a worker ended with ${signal ?? status} before it was ready`))
        if (isStopping || !isUp) return
        const isWell = Date.now() - begun > WELL_MS
        const againInMs = isWell ? FIRST_DELAY_MS : delayMs
        logger.error(
          { worker: worker.process.pid, status, signal, againInMs, ...(refused !== '' && { refused }) },
          'a worker ended and is replaced',
        )
        setTimeout(() => {
          if (!isStopping) start(Math.min(againInMs * 2, MAX_DELAY_MS)).catch(() => {})
        }, againInMs)
      })
    })
  }

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all([...running].map(endWorker))
  }

  try {
    // One before the others: what is wrong with all of them is said once.
    const url = await start()
    await Promise.all(Array.from({ length: count - 1 }, () => start()))
    isUp = true
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function endWorker(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), END_MS)
  worker.process.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}
