import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Whom the servers of these tests run as: none of them runs as root. */
export interface Runner {
  uid: number
  gid: number
}

/** A user with a name, on which initdb insists; undefined where this is not root. */
export function nobody(): Runner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** A folder in the temp directory that the runner owns. */
export function folderOf(runner: Runner | undefined, name: string): string {
  const folder = mkdtempSync(join('/tmp', `maru-${name}-`))
  if (runner) chownSync(folder, runner.uid, runner.gid)
  return folder
}

/** Whether a program is where Debian has it. */
export const findProgram = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file))

const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Starts a server program; what it says goes to a file. It ends with the tests at the latest. */
export function startServer(
  file: string,
  args: string[],
  { cwd, env, runner }: { cwd: string; env?: Record<string, string> | undefined; runner: Runner | undefined },
): ChildProcess {
  const log = openSync(join(cwd, 'log'), 'a')
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    ...runner,
  })
  closeSync(log)
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return child
}

/** Kills what may have ended by itself, as the processes of a server do when another one of them is gone. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

// Below those that systems give to whoever asks for any port, and to every connection that somebody opens: those could be
// taken before the server listens. Each process of the tests begins elsewhere.
const [FIRST_PORT, PORTS_OF_WORKER] = [15_000, 1_000]
let nextPort = FIRST_PORT + (process.pid % 16) * PORTS_OF_WORKER + randomInt(PORTS_OF_WORKER / 2)

/** A port of this machine on which nobody listens, nor will by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
