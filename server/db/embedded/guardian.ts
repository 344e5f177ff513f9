import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Identity } from './identity.ts'

// What PostgreSQL's programs get to see of the environment: nothing of Maru's secrets, no PGHOST, no locale.
const CHILD_ENV: Record<string, string> = {
  LC_ALL: 'C',
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  // Its types are stripped once: the compiler alone would take a third of the guardian's memory.
  ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
  ...(process.platform === 'win32' && {
    SystemRoot: process.env['SystemRoot'] ?? '',
    TEMP: process.env['TEMP'] ?? '',
  }),
}

/** A command for the guardian to run. */
export interface GuardedJob {
  file: string
  args: string[]
  cwd: string
  /** Whom to run it as; absent: as this process. */
  identity?: Identity | undefined
  /** Where its output goes, kept to a few megabytes. */
  logFile: string
  /** A line of output that holds this text means that it is ready. */
  readyText?: string
  /** How to end it where there are no signals (Windows). */
  stopCommand?: { file: string; args: string[] } | undefined
  /** A directory to remove when it has ended. */
  removeAtEnd?: string | undefined
}

/** How a guarded command ended: its code or signal and the last lines it printed. */
export interface GuardedExit {
  code: number | null
  signal: NodeJS.Signals | null
  tail: string[]
}

/** What the guardian tells, one JSON object a line. */
export type GuardianReport = { ready: true } | { exit: GuardedExit }

/** A running guarded command. */
export interface Guarded {
  /** Resolves once the command printed `readyText`; never when it ends before. */
  ready: Promise<void>
  /** Resolves when the command has ended, or `undefined` when the guardian itself was killed. */
  exit: Promise<GuardedExit | undefined>
  /** Asks for the end of the command; wait for `exit`. May be called twice. */
  stop(): void
}

/** Runs a command that ends when this process does, whatever ends it (rules/running#own-database). */
export function startGuarded(job: GuardedJob): Guarded {
  const guardian = spawn(
    process.execPath,
    [fileURLToPath(new URL('./guardian-process.ts', import.meta.url)), JSON.stringify(job)],
    // A session of its own: Ctrl+C in the terminal is for Maru, which then stops the database in order.
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      cwd: '/',
      env: CHILD_ENV,
    },
  )
  let ended: GuardedExit | undefined
  const ready = Promise.withResolvers<void>()
  const exit = Promise.withResolvers<GuardedExit | undefined>()
  createInterface({ input: guardian.stdout }).on('line', (line) => {
    const report: GuardianReport = JSON.parse(line)
    if ('ready' in report) ready.resolve()
    else ended = report.exit
  })
  guardian.on('error', (error) =>
    exit.resolve({ code: null, signal: null, tail: [`error: ${error.message}`] }),
  )
  guardian.on('close', () => exit.resolve(ended))
  guardian.stdin.on('error', () => {})
  return { ready: ready.promise, exit: exit.promise, stop: () => guardian.stdin.end() }
}
