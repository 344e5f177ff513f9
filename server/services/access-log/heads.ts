import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import * as z from 'zod/mini'
import { hasCode } from '../../caught-errors.ts'
import { makeFolder, replaceFile } from '../../durable-files.ts'
import { beginningOf, hasMonthEnded } from './chain.ts'

/** End of the hash chain of the access log of a month: its last row. */
export interface Head {
  /** First day of the month, 'YYYY-MM-DD'. */
  month: string
  /** Number of rows. */
  position: string
  /** Hash of the last row, in hexadecimal. */
  hash: string
}

/** Returns the folder of the access log below DATA_DIR: signed heads, and the months that are no longer in the database. */
export const logFolder = (dataDir: string): string => join(dataDir, 'access-log')

/** Returns the folder of the signed heads in DATA_DIR. */
export const headsFolder = (dataDir: string) => join(logFolder(dataDir), 'heads')

/** Returns the path of the signed head of a month in DATA_DIR. */
const headFile = (dataDir: string, month: string) => join(headsFolder(dataDir), `${month.slice(0, 7)}.json`)

/** Schema of a head in DATA_DIR. */
const keptHead = z.object({
  month: z.iso.date(),
  position: z.string(),
  hash: z.string(),
  signedAt: z.iso.datetime(),
  /** Time of the last row in microseconds since 1970. Heads of earlier versions and of empty months have none. */
  at: z.optional(z.string()),
  /** Time of the operator's last acceptance of rows as they are. */
  acceptedAt: z.optional(z.iso.datetime()),
  signature: z.string(),
})

/** A signed head, as it is stored in a file in DATA_DIR, outside the database. */
export type KeptHead = z.infer<typeof keptHead>

/** Bytes before a seed of 32 bytes that make it an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the key that signs the heads, from a seed that is derived from the key secret. */
export function signingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

/** Returns the bytes of a head that are signed. */
const signedText = ({ month, position, hash, signedAt, acceptedAt, at }: Omit<KeptHead, 'signature'>) => {
  const optional = [...(acceptedAt === undefined ? [] : [acceptedAt]), ...(at === undefined ? [] : [{ at }])]
  return Buffer.from(JSON.stringify(['maru access log head', month, position, hash, signedAt, ...optional]))
}

/** Returns whether the holder of the key has signed this head. */
export function isSigned(head: KeptHead, key: KeyObject): boolean {
  return verify(null, signedText(head), createPublicKey(key), Buffer.from(head.signature, 'base64'))
}

/**
 * Reads the signed head of a month (number and hash of its last row) in DATA_DIR. Does not check the signature.
 * @param month first day, 'YYYY-MM-DD'
 * @returns null if there is no head, undefined if it is damaged or cannot be read
 */
export async function readHead(dataDir: string, month: string): Promise<KeptHead | null | undefined> {
  try {
    return parseHead(await readFile(headFile(dataDir, month), 'utf8'))
  } catch (error) {
    return hasCode(error, 'ENOENT') ? null : undefined
  }
}

/**
 * Parses the text of a kept head.
 * @returns undefined if it is damaged
 */
export function parseHead(text: string): KeptHead | undefined {
  try {
    return keptHead.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns the months that have a signed head in DATA_DIR, by their first days. */
export async function keptMonths(dataDir: string): Promise<string[]> {
  const files = await readdir(headsFolder(dataDir)).catch(() => [])
  return files.flatMap((file) => (/^\d{4}-\d\d\.json$/.test(file) ? [`${file.slice(0, 7)}-01`] : []))
}

/** SQL condition that the month is recent, so that `access_log_drop` never removes it from the database. */
const isRecent = `h.month >= date_trunc('month', now() at time zone 'Asia/Seoul') - interval '12 months'`

/**
 * SQL columns of `DatabaseHead`, from the row `h` of access_log_heads. They use the clock of the database, because the clock of
 * this machine may differ from it. A restored database of an earlier version lacks the column of erased months until its
 * migration.
 */
const STATE = `h.archived_at is not null as "isArchived",
  coalesce(to_jsonb(h) ->> 'erased_at' is not null and h.month < date_trunc('month', now() at time zone 'Asia/Seoul')
    - interval '24 months', false) as "isErased",
  coalesce(h.archived_at is not null and ${isRecent}, false) as "isArchivedEarly",
  coalesce(h.at > clock_timestamp() + interval '1 minute', false) as "isAhead",
  coalesce(h.at < (select r.at from access_log r where r.month = h.month and r.position = h.position), false) as "isEarly",
  (extract(epoch from h.at) * 1000000)::bigint as micros`

/**
 * Returns the heads of the newest months that the database has, newest month first. Unlike `readHead`, it does not
 * read the signed heads in DATA_DIR.
 * @param maxMonths number of months
 * @returns fewer heads if the database has fewer months
 */
export async function headsOf(pool: pg.Pool, maxMonths: number): Promise<DatabaseHead[]> {
  const { rows } = await pool.query<DatabaseHead>({
    name: 'access-log-heads',
    text: `select month, position, encode(hash, 'hex') as hash, ${STATE}
      from access_log_heads h order by month desc limit $1`,
    values: [maxMonths],
  })
  return rows
}

/** End of the chain of a month in the database. */
export interface DatabaseHead extends Head {
  /** True if its rows were moved to a file. */
  isArchived: boolean
  /** True if its retention has ended, so that it has no file. A younger month cannot be erased, even if it is marked so. */
  isErased: boolean
  /** True if the month is marked as archived, but too recent to be. */
  isArchivedEarly: boolean
  /** True if the time of the head is more than a minute ahead of the clock. */
  isAhead: boolean
  /**
   * True if the time of the head is before that of its last row. Later is possible: earlier versions moved it when a
   * write was tried again.
   */
  isEarly: boolean
  /** Time of the head in microseconds since 1970; null for a month without rows. */
  micros: string | null
}

/**
 * Returns the heads of the database that may still change: those of this and the next month, and of the newest two
 * months with rows. Also returns months that are marked as archived too early. A month without rows has position
 * 0.
 */
export async function movingHeads(pool: pg.Pool): Promise<DatabaseHead[]> {
  const { rows } = await pool.query<DatabaseHead>({
    name: 'access-log-moving-heads',
    text: `select m.month, coalesce(position, 0)::text as position, coalesce(encode(hash, 'hex'), '') as hash, ${STATE}
      from (select (date_trunc('month', now() at time zone 'Asia/Seoul') + n * interval '1 month')::date as month
          from generate_series(0, 1) as n
        union (select month from access_log_heads order by month desc limit 2)
        union (select month from access_log_heads h where archived_at is not null and ${isRecent})) as m
      left join access_log_heads h on h.month = m.month order by 1 desc`,
  })
  return rows.map((head) =>
    head.position === '0' ? { ...head, hash: beginningOf(head.month).toString('hex') } : head,
  )
}

/** Returns the problem of a head by itself, without its rows, as a line for the operator; '' if there is none. */
export function headProblem({
  month,
  isArchivedEarly,
  isAhead,
  isEarly,
}: Pick<Head, 'month'> & Partial<DatabaseHead>): string {
  if (isArchivedEarly) return `${month} is marked as archived, but a month of the last twelve never is`
  if (isAhead) return `the end of ${month} is ahead of the clock`
  return isEarly ? `the end of ${month} has an earlier time than its last row` : ''
}

/** Signed heads by month, as this process last read or wrote them. */
export type HeadMemory = Map<string, KeptHead>

/** Input of the functions that check and sign heads. */
export interface HeadParts {
  pool: pg.Pool
  dataDir: string
  /** The current key, then previous ones. */
  keys: readonly KeyObject[]
  /** Heads that this process saw last. */
  memory: HeadMemory
}

/** Returns whether a head is that of this month, and one of the keys has signed it. */
export const isValidHead = (head: KeptHead, month: string, keys: readonly KeyObject[]): boolean =>
  head.month === month && keys.some((key) => isSigned(head, key))

/**
 * Returns the problem of a signature's time, as a line for the operator; '' if there is none. Servers never sign a month after
 * its end, but the operator may accept it then. Heads of earlier versions, which lack the time of their last row, are not
 * checked.
 */
export function timeProblem({ month, signedAt, acceptedAt = '', at }: KeptHead): string {
  const isLate = hasMonthEnded(month, Date.parse(signedAt)) && !hasMonthEnded(month, Date.parse(acceptedAt))
  return at !== undefined && isLate ? `${month} was signed after its end` : ''
}

/**
 * Compares the end of a month in the database with the signed head in DATA_DIR, and with the one that this process
 * saw last (`memory`, which it updates). Does not check the rows of an archived month.
 * @param now time until which rows could be written
 * @returns `problem`: a line for the operator, '' if there is none, such as a missing or damaged signature,
 * changed rows, or rows that were added after the end of the month. `kept`: the head in DATA_DIR, null if it is
 * missing or damaged
 */
export async function checkHead(
  { pool, dataDir, keys, memory }: HeadParts,
  head: Head & Partial<DatabaseHead>,
  now = new Date(),
): Promise<{ problem: string; kept: KeptHead | null }> {
  const { month, position, hash, micros } = head
  const kept = await readHead(dataDir, month)
  const wrong = (problem: string) => ({ problem, kept: kept ?? null })
  const own = headProblem(head)
  if (own !== '' || head.isArchived) return wrong(own)
  if (kept === null)
    return wrong(
      position !== '0' || (memory.get(month)?.position ?? '0') !== '0'
        ? `no signed head of ${month} is in DATA_DIR`
        : '',
    )
  if (kept === undefined || !isValidHead(kept, month, keys))
    return wrong(`the signed head of ${month} is damaged, or signed with another key secret`)
  const last = memory.get(month)
  // The operator accepted the rows after this process signed last.
  const isAccepted = last === undefined || (kept.acceptedAt ?? '') > last.signedAt
  for (const end of isAccepted ? [kept] : [kept, last])
    if (!(end.position === position && end.hash === hash) && !(await chainContains(pool, end)))
      return wrong(`the rows of ${month} are not those that were signed`)
  if (kept.at !== undefined && micros && kept.position === position && kept.at !== micros)
    return wrong(`the end of ${month} has another time than the one that was signed`)
  if (timeProblem(kept) !== '') return wrong(timeProblem(kept))
  if (BigInt(position) > BigInt(kept.position) && hasMonthEnded(month, now.getTime()))
    return wrong(`rows were added to ${month} after its end`)
  if (isAccepted || BigInt(kept.position) > BigInt(last.position)) memory.set(month, kept)
  return { problem: '', kept }
}

/**
 * Checks a head of the database (`checkHead`). If the rows continue from the last signed head, signs the new head
 * with the current key, and stores it in DATA_DIR and in `memory`. Does nothing for an archived month or if there
 * are no new rows.
 * @param now time of the signature; for a restore, that of the backup
 * @returns the problem, '' if there is none. With a problem nothing is signed until the operator accepts the rows
 */
export async function keepHead(
  parts: HeadParts,
  head: Head & Partial<DatabaseHead>,
  now = new Date(),
): Promise<string> {
  const { problem, kept } = await checkHead(parts, head, now)
  const { month, position, hash, micros } = head
  if (problem !== '' || head.isArchived || (kept !== null && BigInt(position) <= BigInt(kept.position)))
    return problem
  const { acceptedAt } = kept ?? {}
  const signedAt = now.toISOString()
  const signed = {
    month,
    position,
    hash,
    signedAt,
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(micros && { at: micros }),
  }
  parts.memory.set(month, await writeHead(parts, signed))
  return ''
}

/**
 * Signs the heads in DATA_DIR again that a previous key secret signed, so that this secret may be removed
 * (rules/keys#changed-secret).
 * @param seeds of the current secret, then of the previous ones
 */
export async function renewSignatures(dataDir: string, [seed, ...former]: readonly Buffer[]): Promise<void> {
  if (seed === undefined || former.length === 0) return
  const keys = former.map(signingKey)
  for (const month of await keptMonths(dataDir)) {
    const kept = await readHead(dataDir, month)
    if (kept && kept.month === month && keys.some((key) => isSigned(kept, key))) {
      const { signature: _, ...head } = kept
      await writeHead({ dataDir, keys: [signingKey(seed)] }, head)
    }
  }
}

/**
 * Signs a head with the current key (the first one) and writes it to DATA_DIR.
 * @returns the signed head
 * @throws {Error} if there is no key
 */
export async function writeHead(
  { dataDir, keys: [key] }: Pick<HeadParts, 'dataDir' | 'keys'>,
  head: Omit<KeptHead, 'signature'>,
): Promise<KeptHead> {
  if (key === undefined) throw new Error('There is no key to sign the access log with')
  const signed = { ...head, signature: sign(null, signedText(head), key).toString('base64') }
  await replaceHead(dataDir, signed)
  return signed
}

/** Writes a signed head to DATA_DIR as it is, in place of an earlier one. */
export async function replaceHead(dataDir: string, head: KeptHead): Promise<void> {
  await makeFolder(headsFolder(dataDir))
  await replaceFile(headFile(dataDir, head.month), `${JSON.stringify(head)}\n`)
}

/** Renames the head of a month in DATA_DIR so that it is no longer used. Does nothing if there is none. */
export async function retireHead(dataDir: string, month: string): Promise<void> {
  const path = headFile(dataDir, month)
  await rename(path, `${path}-until-${Date.now()}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/**
 * Returns whether the rows of a month in the database contain the row of this head, with its hash; false if they are only in a
 * file. A head of position 0 must have the hash that the month begins with.
 */
export async function chainContains(pool: pg.Pool, { month, position, hash }: Head): Promise<boolean> {
  if (position === '0') return hash === beginningOf(month).toString('hex')
  const { rows } = await pool.query<{ is: boolean }>({
    name: 'access-log-goes-on',
    text: `select encode(hash, 'hex') = $3 as is from access_log where month = $1 and position = $2`,
    values: [month, position, hash],
  })
  return rows[0]?.is === true
}
