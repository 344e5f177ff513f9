import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageFiles } from '../../build/pages.ts'
import { answerFailure } from './failure.ts'
import type { Services } from './handler.ts'
import { inEnglish, shownOf } from '../services/settings.ts'

/** Where the build puts the pages. */
export const PAGES_DIR = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** Below it lie the files with a hash in their names, which never change. */
export const ASSETS = '/assets/'

/** Below it lies the logo's image, under a name that changes with it. */
export const LOGO = '/logo/'

const TEXT = 'text/plain; charset=utf-8'

const POLICY = 'Content-Security-Policy'

const FOR_EVER = 'public, max-age=31536000, immutable'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the page at the request's address, whatever the address. */
    sendPage: (this: FastifyReply) => Promise<FastifyReply>
  }
}

/**
 * Serves the built pages: hashed assets for ever, Brotli and gzip as the build made them; index.html always fresh, and for
 * each address with what its page needs; /config.json, what a page needs to know of the portal; its logo; and what robots
 * and finders of holes look for.
 * @param dir where the built pages are
 */
export async function mountPages(
  app: FastifyInstance,
  { config, settings }: Services,
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

  /** What holds now: whoever saved it sees it on their next page, whichever server answers (ADR 059). */
  const portal = async () => {
    const now = await settings.soon()
    const { company, logoText, offices, logo } = now
    const english = inEnglish(config, now)
    return {
      company,
      logoText,
      offices: offices.map(shownOf),
      ...(Object.keys(english).length > 0 && { english }),
      ...(logo !== '' && { logo: LOGO + logo }),
      ...(config.fileTypes.allowed.length + config.fileTypes.refused.length > 0 && {
        fileTypes: config.fileTypes,
      }),
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
    // Where nothing is built, as in tests of the API.
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

/** Whom to tell of a hole (RFC 9116). What it says holds for a season: who reads it later asks again. */
function securityText(contact: string): string {
  const ends = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString()
  return `Contact: ${contact}\nExpires: ${ends}\nPreferred-Languages: ko, en\n`
}

interface Html {
  identity: Buffer
  gzip: Buffer
  br: Buffer
  /** What the content security policy calls the scripts written into it. */
  scripts: string[]
}

/**
 * index.html as it is sent for an address: it names the scripts of that page, so that they come with the first ones
 * instead of after them, and tells the configuration, which every page waits for (ADR 043).
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

/** A browser says what it can read; over plain http that is not Brotli. */
function encodingFor({ headers }: FastifyRequest): 'identity' | 'gzip' | 'br' {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}
