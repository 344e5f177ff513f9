import type { Storage } from '../storage.ts'
import { checkCopy, writeCopy } from './copies.ts'
import { checkHead, type HeadParts, headsOf, movingHeads, retireHead, writeHead } from './heads.ts'

/** Number of months that covers every log. */
const EVERY = 10_000

/**
 * Signs the heads of all months in the database as they are, because the operator vouches for the rows. Renames existing heads,
 * and replaces their copies (rules/running#accept-log). Leaves months that were moved to files.
 * @param copies the second place, if there is one
 * @returns the problems of the months before, as lines for the operator
 */
export async function acceptHeads(parts: HeadParts, copies?: Storage): Promise<string[]> {
  const problems: string[] = []
  const acceptedAt = new Date().toISOString()
  const moving = await movingHeads(parts.pool)
  const others = (await headsOf(parts.pool, EVERY)).filter(
    (head) => !moving.some(({ month }) => month === head.month),
  )
  for (const head of [...moving, ...others]) {
    const { problem } = await checkHead(parts, head)
    if (head.isArchived) {
      if (problem !== '') problems.push(problem)
      continue
    }
    const { problem: copied } = copies ? await checkCopy(parts, copies, head) : { problem: '' }
    problems.push(...[problem, copied].filter((one) => one !== ''))
    await retireHead(parts.dataDir, head.month)
    const { month, position, hash, micros } = head
    const end = { month, position, hash, ...(micros && { at: micros }) }
    const signed = await writeHead(parts, { ...end, signedAt: acceptedAt, acceptedAt })
    if (copies) await writeCopy(copies, signed)
  }
  return problems
}

/**
 * Compares the months whose heads may still change with their signed heads, and with the copies. Writes nothing.
 * @returns the problems as lines for the operator; empty if there are none
 */
export async function signatureProblems(parts: HeadParts, copies?: Storage): Promise<string[]> {
  const problems: string[] = []
  for (const head of await movingHeads(parts.pool)) {
    problems.push((await checkHead(parts, head)).problem)
    if (copies && !head.isArchived) problems.push((await checkCopy(parts, copies, head)).problem)
  }
  return problems.filter((problem) => problem !== '')
}
