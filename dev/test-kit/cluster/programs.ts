import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** User that the servers of these tests run as, because none runs as root. */
export interface Runner {
  uid: number
  gid: number
}

/**
 * Returns the user `nobody`, because initdb requires a user with a name; undefined if this process is not root. Without
 * such a user in /etc/passwd both numbers are NaN.
 */
export function nobody(): Runner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Creates a folder in /tmp that the runner owns. The caller deletes it. */
export function folderOf(runner: Runner | undefined, name: string): string {
  const folder = mkdtempSync(join('/tmp', `maru-${name}-`))
  if (runner) chownSync(folder, runner.uid, runner.gid)
  return folder
}

/** Returns the path of a program if Debian's package has installed it; undefined otherwise. */
export const findProgram = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file))

/** Started servers that still run. */
const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/**
 * Starts a server program, with its output in `log` below `cwd`. Does not wait until it is ready. It is killed when
 * this process exits.
 * @param env variables in addition to PATH and LC_ALL; no others are passed
 * @param runner undefined for the user of this process
 */
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

/** Kills a process with SIGKILL. Does nothing if it has ended. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** First port of the range, and the ports that each process of the tests has in it. */
const [FIRST_PORT, PORTS_OF_WORKER] = [15_000, 1_000]
/**
 * Port that `freePort` tries next. The range is below the ports that systems assign to outgoing connections and to programs that
 * ask for any port: those could be in use before the server listens. Each process of the tests begins elsewhere.
 */
let nextPort = FIRST_PORT + (process.pid % 16) * PORTS_OF_WORKER + randomInt(PORTS_OF_WORKER / 2)

/** Returns a free port outside the range that systems assign, so that no other program takes it before the server listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    if (await isFree(port)) return port
  }
}

/** Returns whether no program listens on a port. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
