import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig } from '../config.ts'
import { StartRefusal } from '../start-refusal.ts'
import { type RunningMaru, type StartOptions, startMaru } from '../start.ts'

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
    const config = readConfig({ ...options.defaults, ...process.env })
    const maru = await startMaru({ config, say, ...options })
    endOnSignals(maru)
    // Whoever waits for this line may send a signal at once.
    say(`Maru is ready: open ${maru.url}`)
  } catch (error) {
    const isExpected = error instanceof StartRefusal
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error)
    process.stderr.write(`Maru did not start: ${text}\n`)
    process.exitCode = 1
  }
}

/** Adds what .env sets and the environment does not. Not `loadEnvFile`: to it every failure is a missing file. */
function readEnvFile(): void {
  try {
    for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8')))) {
      process.env[name] ??= value
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') return
    throw new StartRefusal(
      `.env cannot be read (${error.message}). Give the user that runs Maru the right to, or remove it.`,
      { cause: error },
    )
  }
}

/** A line on the terminal, for the person who started Maru. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** SIGTERM and SIGINT drain and end with 0; a second one ends at once; a database that died ends with 1. */
function endOnSignals(maru: RunningMaru): void {
  let isStopping = false
  const stop = (exitCode: number) => {
    if (isStopping) process.exit(1)
    isStopping = true
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
  void maru.databaseExited?.then((reason) => {
    if (isStopping) return
    process.stderr.write(`Maru ends because its database ended: ${reason}\n`)
    stop(1)
  })
}
