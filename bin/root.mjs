import { spawn } from 'node:child_process'
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

/**
 * Announces a step, runs a program in the checkout to its end, and says how long it took.
 * @returns why it failed; undefined when it did not. What it printed is on the terminal
 */
export async function runStep(announcement, done, [file, ...args], options = {}) {
  say(announcement)
  const begun = Date.now()
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const failure = await new Promise((settle) => {
    child.on('error', (error) => settle(error.message))
    child.on('close', (code) =>
      settle(code === 0 ? undefined : `it ended with ${code}; its own words are above`),
    )
  })
  if (failure === undefined) say(`${done} in ${((Date.now() - begun) / 1000).toFixed(1)} s.`)
  return failure
}
