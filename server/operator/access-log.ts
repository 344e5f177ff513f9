import { existsSync, renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { copySynced, makeFolder, syncFolder } from '../durable.ts'
import { headsFolder, logFolder } from '../services/access-log/heads.ts'
import { PARTS } from './manifest.ts'

/**
 * Copies what of the access log is in DATA_DIR into a backup.
 * @param what its signed ends, before the rows, which go on from them; or the months in files, after them: a month may be in both
 */
export async function copyLog(dataDir: string, folder: string, what: 'heads' | 'months'): Promise<void> {
  const isHeads = what === 'heads'
  const from = isHeads ? headsFolder(dataDir) : logFolder(dataDir)
  const to = join(folder, PARTS.accessLog, ...(isHeads ? ['heads'] : []))
  await makeFolder(to)
  const names = existsSync(from) ? await readdir(from) : []
  for (const name of names)
    if (/^\d{4}-\d\d\.json(l\.zst)?$/.test(name)) await copySynced(join(from, name), join(to, name))
  await syncFolder(to)
}

/**
 * Brings back what of the access log is in a backup, which one of before there was an access log has not. The ends that are there are of
 * rows that the restore has given up: they are put aside, for whoever wants to know what these were.
 * @param isUntil whether the rows go on after the backup: then the next start signs where they end
 */
export async function restoreLog(dataDir: string, folder: string, isUntil = false): Promise<void> {
  const heads = headsFolder(dataDir)
  if (existsSync(heads)) renameSync(heads, `${heads}-until-${Date.now()}`)
  const from = join(folder, PARTS.accessLog)
  if (!existsSync(from)) return
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || (isUntil && dirname(path) === join(from, 'heads'))) continue
    const place = join(logFolder(dataDir), relative(from, path))
    await makeFolder(dirname(place))
    await copySynced(path, place)
    await syncFolder(dirname(place))
  }
}
