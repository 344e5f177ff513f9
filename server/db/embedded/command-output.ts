import { appendFileSync, renameSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'

const LOG_LIMIT = 5 * 1024 * 1024
const TAIL_LINES = 30

/** Output of a command: a log of limited size, and its last lines in memory. */
export interface Output {
  /** The last lines, as an array. */
  tail: readonly string[]
  /** Resolves when a line contains the text; never if none does. */
  said: Promise<void>
}

/**
 * Writes `stream` to `logFile`, which is renamed to `.1` at 5 MB, and searches each line for `text`. A log that cannot
 * be written is ignored.
 */
export function keepOutput(stream: Readable, logFile: string, text: string | undefined): Output {
  const tail: string[] = []
  const said = Promise.withResolvers<void>()
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    appendToLog(logFile, chunk)
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      tail.push(line)
      if (text !== undefined && line.includes(text)) said.resolve()
    }
    tail.splice(0, tail.length - TAIL_LINES)
  })
  return { tail, said: said.promise }
}

function appendToLog(logFile: string, text: string): void {
  try {
    appendFileSync(logFile, text, { mode: 0o600 })
    if (statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`)
  } catch {
    // A full disk must not end Maru.
  }
}
