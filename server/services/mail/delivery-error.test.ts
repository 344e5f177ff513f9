import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { expect, test } from 'vitest'
import { selfSignedCertificate } from '../../../dev/test-kit/certificate.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { problemOf } from './delivery-error.ts'
import { openMailTransport } from './transport.ts'

/* Why a mail did not leave, against real servers: what an administrator reads after a test mail (rules/settings#test-mail). */

const MAIL = {
  messageId: '<1@maru>',
  from: 'maru@example.com',
  to: 'kim@example.com',
  subject: 'x',
  text: 'x',
  html: 'x',
}

async function problemWith(env: Record<string, string>, signal = AbortSignal.timeout(20_000)) {
  const transport = openMailTransport(env['SMTP_URL'] ?? '', env['DATA_DIR'] ?? '', () => {})
  try {
    await transport.send(MAIL, signal)
    return undefined
  } catch (error) {
    return problemOf(error)
  } finally {
    transport.close()
  }
}

test('distinguishes a refused login, no encryption, no certificate and a slow server', async () => {
  const [locked, plain, own, slow] = await Promise.all([
    startSmtp({ password: 'another' }),
    startSmtp({ offersTls: false }),
    startSmtp(),
    startSmtp(),
  ])
  const kinds: Record<string, unknown> = {}
  kinds['login'] = await problemWith({ SMTP_URL: locked.url })
  kinds['noTls'] = await problemWith({ SMTP_URL: plain.url })
  kinds['wrongPort'] = await problemWith({ SMTP_URL: own.url.replace('smtp:', 'smtps:') })
  slow.greetsAfter = 5_000
  kinds['timeout'] = await problemWith({ SMTP_URL: slow.url }, AbortSignal.timeout(200))
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([])
  kinds['certificate'] = await problemWith({ SMTP_URL: own.url })
  tls.setDefaultCACertificates(trusted)
  await Promise.all([locked, plain, own, slow].map((server) => server.close()))

  expect(kinds).toMatchObject({
    login: { problem: 'login', detail: expect.stringContaining('535') },
    noTls: { problem: 'noTls' },
    wrongPort: { problem: 'noTls' },
    timeout: { problem: 'timeout' },
    certificate: { problem: 'certificate', detail: expect.stringContaining('certificate') },
  })
  expect(JSON.stringify(kinds)).not.toContain('p@ss')
})

test('distinguishes a server that speaks only old TLS from one that speaks none', async () => {
  const { key, certificate: cert } = selfSignedCertificate()
  const old = tls.createServer({ key, cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, () => {})
  old.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(old, 'listening')
  const { port } = old.address() as AddressInfo
  expect(await problemWith({ SMTP_URL: `smtps://127.0.0.1:${port}` })).toEqual({
    problem: 'oldTls',
    detail: expect.stringContaining('alert'),
  })
  old.close()
})

test('shows no response of a program that is no mail server', async () => {
  const ssh = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2p1\r\n')).listen(0, '127.0.0.1')
  await once(ssh, 'listening')
  const { port } = ssh.address() as AddressInfo
  expect(await problemWith({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toEqual({
    problem: 'other',
    detail: '',
  })
  ssh.close()
})

test('distinguishes an unknown host name and an outbox that cannot be written', async () => {
  expect(await problemWith({ SMTP_URL: 'smtp://mail.invalid:587' })).toMatchObject({ problem: 'unknownHost' })
  const folder = mkdtempSync(join(tmpdir(), 'maru-outbox-'))
  writeFileSync(join(folder, 'outbox'), 'a file where the folder should be')
  expect(await problemWith({ DATA_DIR: folder })).toMatchObject({ problem: 'folder' })
  rmSync(folder, { recursive: true })
})
