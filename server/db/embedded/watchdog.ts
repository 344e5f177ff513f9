import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Identity } from './os-user.ts'
import { keepOutput } from './command-output.ts'

/** Whether Maru runs on Windows, which has neither sh nor signals. */
const isWindows = process.platform === 'win32'

/** Environment of PostgreSQL's programs. It contains no secrets of Maru, no PGHOST and no locale. */
const CHILD_ENV: Record<string, string> = {
  LC_ALL: 'C',
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  ...(isWindows && {
    SystemRoot: process.env['SystemRoot'] ?? '',
    TEMP: process.env['TEMP'] ?? '',
  }),
}

/** Program and its arguments. */
export interface Command {
  file: string
  args: string[]
}

/** Command that the watchdog runs. */
export interface GuardedJob extends Command {
  cwd: string
  /** Identity that the command runs as; absent for that of this process. */
  identity?: Identity | undefined
  /** Log file of its output, limited to a few megabytes. */
  logFile: string
  /** Text of the output line that shows that the command is ready. */
  readyText?: string
  /** Command that ends it on systems without signals (Windows). */
  stopCommand?: Command | undefined
  /** Directory to delete after it has ended. */
  removeAtEnd?: string | undefined
  /** True to run without a shell and signals; for tests on other systems. */
  asOnWindows?: boolean | undefined
}

/** Result of a guarded command: its exit code or signal, and the last lines that it printed. */
export interface GuardedExit {
  /** Exit code as a shell reports it; null if the command did not start. */
  code: number | null
  /** Name of the signal that ended the command; null if none did. */
  signal: string | null
  tail: readonly string[]
}

/** A handle of a command that ends when this process ends: its readiness, its end, and a function that stops it. */
export interface GuardedCommand {
  /** Resolves when the command has printed `readyText`; never if it ends before. */
  ready: Promise<void>
  /** Resolves when the command has ended; with `undefined` if the watchdog itself was killed. */
  exit: Promise<GuardedExit | undefined>
  /** Requests the end of the command; wait for `exit`. May be called twice. */
  stop(): void
}

/**
 * Runs a command under a watchdog, which ends the command when this process ends, for whatever reason
 * (rules/running#own-database). Its environment contains no secret of Maru. Never throws: `exit` resolves with an error in
 * `tail`.
 */
export function startGuarded(job: GuardedJob): GuardedCommand {
  const { file, args } = programFor(job)
  const watchdog = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    // A session of its own, because Ctrl+C in the terminal is for Maru, which then stops the database in order.
    detached: !isWindows,
    windowsHide: true,
    cwd: job.cwd,
    env: CHILD_ENV,
    ...job.identity,
  })
  const { tail, whenPrinted } = keepOutput(watchdog.stdout, job.logFile, job.readyText)
  const closed = once(watchdog.stdout, 'close')
  const exit = Promise.withResolvers<GuardedExit | undefined>()
  watchdog.on('error', (error) =>
    exit.resolve({ code: null, signal: null, tail: [`error: ${error.message}`] }),
  )
  watchdog.on('exit', (code, killed) => {
    // Shows the part that watches this pipe that there is nothing more to wait for.
    watchdog.stdin.destroy()
    exit.resolve(killed ? undefined : closed.then(() => ({ code, signal: signalOf(code), tail })))
  })
  watchdog.stdin.on('error', () => {})
  return { ready: whenPrinted, exit: exit.promise, stop: () => watchdog.stdin.end() }
}

/** Returns the command line of the watchdog: a shell with `watchdog.sh`, or on Windows Node.js with `watchdog-windows.ts`. */
function programFor({
  file,
  args,
  removeAtEnd = '',
  asOnWindows = isWindows,
  stopCommand,
}: GuardedJob): Command {
  if (asOnWindows) {
    const program = fileURLToPath(new URL('watchdog-windows.ts', import.meta.url))
    const job = JSON.stringify({ command: { file, args }, stopCommand })
    return { file: process.execPath, args: [program, job] }
  }
  const script = readFileSync(new URL('watchdog.sh', import.meta.url), 'utf8')
  return { file: '/bin/sh', args: ['-c', script, 'watchdog', removeAtEnd, file, ...args] }
}

/** Returns the name of the signal that a shell reports as a number; null for other exit codes. */
function signalOf(code: number | null): string | null {
  const entry = Object.entries(constants.signals).find(([, number]) => 128 + number === code)
  return entry?.[0] ?? null
}
