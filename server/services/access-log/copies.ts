import type { Storage } from '../storage.ts'
import { hasMonthEnded } from './chain.ts'
import {
  chainContains,
  type DatabaseHead,
  type HeadParts,
  isValidHead,
  isSigned,
  type KeptHead,
  parseHead,
  readHead,
  replaceHead,
} from './heads.ts'

/** A month whose head is copied. */
type CopiedHead = Pick<DatabaseHead, 'month' | 'isArchived'> & Partial<DatabaseHead>

/** Returns the name of a month's copy in the second place. */
const nameOf = (month: string) => `access-log-${month.slice(0, 7)}.json`

/**
 * Reads the copy of a month's signed head in ACCESS_LOG_COPY_URL. Does not check the signature.
 * @returns null if there is no copy, undefined if it is damaged
 */
export async function readCopy(copies: Storage, month: string): Promise<KeptHead | null | undefined> {
  const text = await copies.readMark(nameOf(month))
  return text === null ? null : parseHead(text)
}

/** Writes the copy of a signed head, and replaces an earlier one. */
export async function writeCopy(copies: Storage, head: KeptHead): Promise<void> {
  await copies.writeMark(`${JSON.stringify(head)}\n`, nameOf(head.month))
}

/**
 * Compares the rows of a month with the copy of its signed head. Writes nothing.
 * @returns the problem, '' if there is none; the copy and the head in DATA_DIR (`kept`), each null if it is missing or not usable
 */
export async function checkCopy(
  { pool, dataDir, keys }: HeadParts,
  copies: Storage,
  { month, isArchived, isArchivedEarly }: CopiedHead,
): Promise<{ problem: string; copy: KeptHead | null; kept: KeptHead | null }> {
  const [copy, read] = [await readCopy(copies, month), await readHead(dataDir, month)]
  const kept = read && isValidHead(read, month, keys) ? read : null
  const result = (problem: string) => ({ problem, copy: copy ?? null, kept })
  if (copy === null) return result('')
  if (copy === undefined || !isValidHead(copy, month, keys))
    return result(`the copied head of ${month} is damaged, or signed with another key secret`)
  // The operator accepted the rows after the copy was made, and the next copy says so.
  if ((kept?.acceptedAt ?? '') > copy.signedAt) return { problem: '', copy: null, kept }
  const isThere = isArchived && !isArchivedEarly ? kept?.hash === copy.hash : await chainContains(pool, copy)
  return result(isThere ? '' : `the rows of ${month} are not those of the copied head`)
}

/**
 * Copies the signed head of a month to the second place, if the rows continue from the existing copy. Copies it back if DATA_DIR has no
 * head of this month, as on a new machine, or if this server was stopped at the end of the month.
 * @returns the problem; '' if there is none
 */
export async function keepCopy(parts: HeadParts, copies: Storage, head: CopiedHead): Promise<string> {
  const { problem, copy, kept } = await checkCopy(parts, copies, head)
  if (problem !== '') return problem
  if (kept === null) {
    if (copy !== null && (await readHead(parts.dataDir, head.month)) === null)
      await replaceHead(parts.dataDir, copy)
    return ''
  }
  if (!head.isArchived && copy !== null && (await wasStopped(parts, kept, copy))) {
    await replaceHead(parts.dataDir, copy)
    return ''
  }
  const [key] = parts.keys
  const isBehind = copy === null || BigInt(copy.position) < BigInt(kept.position)
  if (isBehind || (key !== undefined && !isSigned(copy, key))) await writeCopy(copies, kept)
  return ''
}

/** Returns whether other servers signed more of an ended month than this one, on the same rows. */
async function wasStopped({ pool }: HeadParts, kept: KeptHead, copy: KeptHead): Promise<boolean> {
  const isBehind = BigInt(kept.position) < BigInt(copy.position)
  return isBehind && hasMonthEnded(kept.month, Date.now()) && (await chainContains(pool, kept))
}
