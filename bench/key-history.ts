/**
 * Claim: with 10,000,000 keys the history answers any filter on its first, middle and last page within 3 times what the
 * same takes with 10,000 keys, and the charts within a second. Through the whole stack: session, envelope, database.
 * 300 partners, 3,000 users, three years; both databases hold the same partners, users and days.
 *
 * Run: npm run bench -- key-history (takes several minutes to write the keys; KEYS=1000000 measures with fewer)
 */
import type { FastifyInstance } from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { getKeyStatistics, listKeys } from '../contract/keys.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { createServices } from '../server/create-services.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { createEnvelope } from '../server/http/envelope.ts'
import { fillKeys } from './keys/fill.ts'

const FEW = 10_000
const MANY = Number(process.env['KEYS'] ?? 10_000_000)
const TRIES = 15
const ALLOWED = 3
const CHARTS_MS = 1000

const FILTERS: Record<string, object> = {
  'no filter': {},
  affiliation: { BELONGTO_CODE: 'BEL003' },
  province: { SIDO_NAME: '경기도' },
  district: { SIDO_NAME: '서울특별시', SIGUNGU_NAME: '종로구' },
  'a month': { ISSUANCE_DATETIME_START: '2025-05-01', ISSUANCE_DATETIME_END: '2025-05-31' },
  'odd dates': { ISSUANCE_DATETIME_START: '2024-02-11', ISSUANCE_DATETIME_END: '2026-03-17' },
  'since a day': { ISSUANCE_DATETIME_START: '2024-07-03' },
  'a common name': { USER_NAME: '김' },
  'a part of a name': { USER_NAME: '하늘' },
  'a rare name': { USER_NAME: '김하늘 17' },
  'all at once': {
    USER_NAME: '김',
    BELONGTO_CODE: 'BEL003',
    SIDO_NAME: '경기도',
    ISSUANCE_DATETIME_START: '2024-02-11',
    ISSUANCE_DATETIME_END: '2026-03-17',
  },
}

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { max_wal_size: '4GB' } })
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
const envelope = createEnvelope(config.envelope)
const closers: (() => Promise<unknown>)[] = []

interface Target {
  app: FastifyInstance
  session: string
}

try {
  const few = await open('few', FEW)
  const begin = performance.now()
  const many = await open('many', MANY)
  process.stdout.write(
    `${MANY.toLocaleString('en')} keys against ${FEW.toLocaleString('en')}, written in ${((performance.now() - begin) / 1000).toFixed(0)} s\n` +
      `milliseconds of a call, median of ${TRIES}; allowed: ${ALLOWED} times\n`,
  )
  let worst = 0
  for (const [name, filter] of Object.entries(FILTERS)) {
    const totals = [await totalOf(few, filter), await totalOf(many, filter)]
    for (const place of ['first', 'middle', 'last'] as const) {
      const [a, b] = [
        await median(few, listKeys, { ...filter, PAGE: pageOf(totals[0] ?? 0, place) }),
        await median(many, listKeys, { ...filter, PAGE: pageOf(totals[1] ?? 0, place) }),
      ]
      worst = Math.max(worst, b / a)
      process.stdout.write(
        `${name}, ${place} page of ${totals[1]?.toLocaleString('en')} rows: ${a.toFixed(1)} → ${b.toFixed(1)}, ${(b / a).toFixed(2)} times${b / a > ALLOWED ? ' TOO SLOW' : ''}\n`,
      )
    }
  }
  process.stdout.write(`list: worst ${worst.toFixed(2)} times (claimed: at most ${ALLOWED})\n`)
  let slowest = 0
  for (const [name, filter] of Object.entries(FILTERS)) {
    const ms = await median(many, getKeyStatistics, filter, 5)
    slowest = Math.max(slowest, ms)
    process.stdout.write(`charts, ${name}: ${ms.toFixed(0)} ms\n`)
  }
  process.stdout.write(`charts: slowest ${slowest.toFixed(0)} ms (claimed: at most ${CHARTS_MS})\n`)
  if (worst > ALLOWED || slowest > CHARTS_MS) process.exitCode = 1
} finally {
  for (const close of closers.toReversed()) await close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function open(name: string, keys: number): Promise<Target> {
  const { database, session } = await fillKeys(embedded.connection, name, keys)
  const logger = pino({ level: 'error' })
  const services = await createServices(
    { config, database, logger, say: () => {} },
    { mail: { wake: () => {}, isAway: () => false, stop: () => Promise.resolve() } },
  )
  const app = await createApp({ database, services, logger })
  closers.push(async () => {
    await app.close()
    await database.close()
  })
  return { app, session }
}

function pageOf(total: number, place: 'first' | 'middle' | 'last'): number {
  const pages = Math.max(Math.ceil(total / 4), 1)
  return { first: 1, middle: Math.ceil(pages / 2), last: pages }[place]
}

async function ask({ app, session }: Target, endpoint: Endpoint, input: object): Promise<unknown> {
  const answer = await app.inject({
    method: 'POST',
    url: API_BASE + endpoint.path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    payload: JSON.stringify({ DATA: envelope.seal(input) }),
  })
  if (answer.statusCode !== 200)
    throw new Error(`${endpoint.path} answered ${answer.statusCode}: ${answer.body}`)
  return envelope.open(Buffer.from(answer.body))
}

async function totalOf(target: Target, filter: object): Promise<number> {
  const { TOTAL_COUNT } = (await ask(target, listKeys, filter)) as { TOTAL_COUNT: number }
  return TOTAL_COUNT
}

async function median(target: Target, endpoint: Endpoint, input: object, tries = TRIES): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < tries + 2; i += 1) {
    const begin = performance.now()
    await ask(target, endpoint, input)
    if (i >= 2) times.push(performance.now() - begin)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
