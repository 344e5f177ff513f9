/**
 * Claim: with 100,000 partners the list call takes at most three times what it takes with 10,000, whatever the filter,
 * on the first, the middle and the last page; through the whole stack, as a caller on this machine sees it.
 *
 * Run: npm run bench -- partner-search
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/db/embedded.ts'
import type { Measured } from './partner-search/maru.ts'

const SIZES = [10_000, 100_000] as const

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
let child: ChildProcess | undefined

try {
  const env = { ...process.env, CONNECTION: JSON.stringify(embedded.connection), DATA_DIR: dataDir }
  child = fork(new URL('partner-search/maru.ts', import.meta.url), { env })
  const results: Measured[][] = []
  for (const size of SIZES) {
    child.send(size)
    const [measured] = (await once(child, 'message')) as [Measured[]]
    results.push(measured)
  }
  const [few = [], many = []] = results
  process.stdout.write(`milliseconds per call, median; ${SIZES.join(' and ')} partners\n`)
  let worst = 0
  for (const [index, { filter, page, rows, ms }] of many.entries()) {
    const before = few[index]?.ms ?? Number.NaN
    worst = Math.max(worst, ms / before)
    process.stdout.write(
      `${filter.padEnd(28)} ${page.padEnd(7)} ${before.toFixed(1).padStart(6)} ${ms.toFixed(1).padStart(6)}  × ${(ms / before).toFixed(2)}  (${rows} found)\n`,
    )
  }
  process.stdout.write(`the worst: × ${worst.toFixed(2)} (claimed: at most × 3)\n`)
} finally {
  child?.kill()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
