import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageFiles } from '../../build/pages.ts'
import type { Config } from '../config.ts'
import { answerFailure } from './failure.ts'

/** Where the build puts the pages. */
export const PAGES_DIR = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** Below it lie the files with a hash in their names, which never change. */
export const ASSETS = '/assets/'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the page at the request's address, whatever the address. */
    sendPage: (this: FastifyReply) => FastifyReply
  }
}

/**
 * Serves the built pages: hashed assets for ever, Brotli and gzip as the build made them; index.html always fresh, and for
 * each address with what its page needs; and /config.json, what a page needs to know of the deployment.
 * @param dir where the built pages are
 */
export async function mountPages(app: FastifyInstance, config: Config, dir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: dir,
    preCompressed: true,
    wildcard: false,
    index: false,
    globIgnore: ['index.html*'],
    setHeaders(reply, path) {
      // The path is one on the disk: only the part below the pages counts, however the system writes it.
      const immutable = `/${relative(dir, path).replaceAll(sep, '/')}`.startsWith(ASSETS)
      void reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  const portal = {
    company: config.company.name,
    logoText: config.company.logoText,
    offices: config.company.offices,
    envelope: config.envelope,
  }
  app.get('/config.json', (_request, reply) => reply.header('Cache-Control', 'no-cache').send(portal))

  let pageAt: ReturnType<typeof readPages> | undefined
  app.decorateReply('sendPage', function () {
    // Where nothing is built, as in tests of the API.
    if (!existsSync(join(dir, 'pages.json'))) return answerFailure(this.request, this, 'PATH_NOT_FOUND')
    pageAt ??= readPages(dir, portal)
    const encoding = encodingFor(this.request)
    void this.header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding')
    if (encoding !== 'identity') void this.header('Content-Encoding', encoding)
    return this.type('text/html; charset=utf-8').send(pageAt(this.request.url.split('?')[0] ?? '')[encoding])
  })
}

interface Html {
  identity: Buffer
  gzip: Buffer
  br: Buffer
}

/**
 * index.html as it is sent for an address: it names the scripts of that page, so that they come with the first ones
 * instead of after them, and tells the configuration, which every page waits for (ADR 043).
 */
function readPages(dir: string, portal: object): (path: string) => Html {
  const html = readFileSync(join(dir, 'index.html'), 'utf8')
  const { pages, unknown } = JSON.parse(readFileSync(join(dir, 'pages.json'), 'utf8')) as PageFiles
  const told = JSON.stringify(portal).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const config = `<meta name="config" content="${told}">`
  const made = new Map<readonly string[], Html>()

  return (path) => {
    const files = (Object.hasOwn(pages, path) ? pages[path] : undefined) ?? unknown
    const known = made.get(files)
    if (known !== undefined) return known
    const links = files.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
    const identity = Buffer.from(html.replace('</head>', () => `${[config, ...links].join('\n')}\n</head>`))
    const page = { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity) }
    made.set(files, page)
    return page
  }
}

/** A browser says what it can read; over plain http that is not Brotli. */
function encodingFor({ headers }: FastifyRequest): keyof Html {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}
