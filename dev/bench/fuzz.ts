/**
 * Claim: whatever is sent to a Maru, by nobody, an ordinary user, HR or an administrator, it does not crash, answers no 5xx (503 under
 * load apart) and none after more than two seconds, answers as the contract says, and its memory stays flat.
 *
 * Run: npm run bench -- fuzz (--requests=100000 --seed=1 --first=0 --as=nobody,user,hr,admin --at-once=16)
 * A finding is told with its seed and number: --seed=… --first=NUMBER --requests=1 sends it again. Ends with exit code 1 if there is one.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { ERRORS } from '../../contract/errors.ts'
import { endpoints } from '../../contract/index.ts'
import { fromWire } from '../../contract/wire.ts'
import { openDatabase } from '../../server/db/open.ts'
import { bodyOf, unsealed } from '../test-kit/seal.ts'
import { createCallers, ownDatabaseIn } from './fuzz/people.ts'
import { type Drawn } from './fuzz/drawn.ts'
import { CALLERS, type CallerName, requestOf } from './fuzz/requests.ts'
import { createSender, type Heard, type Ready } from './fuzz/send.ts'
import { createHeld } from './fuzz/values.ts'
import { startAsPeopleDo } from './started-maru.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    as: { type: 'string', default: CALLERS.join() },
    'at-once': { type: 'string', default: '16' },
  },
})
const [requests, seed, first] = [asked.requests, asked.seed, asked.first].map(Number) as [
  number,
  number,
  number,
]
const atOnce = Number(asked['at-once'])
const callers = asked.as.split(',')
const SLOW_MS = 2_000
/** So often memory is looked at, and what roles may do is put back. */
const LOOKS = 50
const MEMORY_MAY_GROW = 1.25
const REST_MS = 10_000

const calls = new Map<string, Endpoint>(endpoints.map(({ endpoint }) => [endpoint.path, endpoint]))
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
// Each request comes from an address of its own, so that limits do not hide what is behind them.
// Where there is much memory V8 leaves garbage for long, which looks as if memory grew; with less room only what is held does.
const NODE_OPTIONS = '--max-old-space-size=128'
const env = { DATABASE_URL: '', DATA_DIR: dataDir, TRUST_PROXY: 'loopback', NODE_OPTIONS }
const maru = await startAsPeopleDo(env, 'demo')
const gone = once(maru.child, 'exit').then(() => (isOver ? undefined : found('the server has ended', -1)))
const database = await openDatabase({ ...ownDatabaseIn(dataDir), max: 2 }, () => {})
const people = await createCallers(database)
const sender = createSender(maru.port, atOnce)
const held = createHeld(new Set([...calls.values()].flatMap(fieldNames)))

let isOver = false
let overload = 0
const findings: string[] = []
const answers = new Map<string, Map<string, number>>()
let slowest: { ms: number; about: string }[] = []
const memory: number[] = []

try {
  await learn()
  const begin = performance.now()
  let next = first
  let looked = 0
  const work = async () => {
    while (next < first + requests && maru.child.exitCode === null) {
      const number = next++
      const { caller, drawn } = requestOf(seed, number)
      if (callers.includes(caller)) await one(number, caller, drawn)
      if (((number - first) * LOOKS) / requests < looked) continue
      looked += 1
      memory.push(resident())
      if (looked % 5 === 1) process.stdout.write(`${number} requests: ${await heap()}\n`)
      await people.mend()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - begin) / 1000
  await sleep(REST_MS)
  report(seconds)
} finally {
  isOver = true
  sender.close()
  await database.close()
  await maru.stop()
  await gone
  rmSync(dataDir, { recursive: true, force: true })
}
if (findings.length > 0) process.exitCode = 1

/** Sends a request and looks at what comes. */
async function one(number: number, caller: CallerName, drawn: Drawn): Promise<void> {
  const session = people.sessionOf(caller)
  const ready = readyOf(drawn, session, number)
  const about = `${caller}: ${ready.method} ${ready.path}`
  const heard = await sender.send(ready)
  const kinds = answers.get(drawn.kind) ?? new Map<string, number>()
  answers.set(drawn.kind, kinds)
  const said = heard.status === undefined ? 'none' : `${String(heard.status)[0]}xx`
  kinds.set(said, (kinds.get(said) ?? 0) + 1)

  const isOverload = heard.status === 503 && heard.headers['retry-after'] !== undefined
  if (isOverload) overload += 1
  const wrong = isOverload ? undefined : wrongWith(drawn, ready, heard)
  if (wrong !== undefined) found(`${wrong} to ${about}\n  ${JSON.stringify(drawn).slice(0, 600)}`, number)
  if (drawn.pace === 'at once' && !drawn.isRaw) await time(number, about, ready, heard)

  const code = /"code":"(\w+)"/.exec(heard.text.slice(0, 300))?.[1]
  const isOut = code === 'SESSION_REQUIRED' || code === 'PASSWORD_CHANGE_REQUIRED'
  if (isOut && session !== undefined && people.sessionOf(caller) === session) await people.renew(caller)
  if (heard.status === 200 && drawn.sealedFor !== undefined) keep(drawn.sealedFor, heard.text)
}

/** Slow is what is slow again when nothing else is asked: others use this machine too. */
async function time(number: number, about: string, ready: Ready, heard: Heard): Promise<void> {
  slowest = [...slowest, { ms: heard.ms, about: `${about} (${heard.status}, number ${number})` }]
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 5)
  if (heard.ms <= SLOW_MS) return
  const again = [await sender.send(ready), await sender.send(ready)].map(({ ms }) => ms)
  if (Math.min(...again) > SLOW_MS)
    found(`${[heard.ms, ...again].map((ms) => ms.toFixed(0)).join(', ')} ms to ${about}`, number)
}

function readyOf(drawn: Drawn, session: string | undefined, number: number): Ready {
  const { method, path, headers, isRaw = false, pace } = drawn
  const endpoint = calls.get(drawn.sealedFor ?? '')
  const text = isRaw
    ? drawn.body
    : held
        .fill(drawn.body)
        .replaceAll(/@@(\w+)@(\d+)/g, (_, name: string, at: string) => held.one(name, Number(at)))
  return {
    method,
    path: path.replaceAll(/@@(\w+)@(\d+)/g, (_, name: string, at: string) => held.one(name, Number(at))),
    headers: {
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(session !== undefined && { [SESSION_HEADER]: session }),
      ...(endpoint?.access === 'service' && { authorization: `Bearer ${people.serviceToken}` }),
      ...headers,
    },
    body: Buffer.from(drawn.sealedFor === undefined ? text : broken(bodyOf(text), drawn.broken)),
    isRaw,
    pace,
  }
}

function broken(body: string, how: Drawn['broken']): string {
  if (how === undefined) return body
  const at = Math.floor((body.length * how.at) / 100)
  if (how.how === 'cut') return body.slice(0, at)
  if (how.how === 'doubled') return body.slice(0, at) + body
  return `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`
}

/** What is not as the contract says; undefined if all is well. */
function wrongWith(drawn: Drawn, { path, method }: Ready, { status, text }: Heard): string | undefined {
  if (status === undefined) return drawn.isRaw || drawn.pace !== 'at once' ? undefined : `no answer (${text})`
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  if (!path.startsWith(`${API_BASE}/`) || drawn.isRaw || drawn.pace !== 'at once' || method === 'HEAD') return
  // What Node answers by itself.
  if (status === 417 && 'expect' in drawn.headers) return
  if (status >= 400) {
    const { code = '', msg = '' } = parsed(text) as { code?: string; msg?: string }
    return ERRORS[code as keyof typeof ERRORS] === status && msg !== ''
      ? undefined
      : `${status} ${text.slice(0, 300)}`
  }
  if (drawn.sealedFor === undefined || calls.get(drawn.sealedFor)?.answer === 'file') return
  try {
    if (!text.startsWith('{"DATA"')) return
    unsealed(calls.get(drawn.sealedFor)!, text)
  } catch {
    return `${status} with what does not open`
  }
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}

function keep(path: string, text: string): void {
  if (text.startsWith('{"DATA"')) held.learn(unsealed(calls.get(path)!, text))
}

/** What lists answer an administrator, so that the first requests are about records too. */
async function learn(): Promise<void> {
  held.keep('partnerCode', 'SAMPLE-1')
  for (const endpoint of calls.values()) {
    const { path, input } = endpoint
    if (!path.includes('/get/') && !/\/(users|codes|powerCodes|noticeList)$/.test(path)) continue
    const { success, data } = input.safeParse(fromWire(endpoint, {}))
    if (!success) continue
    const drawn: Drawn = {
      kind: 'call',
      method: 'POST',
      path: API_BASE + path,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      sealedFor: path,
      pace: 'at once',
    }
    const heard = await sender.send(readyOf(drawn, people.sessionOf('admin'), 0))
    if (heard.status === 200 && data !== undefined) keep(path, heard.text)
  }
}

function fieldNames({ input }: Endpoint): string[] {
  return Object.keys((input as unknown as { shape?: object }).shape ?? {})
}

function found(what: string, number: number): void {
  const line = `seed ${seed}, number ${number}: ${what}`
  findings.push(line)
  if (findings.length <= 50) process.stdout.write(`${line}\n`)
}

function report(seconds: number): void {
  const columns = ['2xx', '3xx', '4xx', '5xx', 'none']
  say(`\n| request | sent | ${columns.join(' | ')} |\n|---|---|${columns.map(() => '---|').join('')}`)
  for (const [kind, counts] of [...answers].toSorted(([a], [b]) => a.localeCompare(b))) {
    const sum = [...counts.values()].reduce((all, each) => all + each, 0)
    say(`| ${kind} | ${sum} | ${columns.map((column) => counts.get(column) ?? 0).join(' | ')} |`)
  }
  say(`\n${(requests / seconds).toFixed(0)} a second, ${overload} × 503 with Retry-After; the slowest:`)
  for (const { ms, about } of slowest) say(`- ${ms.toFixed(0)} ms, ${about.slice(0, 160)}`)
  const part = (from: number, to: number) => median(memory.slice(memory.length * from, memory.length * to))
  const [early, late, end] = [part(0.2, 0.4), part(0.8, 1), resident()]
  const numbers = [memory[0] ?? 0, early, late, Math.max(...memory), end].map((mb) => mb.toFixed(0))
  say(
    `memory: ${numbers[0]} MB at the start, ${numbers[1]} MB in the second fifth, ${numbers[2]} MB in the last, ${numbers[3]} MB at most, ${numbers[4]} MB after ${REST_MS / 1000} s of rest`,
  )
  if (requests >= 20_000 && Math.min(late, end) > early * MEMORY_MAY_GROW) found('memory grows', -1)
  say(findings.length === 0 ? 'no finding' : `${findings.length} findings`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

/** Resident memory and what of it is V8's and its buffers'. */
async function heap(): Promise<string> {
  const text = await (await fetch(`http://127.0.0.1:${maru.port}/metrics`)).text()
  const mb = (name: string) =>
    (Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 1024 ** 2).toFixed(0)
  return `${resident().toFixed(0)} MB, heap ${mb('nodejs_heap_size_used_bytes')} of ${mb('nodejs_heap_size_total_bytes')} MB, buffers ${mb('nodejs_external_memory_bytes')} MB`
}

function resident(): number {
  return maru.resident().reduce((sum, mb) => sum + mb, 0)
}
