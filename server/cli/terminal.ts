import cluster from 'node:cluster'
import { readConfig } from '../config.ts'
import { whenNpmIsGone } from '../../bin/npm-gone.mjs'
import { type RunningMaru, serveMaru, type StartOptions, startMaru } from '../start.ts'
import type { WorkerReport } from '../workers/supervise.ts'
import { readEnvFile, reasonOf, say } from './environment.ts'

/**
 * Runs Maru as a program: reads .env and the environment, starts, prints where it is, and ends on a
 * signal. Ends with one clear line and status 1 when it cannot start.
 * @param defaults variables that hold unless the environment or .env sets them
 */
export async function runMaru(
  options: Pick<StartOptions, 'prepare'> & { defaults?: Record<string, string> } = {},
): Promise<void> {
  try {
    readEnvFile()
    const config = readConfig(process.env, options.defaults)
    if (cluster.isWorker) return await runWorker({ config, say })
    const start = config.workers > 1 ? (await import('../workers/start.ts')).startWorkers : startMaru
    const maru = await start({ config, say, ...options })
    endOnSignals(maru)
    // Whoever waits for this line may send a signal at once.
    say(`Maru is ready: open ${maru.url}`)
  } catch (error) {
    process.stderr.write(`Maru did not start: ${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}

const tell = (report: WorkerReport) => new Promise((resolve) => process.send?.(report, resolve))

/** Serves as one of several processes; what there is to say of that is the primary's. */
async function runWorker(options: StartOptions): Promise<void> {
  try {
    const maru = await serveMaru(options)
    endOnSignals(maru, () => {})
    await tell({ ready: maru.url })
  } catch (error) {
    await tell({ refused: reasonOf(error) })
    process.exit(1)
  }
}

/** Sooner than a person presses Ctrl+C again: npm passes on what the terminal has told everybody already. */
const SAME_SIGNAL_MS = 1_000

/**
 * SIGTERM, SIGINT and SIGHUP drain and end with 0; a database that died ends with 1.
 * @param again what a second one does: it ends at once. A worker hears Ctrl+C from the terminal and from the primary
 */
function endOnSignals(maru: RunningMaru, again: () => void = () => process.exit(1)): void {
  let isStopping = false
  let begun = 0
  const stop = (exitCode: number) => {
    if (isStopping) return performance.now() - begun > SAME_SIGNAL_MS ? again() : undefined
    isStopping = true
    begun = performance.now()
    maru.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        process.stderr.write(`Maru did not stop cleanly: ${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  process.on('SIGHUP', () => stop(0))
  // Whoever has signalled all of them at once has been heard already.
  whenNpmIsGone(() => isStopping || stop(0))
  void maru.databaseExited?.then((reason) => {
    if (isStopping) return
    process.stderr.write(`Maru ends because its database ended: ${reason}\n`)
    stop(1)
  })
}
