import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { useMaru } from '../../dev/test-kit/maru.ts'

const pagesDir = mkdtempSync(join(tmpdir(), 'maru-headers-'))
writeFileSync(join(pagesDir, 'index.html'), '<!doctype html><head><script>paint()</script></head>')
writeFileSync(join(pagesDir, 'pages.json'), '{"pages":{},"unknown":[]}')
afterAll(() => rmSync(pagesDir, { recursive: true }))

const EVERYWHERE = [
  '/login',
  '/config.json',
  '/api/nothing',
  '/api/stm/v1/users',
  '/healthz',
  '/logo/nothing',
]

describe('the headers of pages, answers and refusals (rules/running#security-headers)', () => {
  const site = useMaru(
    { TRUST_PROXY: '1', HSTS_SECONDS: '300', SECURITY_CONTACT: 'mailto:security@company.kr' },
    { pagesDir },
  )

  test('forbid frames, sniffing, eval, and of inline scripts all but the built one', async () => {
    const paint = `'sha256-${createHash('sha256').update('paint()').digest('base64')}'`
    for (const url of EVERYWHERE) {
      const { headers } = await site.app.inject(url)
      const csp = String(headers['content-security-policy'])
      expect.soft(csp).toContain("default-src 'self'")
      expect.soft(csp).toContain(`;script-src 'self'${url === '/login' ? ` ${paint}` : ''};`)
      expect.soft(csp).toContain("style-src 'self'")
      expect.soft(csp).toContain("frame-ancestors 'none'")
      expect.soft(csp).toContain("require-trusted-types-for 'script'")
      expect.soft(csp).not.toMatch(/unsafe|upgrade-insecure-requests|https:/)
      expect.soft(headers['x-content-type-options']).toBe('nosniff')
      expect.soft(headers['referrer-policy']).toBe('no-referrer')
      expect.soft(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect.soft(headers['permissions-policy']).toContain('camera=()')
    }
  })

  test('allow other origins nothing, and declare their type with the character set', async () => {
    for (const url of EVERYWHERE) {
      const { headers } = await site.app.inject({ url, headers: { origin: 'https://other.example' } })
      expect.soft(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect.soft(headers['content-type']).toMatch(/^(application\/json|text\/html); charset=utf-8$/)
    }
  })

  test('caches nothing but pages, which are revalidated with each request', async () => {
    for (const url of EVERYWHERE) {
      const { headers } = await site.app.inject(url)
      const isPage = url === '/login' || url === '/config.json'
      expect.soft([url, headers['cache-control']]).toEqual([url, isPage ? 'no-cache' : 'no-store'])
    }
  })

  test('sends HSTS over https if it is configured, and never over plain http', async () => {
    for (const proto of ['https', 'http']) {
      for (const url of EVERYWHERE) {
        const { headers } = await site.app.inject({ url, headers: { 'x-forwarded-proto': proto } })
        const told = [headers['strict-transport-security'], headers['cross-origin-opener-policy']]
        expect.soft(told).toEqual(proto === 'https' ? ['max-age=300', 'same-origin'] : [undefined, undefined])
      }
    }
  })

  test('come with files for robots and for who finds a hole', async () => {
    expect((await site.app.inject('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
    const { headers, body } = await site.app.inject('/.well-known/security.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const [, contact, ends = ''] =
      /^Contact: (\S+)\nExpires: (\S+)\nPreferred-Languages: ko, en\n$/.exec(body) ?? []
    expect(contact).toBe('mailto:security@company.kr')
    expect(Date.parse(ends)).toBeGreaterThan(Date.now())
  })
})

describe('without HSTS_SECONDS', () => {
  const site = useMaru({ TRUST_PROXY: '1' }, { pagesDir })
  test('keeps plain http available to visitors who used https before', async () => {
    const { headers } = await site.app.inject({ url: '/login', headers: { 'x-forwarded-proto': 'https' } })
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

describe('without TRUST_PROXY and SECURITY_CONTACT', () => {
  const site = useMaru({}, { pagesDir })
  test('sends no HSTS for a claimed https, and creates no security.txt', async () => {
    const { headers } = await site.app.inject({ url: '/login', headers: { 'x-forwarded-proto': 'https' } })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect((await site.app.inject('/.well-known/security.txt')).statusCode).toBe(404)
  })
})
