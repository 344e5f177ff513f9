import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageFiles } from '../../build/pages.ts'
import { answerFailure } from './error-response.ts'
import type { Services } from './handler.ts'
import type { Portal } from '../services/settings.ts'

/** Folder of the built pages. */
export const PAGES_DIR = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** Path of the files with a hash in their names, which never change. */
export const ASSETS = '/assets/'

/** Start of the logo's path. A digest of the image follows, so that browsers can cache it permanently. */
export const LOGO = '/logo/'

/** Content-Type of plain text. */
const TEXT = 'text/plain; charset=utf-8'

/** Name of the header with the content security policy. */
const POLICY = 'Content-Security-Policy'

/** Cache-Control of files whose URL changes with their content: cached for a year. */
const FOR_EVER = 'public, max-age=31536000, immutable'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the page for the request's URL, even if no page has it. */
    sendPage: (this: FastifyReply) => Promise<FastifyReply>
  }
}

/**
 * Serves the built pages: hashed assets, which are cached permanently; index.html with the scripts of the requested page;
 * /config.json with the settings of the portal; the logo; robots.txt and security.txt.
 * @param shownNames returns the names and addresses that every page shows
 * @param dir folder of the built pages
 */
export async function mountPages(
  app: FastifyInstance,
  { config, settings }: Services,
  shownNames: (portal: Portal) => object,
  dir: string,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: dir,
    preCompressed: true,
    wildcard: false,
    index: false,
    globIgnore: ['index.html*'],
    setHeaders(reply, path) {
      // The path is one on the disk: only the part below the pages counts, however the system writes it.
      const immutable = `/${relative(dir, path).replaceAll(sep, '/')}`.startsWith(ASSETS)
      void reply.header('Cache-Control', immutable ? FOR_EVER : 'no-cache')
    },
  })

  /**
   * Returns the current settings that the pages need, so that a change shows on the next page of any server
   * (design/settings#cached-settings).
   */
  const portal = async () => {
    const now = await settings.soon()
    return {
      ...shownNames(now),
      ...(now.logo !== '' && { logo: LOGO + now.logo }),
      ...(config.fileTypes.allowed.length + config.fileTypes.refused.length > 0 && {
        fileTypes: config.fileTypes,
      }),
      ...(settings.loginProviders().length > 0 && { sso: settings.loginProviders() }),
      ...(settings.privacyVersion() > 0 && { privacy: settings.privacyVersion() }),
      ...(now.grantReasons === 'required' && { grantReasons: true }),
      ...(now.validityEnd === 'optional' && { openEnd: true }),
      ...(now.phoneNumbers === 'landline' && { landlines: true }),
      ...(now.customFields.length > 0 && { customFields: true }),
      ...(now.positions.length > 0 && { positions: now.positions }),
      envelope: config.envelope,
    }
  }
  app.get('/config.json', async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').send(await portal()),
  )
  app.get<{ Params: { digest: string } }>(`${LOGO}:digest`, async (request, reply) => {
    const image = await settings.logo(request.params.digest)
    if (image === null) return answerFailure(request, reply, 'PATH_NOT_FOUND')
    return reply.header('Cache-Control', FOR_EVER).type(image.type).send(image.bytes)
  })

  app.get('/robots.txt', async (_request, reply) => reply.type(TEXT).send('User-agent: *\nDisallow: /\n'))
  app.get('/.well-known/security.txt', async (request, reply) =>
    config.securityContact === ''
      ? answerFailure(request, reply, 'PATH_NOT_FOUND')
      : reply.type(TEXT).send(securityText(config.securityContact)),
  )

  let pageAt: ReturnType<typeof readPages> | undefined
  app.decorateReply('sendPage', async function () {
    // Tests of the API have no built pages.
    if (!existsSync(join(dir, 'pages.json'))) return answerFailure(this.request, this, 'PATH_NOT_FOUND')
    pageAt ??= readPages(dir)
    const page = pageAt(this.request.url.split('?')[0] ?? '', await portal())
    const encoding = encodingFor(this.request)
    void this.header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding')
    if (encoding !== 'identity') void this.header('Content-Encoding', encoding)
    const policy = String(this.getHeader(POLICY))
    void this.header(
      POLICY,
      policy.replace("script-src 'self'", (own) => [own, ...page.scripts].join(' ')),
    )
    return this.type('text/html; charset=utf-8').send(page[encoding])
  })
}

/** Returns the text of security.txt (RFC 9116), valid for 90 days. */
function securityText(contact: string): string {
  const ends = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString()
  return `Contact: ${contact}\nExpires: ${ends}\nPreferred-Languages: ko, en\n`
}

/** index.html of one page, in each encoding. */
interface Html {
  identity: Buffer
  gzip: Buffer
  br: Buffer
  /** Hashes of its inline scripts for the content security policy. */
  scripts: string[]
}

/**
 * Reads the built pages, and returns a function that creates index.html for a path: with preload links for the scripts of that
 * page, and with the configuration, which every page waits for (design/page-build#four-scripts-per-page). Caches the results
 * until the configuration changes.
 */
function readPages(dir: string): (path: string, portal: object) => Html {
  const html = readFileSync(join(dir, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  const { pages, unknown } = JSON.parse(readFileSync(join(dir, 'pages.json'), 'utf8')) as PageFiles
  const made = new Map<readonly string[], Html>()
  let config = ''

  return (path, portal) => {
    const told = JSON.stringify(portal).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    if (config !== `<meta name="config" content="${told}">`) {
      config = `<meta name="config" content="${told}">`
      made.clear()
    }
    const files = (Object.hasOwn(pages, path) ? pages[path] : undefined) ?? unknown
    const known = made.get(files)
    if (known !== undefined) return known
    const links = files.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
    const identity = Buffer.from(html.replace('</head>', () => `${[config, ...links].join('\n')}\n</head>`))
    const page = { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity), scripts }
    made.set(files, page)
    return page
  }
}

/** Returns the best encoding that a browser accepts; over plain HTTP that is not Brotli. */
function encodingFor({ headers }: FastifyRequest): 'identity' | 'gzip' | 'br' {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}
