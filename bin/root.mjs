import { resolve } from 'node:path'

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, '..')

/** An expected failure: its message is the one line that the terminal shows. */
export function refusal(message) {
  return Object.assign(new Error(message), { expected: true })
}
