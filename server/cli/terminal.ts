import { readConfig } from '../config.ts'
import { whenNpmIsGone } from '../../bin/npm-gone.mjs'
import { type RunningMaru, type StartOptions, startMaru } from '../start.ts'
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
    const maru = await startMaru({ config, say, ...options })
    endOnSignals(maru)
    // A program that waits for this line may send a signal immediately.
    say(`Maru is ready: open ${maru.url}`)
  } catch (error) {
    process.stderr.write(`Maru did not start: ${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Milliseconds in which a second signal counts as the same one: npm repeats a signal that the terminal has sent to all processes.
 * A person cannot press Ctrl+C again this quickly.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * Ends the process on signals: SIGTERM, SIGINT and SIGHUP drain and exit with 0, a second signal exits immediately with 1. If the
 * database ended, the exit status is 1.
 */
function endOnSignals(maru: RunningMaru): void {
  let isStopping = false
  let begun = 0
  const stop = (exitCode: number) => {
    if (isStopping) {
      if (performance.now() - begun > SAME_SIGNAL_MS) process.exit(1)
      return
    }
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
  // If all processes received the signal at the same time, this one has handled it already.
  whenNpmIsGone(() => isStopping || stop(0))
  void maru.databaseExited?.then((reason) => {
    if (isStopping) return
    process.stderr.write(`Maru ends because its database ended: ${reason}\n`)
    stop(1)
  })
}
