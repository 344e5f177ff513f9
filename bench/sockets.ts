/**
 * Claim: connections that send the body of an import slowly, whoever sends it, hold no more memory than is let in
 * (rules/running#in-flight). Beside it: what somebody else waits while one person asks on 200 connections.
 *
 * Run: npm run bench -- sockets
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { listNotices } from '../contract/notices.ts'
import { checkImport, IMPORT_MAX_BYTES } from '../contract/users/import.ts'
import { urlOf } from '../server/db/embedded.ts'
import { openDatabase } from '../server/db/open.ts'
import { startSession } from '../server/http/sessions.ts'
import { startOwnDatabase } from './own-database.ts'
import { caller, startAsPeopleDo } from './started-maru.ts'

const SOCKETS = [300, 600]
const HOLD_MS = 15_000
const SENT = Buffer.alloc(IMPORT_MAX_BYTES - 1024, 'A')
const FLOOD_MS = 10_000

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const env = { DATABASE_URL: urlOf(own.connection), DATA_DIR: dataDir }
const maru = await startAsPeopleDo(env, 'demo')

try {
  const sessions = await signIn(2)
  const [one = '', other = ''] = sessions
  for (const count of SOCKETS) {
    await drip(`${count} sockets of nobody`, count, 'made-up')
    await drip(`${count} sockets of one person`, count, one)
  }
  await flood(one, other)
} finally {
  await maru.stop()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Opens so many sockets that each send nearly all of a body and then nothing, and looks at the memory. */
async function drip(what: string, count: number, session: string): Promise<void> {
  const before = resident()
  const head = [
    `POST ${API_BASE}${checkImport.path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `${SESSION_HEADER}: ${session}`,
    `Content-Length: ${IMPORT_MAX_BYTES}`,
  ].join('\r\n')
  const answers = new Map<string, number>()
  const heard = (status: string) => answers.set(status, (answers.get(status) ?? 0) + 1)
  const sockets = Array.from({ length: count }, () => send(`${head}\r\n\r\n`, heard))
  let most = before
  for (const end = performance.now() + HOLD_MS; performance.now() < end;) {
    most = Math.max(most, resident())
    await sleep(100)
  }
  for (const socket of sockets) socket.destroy()
  await sleep(10_000)
  const said = [...answers].map(([status, n]) => `${n} × ${status}`).join(', ')
  say(`${what}: ${before} MB before, at most ${most} MB, ${resident()} MB after; answered ${said}`)
}

function send(head: string, heard: (status: string) => void): Socket {
  const socket = connect({ port: maru.port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.once('data', (chunk: Buffer) => heard(chunk.toString('latin1').slice(9, 12)))
  socket.resume()
  socket.write(head)
  socket.write(SENT)
  return socket
}

/** What somebody else waits for a list, alone and while one person asks on 200 connections as often as they are answered. */
async function flood(flooder: string, other: string): Promise<void> {
  const [many, few] = [caller(maru.port, 200), caller(maru.port, 1)]
  const over = new AbortController()
  const statuses = new Map<number | undefined, number>()
  const ask = async () => {
    while (!over.signal.aborted) {
      const status = await many.call(listNotices, {}, { [SESSION_HEADER]: flooder })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await times(few, other)
  const alone = await times(few, other)
  const flooding = Promise.all(Array.from({ length: 200 }, ask))
  await sleep(500)
  const beside = await times(few, other)
  over.abort()
  await flooding
  many.close()
  few.close()
  const said = [...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')
  say(`a list alone: ${alone}; beside 200 connections of one person (${said}): ${beside}`)
}

async function times(from: ReturnType<typeof caller>, session: string): Promise<string> {
  const taken: number[] = []
  for (const end = performance.now() + FLOOD_MS / 2; performance.now() < end;) {
    const begin = performance.now()
    await from.call(listNotices, {}, { [SESSION_HEADER]: session })
    taken.push(performance.now() - begin)
    await sleep(50)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** Sessions of as many people who may do everything. */
async function signIn(count: number): Promise<string[]> {
  const database = await openDatabase({ ...own.connection, max: 1 }, () => {})
  const { rows } = await database.pool.query<{ id: string }>(
    `update users set role_code = 'AUT001' where id in (
       select u.id from users u where login_refusal(u) is null order by id limit $1) returning id`,
    [count],
  )
  const tokens = []
  for (const { id: userId } of rows) {
    const session = { userId, address: '127.0.0.1', userAgent: 'bench' }
    tokens.push(await database.db.transaction().execute((tx) => startSession(tx, session)))
  }
  await database.close()
  return tokens
}

function resident(): number {
  return Math.round(maru.resident().reduce((sum, mb) => sum + mb, 0))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
