/** Requests of every kind that reach a portal, drawn from the contract by fast-check. */
import fc from 'fast-check'
import type * as z from 'zod/mini'
import { API_BASE } from '../../../contract/envelope.ts'
import { endpoints } from '../../../contract/index.ts'
import { FILE_LINKS_PATH } from '../../../contract/notices/files.ts'
import { toWire, wireNames } from '../../../contract/wire.ts'
import { sampleOf } from '../../test-kit/samples.ts'
import { forms, tus } from './bytes.ts'
import { at, drawn, type Drawn, JSON_TYPE, noise, pacesOf } from './drawn.ts'
import { objectOf, valueOf } from './values.ts'

/** Who sends a request. */
export const CALLERS = ['nobody', 'user', 'hr', 'admin'] as const
/** Who sends a request. */
export type CallerName = (typeof CALLERS)[number]

type Shape = { shape?: Record<string, z.ZodMiniType> }

const enveloped = endpoints.filter(({ endpoint }) => endpoint.body !== 'multipart')
const nothing = fc.constant({})

/** Headers that stand beside any request. */
const oddHeaders = fc.oneof(
  { weight: 12, arbitrary: nothing },
  {
    weight: 1,
    arbitrary: headerOf('accept-language', ['en', 'ko;q=0', '*', 'en-US,en;q=0.9,xx;q=abc', ',;,']),
  },
  { weight: 1, arbitrary: headerOf('sec-fetch-site', ['cross-site', 'same-origin', 'x']) },
  { weight: 1, arbitrary: headerOf('content-encoding', ['gzip', 'br', 'identity', 'x']) },
  { weight: 1, arbitrary: headerOf('range', ['bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-1,3-4', 'x=1']) },
  { weight: 1, arbitrary: headerOf('authorization', ['Bearer', 'Bearer x', 'Basic eA==', 'Bearer a b']) },
  {
    weight: 1,
    arbitrary: headerOf('x-forwarded-for', ['', 'x', '::ffff:1.2.3.4', '1.2.3.4,5.6.7.8', '%', '::1']),
  },
  { weight: 1, arbitrary: headerOf('user-agent', ['', 'x'.repeat(5000), '<script>']) },
  { weight: 1, arbitrary: headerOf('expect', ['100-continue', '200-ok']) },
)

function headerOf(name: string, values: string[]): fc.Arbitrary<Record<string, string>> {
  return fc.constantFrom(...values).map((value) => ({ [name]: value }))
}

const calls = fc.oneof(
  ...enveloped.map((entry) => {
    const { path, input } = entry.endpoint
    const names = wireNames(entry.endpoint)
    const { shape = {} } = input as unknown as Shape
    const sample = toWire(entry.endpoint, sampleOf(entry)) as Record<string, unknown>
    // The sample with one or two fields of it drawn anew: what is nearly right gets furthest.
    const fields = Object.entries(shape)
    const nearly =
      fields.length === 0
        ? fc.constant('{}')
        : fc
            .uniqueArray(fc.constantFrom(...fields), {
              minLength: 0,
              maxLength: 2,
              selector: ([name]) => name,
            })
            .chain((changed) =>
              fc.tuple(
                ...changed.map(([name, schema]) =>
                  valueOf(schema, name, names.toWire).map((value) => [names.toWire(name), value] as const),
                ),
              ),
            )
            .map((changed) => {
              const all = Object.entries(sample).map(([key, value]) => [key, JSON.stringify(value)] as const)
              const pairs = [...new Map([...all, ...changed])]
              return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
            })
    return fc.tuple(fc.oneof(nearly, objectOf(shape, names.toWire)), oddHeaders).map(([body, headers]) =>
      drawn({
        kind: 'call',
        path: API_BASE + path,
        body,
        sealedFor: path,
        headers: { ...JSON_TYPE, ...headers },
      }),
    )
  }),
)

const anyCall = fc.constantFrom(...enveloped.map(({ endpoint }) => endpoint.path))
const aSample = fc.constantFrom(...enveloped).map((entry) => ({
  path: entry.endpoint.path,
  body: JSON.stringify(toWire(entry.endpoint, sampleOf(entry))),
}))

const TYPES = [
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'a/b',
  '',
]

const envelopes = fc.oneof(
  fc
    .tuple(aSample, fc.constantFrom('cut', 'flipped', 'doubled'), at)
    .map(([{ path, body }, how, place]) =>
      drawn({ kind: 'envelope', path: API_BASE + path, body, sealedFor: path, broken: { how, at: place } }),
    ),
  fc
    .tuple(
      anyCall,
      fc.oneof(
        fc.json({ maxDepth: 5 }),
        noise,
        fc.base64String({ maxLength: 200 }).map((data) => JSON.stringify({ DATA: data })),
        fc.json({ maxDepth: 2 }).map((data) => `{"DATA":${data}}`),
        fc.constantFrom('{', '[]', 'null', '{"DATA":', '{"data":"x"}', '['.repeat(15_000), '\ufeff{}', '\0'),
        fc.base64String({ minLength: 3000, maxLength: 9000 }),
      ),
      fc.constantFrom(...TYPES),
    )
    .map(([path, body, type]) =>
      drawn({ kind: 'envelope', path: API_BASE + path, body, headers: { 'content-type': type } }),
    ),
  // In the envelope, but no input.
  fc
    .tuple(anyCall, fc.oneof(fc.json({ maxDepth: 5 }), noise, fc.constant('')))
    .map(([path, body]) => drawn({ kind: 'envelope', path: API_BASE + path, body, sealedFor: path })),
)

const PATHS = [
  '/', '/login', '/main', '/healthz', '/readyz', '/metrics', '/robots.txt', '/.well-known/security.txt', '/assets/x.js',
  '/api', '/api/', '/api/cm/v1/codes/', '//x', '/%ff', '/%00', '/../etc/passwd', '/%2e%2e/x', '/api/%', '/notice?a[]=1&a=2',
  '/api/__proto__', `/${'a'.repeat(6000)}`, '/user/search?page=-1',
] // prettier-ignore

const others = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    fc.oneof(
      fc.constantFrom(...PATHS),
      anyCall.map((path) => API_BASE + path),
      fc.webPath(),
      fc.constantFrom('x', 'A'.repeat(43)).map((token) => `${API_BASE}${FILE_LINKS_PATH}/${token}`),
    ),
    oddHeaders,
  )
  .map(([method, path, headers]) => drawn({ kind: 'address', method, path: path || '/', headers }))

/** Bodies that come in pieces, never end, or are not as long as they say. */
const bodies = fc.oneof(
  fc
    .tuple(aSample, fc.constantFrom(...pacesOf('slowly', 'cut off')), oddHeaders)
    .map(([{ path, body }, pace, headers]) =>
      drawn({
        kind: 'body',
        path: API_BASE + path,
        body,
        sealedFor: path,
        pace,
        headers: { ...JSON_TYPE, ...headers },
      }),
    ),
  fc
    .tuple(
      anyCall,
      fc.constantFrom(
        'Content-Length: 5\r\n\r\n{}',
        'Content-Length: 1\r\n\r\n{}{}{}',
        'Content-Length: -1\r\n\r\n{}',
        'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
        'Content-Length: 99999999999\r\n\r\n{}',
        'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        'Transfer-Encoding: chunked\r\n\r\n2\r\n{}',
        'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}',
        'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}',
        'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}',
        'Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        `X: ${'x'.repeat(20_000)}\r\n\r\n`,
        `${'X: y\r\n'.repeat(3000)}\r\n`,
        'session_uid: \u0001\r\n\r\n',
        'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
        '\n\n',
      ),
    )
    .map(([path, rest]) =>
      drawn({
        kind: 'raw',
        path: API_BASE + path,
        isRaw: true,
        body: `POST ${API_BASE}${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`,
      }),
    ),
  fc
    .oneof(
      noise,
      fc.constantFrom(
        'GET / HTTP/9.9\r\n\r\n',
        'GET\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '\x16\x03\x01',
      ),
    )
    .map((body) => drawn({ kind: 'raw', path: '(no HTTP)', isRaw: true, body })),
)

/** A request of whichever kind, with who sends it. */
const request = fc.record({
  caller: fc.constantFrom(...CALLERS),
  drawn: fc.oneof(
    { weight: 70, arbitrary: calls },
    { weight: 10, arbitrary: envelopes },
    { weight: 5, arbitrary: forms },
    { weight: 6, arbitrary: tus },
    { weight: 5, arbitrary: others },
    { weight: 4, arbitrary: bodies },
  ),
})

/** A request of a run. The same seed and number give the same request. */
export function requestOf(seed: number, number: number): { caller: CallerName; drawn: Drawn } {
  const [drawnOne] = fc.sample(request, { seed: Math.imul(seed, 0x9e3779b1) + number, numRuns: 1 })
  if (drawnOne === undefined) throw new Error('fast-check drew nothing')
  return drawnOne
}
