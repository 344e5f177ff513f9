import { readConfig } from '../config.ts'
import { whenNpmIsGone } from '../../bin/on-npm-exit.mjs'
import { type RunningMaru, type StartOptions, startMaru } from '../start.ts'
import { readEnvFile, reasonOf, sayAtStart } from './environment.ts'

/**
 * Runs Maru as a program: reads .env and the environment, starts, prints the URL, and ends on a signal. If the start fails,
 * prints the reason and sets exit status 1. Never throws.
 * @param options.prepare as in `StartOptions`
 * @param options.defaults values of variables that neither the environment nor .env sets
 */
export async function runMaru(
  options: Pick<StartOptions, 'prepare'> & { defaults?: Record<string, string> } = {},
): Promise<void> {
  let say = sayAtStart()
  try {
    readEnvFile()
    say = sayAtStart()
    const config = readConfig(process.env, options.defaults)
    const maru = await startMaru({ config, say, ...options })
    endOnSignals(maru, say)
    // A program that waits for this line may send a signal immediately.
    say(`Maru is ready: open ${maru.url}`)
  } catch (error) {
    say(`Maru did not start: ${reasonOf(error)}`, true)
    process.exitCode = 1
  }
}

/**
 * Milliseconds in which a second signal counts as the same one: npm repeats a signal that the terminal has sent to all processes.
 * A person cannot press Ctrl+C again this quickly.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * Ends the process on signals, and when npm has ended: SIGTERM, SIGINT and SIGHUP drain and exit with 0, a second signal exits
 * immediately with 1. If the database ended, the exit status is 1.
 */
function endOnSignals(maru: RunningMaru, say: ReturnType<typeof sayAtStart>): void {
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
        say(`Maru did not stop cleanly: ${String(error)}`, true)
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
    say(`Maru ends because its database ended: ${reason}`, true)
    stop(1)
  })
}
