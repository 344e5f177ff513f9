/**
 * Claim: no input takes the event loop for more than 50 ms of CPU at once, and what takes long grows no faster than its
 * length: every text and every list of every call, and what stands around them, at the size limit of its call, with what
 * regular expressions, Unicode and JSON are slow about.
 *
 * CPU of this thread between two turns of the loop is counted, not time: others use this machine too. The best of three
 * counts, because memory is tidied up now and then.
 *
 * Run: npm run bench -- inputs (--only=PATH,…, or parts of them). Ends with exit code 1 if something takes longer.
 */
import { parseArgs } from 'node:util'
import { type Endpoint, maxBytesOf } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { MEMO_FORMAT } from '../../contract/notices.ts'
import { toWire } from '../../contract/wire.ts'
import { createPasswords } from '../../server/services/password.ts'
import { PASSWORD, populate } from '../test-kit/people.ts'
import { SAMPLE, sampleOf } from '../test-kit/samples.ts'
import { bodyOf } from '../test-kit/seal.ts'
import { createDemoApp } from './demo-app.ts'
import { type Slow, slowBodies, slowEnvelopes, slowInputs } from './inputs/slow.ts'
import { startOwnDatabase } from './own-database.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const parts = asked.only.split(',')
const MOST_MS = 50
/** Twice the length may take so many times as long, of what takes long enough to be measured. */
const GROWTH = 3
const MEASURABLE_MS = 20

const own = await startOwnDatabase()
const { app, database, session } = await createDemoApp(own.connection)
const people = populate(database, await createPasswords().hash(PASSWORD))
let findings = 0
let tried = 0

try {
  await people.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
  await people.createPartner({ code: SAMPLE.partner })
  const { token } = await people.createService()
  // What is behind an administrator's own password is looked at too.
  await database.pool.query(
    `update users set password_hash = (select password_hash from users where login_id = $1) where login_id = 'admin'`,
    [SAMPLE.userId],
  )
  const headers = {
    'content-type': 'application/json',
    [SESSION_HEADER]: session,
    authorization: `Bearer ${token}`,
  }
  say('| call | most, ms at once | in all | with |\n|---|---|---|---|')
  for (const entry of endpoints) {
    const { endpoint } = entry
    if (endpoint.body === 'multipart' || !parts.some((part) => endpoint.path.includes(part))) continue
    const sample = sampleOf(entry)
    // As which it is read, not only kept.
    if ('memoFormat' in sample) sample['memoFormat'] = MEMO_FORMAT.markdown
    await search(endpoint, toWire(endpoint, sample), headers)
  }
  say(`${tried} inputs, ${findings === 0 ? 'no finding' : `${findings} findings`}`)
} finally {
  await app.close()
  await database.close()
  await own.stop()
}
if (findings > 0) process.exitCode = 1

async function search(endpoint: Endpoint, sample: unknown, headers: Record<string, string>): Promise<void> {
  const most = maxBytesOf(endpoint)
  const send = (payload: string) => cpuOf(API_BASE + endpoint.path, payload, headers)
  let worst = { atOnce: 0, inAll: 0, label: '' }
  const look = async (all: Iterable<Slow>, seal: (text: string) => string) => {
    for (const { label, of } of all) {
      const payload = seal(of(1))
      if (payload.length > most) throw new Error(`${label} of ${endpoint.path} is too large`)
      tried += 1
      let took = await send(payload)
      for (let again = 0; again < 2 && took.atOnce > MOST_MS; again += 1) {
        const once = await send(payload)
        if (once.atOnce < took.atOnce) took = once
      }
      if (took.atOnce > worst.atOnce) worst = { ...took, label }
      if (took.atOnce > MOST_MS) found(`${endpoint.path}: ${took.atOnce.toFixed(0)} ms at once with ${label}`)
      if (took.inAll < MEASURABLE_MS) continue
      const least = async (text: string) =>
        Math.min(...[await send(text), await send(text), await send(text)].map(({ inAll }) => inAll))
      const half = await least(seal(of(0.5)))
      const growth = Math.min(took.inAll, await least(payload)) / half
      if (half > MEASURABLE_MS / 4 && growth > GROWTH)
        found(`${endpoint.path}: ${growth.toFixed(1)} times as long for twice ${label}`)
    }
  }
  // What is sealed becomes a third longer.
  await look(slowInputs(sample, Math.floor((most - 100) * 0.74)), bodyOf)
  await look(slowBodies(Math.floor((most - 100) * 0.74)), bodyOf)
  await look(slowEnvelopes(most), (text) => text)
  const { atOnce, inAll, label } = worst
  say(`| ${endpoint.path} | ${atOnce.toFixed(1)} | ${inAll.toFixed(1)} | ${label} |`)
}

/** The thread's CPU, in ms, for a call: the most between two turns of the loop, and in all. */
async function cpuOf(url: string, payload: string, headers: Record<string, string>) {
  let [atOnce, inAll, isOver] = [0, 0, false]
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    const ms = (user + system) / 1000
    atOnce = Math.max(atOnce, ms)
    // A turn in which nothing was done is the measurement's.
    if (ms > 0.2) inAll += ms
    if (!isOver) setImmediate(look)
  }
  const answer = app.inject({ method: 'POST', url, payload, headers })
  setImmediate(look)
  await answer
  isOver = true
  await new Promise((resolve) => setImmediate(resolve))
  return { atOnce, inAll }
}

function found(what: string): void {
  findings += 1
  say(`FOUND ${what}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
