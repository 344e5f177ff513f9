import { Agent, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { login, logout } from '../contract/account.ts'
import { maxBytesOf } from '../contract/endpoint.ts'
import { API_BASE, SESSION_BINDING_HEADER, SESSION_USE_HEADER } from '../contract/envelope.ts'
import { endpoints } from '../contract/index.ts'
import { FILE_LINKS_PATH, MEMO_FORMAT, uploadFile, UPLOADS_PATH } from '../contract/notices.ts'
import { getUser } from '../contract/users.ts'
import { wireNames } from '../contract/wire.ts'
import { PASSWORD, useMaru } from '../dev/test-kit/maru.ts'
import type { TestService } from '../dev/test-kit/people.ts'
import { SAMPLE, sampleOf } from '../dev/test-kit/samples.ts'

/*
 * Sends the longest text that a field takes, in shapes that make careless code slow, to every text field of every call
 * (rules/wire#input-text), while a second connection of the listening server asks for /healthz over and over. Calls and
 * fields come from the contract. Headers, addresses and the parts of a form get the longest text that the server reads.
 *
 * A request waits if the server's thread computes for another one, so two values have to be high: the time that /healthz
 * took, and the CPU time of this thread meanwhile. The time alone would fail on a busy machine. A slow value is sent again
 * alone, and fails only if each attempt is slow.
 */
const maru = useMaru({ TRUST_PROXY: '127.0.0.1' })

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
        await expectNoDelay(
          baseline,
          cases
            .slice(i, i + 8)
            .map((each) => ({ label: `${entry.name}: ${each.label}`, send: () => send(entry, each) })),
        )
      }
    }
    expect(count).toBeGreaterThan(3_000)
  },
  PATIENCE_MS,
)

it(
  'delays no other request by the longest header, address or part of a form (rules/wire#input-text)',
  async () => {
    const baseline = await usualWait()
    const { userId } = await maru.createUser()
    for (const [label, make] of Object.entries(SHAPES)) {
      const sends = Object.entries(PLACES).map(([place, requestOf]) => ({
        label: `${place} of ${label}`,
        send: () => sendBytes(requestOf(make)),
      }))
      sends.push({ label: `the device of ${label}`, send: () => logInFrom(userId, make(MAX_HEAD)) })
      for (let i = 0; i < sends.length; i += 8) await expectNoDelay(baseline, sends.slice(i, i + 8))
    }
  },
  PATIENCE_MS,
)

/** Characters of a head that leave room for its other lines below the 16 KB of Node.js; also for the head of a part. */
const MAX_HEAD = 15_000
/** Bytes of a form's field. */
const MAX_FORM_FIELD = 4096

type Shape = (typeof SHAPES)[string]
type Place = (make: Shape) => string

/** Returns a text as bytes, one per character, without what would end a line. */
const bytesOf = (make: Shape, max: number) =>
  Buffer.from(make(max).replaceAll(/[\0\r\n]/g, '\t'))
    .toString('latin1')
    .slice(0, max)

/** Returns a text in an address: what it cannot hold is encoded. */
const addressOf = (make: Shape) =>
  make(MAX_HEAD)
    .replaceAll(/[^!-~]+/gu, (part) => encodeURIComponent(part))
    .slice(0, MAX_HEAD)

/** Returns a request; a header that is given twice takes the place of the usual one. */
function request(line: string, headers: Record<string, string>, body = ''): string {
  const all = { Host: 'localhost', Connection: 'close', 'Content-Length': String(body.length), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...head, '', body].join('\r\n')
}

const call = `POST ${API_BASE}${getUser.path}`
const upload = `PATCH ${API_BASE}${UPLOADS_PATH}/1`
const fileLink = `GET ${API_BASE}${FILE_LINKS_PATH}/x`
const JSON_TYPE = { 'Content-Type': 'application/json' }
const TUS = {
  'Content-Type': 'application/offset+octet-stream',
  'Tus-Resumable': '1.0.0',
  'Upload-Offset': '0',
}

const inHeader =
  (line: string, name: string, before = ''): Place =>
  (make) => {
    const usual = { ...(line === upload ? TUS : line === call && JSON_TYPE), SessionId: session }
    return request(line, { ...usual, [name]: before + bytesOf(make, MAX_HEAD) }, line === call ? '{}' : '')
  }

const inForm =
  (part: (make: Shape) => { head?: string; value?: string; type?: string }): Place =>
  (make) => {
    const names = wireNames(uploadFile)
    const name = (field: string) => `form-data; name="${names.toWire(field)}"`
    const { head = name('fileName'), value = 'a.txt', type = 'text/plain' } = part(make)
    const parts = [
      [name('noticeId'), 'text/plain', '1'],
      [head, type, value],
      [`${name('file')}; filename="a.txt"`, 'text/plain', 'a'],
    ].map(
      (each) => `--b\r\nContent-Disposition: ${each[0]}\r\nContent-Type: ${each[1]}\r\n\r\n${each[2]}\r\n`,
    )
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b', SessionId: session }
    return request(`POST ${API_BASE}${uploadFile.path}`, headers, `${parts.join('')}--b--\r\n`)
  }

const HEADERS = (
  'SessionId Authorization Accept-Language Accept-Encoding User-Agent Cookie Content-Type Content-Disposition ' +
  'Origin Sec-Fetch-Site X-Forwarded-For Forwarded Host'
).split(' ')

/** Everything that the server reads beside the fields of the calls. */
const PLACES: Record<string, Place> = {
  ...Object.fromEntries(HEADERS.map((name) => [name, inHeader(call, name)])),
  'the session’s binding': inHeader(call, SESSION_BINDING_HEADER),
  'the session’s use': inHeader(call, SESSION_USE_HEADER),
  'a token': inHeader(call, 'Authorization', 'Bearer '),
  'a type with parameters': inHeader(call, 'Content-Type', 'application/json; charset='),
  'an encoding of a page': inHeader('GET /', 'Accept-Encoding'),
  ...Object.fromEntries(
    ['Upload-Metadata', 'Upload-Offset', 'Upload-Length', 'Tus-Resumable', 'Content-Type'].map((name) => [
      `${name} of an upload`,
      inHeader(upload, name),
    ]),
  ),
  'encoded Upload-Metadata': (make) => {
    const name = Buffer.from(make(MAX_HEAD)).toString('base64').slice(0, MAX_HEAD)
    return request(upload, { ...TUS, SessionId: session, 'Upload-Metadata': `filename ${name}` })
  },
  ...Object.fromEntries(
    ['Range', 'If-Range'].map((name) => [`${name} of a file`, inHeader(fileLink, name, 'bytes=')]),
  ),
  ...Object.fromEntries(
    [
      '/',
      '/?',
      '/notices?q=',
      '/assets/',
      '/assets/x?',
      `${API_BASE}/`,
      `${API_BASE}${FILE_LINKS_PATH}/`,
    ].map((start) => [`an address ${start}`, (make: Shape) => request(`GET ${start}${addressOf(make)}`, {})]),
  ),
  'an upload’s address': (make) =>
    request(`HEAD ${API_BASE}${UPLOADS_PATH}/${addressOf(make)}`, { ...TUS, SessionId: session }),
  'a boundary': (make) =>
    request(`POST ${API_BASE}${uploadFile.path}`, {
      SessionId: session,
      'Content-Type': `multipart/form-data; boundary=${bytesOf(make, MAX_HEAD)}`,
    }),
  'a file name in a form': inForm((make) => ({ value: bytesOf(make, MAX_FORM_FIELD) })),
  'a file name in JSON in a form': inForm((make) => ({
    type: 'application/json',
    value: JSON.stringify(make(1_000)).slice(0, MAX_FORM_FIELD),
  })),
  'the name of a part': inForm((make) => ({ head: `form-data; name="${bytesOf(make, MAX_HEAD)}"` })),
  'the head of a part': inForm((make) => ({ head: bytesOf(make, MAX_HEAD) })),
  'the type of a part': inForm((make) => ({ type: bytesOf(make, MAX_HEAD) })),
  'the file name of a part': inForm((make) => ({
    head: `form-data; name="file"; filename="${bytesOf(make, MAX_HEAD)}"`,
  })),
  'the encoded file name of a part': inForm((make) => ({
    head: `form-data; name="file"; filename*=UTF-8''${encodeURIComponent(make(2_000)).slice(0, MAX_HEAD)}`,
  })),
}

/** Sends a request byte for byte and waits for the end of the answer. */
async function sendBytes(bytes: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // Ended, it would count as a client that left.
  socket.write(bytes, 'latin1')
  const answer = await textOf(socket)
  const [, status = ''] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? []
  // 431 would mean that the server did not read the text; a busy machine answers 503.
  expect(status, bytes.slice(0, 300)).toMatch(/^([234]\d\d|503)$/)
  expect(status, bytes.slice(0, 300)).not.toBe('431')
  if (status === '401') await signIn()
}

/** Logs in with a User-Agent, which is parsed for the list of devices. */
async function logInFrom(loginId: string, userAgent: string): Promise<void> {
  const headers = { 'user-agent': userAgent }
  const { data } = await maru.call(login, { loginId, password: PASSWORD }, { headers })
  expect((await maru.call(logout, {}, { session: data.sessionUid })).status).toBe(200)
}

interface Case {
  label: string
  input: Json
}

interface Sending {
  label: string
  send: () => Promise<void>
}

/** Sends several values together, and those that delayed a request again alone. */
async function expectNoDelay(baseline: number, sends: readonly Sending[]): Promise<void> {
  if (!(await isDelayed(baseline, sends))) return
  for (const each of sends) if (await isAlwaysDelayed(baseline, each)) expect.fail(each.label)
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

async function isAlwaysDelayed(baseline: number, each: Sending): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (!(await isDelayed(baseline, [each]))) return false
  return true
}

/** Makes calls, and returns whether a concurrent request waited for this thread. */
async function isDelayed(baseline: number, sends: readonly Sending[]): Promise<boolean> {
  const state = { isDone: false, isDelayed: false }
  const calls = Promise.all(sends.map(({ send: make }) => make())).finally(() => (state.isDone = true))
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
