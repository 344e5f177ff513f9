import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { copiesOf } from '../create-services.ts'
import type { OpenDatabase } from '../db/open.ts'
import { makeFolder, syncFolder } from '../durable-files.ts'
import { acceptHeads } from '../services/access-log/accept.ts'
import { hasMonthEnded } from '../services/access-log/chain.ts'
import {
  type HeadParts,
  headsFolder,
  headsOf,
  keepHead,
  logFolder,
  signingKey,
} from '../services/access-log/heads.ts'
import { recordAudit } from '../records/audit.ts'
import { openKeySecret } from '../services/key-secret.ts'
import { type Decrypter, type PartWriter, plainName, readPart } from './encryption.ts'
import { PARTS } from './manifest.ts'

/** Most months whose heads are signed after a restore: more than the age of any backup. */
const NEWEST = 100

/** Returns the input of the functions that check and sign the heads of the access log in this DATA_DIR. */
export function headPartsOf(config: Pick<Config, 'dataDir' | 'secrets'>, pool: pg.Pool): HeadParts {
  const keys = openKeySecret(config).logSeeds.map(signingKey)
  return { pool, dataDir: config.dataDir, keys, memory: new Map() }
}

/**
 * Signs the access log as it is now, because the operator vouches for its rows, and writes an audit row
 * (rules/running#accept-log).
 * @returns the problems that it had before
 */
export async function acceptLog(
  config: Config,
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  reason: string,
): Promise<string[]> {
  const copies = await copiesOf(config)?.()
  const row = { action: 'access.accept', address: '', requestId: '' } as const
  // Before the files, so that nothing is accepted without its audit row. Not in one transaction, because the pool of an operator
  // command has one connection.
  await recordAudit(db, { ...row, target: '', detail: { reason }, records: null })
  return acceptHeads(headPartsOf(config, pool), copies)
}

/**
 * Copies the files of the access log in DATA_DIR into a backup.
 * @param what the signed heads, copied before the rows, which continue from them; or the months in files, copied after
 * the rows, because a month may be in both
 */
export async function copyLog(dataDir: string, writer: PartWriter, what: 'heads' | 'months'): Promise<void> {
  const isHeads = what === 'heads'
  const from = isHeads ? headsFolder(dataDir) : logFolder(dataDir)
  const to = isHeads ? `${PARTS.accessLog}/heads` : PARTS.accessLog
  await makeFolder(join(writer.folder, to))
  const names = existsSync(from) ? await readdir(from) : []
  for (const name of names)
    if (/^\d{4}-\d\d\.json(l\.zst)?$/.test(name))
      await writer.write(`${to}/${name}`, createReadStream(join(from, name)))
  await syncFolder(join(writer.folder, to))
}

/**
 * Restores the files of the access log from a backup into DATA_DIR. A backup from before the access log existed has none. The
 * current signed heads belong to rows that the restore has discarded. They are renamed, so that they can still be inspected.
 */
export async function restoreLog(dataDir: string, folder: string, decrypter: Decrypter): Promise<void> {
  const heads = headsFolder(dataDir)
  if (existsSync(heads)) renameSync(heads, `${heads}-until-${Date.now()}`)
  const from = join(folder, PARTS.accessLog)
  if (!existsSync(from)) return
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = plainName(join(entry.parentPath, entry.name))
    if (!entry.isFile()) continue
    const place = join(logFolder(dataDir), relative(from, path))
    await makeFolder(dirname(place))
    await pipeline(readPart(path, decrypter), createWriteStream(place, { mode: 0o600, flush: true }))
    await syncFolder(dirname(place))
  }
}

/**
 * Signs the rows that a restored backup contains beyond its signed heads, which are copied before the rows. The months of these
 * rows may have ended since. Does not sign months that had ended when the backup was taken: the next start reports their
 * problems.
 */
export async function signRestored(
  config: Pick<Config, 'dataDir' | 'secrets'>,
  pool: pg.Pool,
  takenAt: Date,
): Promise<void> {
  const { rows } = await pool.query<{ is: boolean }>(
    `select to_regclass('access_log_heads') is not null as is`,
  )
  if (rows[0]?.is !== true) return
  const parts = headPartsOf(config, pool)
  for (const head of await headsOf(pool, NEWEST))
    if (!hasMonthEnded(head.month, takenAt.getTime())) await keepHead(parts, head, takenAt)
}
