/**
 * What a call costs with few rows and with many: the same stack as production builds it, on two databases. The two are
 * asked in turns, because machines are noisy: look at the ratio.
 */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { createServices } from '../server/create-services.ts'
import type { OpenDatabase } from '../server/db/open.ts'
import { startSession } from '../server/http/sessions.ts'
import { sealed, unsealed } from '../server/test-kit/seal.ts'

/** A server without a port, and somebody who is logged in. */
export interface Target {
  app: FastifyInstance
  session: string
  close: () => Promise<void>
}

/** Opens a server on a database that is filled. */
export async function openTarget(database: OpenDatabase, userId: string, dataDir: string): Promise<Target> {
  const logger = pino({ level: 'error' })
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const services = await createServices({ config, database, logger, say: () => {} })
  const app = await createApp({ database, services, logger })
  const session = await database.db
    .transaction()
    .execute((tx) => startSession(tx, { userId, address: '127.0.0.1', userAgent: 'bench' }))
  const close = async () => {
    await app.close()
    await database.close()
  }
  return { app, session, close }
}

/** Calls, and opens the answer. */
export async function ask({ app, session }: Target, endpoint: Endpoint, input: object): Promise<unknown> {
  const answer = await app.inject({
    method: 'POST',
    url: API_BASE + endpoint.path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    payload: sealed(endpoint, input),
  })
  if (answer.statusCode !== 200) throw new Error(`${endpoint.path}: ${answer.statusCode} ${answer.body}`)
  return unsealed(endpoint, answer.body)
}

/** The median milliseconds of calls that are made in turns, after two of each that do not count. */
export async function medians(calls: readonly (() => Promise<unknown>)[], tries: number): Promise<number[]> {
  const times: number[][] = calls.map(() => [])
  for (let i = -2; i < tries; i += 1) {
    for (const [which, call] of calls.entries()) {
      const begin = performance.now()
      await call()
      if (i >= 0) times[which]?.push(performance.now() - begin)
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)] ?? Number.NaN)
}

const PLACES = ['first', 'middle', 'last'] as const

/**
 * Compares a list's first, middle and last page under each filter, says every line, and gives the worst ratio.
 * @param perPage how many rows a page of this list has
 */
export async function comparePages(
  [few, many]: readonly [Target, Target],
  list: { endpoint: Endpoint; perPage: number; filters: Record<string, object> },
  { tries, allowed }: { tries: number; allowed: number },
): Promise<number> {
  let worst = 0
  for (const [name, filter] of Object.entries(list.filters)) {
    const totals = await Promise.all([few, many].map((target) => totalOf(target, list.endpoint, filter)))
    for (const place of PLACES) {
      const calls = [few, many].map((target, which) => {
        const pages = Math.max(Math.ceil((totals[which] ?? 0) / list.perPage), 1)
        const page = { first: 1, middle: Math.ceil(pages / 2), last: pages }[place]
        return () => ask(target, list.endpoint, { ...filter, page })
      })
      const [a = Number.NaN, b = Number.NaN] = await medians(calls, tries)
      worst = Math.max(worst, b / a)
      process.stdout.write(
        `${name}, ${place} page of ${totals[1]?.toLocaleString('en')} rows: ${a.toFixed(1)} → ${b.toFixed(1)} ms, ` +
          `${(b / a).toFixed(2)} times${b / a > allowed ? ' TOO SLOW' : ''}\n`,
      )
    }
  }
  return worst
}

async function totalOf(target: Target, endpoint: Endpoint, filter: object): Promise<number> {
  const { totalCount } = (await ask(target, endpoint, filter)) as { totalCount: number }
  return totalCount
}
