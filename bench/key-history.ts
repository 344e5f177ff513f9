/**
 * Claim: with 10,000,000 keys the history answers any filter on its first, middle and last page within 3 times what the
 * same takes with 10,000 keys, and the charts within a second. Through the whole stack: session, envelope, database.
 * 300 partners, 3,000 users, three years; both databases hold the same partners, users and days.
 *
 * Run: npm run bench -- key-history (takes several minutes to write the keys; KEYS=1000000 measures with fewer)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getKeyStatistics, KEYS_PER_PAGE, listKeys } from '../contract/keys.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { fillKeys } from './keys/fill.ts'
import { ask, comparePages, medians, openTarget, type Target } from './two-sizes.ts'

const FEW = 10_000
const MANY = Number(process.env['KEYS'] ?? 10_000_000)
const TRIES = 15
const CHART_TRIES = 5
const ALLOWED = 3
const CHARTS_MS = 1000

const FILTERS: Record<string, object> = {
  'no filter': {},
  affiliation: { affiliationCode: 'BEL003' },
  province: { provinceName: '경기도' },
  district: { provinceName: '서울특별시', districtName: '종로구' },
  'a month': { issuedFrom: '2025-05-01', issuedTo: '2025-05-31' },
  'odd dates': { issuedFrom: '2024-02-11', issuedTo: '2026-03-17' },
  'since a day': { issuedFrom: '2024-07-03' },
  'a common name': { requesterName: '김' },
  'a part of a name': { requesterName: '하늘' },
  'a rare name': { requesterName: '김하늘 15' },
  'all at once': {
    requesterName: '김',
    affiliationCode: 'BEL003',
    provinceName: '경기도',
    issuedFrom: '2024-02-11',
    issuedTo: '2026-03-17',
  },
}

/** Nothing that reads: what a crash would lose may be lost, and nobody else writes. */
const QUICK_TO_FILL = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  autovacuum: 'off',
}

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {}, settings: QUICK_TO_FILL })
const targets: Target[] = []

try {
  const few = await open('few', FEW)
  const begin = performance.now()
  const many = await open('many', MANY)
  process.stdout.write(
    `${MANY.toLocaleString('en')} keys against ${FEW.toLocaleString('en')}, written in ${((performance.now() - begin) / 1000).toFixed(0)} s\n` +
      `median of ${TRIES} calls; allowed: ${ALLOWED} times\n`,
  )
  let slowest = 0
  for (const [name, filter] of Object.entries(FILTERS)) {
    const [ms = Number.NaN] = await medians([() => ask(many, getKeyStatistics, filter)], CHART_TRIES)
    slowest = Math.max(slowest, ms)
    process.stdout.write(`charts, ${name}: ${ms.toFixed(0)} ms\n`)
  }
  process.stdout.write(`charts: slowest ${slowest.toFixed(0)} ms (claimed: at most ${CHARTS_MS})\n`)
  const list = { endpoint: listKeys, perPage: KEYS_PER_PAGE, filters: FILTERS }
  const worst = await comparePages([few, many], list, { tries: TRIES, allowed: ALLOWED })
  process.stdout.write(`list: worst ${worst.toFixed(2)} times (claimed: at most ${ALLOWED})\n`)
  if (worst > ALLOWED || slowest > CHARTS_MS) process.exitCode = 1
} finally {
  for (const { close } of targets) await close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function open(name: string, keys: number): Promise<Target> {
  const { database, userId } = await fillKeys(embedded.connection, name, keys)
  const target = await openTarget(database, userId, dataDir)
  targets.push(target)
  return target
}
