import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import * as z from 'zod/mini'
import { makeFolder, replaceFile } from '../../durable.ts'

/** Where the chain of a month ends. */
export interface Head {
  /** The first day of the month, 'YYYY-MM-DD'. */
  month: string
  /** How many rows there are. */
  position: string
  /** The hash of the last one, in hexadecimal. */
  hash: string
}

/** The folder of the access log below DATA_DIR: signed heads, and the months that are no longer in the database. */
export const logFolder = (dataDir: string): string => join(dataDir, 'access-log')

/** Of it, the signed heads. */
export const headsFolder = (dataDir: string) => join(logFolder(dataDir), 'heads')

const headFile = (dataDir: string, month: string) => join(headsFolder(dataDir), `${month.slice(0, 7)}.json`)

const keptHead = z.object({
  month: z.iso.date(),
  position: z.string(),
  hash: z.string(),
  signedAt: z.iso.datetime(),
  signature: z.string(),
})

/** A head as it is kept apart from the database. */
export type KeptHead = z.infer<typeof keptHead>

// What a seed of 32 bytes is wrapped in to be an Ed25519 key (RFC 8410).
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key that signs the heads, of a seed that comes from the key secret. */
export function signingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

const signedText = ({ month, position, hash, signedAt }: Omit<KeptHead, 'signature'>) =>
  Buffer.from(JSON.stringify(['maru access log head', month, position, hash, signedAt]))

/** Whether the holder of the key has signed this head. */
export function isSigned(head: KeptHead, key: KeyObject): boolean {
  return verify(null, signedText(head), createPublicKey(key), Buffer.from(head.signature, 'base64'))
}

/** The head of a month that is kept in DATA_DIR; null without one, undefined when it is damaged. */
export async function readHead(dataDir: string, month: string): Promise<KeptHead | null | undefined> {
  try {
    return keptHead.parse(JSON.parse(await readFile(headFile(dataDir, month), 'utf8')))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : undefined
  }
}

/** The months of which a head is kept. */
export async function keptMonths(dataDir: string): Promise<string[]> {
  const files = await readdir(headsFolder(dataDir)).catch(() => [])
  return files.flatMap((file) => (/^\d{4}-\d\d\.json$/.test(file) ? [`${file.slice(0, 7)}-01`] : []))
}

/** Where the chains end, as the database says; the newest first. */
export async function headsOf(pool: pg.Pool, most: number): Promise<(Head & { isArchived: boolean })[]> {
  const { rows } = await pool.query<Head & { isArchived: boolean }>({
    name: 'access-log-heads',
    text: `select month, position, encode(hash, 'hex') as hash, archived_at is not null as "isArchived"
      from access_log_heads order by month desc limit $1`,
    values: [most],
  })
  return rows
}

/**
 * Signs where a chain ends and keeps it in DATA_DIR, if it goes on from what was signed before.
 * @returns what is wrong where it does not: then the head that is kept stays, and the check finds the difference
 */
export async function keepHead(
  pool: pg.Pool,
  dataDir: string,
  key: KeyObject,
  { month, position, hash }: Head,
): Promise<string | null> {
  const kept = await readHead(dataDir, month)
  if (kept?.position === position && kept.hash === hash) return null
  if (kept === undefined) return `the kept head of ${month} is damaged`
  if (kept !== null && !(await isGoneOnFrom(pool, kept)))
    return `the rows of ${month} are not those that were signed`
  await writeHead(dataDir, key, { month, position, hash, signedAt: new Date().toISOString() })
  return null
}

/**
 * Signs anew what a former key secret has signed, and nothing else, so that the former one may be taken away
 * (rules/keys#changed-secret).
 * @param seeds of the current secret, then of the former ones
 */
export async function renewSignatures(dataDir: string, [seed, ...former]: readonly Buffer[]): Promise<void> {
  if (seed === undefined || former.length === 0) return
  const keys = former.map(signingKey)
  for (const month of await keptMonths(dataDir)) {
    const kept = await readHead(dataDir, month)
    if (kept && kept.month === month && keys.some((key) => isSigned(kept, key))) {
      const { signature: _, ...head } = kept
      await writeHead(dataDir, signingKey(seed), head)
    }
  }
}

async function writeHead(dataDir: string, key: KeyObject, head: Omit<KeptHead, 'signature'>): Promise<void> {
  const signature = sign(null, signedText(head), key).toString('base64')
  await makeFolder(headsFolder(dataDir))
  await replaceFile(headFile(dataDir, head.month), `${JSON.stringify({ ...head, signature })}\n`)
}

async function isGoneOnFrom(pool: pg.Pool, { month, position, hash }: Head): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>({
    name: 'access-log-goes-on',
    text: `select encode(hash, 'hex') = $3 as is from access_log where month = $1 and position = $2`,
    values: [month, position, hash],
  })
  return rows[0]?.is === true
}
