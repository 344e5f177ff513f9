import { resolve } from 'node:path'

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, '..')

/** Tells the person at the terminal one line. */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** An expected failure: its message is the one line that the terminal shows. */
export function refusal(message) {
  return Object.assign(new Error(message), { expected: true })
}
