import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maxBytesOf } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { MEMO_FORMAT } from '../contract/notices.ts'
import { useMaru } from './test-kit/maru.ts'
import type { TestService } from './test-kit/people.ts'
import { SAMPLE, sampleOf } from './test-kit/samples.ts'

/*
 * Sends the longest text that a field takes, in shapes that make careless code slow, to every text field of every call
 * (rules/wire#input-text), while a second connection of the listening server asks for /healthz over and over. Calls and
 * fields come from the contract.
 *
 * A request waits if the server's thread computes for another one, so two values have to be high: the time that /healthz
 * took, and the CPU time of this thread meanwhile. The time alone would fail on a busy machine. A slow value is sent again
 * alone, and fails only if each attempt is slow.
 */
const maru = useMaru()

type Entry = (typeof endpoints)[number]
type Json = Record<string, unknown>

const MAX_WAIT_MS = 200
const ATTEMPTS = 2
/** The calls need less than a minute of one core, which a busy machine gives them slowly. */
const PATIENCE_MS = 900_000
/** No field takes more characters than this, and no schema looks at more. */
const MOST_CHARACTERS = 200_000

const filled = (part: string) => (length: number) => part.repeat(Math.floor(length / part.length))
const SHAPES: Record<string, (length: number) => string> = {
  spaces: filled(' '),
  'letters around spaces': (length) => `a${' '.repeat(Math.max(0, length - 2))}b`,
  'letters around tabs': (length) => `a${'\t'.repeat(Math.max(0, length - 2))}b`,
  newlines: (length) => `a${'\n'.repeat(Math.max(0, length - 2))}b`,
  'blank lines': (length) => `a${filled(' \n')(length - 2)}b`,
  dots: filled('.'),
  brackets: filled('['),
  'links that do not end': filled('![](['),
  'combining marks': filled(`a${'\u0301'.repeat(30)}`),
  'an address with dots': (length) => `http://a${'.'.repeat(Math.max(0, length - 9))}x`,
  'commas and quotes': filled(`,"'`),
  backslashes: filled('\\'),
  'zero-width joiners': filled('👩\u200d'),
  emoji: filled('🙂'),
  'full-width digits': filled('０'),
  stars: filled('*a_ '),
  'a wide table': (length) =>
    `|${filled('a|')(length / 50)}\n|${filled('-|')(length / 50)}\n${filled('|a\n')((length * 9) / 10)}`,
  wildcards: filled('%_'),
}

let service: TestService
let session: string
let url: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  await maru.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
  await maru.createPartner({ code: SAMPLE.partner })
  service = await maru.createService()
  await signIn()
  await maru.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(maru.app.server.address() as AddressInfo).port}/healthz`
})

afterAll(() => agent.destroy())

it(
  'delays no other request by the longest text of any field (rules/wire#input-text)',
  async () => {
    const baseline = await usualWait()
    let count = 0
    for (const entry of endpoints) {
      const cases = casesOf(entry)
      count += cases.length
      for (let i = 0; i < cases.length; i += 8) {
        const some = cases.slice(i, i + 8)
        if (!(await isDelayed(baseline, entry, some))) continue
        for (const each of some) {
          if (await isAlwaysDelayed(baseline, entry, each)) expect.fail(`${entry.name}: ${each.label}`)
        }
      }
    }
    expect(count).toBeGreaterThan(3_000)
  },
  PATIENCE_MS,
)

interface Case {
  label: string
  input: Json
}

/** Returns a case per shape and field that takes it, and one per shape with every field that does not. */
function casesOf(entry: Entry): Case[] {
  const { input } = entry.endpoint
  const shape = (input as { shape?: Json }).shape ?? {}
  const sample: Json = {
    ...sampleOf(entry),
    ...('memoFormat' in shape && { memoFormat: MEMO_FORMAT.markdown }),
  }
  const fields = textsIn(sample).map((path) => ({ path, max: maxOf(entry, sample, path) }))
  return Object.entries(SHAPES).flatMap(([label, make]) => {
    const cases: Case[] = []
    let refused = sample
    for (const { path, max } of fields) {
      const text = longest(make, max, maxBytesOf(entry.endpoint))
      const changed = withText(sample, path, text)
      if (input.safeParse(changed).success)
        cases.push({ label: `${path.join('.')} of ${label}`, input: changed })
      // Together they stay below the size of a body.
      else refused = withText(refused, path, text.slice(0, Math.floor(text.length / fields.length)))
    }
    return refused === sample ? cases : [...cases, { label: `what does not take ${label}`, input: refused }]
  })
}

/** Returns the longest text of a shape that a field and the size of a body allow, encrypted and in base64. */
function longest(make: (length: number) => string, max: number, maxBytes: number): string {
  const bytesPerCharacter = Buffer.byteLength(JSON.stringify(make(1_000))) / 1_000
  return make(Math.min(max, Math.floor((maxBytes * 0.7 - 4_000) / bytesPerCharacter)))
}

/** Returns how many characters a field takes, by its own message. */
function maxOf({ endpoint }: Entry, sample: Json, path: string[]): number {
  const { error } = endpoint.input.safeParse(withText(sample, path, 'a'.repeat(MOST_CHARACTERS + 1)))
  const [, max] = /tooLong\|(\d+)/.exec(JSON.stringify(error?.issues ?? [])) ?? []
  return max === undefined ? MOST_CHARACTERS : Number(max)
}

/** Returns where the texts of an input are, however deep. */
function textsIn(value: unknown): string[][] {
  if (typeof value === 'string') return [[]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner).map((path) => [key, ...path]))
}

function withText<T>(value: T, [key, ...path]: string[], text: string): T {
  if (key === undefined) return text as T
  const inner = withText((value as Json)[key], path, text)
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Json) }
  return Object.assign(copy, { [key]: inner }) as T
}

async function isAlwaysDelayed(baseline: number, entry: Entry, each: Case): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    if (!(await isDelayed(baseline, entry, [each]))) return false
  return true
}

/** Makes calls, and returns whether a concurrent request waited for this thread. */
async function isDelayed(baseline: number, entry: Entry, cases: readonly Case[]): Promise<boolean> {
  const state = { isDone: false, isDelayed: false }
  const calls = Promise.all(cases.map((each) => send(entry, each))).finally(() => (state.isDone = true))
  const watch = async () => {
    while (!state.isDone) {
      const { waitMs, cpuMs } = await ask()
      if (waitMs > baseline + MAX_WAIT_MS && cpuMs > MAX_WAIT_MS) state.isDelayed = true
    }
  }
  await Promise.all([calls, watch()])
  return state.isDelayed
}

async function send({ endpoint }: Entry, { input }: Case): Promise<void> {
  const { status } = await maru.callRaw(endpoint.path, input, { session, token: service.token })
  // A busy machine answers 503; whether this thread was the reason is what the CPU time says.
  if (status !== 503) expect(status, endpoint.path).toBeLessThan(500)
  // A call that was accepted may have ended the session.
  if (status === 401) await signIn()
}

async function signIn(): Promise<void> {
  const person = await maru.createUser({ role: 'admin' })
  await maru.database.pool.query(
    `update sessions set password_checked_at = now() + interval '1 day' where user_id = $1`,
    [person.id],
  )
  session = person.session
}

/** Returns how long /healthz takes on a connection of its own, and the CPU time of this thread meanwhile. */
async function ask(): Promise<{ waitMs: number; cpuMs: number }> {
  const [start, cpu] = [performance.now(), process.threadCpuUsage()]
  await new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => response.on('end', resolve).on('error', reject).resume()).on(
      'error',
      reject,
    )
  })
  const { user, system } = process.threadCpuUsage(cpu)
  return { waitMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

async function usualWait(): Promise<number> {
  const waits: number[] = []
  for (let i = 0; i < 20; i++) waits.push((await ask()).waitMs)
  return waits.toSorted((a, b) => a - b)[10] ?? 0
}
