import { appendFileSync, renameSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** Bytes from which the log is renamed. */
const LOG_LIMIT = 5 * 1024 * 1024
/** Number of last lines that are kept in memory. */
const TAIL_LINES = 30

/** Output of a command: its last lines in memory, and a promise that resolves when a line contains the searched text. */
export interface Output {
  /** The last lines, as an array. */
  tail: readonly string[]
  /** Resolves when a line contains the text; never if none does. */
  whenPrinted: Promise<void>
}

/**
 * Appends the output of a command to `logFile`, and keeps its last lines in memory. The file is renamed to `.1` when it exceeds 5
 * MB. A log that cannot be written is ignored.
 * @param text when a line contains it, `whenPrinted` resolves; undefined to search for nothing
 */
export function keepOutput(stream: Readable, logFile: string, text: string | undefined): Output {
  const tail: string[] = []
  const whenPrinted = Promise.withResolvers<void>()
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    appendToLog(logFile, chunk)
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      tail.push(line)
      if (text !== undefined && line.includes(text)) whenPrinted.resolve()
    }
    tail.splice(0, tail.length - TAIL_LINES)
  })
  return { tail, whenPrinted: whenPrinted.promise }
}

/** Appends to the log, and renames it above LOG_LIMIT. Ignores a failure: a full disk must not end Maru. */
function appendToLog(logFile: string, text: string): void {
  try {
    appendFileSync(logFile, text, { mode: 0o600 })
    if (statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`)
  } catch {
    // A full disk must not end Maru.
  }
}
