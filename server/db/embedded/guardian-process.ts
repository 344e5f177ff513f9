// A small program of its own, between Maru and PostgreSQL: it runs one command and ends it when Maru closes the
// pipe on its standard input, which the system does for Maru however Maru ended (kill -9 too). It also keeps the
// command's output in a log of bounded size. guardian.ts starts it.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs'
import type { GuardedJob, GuardianReport } from './guardian.ts'

const LOG_LIMIT = 5 * 1024 * 1024
const TAIL_LINES = 30

const job: GuardedJob = JSON.parse(process.argv[2] ?? '')
const tail: string[] = []
let stopping = false

const child = spawn(job.file, job.args, {
  cwd: job.cwd,
  stdio: ['ignore', 'pipe', 'pipe'],
  windowsHide: true,
  ...job.identity,
})
child.on('error', (error) => {
  tail.push(`error: ${error.message}`)
  finish(null, null)
})
child.on('close', finish)
for (const stream of [child.stdout, child.stderr]) {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    appendToLog(chunk)
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      tail.push(line)
      if (job.readyText !== undefined && line.includes(job.readyText)) report({ ready: true })
    }
    tail.splice(0, tail.length - TAIL_LINES)
  })
}

// Maru may be gone: then nobody reads this, and that is no error.
process.stdout.on('error', () => {})
process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)

function stop(): void {
  if (stopping) return
  stopping = true
  if (job.stopCommand) spawnSync(job.stopCommand.file, job.stopCommand.args, { windowsHide: true })
  else child.kill('SIGINT')
  // For PostgreSQL: fast, then immediate, then what a power cut would do. Each is safe for the data.
  setTimeout(() => child.kill('SIGQUIT'), 20_000).unref()
  setTimeout(() => child.kill('SIGKILL'), 30_000).unref()
}

function finish(code: number | null, signal: NodeJS.Signals | null): void {
  if (job.removeAtEnd !== undefined) rmSync(job.removeAtEnd, { recursive: true, force: true })
  report({ exit: { code, signal, tail } }, () => process.exit(0))
}

function report(event: GuardianReport, written?: () => void): void {
  process.stdout.write(`${JSON.stringify(event)}\n`, written)
}

function appendToLog(text: string): void {
  try {
    appendFileSync(job.logFile, text, { mode: 0o600 })
    if (statSync(job.logFile).size > LOG_LIMIT) renameSync(job.logFile, `${job.logFile}.1`)
  } catch {
    // A full disk must not take the guardian down.
  }
}
