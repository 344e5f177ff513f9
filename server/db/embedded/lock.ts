import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedRefusal } from './refusal.ts'

/** The right of one process to run the database of a data directory. */
export interface Lock {
  release(): void
}

/**
 * Takes the lock of `dataDir`, or refuses with the directory and the process that has it (decisions §3: two
 * Marus on one data directory).
 *
 * Node has no file lock of its own, but SQLite's is one that the kernel ends with the process, whatever ended
 * it: no stale lock to guess about. Nothing is ever written to the file.
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const pidFile = join(dataDir, 'postgres.pid')
  const file = new DatabaseSync(join(dataDir, 'postgres.lock'), { timeout: 300 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
    const pid = await readHolder(pidFile)
    throw new EmbeddedRefusal(
      `Another Maru (process ${pid ?? 'unknown'}) is already running on the data directory ${dataDir}: stop it first, or set DATA_DIR to another directory.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release() {
      rmSync(pidFile, { force: true })
      file.close()
    },
  }
}

const SQLITE_BUSY = 5

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// The winner writes its id just after it has the lock, so the loser of a close race may have to wait for it.
async function readHolder(pidFile: string): Promise<number | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      const pid = Number(readFileSync(pidFile, 'utf8'))
      if (pid > 0 && isAlive(pid)) return pid
    } catch {
      // not there yet
    }
    await sleep(50)
  }
  return undefined
}
