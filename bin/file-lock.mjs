import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusal, ROOT, say } from './root.mjs'

/** Milliseconds between heartbeats of the holder of a lock. */
const BEAT_MS = 1_000
/** Milliseconds without a heartbeat after which the holder counts as killed. */
const DEAD_MS = 10_000

/**
 * Runs `work` under a lock of this name in the checkout, and waits while another launcher holds it. The holder touches a file
 * every second. A file that was not touched for 10 seconds belongs to a killed process, and is taken over. Process IDs would not
 * show this, because containers reuse them.
 * @returns the result of `work`
 * @throws a refusal if the file cannot be written
 */
export async function withFileLock(name, work) {
  const folder = join(ROOT, '.cache')
  const file = join(folder, `${name}.turn`)
  try {
    mkdirSync(folder, { recursive: true })
    for (let waited = false; !take(file); waited = true) {
      if (!waited) say(`Another Maru is busy with the same step (${name}); waiting for it …`)
      await sleep(200)
    }
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error
    throw refusal(
      `${folder} cannot be written (${error.code}): run this once as the owner of ${ROOT}, or free space on its disk.`,
    )
  }
  const heartbeat = setInterval(() => touch(file), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(file, { force: true })
  }
}

/** Creates the file of a lock; false if it exists. Removes the file of a killed process, so that the next attempt succeeds. */
function take(file) {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isLeftBehind(file)) return false
  // Only one of several can move the file away; one that was taken over in the meantime is put back.
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (!isLeftBehind(aside)) linkSync(aside, file)
  } catch {
    // another one was faster
  }
  rmSync(aside, { force: true })
  return false
}

/** Returns whether the holder of a lock was killed. */
function isLeftBehind(file) {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - touched > DEAD_MS
}

/**
 * Renews the time of a lock's file. Ignores a missing file: another launcher has taken over the lock, as after a machine slept.
 */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Taken for dead, as after a machine slept: the other one works on.
  }
}
