import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { problemOf } from './problem.ts'
import { openMailTransport } from './transport.ts'

/* Why a mail did not leave, against real servers: what an administrator reads after a test mail (rules/settings#test-mail). */

const MAIL = { messageId: '<1@maru>', to: 'kim@example.com', subject: 'x', text: 'x', html: 'x' }

async function problemWith(env: Record<string, string>, signal = AbortSignal.timeout(20_000)) {
  const transport = openMailTransport(readConfig(env), () => {})
  try {
    await transport.send(MAIL, signal)
    return undefined
  } catch (error) {
    return problemOf(error)
  } finally {
    transport.close()
  }
}

test('a login that is refused, no encryption, no certificate and a slow server are told apart', async () => {
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

test('so are a name that nobody has, and an outbox that cannot be written', async () => {
  expect(await problemWith({ SMTP_URL: 'smtp://mail.invalid:587' })).toMatchObject({ problem: 'unknownHost' })
  const folder = mkdtempSync(join(tmpdir(), 'maru-outbox-'))
  writeFileSync(join(folder, 'outbox'), 'a file where the folder should be')
  expect(await problemWith({ DATA_DIR: folder })).toMatchObject({ problem: 'folder' })
  rmSync(folder, { recursive: true })
})
