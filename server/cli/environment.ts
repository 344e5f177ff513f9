import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { parseEnv } from 'node:util'
import { IS_BUNDLE } from '../../bin/root.mjs'
import { messageOf } from '../caught-errors.ts'
import { createLog } from '../log.ts'
import { isDiskFull } from '../services/disk-space.ts'
import { StartRefusal } from '../startup-error.ts'

/** Name of the variable with a file of further certificate authorities, which Node.js reads if the environment sets it. */
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS'

/**
 * Adds the variables of .env that the environment does not set to `process.env`, and trusts the certificates that
 * NODE_EXTRA_CA_CERTS in it names. Does nothing without .env. `loadEnvFile` is unsuitable: it reports every failure as a missing
 * file.
 * @throws {StartRefusal} if the file or the certificates cannot be read
 */
export function readEnvFile(): void {
  // Node.js itself reads the variable of the environment.
  const isRead = process.env[CERTIFICATES] !== undefined
  addVariables()
  const file = process.env[CERTIFICATES] ?? ''
  if (isRead || file === '') return
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(file, 'utf8')])
  } catch (error) {
    throw new StartRefusal(`${CERTIFICATES} ${file} cannot be read as PEM (${messageOf(error)}).`, {
      cause: error,
    })
  }
}

/**
 * Adds the variables of .env to the environment. Variables that are set already keep their values. Does nothing without the
 * file.
 * @throws {StartRefusal} if the file cannot be read
 */
function addVariables(): void {
  try {
    for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8')))) {
      process.env[name] ??= value
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') return
    throw new StartRefusal(
      `.env cannot be read (${error.message}). Give the user that runs Maru read permission, or remove the file.`,
      { cause: error },
    )
  }
}

/** Returns the text to print for an error: one line for an error that the operator can fix, for any other its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isDiskFull(error))
    return `A disk is full (${error.message}): free at least 200 MB and try again. Nothing was lost.`
  return error instanceof StartRefusal ? error.message : (error.stack ?? error.message)
}

/** Returns a text with the commands of npm replaced by those of a bundle, if Maru runs from one; otherwise as it is. */
export const inBundle = (text: string): string =>
  IS_BUNDLE
    ? text
        .replaceAll(
          /npm run (\w+)( -- )?/g,
          (_match, verb: string, words = '') => `maru ${verb}${words && ' '}`,
        )
        .replaceAll('npm start', 'maru start')
    : text

/** Prints a line on the terminal, for the person who started Maru. */
export function say(line: string): void {
  process.stdout.write(`${inBundle(line)}\n`)
}

/**
 * Returns a function that prints a line: as JSON in production, where a program reads all lines; otherwise as text. A failure
 * goes to standard error, or gets the level `fatal`.
 */
export function sayAtStart(): (line: string, isFailure?: boolean) => void {
  if (process.env['NODE_ENV'] !== 'production')
    return (line, isFailure = false) =>
      (isFailure ? process.stderr : process.stdout).write(`${inBundle(line)}\n`)
  // Ignores LOG_LEVEL, because one of these lines is the first password.
  const log = createLog('info')
  return (line, isFailure = false) => {
    const level = isFailure ? 'fatal' : line.startsWith('WARNING: ') ? 'warn' : 'info'
    log[level](inBundle(line.replace(/^WARNING: /, '')))
  }
}
