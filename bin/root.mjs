import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Folder of the checkout, or of an unpacked bundle. */
export const ROOT = resolve(import.meta.dirname, '..')

/** True in a bundle, which contains its packages and pages (rules/running#bundle). */
export const IS_BUNDLE = existsSync(join(ROOT, 'bundle.json'))

/** Working directory of Maru, with `.env` and `data`. That of a bundle is next to it, so that the next version finds them. */
export const HOME = IS_BUNDLE ? dirname(ROOT) : ROOT

/** Prints a line on the terminal; as JSON in production, as Maru prints its own lines. */
export function say(line) {
  const isJson = process.env.NODE_ENV === 'production'
  process.stdout.write(`${isJson ? JSON.stringify({ level: 30, time: Date.now(), msg: line }) : line}\n`)
}

/** Creates the error of an expected failure. The terminal shows only its message. */
export function refusal(message) {
  return Object.assign(new Error(message), { expected: true })
}

/**
 * Announces a step, runs a program in the checkout to its end, and prints the duration. Its output goes to the terminal.
 * @param announcement line before the program starts
 * @param done word before the duration, such as “Built”
 * @param command program and arguments
 * @returns the reason of a failure; undefined after success
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
