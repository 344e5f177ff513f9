import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/** Browser features that the pages never use, denied to injected scripts. */
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
 * Sets the security headers of all responses (rules/running#security-headers): no caching, no framing, no guessing of
 * types, and over HTTPS also HSTS. A route may override them.
 */
export function mountHeaders(app: FastifyInstance, { hstsSeconds }: Config): void {
  // Created once; @fastify/helmet would create it for every request.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        // `blob:` is for previews that a page has fetched itself (rules/files#preview).
        imgSrc: ["'self'", 'data:', 'blob:'],
        frameSrc: ['blob:'],
        fontSrc: ["'self'"],
        styleSrc: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        // Offices may use the portal over plain HTTP (rules/wire#envelope).
        upgradeInsecureRequests: null,
      },
    },
    // Set below for HTTPS only: over plain HTTP a browser ignores the first and warns of the others.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()))
  const features = FEATURES.map((name) => `${name}=()`).join(', ')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store').header('Permissions-Policy', features)
    // The protocol that the proxy states, if TRUST_PROXY names one.
    if (request.protocol !== 'https') return
    reply.header('Cross-Origin-Opener-Policy', 'same-origin').header('Origin-Agent-Cluster', '?1')
    if (hstsSeconds !== undefined) reply.header('Strict-Transport-Security', `max-age=${hstsSeconds}`)
  })
}
