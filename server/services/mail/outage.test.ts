import tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { eventually, useMailQueue } from '../../../dev/test-kit/mail-queue.ts'
import { type SmtpOptions, startSmtp } from '../../../dev/test-kit/smtp.ts'

/*
 * A mail server that is down, slow or rejects mails, and a Maru that stops meanwhile (rules/running#mail-queue,
 * rules/running#smtp).
 */
const kit = useMailQueue()

describe('a mail server', () => {
  test('keeps mail queued without counting attempts while the server is down', async () => {
    await kit.smtp.down()
    const sender = kit.startSender()
    for (let i = 0; i < 5; i += 1) await kit.queue(`patient${i}@example.com`)
    await eventually(() => expect(sender.isAway()).toBe(true))
    await sender.looked()
    expect((await kit.rows()).filter(({ tries }) => tries === 0).length).toBeGreaterThanOrEqual(2)
    await kit.smtp.up()
    await kit.emptied()
    expect(kit.smtp.mails).toHaveLength(5)
    expect(sender.isAway()).toBe(false)
  })

  test('notices an outage even by a mail without recipient, and the recovery too', async () => {
    await kit.smtp.down()
    const sender = kit.startSender()
    await kit.queue(null)
    await eventually(() => expect(sender.isAway()).toBe(true))
    await eventually(async () => expect(await kit.rows()).toEqual([]))
    await kit.smtp.up()
    await eventually(() => expect(sender.isAway()).toBe(false))
  })

  test('gives up no mail during an outage of hours', async () => {
    await kit.smtp.down()
    await kit.queue('weeks@example.com')
    await kit.database.pool.query(`update mails set tries = 500`)
    const sender = kit.startSender()
    await eventually(() => expect(sender.isAway()).toBe(true))
    await sender.looked()
    expect(await kit.rows()).toMatchObject([{ failedAt: null }])
    await kit.smtp.up()
    await kit.smtp.mailTo('weeks@example.com')
  })

  test('does not delay other recipients if the server is slow for one', async () => {
    let stuck = 0
    kit.smtp.onRecipient = (address) => {
      if (address !== 'stuck@example.com') return undefined
      stuck += 1
      return 'stall'
    }
    const hasty = kit.startSender({ sendMs: 300 })
    await kit.queue('stuck@example.com')
    // It takes its time-out, is put off, and did not make the server look away.
    await eventually(async () => expect((await kit.rows())[0]?.lastError).toBeTruthy())
    expect(hasty.isAway()).toBe(false)
    await hasty.stop()

    const tries = stuck
    await kit.database.pool.query('update mails set next_try_at = now()')
    const patient = kit.startSender({ stopMs: 0 })
    await eventually(() => expect(stuck).toBe(tries + 1))
    await kit.queue('quick@example.com')
    await kit.smtp.mailTo('quick@example.com')
    // Still on its first try.
    expect(stuck).toBe(tries + 1)
    expect(patient.isAway()).toBe(false)
    await patient.stop()
    kit.smtp.onRecipient = () => undefined
    kit.startSender()
    await kit.smtp.mailTo('stuck@example.com')
  })

  test('fails a mail after one attempt on a permanent refusal (550) and wipes its text', async () => {
    const asked: string[] = []
    kit.smtp.onRecipient = (address) => {
      asked.push(address)
      return address === 'gone@example.com' ? 550 : undefined
    }
    const sender = kit.startSender()
    await kit.queue('gone@example.com')
    await kit.queue('here@example.com')
    await kit.smtp.mailTo('here@example.com')
    await eventually(async () =>
      expect(await kit.rows()).toMatchObject([
        { recipient: 'gone@example.com', text: '', html: '', failedAt: expect.any(Date) },
      ]),
    )
    await sender.looked()
    expect((await kit.rows())[0]?.lastError).toContain('550')
    expect(asked.filter((address) => address === 'gone@example.com')).toHaveLength(1)
    expect(sender.isAway()).toBe(false)
  })

  test('retries on a temporary refusal (451) until the server accepts the mail once', async () => {
    let tries = 0
    kit.smtp.onRecipient = () => ((tries += 1) < 3 ? 451 : undefined)
    const sender = kit.startSender()
    await kit.queue('greylisted@example.com')
    await eventually(async () => expect((await kit.rows())[0]?.lastError).toContain('451'))
    expect(sender.isAway()).toBe(false)
    await kit.smtp.mailTo('greylisted@example.com')
    await kit.emptied()
    expect([tries, kit.smtp.mails.length]).toEqual([3, 1])
  })

  test('gives up a mail after three days of refusals and wipes its text', async () => {
    kit.smtp.onRecipient = () => 451
    await kit.queue('hopeless@example.com')
    await kit.database.pool.query(`update mails set created_at = now() - interval '73 hours'`)
    kit.startSender()
    await eventually(async () =>
      expect(await kit.rows()).toMatchObject([{ text: '', failedAt: expect.any(Date) }]),
    )
  })

  const unusable: [string, SmtpOptions][] = [
    ['that offers no STARTTLS, when SMTP_URL has a password', { offersTls: false }],
    ['that rejects the password', { password: 'another' }],
  ]
  test.each(unusable)('%s counts as away, and nothing is sent or lost', async (_, options) => {
    const other = await startSmtp(options)
    const sender = kit.startSender({ env: { SMTP_URL: other.url } })
    await kit.queue('kept@example.com')
    await eventually(() => expect(sender.isAway()).toBe(true))
    await sender.looked()
    expect(other.mails).toEqual([])
    expect(await kit.rows()).toMatchObject([{ recipient: 'kept@example.com', failedAt: null }])
    expect(kit.log.join('')).not.toContain('p@ss')
    await other.close()
  })

  test('counts as unavailable with an untrusted certificate', async () => {
    const other = await startSmtp()
    // Trust the certificate of another server instead.
    await (await startSmtp()).close()
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([])
    const sender = kit.startSender({ env: { SMTP_URL: other.url } })
    await kit.queue('private@example.com')
    await eventually(() => expect(sender.isAway()).toBe(true))
    tls.setDefaultCACertificates(trusted)
    expect(other.mails).toEqual([])
    await other.close()
  })
})

test('logs an expired certificate once and sends all mail after its renewal', async () => {
  const options = { hasEnded: true }
  const other = await startSmtp(options)
  const sender = kit.startSender({ env: { SMTP_URL: other.url } })
  await kit.queue('patient@example.com')
  await eventually(() => expect(sender.isAway()).toBe(true))
  await sender.looked()
  expect(kit.log.filter((line) => line.includes('mails cannot be sent'))).toEqual([
    expect.stringContaining('certificate has expired'),
  ])
  expect(other.mails).toEqual([])
  options.hasEnded = false
  await other.down()
  await other.up()
  await other.mailTo('patient@example.com')
  await kit.emptied()
  await other.close()
})

describe('stopping the sender', () => {
  test('lets a mail that is being sent arrive', async () => {
    kit.smtp.greetsAfter = 300
    const sender = kit.startSender({ stopMs: 30_000 })
    await kit.queue('onitsway@example.com')
    sender.wake()
    await eventually(() => expect(kit.smtp.connections).toBe(1))
    await sender.stop()
    expect(kit.smtp.mails).toHaveLength(1)
    expect(await kit.rows()).toEqual([])
  })

  test('does not wait for a server that hangs, and frees the mail for the next sender', async () => {
    let isAsked = false
    kit.smtp.onRecipient = () => {
      isAsked = true
      return 'stall'
    }
    const sender = kit.startSender({ stopMs: 300 })
    await kit.queue('handed-over@example.com')
    sender.wake()
    await eventually(() => expect(isAsked).toBe(true))
    await sender.stop()
    // A mail whose server was waited for would be put off.
    const { rows } = await kit.database.pool.query('select next_try_at <= now() as is_due from mails')
    expect(rows).toEqual([{ is_due: true }])
    kit.smtp.onRecipient = () => undefined
    kit.startSender()
    await kit.smtp.mailTo('handed-over@example.com')
    await kit.emptied()
  })

  test('makes wake do nothing', async () => {
    const sender = kit.startSender()
    await sender.stop()
    await kit.queue('tomorrow@example.com')
    const looks = sender.looks()
    sender.wake()
    expect(sender.looks()).toBe(looks)
    expect(kit.smtp.mails).toEqual([])
    expect(await kit.rows()).toHaveLength(1)
  })
})
