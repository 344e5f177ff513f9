import { expect, test } from 'vitest'
import { ERRORS } from '../../../contract/errors.ts'
import { endpoints } from '../../../contract/index.ts'
import * as bytes from '../../../contract/notices/byte-routes.ts'
import { watchNotifications } from '../../../contract/notifications/stream.ts'
import { openApiDocument, openApiText } from './document.ts'

interface Operation {
  security?: object[]
  'x-access': unknown
  responses: Record<string, { $ref?: string }>
}

const document = openApiDocument()
const operations = document['paths'] as Record<string, Record<string, Operation>>
const byteRoutes = [...Object.values(bytes), watchNotifications]

/** The codes of a call's failures by status; the name of a shared response lists them. */
function codesOf({ responses }: Operation): [status: string, code: string][] {
  return Object.entries(responses).flatMap(([status, { $ref = '' }]) =>
    ($ref.split('/').at(-1) ?? '')
      .split('.')
      .filter((code) => code !== '')
      .map((code): [string, string] => [status, code]),
  )
}

test('lists every call once, with its errors under their statuses', () => {
  const methods = Object.values(operations).flatMap((item) => Object.keys(item))
  expect(methods.filter((method) => method === 'post')).toHaveLength(endpoints.length)
  for (const { endpoint } of endpoints) {
    const { post = expect.unreachable() } = operations[`/api${endpoint.path}`] ?? {}
    const codes = codesOf(post)
    expect(codes.map(([, code]) => code)).toEqual(expect.arrayContaining([...endpoint.errors]))
    for (const [status, code] of codes) expect(String(ERRORS[code as keyof typeof ERRORS])).toBe(status)
    // A file can be had in parts where a wrong range is refused (rules/files#download).
    const successes = endpoint.errors.includes('RANGE_INVALID') ? ['200', '206'] : ['200']
    expect(Object.keys(post.responses).filter((status) => status < '400')).toEqual(successes)
    expect(post['x-access']).toEqual(endpoint.access)
    expect(codes.some(([, code]) => code === 'SESSION_REQUIRED')).toBe(
      (endpoint.access !== 'public' && endpoint.access !== 'service') ||
        endpoint.errors.includes('SESSION_REQUIRED'),
    )
    expect(codes.some(([, code]) => code === 'SERVICE_TOKEN_REQUIRED')).toBe(endpoint.access === 'service')
    expect(codes.some(([, code]) => code === 'PROGRAM_TOKEN_REQUIRED')).toBe(endpoint.programs === true)
    const ways = (post.security ?? []).flatMap((way) => Object.keys(way))
    expect(ways.includes('program')).toBe(endpoint.programs === true)
  }
})

test('lists every request outside the envelope: tus, file links and the stream', () => {
  for (const { method, url, errors, needs } of byteRoutes) {
    const operation = operations[`/api${url}`]?.[method.toLowerCase()] ?? expect.unreachable()
    expect(codesOf(operation).map(([, code]) => code)).toEqual(expect.arrayContaining([...errors]))
    expect(operation['x-access']).toEqual(needs.access)
  }
  const methods = Object.values(operations).flatMap((item) => Object.keys(item))
  expect(methods.filter((method) => ['head', 'patch', 'get'].includes(method))).toHaveLength(
    byteRoutes.length,
  )
})

test('resolves every reference in the document', () => {
  const components = document['components'] as Record<string, object>
  const references = [...openApiText().matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(endpoints.length)
  for (const [, kind = '', name = ''] of references)
    expect(Object.keys(components[kind] ?? {})).toContain(name)
})
