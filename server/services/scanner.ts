import type { FastifyBaseLogger } from 'fastify'
import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import type { Config } from '../config.ts'

/** Result of a scan: `clean`, or `found` with the name of the malware; `failed` if the scanner gave no reliable result. */
export type Verdict = { result: 'clean' | 'failed' } | { result: 'found'; finding: string }

/** Scanner of files for malware, a program of the operator (rules/files#scan). */
export interface Scanner {
  /**
   * Scans a file when a slot is free. Never throws: an error is logged and a `failed` result.
   * @param open opens the whole content, once a slot is free
   */
  scan(open: () => Promise<Readable>): Promise<Verdict>
  /** Returns the number of results of each kind since this process started. */
  report(): Record<Verdict['result'], number>
  /** Returns whether the last scan failed. */
  isFailing(): boolean
}

/**
 * Most concurrent scans. Each uses a core, and a signature database of a gigabyte unless the program is the client of a
 * daemon.
 */
const AT_ONCE = 2
/** Most characters of a scanner's output that are read. */
const MAX_WORDS = 4_096

/** Environment variables that programs need to run. None is secret. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

/**
 * Creates a scanner that runs the program for each file, with the content on standard input. As with clamscan, exit code 0
 * means clean and 1 means infected, with the finding on standard output. Any other end is a failure, which is logged, and so is
 * a timeout.
 * @param config.seconds time limit of a scan and its time in the queue
 */
export function createScanner(
  { command, seconds }: Pick<Config['scan'], 'command' | 'seconds'>,
  logger: FastifyBaseLogger,
): Scanner {
  const inTurn = pLimit(AT_ONCE)
  const counts: Record<Verdict['result'], number> = { clean: 0, found: 0, failed: 0 }
  let last: Verdict['result'] | undefined
  return {
    async scan(open) {
      // The limit covers the time in the queue as well as the scan.
      const late = AbortSignal.timeout(seconds * 1000)
      let verdict: Verdict
      try {
        verdict = await inTurn(() => runScanner(command, open, late))
      } catch (error) {
        logger.error({ err: error }, 'a file could not be scanned')
        verdict = { result: 'failed' }
      }
      counts[verdict.result] += 1
      last = verdict.result
      return verdict
    },
    report: () => ({ ...counts }),
    isFailing: () => last === 'failed',
  }
}

/**
 * Runs the scanner on one file.
 * @param late kills the program and its child processes when it aborts
 * @throws {Error} if the program cannot run, exceeds the limit, exits with another code than 0 or 1, or exits with 0 before it
 * has read the whole file
 */
export async function runScanner(
  [program = '', ...words]: readonly string[],
  open: () => Promise<Readable>,
  late: AbortSignal,
): Promise<Verdict> {
  late.throwIfAborted()
  const content = await open()
  // In a process group of its own, so that it can be ended with all its child processes.
  const isGroup = process.platform !== 'win32'
  const env = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]))
  const child = spawn(program, words, { stdio: 'pipe', env, detached: isGroup, windowsHide: true })
  const end = () => {
    if (child.pid === undefined || child.exitCode !== null) return
    try {
      if (isGroup) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  late.addEventListener('abort', end)
  try {
    const said = Promise.all([wordsOf(child.stdout), wordsOf(child.stderr)])
    const left = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    // A scanner that has found something stops reading.
    const isRead = pipeline(content, child.stdin).then(
      () => true,
      () => false,
    )
    const code = await left
    const [out, err] = await said
    late.throwIfAborted()
    if (code === 1) return { result: 'found', finding: findingIn(out) }
    if (code !== 0) throw new Error(`the scanner left ${code}: ${(err || out).slice(0, 500)}`)
    if (!(await isRead)) throw new Error('the scanner has not read the file to its end')
    return { result: 'clean' }
  } finally {
    late.removeEventListener('abort', end)
    content.destroy()
    end()
  }
}

/** Returns the last MAX_WORDS characters of a stream. */
async function wordsOf(stream: Readable): Promise<string> {
  let words = ''
  stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-MAX_WORDS)))
  await finished(stream).catch(() => {})
  return words.trim()
}

/** End of the line with a finding in the output of clamscan. */
const FOUND = ' FOUND'

/**
 * Returns the finding in the output of a scanner: the signature in `stream: Eicar-Signature FOUND` of clamscan, or else
 * the first line.
 */
function findingIn(words: string): string {
  const lines = words.split('\n')
  const found = lines.find((text) => text.includes(': ') && text.endsWith(FOUND))
  const named = found?.slice(found.lastIndexOf(': ') + 2, -FOUND.length) ?? lines[0] ?? ''
  return named
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200)
}

/**
 * Returns whether a program exists and can be executed, at its path or in PATH; always true on Windows. Without it, every scan
 * would fail.
 */
export async function isExecutable(program: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  const found = await Promise.allSettled(
    folders.map((folder) => access(folder === '' ? program : join(folder, program), constants.X_OK)),
  )
  return found.some(({ status }) => status === 'fulfilled')
}
