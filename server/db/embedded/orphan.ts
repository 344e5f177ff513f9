import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './lock.ts'
import { removeSocketDir } from './socket-dir.ts'
import { StartRefusal } from '../../startup-error.ts'

/**
 * Ends the database that a crashed Maru left on this cluster, and deletes its socket directory. Does nothing if there is none.
 * Only the holder of the lock may call this, because a database that still runs then has lost its Maru. Usually its watchdog is
 * ending it already. This function stops it as well, with stronger signals in turn, and waits until it has ended.
 * @throws {StartRefusal} if it does not end
 */
export async function endOrphan(dir: string, log: (line: string) => void): Promise<void> {
  await endDatabase(dir, log)
  removeSocketDir(dir)
}

/** Ends the database that PostgreSQL's note in a cluster names, or deletes the note if its process is another program. */
async function endDatabase(dir: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(dir, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (pid > 0 && isAlive(pid)) {
    if (isDatabaseOf(pid, dir)) {
      log(`The database of a previous Maru is still running (process ${pid}). Stopping it.`)
      await end(pid, dir)
    } else {
      // Another program may have this process ID now, and PostgreSQL would mistake it for itself.
      rmSync(pidFile, { force: true })
    }
  }
}

/**
 * Ends a process with SIGINT, after 10 s with SIGQUIT, after 5 s more with SIGKILL. Does nothing if it has ended.
 * @throws {StartRefusal} if it does not end
 */
async function end(pid: number, dir: string): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ]
  for (const [signal, patience] of steps) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (let waited = 0; waited < patience; waited += 20) {
      if (!isAlive(pid)) return
      await sleep(20)
    }
  }
  throw new StartRefusal(
    `The database of a previous Maru on ${dir} does not stop. Stop process ${pid} yourself, then start again.`,
  )
}

/**
 * Returns whether a process is the PostgreSQL of a cluster: by its working directory on Linux, elsewhere by its command line.
 */
function isDatabaseOf(pid: number, dir: string): boolean {
  if (process.platform === 'linux') {
    try {
      const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(dir)]
      return theirs.ino === ours.ino && theirs.dev === ours.dev
    } catch {
      return false
    }
  }
  const listing =
    process.platform === 'win32'
      ? spawnSync('powershell', ['-NoProfile', '-Command', commandLineOf(pid)], {
          encoding: 'utf8',
          windowsHide: true,
        })
      : spawnSync('ps', ['-ww', '-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return startsDatabaseOn(listing.stdout ?? '', dir)
}

/** Returns the PowerShell command that prints the command line of a process. */
function commandLineOf(pid: number): string {
  return `(Get-CimInstance Win32_Process -Filter 'ProcessId = ${pid}').CommandLine`
}

/**
 * Returns whether a command line is that of PostgreSQL on this data directory. The program name is not enough: the process ID may
 * have been reused by another PostgreSQL.
 */
export function startsDatabaseOn(commandLine: string, dir: string): boolean {
  const [program = '', ...rest] = commandLine.split(/\s-D\s+/)
  const given = rest.join(' -D ').replaceAll('"', '')
  return program.includes('postgres') && `${given.trimEnd()} `.startsWith(`${dir} `)
}
