import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
