import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../caught-errors.ts'
import { StartRefusal } from '../../startup-error.ts'

/** Lock of one process on the database of a data directory. */
export interface Lock {
  /** Releases the lock, so that another process may take it. */
  release(): void
}

/** Error code of SQLite for a file that another process has locked. */
const SQLITE_BUSY = 5
/** Bytes of a lock file's path from which it is too long for SQLite. */
const SQLITE_PATH_LIMIT = 500

/**
 * Takes the lock of `dataDir` (rules/running#own-database: two Marus on one data directory). The kernel releases the
 * lock when the process ends, so a stale lock cannot exist.
 * @throws {StartRefusal} naming the directory and the process that holds it
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const pidFile = join(dataDir, 'postgres.pid')
  const lockFile = join(dataDir, 'postgres.lock')
  const isShort = Buffer.byteLength(lockFile) < SQLITE_PATH_LIMIT
  const lock = isShort ? lockByFile(lockFile) : await lockByName(dataDir)
  if (!lock) {
    throw new StartRefusal(
      `Another Maru (process ${await readHolder(pidFile)}) is already running on the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
    )
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    release() {
      rmSync(pidFile, { force: true })
      lock.release()
    },
  }
}

/**
 * Locks a file by SQLite, because Node has no file lock. The lock is one of the kernel, and nothing is ever written to the file.
 * @returns undefined if another process has the lock
 */
function lockByFile(lockFile: string): Lock | undefined {
  // An existing file is not opened here, because closing it would release a lock that this process holds.
  if (existsSync(lockFile)) accessSync(lockFile, constants.R_OK | constants.W_OK)
  else writeFileSync(lockFile, '', { mode: 0o600 })
  const file = new DatabaseSync(lockFile, { timeout: 300 })
  try {
    file.exec('BEGIN EXCLUSIVE')
    return { release: () => file.close() }
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

/**
 * Locks a data directory whose path exceeds SQLite's limit, by a socket name in the kernel, which only Linux has.
 * @returns undefined if another process has the lock
 * @throws {StartRefusal} on other systems
 */
async function lockByName(dataDir: string): Promise<Lock | undefined> {
  if (process.platform !== 'linux')
    throw new StartRefusal(`The path ${dataDir} is too long. Set DATA_DIR to a shorter path.`)
  const { dev, ino } = statSync(dataDir)
  const server = createServer().unref()
  return new Promise((settle, fail) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') settle(undefined)
      else fail(error)
    })
    server.listen(`\0maru-${dev}-${ino}`, () => settle({ release: () => server.close() }))
  })
}

/**
 * Returns the process ID of the holder, which writes it just after it takes the lock. A process that fails at the same time may
 * have to wait for it.
 * @returns 'unknown' if it is not written within a second
 */
async function readHolder(pidFile: string): Promise<number | 'unknown'> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      const pid = Number(readFileSync(pidFile, 'utf8'))
      if (pid > 0 && isAlive(pid)) return pid
    } catch {
      // not written yet
    }
    await sleep(50)
  }
  return 'unknown'
}

/** Returns whether a process with this ID exists, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
