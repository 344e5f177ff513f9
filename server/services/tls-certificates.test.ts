import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { selfSignedCertificate } from '../../dev/test-kit/certificate.ts'
import { readConfig } from '../config.ts'
import { createCertificateWatch } from './tls-certificates.ts'

/* Expiry of the certificates of other servers (rules/settings#system). */

test.each([['127.0.0.1'], ['[::1]']])(
  'states the expiry of an expired certificate of an unknown authority at %s',
  async (host) => {
    const { certificate: cert, key } = selfSignedCertificate({ hasEnded: true })
    const server = createServer({ cert, key }).listen(0, host.replace(/[[\]]/g, ''))
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const watch = createCertificateWatch(readConfig({}), () => `smtps://${host}:${port}`)
      await watch.look(AbortSignal.timeout(30_000))
      const expiry = watch.report().get('mail')
      expect(expiry).toBeInstanceOf(Date)
      expect(expiry?.getTime()).toBeLessThan(Date.now())
    } finally {
      server.close()
    }
  },
)
