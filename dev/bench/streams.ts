/**
 * Claim: a thousand people with a page open cost little: memory for each stream, CPU at rest, and the time from an event to its
 * arrival, of one person each and of all at once (rules/notifications#live).
 *
 * Run: npm run bench -- streams (--people=1000 --events=60)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { countUnreadNotifications } from '../../contract/notifications.ts'
import { NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import { startSession } from '../../server/http/sessions.ts'
import { notify } from '../../server/services/notifications.ts'
import { startOwnDatabase } from './own-database.ts'
import { caller, startAsPeopleDo, type StartedMaru } from './started-maru.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { people: { type: 'string', default: '1000' }, events: { type: 'string', default: '60' } },
})
const PEOPLE = Number(asked.people)
const EVENTS = Number(asked.events)
const REST_MS = 30_000
/** Longer than an event takes to everybody. */
const ARRIVAL_MS = 15_000

/** Somebody's stream, and when it said last that there is something new. */
interface Stream {
  personId: string
  session: string
  request: ClientRequest
  heardAt: number
}

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const env = { DATABASE_URL: urlOf(own.connection), DATA_DIR: dataDir, CALL_LIMIT_PERCENT: '100' }
const maru = await startAsPeopleDo(env, 'demo')
const database = await openDatabase({ ...own.connection, max: 2 }, () => {})
try {
  await measure(maru)
} finally {
  await database.close()
  await maru.stop()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(started: StartedMaru): Promise<void> {
  const { port } = started
  const cpuMs = () => started.cpuMs()
  const people = await signInAll()
  const browsers = caller(port, 50)
  const ask = ({ session }: { session: string }) =>
    browsers.call(countUnreadNotifications, {}, { [SESSION_HEADER]: session })
  // What every page asks anyway is no part of a stream: connections to the database, compiled code.
  for (let first = 0; first < people.length; first += 50)
    await Promise.all(people.slice(first, first + 50).map(ask))
  const alone: number[] = []
  for (const person of people.slice(0, 50)) {
    const begin = performance.now()
    await ask(person)
    alone.push(performance.now() - begin)
  }
  await sleep(5_000)

  const restBefore = await cpuAtRest(cpuMs)
  const before = resident()
  const streams = await openAll(port, people)
  await sleep(5_000)
  const after = resident()
  const restAfter = await cpuAtRest(cpuMs)
  say(`${streams.length} streams; memory ${before} MB before, ${after} MB with them: `)
  say(`  ${(((after - before) * 1024) / streams.length).toFixed(1)} KB each`)
  say(`CPU at rest: ${restBefore.toFixed(1)} % without a stream, ${restAfter.toFixed(1)} % with them`)

  say(`the number of one person, alone: p50 ${at(alone, 0.5)}`)
  say(`an event of one person, ${EVENTS} times: ${await toOne(streams)}`)
  say(`a must-read notice, to all: ${await toAll(streams, cpuMs)}`)
  say(`the same, and each asks for the number: ${await toAll(streams, cpuMs, ask)}`)
  for (const stream of streams) stream.request.destroy()
  browsers.close()
}

/** A session each of so many people, made beside those of the demo where these are too few. */
async function signInAll(): Promise<{ personId: string; session: string }[]> {
  await database.pool.query(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
       approval_code, valid_from, valid_to, partner_id)
     select 'stream.' || i, '-', '김연결', '대리', '01000000000', 'stream.' || i || '@example.com', 'BEL001', 'AUT003',
       'MEMAP001', current_date - 1, current_date + 365, null from generate_series(1, $1::int) i`,
    [PEOPLE],
  )
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from users where login_id like 'stream.%'`,
  )
  return database.db.transaction().execute(async (tx) => {
    const people = []
    for (const { id: personId } of rows) {
      const session = await startSession(tx, { userId: personId, address: '127.0.0.1', userAgent: 'bench' })
      people.push({ personId, session })
    }
    return people
  })
}

/** Opens a stream for each, a hundred at a time, and waits until all have answered. */
async function openAll(
  port: number,
  people: readonly { personId: string; session: string }[],
): Promise<Stream[]> {
  const streams: Stream[] = []
  for (let first = 0; first < people.length; first += 100) {
    streams.push(...(await Promise.all(people.slice(first, first + 100).map((one) => open(port, one)))))
  }
  return streams
}

function open(port: number, person: { personId: string; session: string }): Promise<Stream> {
  const { promise, resolve, reject } = Promise.withResolvers<Stream>()
  const sent = request({
    host: '127.0.0.1',
    port,
    path: API_BASE + NOTIFICATION_STREAM_PATH,
    headers: { [SESSION_HEADER]: person.session },
    agent: false,
  })
  const stream: Stream = { ...person, request: sent, heardAt: 0 }
  sent.on('error', reject)
  sent.on('response', (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`a stream was answered ${answer.statusCode}`))
    answer.on('error', () => {})
    answer.on('data', (chunk: Buffer) => {
      if (chunk.includes('data: new')) stream.heardAt = performance.now()
      resolve(stream)
    })
  })
  sent.end()
  return promise
}

/** Tells one person after the other something, at any moment of the second in which servers look. */
async function toOne(streams: readonly Stream[]): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < EVENTS; i += 1) {
    const stream = streams[(i * 7) % streams.length]
    if (stream === undefined) break
    await sleep(chance() * 1_000)
    const begin = performance.now()
    await notify(database.db, {
      kind: 'KEY_REVOKED',
      userId: stream.personId,
      detail: { requestKey: String(i) },
    })
    while (stream.heardAt < begin && performance.now() - begin < ARRIVAL_MS) await sleep(1)
    times.push(stream.heardAt - begin)
  }
  return said(times, EVENTS)
}

/** Publishes a must-read notice, and has each ask at once when they hear of it, as a page does. */
async function toAll(
  streams: readonly Stream[],
  cpuMs: () => number,
  ask?: (stream: Stream) => Promise<number | undefined>,
): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from users where login_id not like 'stream.%' order by id limit 1`,
  )
  const cpu = cpuMs()
  const begin = performance.now()
  await database.pool.query(
    `insert into notices (bullet_code, title, author_id, must_read, published_at) values ('BE0001', '필독', $1, true, now())`,
    [rows[0]?.id],
  )
  const answers: Promise<unknown>[] = []
  const waits: number[] = []
  const waiting = new Set(streams)
  while (waiting.size > 0 && performance.now() - begin < ARRIVAL_MS) {
    for (const stream of waiting) {
      if (stream.heardAt < begin) continue
      waiting.delete(stream)
      if (ask === undefined) continue
      const askedAt = performance.now()
      answers.push(ask(stream).then(() => waits.push(performance.now() - askedAt)))
    }
    await sleep(1)
  }
  await Promise.all(answers)
  const times = streams.flatMap(({ heardAt }) => (heardAt < begin ? [] : [heardAt - begin]))
  const asking = ask === undefined ? '' : `; an answer takes p50 ${at(waits, 0.5)}, p99 ${at(waits, 0.99)}`
  return `${said(times, streams.length)}${asking}; CPU of the server ${cpuMs() - cpu} ms`
}

function said(times: number[], count: number): string {
  return `${times.length} of ${count} arrived, p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)}, at most ${at(times, 1)}`
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)} ms`
}

async function cpuAtRest(cpuMs: () => number): Promise<number> {
  const before = cpuMs()
  await sleep(REST_MS)
  return ((cpuMs() - before) / REST_MS) * 100
}

function resident(): number {
  return Math.round(maru.resident().reduce((sum, mb) => sum + mb, 0))
}

/** From 0 to 1. */
function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
