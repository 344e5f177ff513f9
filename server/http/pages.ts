import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'

/** Where the build puts the pages. */
export const PAGES_DIR = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** Below it lie the files with a hash in their names, which never change. */
export const ASSETS = '/assets/'

/**
 * Serves the built pages: hashed assets for ever, index.html always fresh, Brotli and gzip as the build
 * made them; and /config.json, what a page needs to know of the deployment.
 * @param dir where the built pages are
 */
export async function mountPages(app: FastifyInstance, config: Config, dir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: dir,
    preCompressed: true,
    wildcard: false,
    index: false,
    setHeaders(reply, path) {
      // The path is one on the disk: only the part below the pages counts, however the system writes it.
      const immutable = `/${relative(dir, path).replaceAll(sep, '/')}`.startsWith(ASSETS)
      void reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  app.get('/config.json', (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').send({
      company: config.company.name,
      logoText: config.company.logoText,
      offices: config.company.offices,
      envelope: config.envelope,
    }),
  )
}
