import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isDiskFull } from '../services/disk-space.ts'
import { StartRefusal } from '../start-refusal.ts'

/**
 * Adds the variables of .env that the environment does not set. `loadEnvFile` is unsuitable: it reports every failure as a
 * missing file.
 * @throws {StartRefusal} if the file cannot be read
 */
export function readEnvFile(): void {
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

/** Returns one line for an error that the operator can fix; for any other error its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isDiskFull(error))
    return `A disk is full (${error.message}): free at least 200 MB and try again. Nothing was lost.`
  return error instanceof StartRefusal ? error.message : (error.stack ?? error.message)
}

/** Prints a line on the terminal, for the person who started Maru. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
