/**
 * Claim: connections that send the body of an import slowly, whoever sends it, hold no more memory than is let in
 * (rules/running#in-flight).
 *
 * Run: npm run bench -- sockets
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { checkImport, IMPORT_MAX_BYTES } from '../../contract/users/import.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { startOwnDatabase } from './own-database.ts'
import { signIn } from './sign-in.ts'
import { startAsPeopleDo } from './started-maru.ts'

const SOCKETS = [300, 600]
const HOLD_MS = 15_000
const SENT = Buffer.alloc(IMPORT_MAX_BYTES - 1024, 'A')

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const env = { DATABASE_URL: urlOf(own.connection), DATA_DIR: dataDir }
const maru = await startAsPeopleDo(env, 'demo')

try {
  const [one = ''] = await signIn(own.connection, 1)
  for (const count of SOCKETS) {
    await drip(`${count} sockets of nobody`, count, 'made-up')
    await drip(`${count} sockets of one person`, count, one)
  }
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

function resident(): number {
  return Math.round(maru.resident().reduce((sum, mb) => sum + mb, 0))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
