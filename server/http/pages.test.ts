import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useMaru } from '../../dev/test-kit/maru.ts'

const folder = mkdtempSync(join(tmpdir(), 'maru-pages-'))
// A checkout may lie anywhere, below a folder of this name too.
const pagesDir = join(folder, 'assets', 'web')
mkdirSync(join(pagesDir, 'assets'), { recursive: true })
writeFileSync(
  join(pagesDir, 'index.html'),
  '<!doctype html><head><script>paint()</script><title>Maru</title></head>',
)
writeFileSync(
  join(pagesDir, 'pages.json'),
  '{"pages":{"/main":["/assets/portal-1.js","/assets/home-2.js"],"/login":[]},"unknown":["/assets/portal-1.js"]}',
)
writeFileSync(join(pagesDir, 'assets', 'index-abc123.js'), 'export {}')
writeFileSync(join(pagesDir, 'assets', 'index-abc123.js.br'), 'brotli')

describe('pages (rules/frame#pages)', () => {
  const site = useMaru({}, { pagesDir })
  beforeAll(() =>
    site.database.pool.query(`update settings set company_name = '주식회사 나라', logo_text = '나라'`),
  )
  afterAll(() => rmSync(folder, { recursive: true }))

  const scripts = async (url: string) => {
    const { body } = await site.app.inject(url)
    expect.soft(body).toContain('<meta name="config" content="{&quot;company&quot;:&quot;주식회사 나라&quot;')
    return [...body.matchAll(/<link rel="modulepreload" crossorigin href="([^"]*)">/g)].map(
      ([, href]) => href,
    )
  }

  const at = async (accepted?: string) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const { headers: answered, rawPayload } = await site.app.inject({ url: '/login', headers })
    return [answered['content-encoding'], rawPayload] as const
  }

  test('are index.html at every address, fresh each time', async () => {
    for (const url of ['/', '/login', '/user/detail', '/notice/detail?noticeId=1', '/no/such/page', '/%ff']) {
      const response = await site.app.inject(url)
      expect.soft([url, response.statusCode]).toEqual([url, 200])
      expect.soft(response.body).toContain('<title>Maru</title>')
      expect.soft(response.headers['content-type']).toMatch(/^text\/html/)
      expect.soft(response.headers['cache-control']).toBe('no-cache')
    }
  })

  test('name the scripts of the address they are at, and tell what the deployment set', async () => {
    expect(await scripts('/main?x=1')).toEqual(['/assets/portal-1.js', '/assets/home-2.js'])
    expect(await scripts('/login')).toEqual([])
    expect(await scripts('/constructor')).toEqual(['/assets/portal-1.js'])
  })

  test('come as the browser can read them', async () => {
    const [plain, html] = await at()
    const [zipped, gzip] = await at('gzip, deflate')
    const [brotli, br] = await at('gzip, deflate, br, zstd')
    expect([plain, zipped, brotli]).toEqual([undefined, 'gzip', 'br'])
    expect([gunzipSync(gzip), brotliDecompressSync(br)]).toEqual([html, html])
  })

  test('sends immutable assets in the precompressed form of the build', async () => {
    const response = await site.app.inject({
      url: '/assets/index-abc123.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-encoding']).toBe('br')
  })

  test('answer 404 for an asset of an older build, not a page that would run as a script', async () => {
    const response = await site.app.inject('/assets/index-old.js')
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain('<title>')
  })

  test('expose nothing outside the build', async () => {
    for (const url of ['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fetc/passwd', '/.env']) {
      expect.soft((await site.app.inject(url)).body).not.toMatch(/"dependencies"|root:|ADMIN_PASSWORD/)
    }
    // The folder is not listed either.
    expect((await site.app.inject('/assets/')).statusCode).toBe(404)
  })

  test('read /config.json, which holds what the deployment set and no secret', async () => {
    const response = await site.app.inject('/config.json')
    expect(response.json()).toMatchObject({ company: '주식회사 나라', logoText: '나라' })
    expect(Object.keys(response.json()).toSorted()).toEqual([
      'company',
      'english',
      'envelope',
      'logoText',
      'offices',
    ])
    expect(response.json().offices).toHaveLength(4)
    // Placeholders have English words; what somebody said is as they said it.
    expect(response.json().english).toEqual({
      offices: expect.arrayContaining([expect.objectContaining({ name: 'Head office' })]),
    })
  })
})
