import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/** What the pages never use is refused to whatever gets into them. */
const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]

/**
 * The headers of every answer that no route decides otherwise (rules/running#security-headers): nothing is kept by a
 * cache, shown in a frame or taken for another type.
 */
export function mountHeaders(app: FastifyInstance, { hstsSeconds }: Config): void {
  // Made once; @fastify/helmet makes it anew for every request.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        // `blob:` is what a page has fetched itself and shows before it is saved (rules/files#preview).
        imgSrc: ["'self'", 'data:', 'blob:'],
        frameSrc: ['blob:'],
        fontSrc: ["'self'"],
        styleSrc: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        // The portal is also opened as plain http inside an office (rules/wire#envelope).
        upgradeInsecureRequests: null,
      },
    },
    // Over plain http a browser ignores the first and complains of the others: they come with https alone, below.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()))
  const features = FEATURES.map((name) => `${name}=()`).join(', ')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store').header('Permissions-Policy', features)
    // As the proxy in front says, where TRUST_PROXY names one.
    if (request.protocol !== 'https') return
    reply.header('Cross-Origin-Opener-Policy', 'same-origin').header('Origin-Agent-Cluster', '?1')
    if (hstsSeconds !== undefined) reply.header('Strict-Transport-Security', `max-age=${hstsSeconds}`)
  })
}
