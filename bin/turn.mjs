import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusal, ROOT, say } from './root.mjs'

/**
 * Runs `work` while no other launcher of this checkout runs one of the same name: two parallel installs would
 * ruin each other. Waits for its turn; a turn whose process has died is taken over. Containers give out the same
 * process numbers again and again, so who works says so every second: a turn that has been silent is dead too.
 */
export async function inTurn(name, work) {
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
      `${folder} cannot be written (${error.code}): run this once as the owner of ${ROOT}, or make room on its disk.`,
    )
  }
  const heartbeat = setInterval(() => beat(file), 1_000)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = read(file)
  if (holder === undefined || isAlive(holder, file)) return false
  // Only one of several can move the dead one's file; who moved a living one's by mistake puts it back.
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) !== holder) linkSync(aside, file)
  } catch {
    // someone else was faster
  }
  rmSync(aside, { force: true })
  return false
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function beat(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Taken for dead, as after a machine slept: the other one works on.
  }
}

const SILENT_MS = 10_000

// An empty file is one whose owner is about to write its number. Our own number is another container's, or that
// of a process before us.
function isAlive(pid, file) {
  const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - since > SILENT_MS) return false
  if (pid === '' || Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
