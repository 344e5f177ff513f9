import { cpSync, existsSync, renameSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
  await mkdir(to, { recursive: true, mode: 0o700 })
  const names = existsSync(from) ? await readdir(from) : []
  for (const name of names)
    if (/^\d{4}-\d\d\.json(l\.zst)?$/.test(name)) await copyFile(join(from, name), join(to, name))
}

/**
 * Brings back what of the access log is in a backup, which one of before there was an access log has not. The ends that are there are of
 * rows that the restore has given up: they are put aside, for whoever wants to know what these were.
 * @param isUntil whether the rows go on after the backup: then the next start signs where they end
 */
export function restoreLog(dataDir: string, folder: string, isUntil = false): void {
  const heads = headsFolder(dataDir)
  if (existsSync(heads)) renameSync(heads, `${heads}-until-${Date.now()}`)
  const from = join(folder, PARTS.accessLog)
  if (!existsSync(from)) return
  const skipped = join(from, 'heads')
  cpSync(from, logFolder(dataDir), { recursive: true, filter: (path) => !(isUntil && path === skipped) })
}
