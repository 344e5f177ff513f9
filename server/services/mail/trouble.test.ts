import tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { aWhile, eventually, useMailQueue } from '../../test-kit/mail-queue.ts'
import { type SmtpOptions, startSmtp } from '../../test-kit/smtp.ts'

/* A mail server that is down, slow, or says no (issue 3), and a Maru that is told to stop. */
const kit = useMailQueue()

describe('a mail server in trouble', () => {
  test('down: the mails wait, untried and uncounted, and go out when it is back', async () => {
    await kit.smtp.down()
    const sender = kit.startSender()
    for (let i = 0; i < 5; i += 1) await kit.queue(`patient${i}@example.com`)
    await eventually(() => expect(sender.isAway()).toBe(true))
    await aWhile()
    expect((await kit.rows()).filter(({ tries }) => tries === 0).length).toBeGreaterThanOrEqual(2)
    await kit.smtp.up()
    await kit.emptied()
    expect(kit.smtp.mails).toHaveLength(5)
    expect(sender.isAway()).toBe(false)
  })

  test('down with nothing to send: noticed at the next mail to nobody as well, and gone when it is back', async () => {
    await kit.smtp.down()
    const sender = kit.startSender()
    await kit.queue(null)
    await eventually(() => expect(sender.isAway()).toBe(true))
    await eventually(async () => expect(await kit.rows()).toEqual([]))
    await kit.smtp.up()
    await eventually(() => expect(sender.isAway()).toBe(false))
  })

  test('down for hours: no mail is given up for that', async () => {
    await kit.smtp.down()
    await kit.queue('weeks@example.com')
    await kit.database.pool.query(`update mails set tries = 500`)
    const sender = kit.startSender()
    await eventually(() => expect(sender.isAway()).toBe(true))
    await aWhile()
    expect(await kit.rows()).toMatchObject([{ failed_at: null }])
    await kit.smtp.up()
    await kit.smtp.mailTo('weeks@example.com')
  })

  test('slow to one recipient: the others do not wait for it', async () => {
    kit.smtp.onRecipient = (address) => (address === 'stuck@example.com' ? 'stall' : undefined)
    const sender = kit.startSender({ sendMs: 1_500 })
    await kit.queue('stuck@example.com')
    sender.wake()
    await aWhile()
    await kit.queue('quick@example.com')
    const before = Date.now()
    await kit.smtp.mailTo('quick@example.com')
    expect(Date.now() - before).toBeLessThan(1_000)
    // It takes its time-out, is put off, and did not make the server look away.
    await eventually(async () => expect((await kit.rows())[0]?.last_error).toBeTruthy())
    expect(sender.isAway()).toBe(false)
    kit.smtp.onRecipient = () => undefined
    await kit.smtp.mailTo('stuck@example.com')
  })

  test('refusing the recipient (550): failed for good, tried once, its words wiped, the others sent', async () => {
    const asked: string[] = []
    kit.smtp.onRecipient = (address) => {
      asked.push(address)
      return address === 'gone@example.com' ? 550 : undefined
    }
    const sender = kit.startSender()
    await kit.queue('gone@example.com')
    await kit.queue('here@example.com')
    await kit.smtp.mailTo('here@example.com')
    await eventually(async () => expect(await kit.rows()).toHaveLength(1))
    await aWhile()
    expect(await kit.rows()).toMatchObject([
      { recipient: 'gone@example.com', text: '', html: '', failed_at: expect.any(Date) },
    ])
    expect((await kit.rows())[0]?.last_error).toContain('550')
    expect(asked.filter((address) => address === 'gone@example.com')).toHaveLength(1)
    expect(sender.isAway()).toBe(false)
  })

  test('refusing for now (451): tried again until it is taken, once', async () => {
    let tries = 0
    kit.smtp.onRecipient = () => ((tries += 1) < 3 ? 451 : undefined)
    const sender = kit.startSender()
    await kit.queue('greylisted@example.com')
    await eventually(async () => expect((await kit.rows())[0]?.last_error).toContain('451'))
    expect(sender.isAway()).toBe(false)
    await kit.smtp.mailTo('greylisted@example.com')
    await kit.emptied()
    expect([tries, kit.smtp.mails.length]).toEqual([3, 1])
  })

  test('refusing for now for three days: given up, its words wiped', async () => {
    kit.smtp.onRecipient = () => 451
    await kit.queue('hopeless@example.com')
    await kit.database.pool.query(`update mails set created_at = now() - interval '73 hours'`)
    kit.startSender()
    await eventually(async () =>
      expect(await kit.rows()).toMatchObject([{ text: '', failed_at: expect.any(Date) }]),
    )
  })

  const unusable: [string, SmtpOptions][] = [
    ['that offers no STARTTLS, when SMTP_URL has a password', { offersTls: false }],
    ['that lets Maru not in', { password: 'another' }],
  ]
  test.each(unusable)('a server %s: nothing is sent or lost, and it counts as away', async (_, options) => {
    const other = await startSmtp(options)
    const sender = kit.startSender({}, other.url)
    await kit.queue('kept@example.com')
    await eventually(() => expect(sender.isAway()).toBe(true))
    await aWhile()
    expect(other.mails).toEqual([])
    expect(await kit.rows()).toMatchObject([{ recipient: 'kept@example.com', failed_at: null }])
    expect(kit.log.join('')).not.toContain('p@ss')
    await other.close()
  })

  test('a server whose certificate nobody vouches for is no server', async () => {
    const other = await startSmtp()
    // The next one's certificate is trusted instead.
    await (await startSmtp()).close()
    tls.setDefaultCACertificates([])
    const sender = kit.startSender({}, other.url)
    await kit.queue('private@example.com')
    await eventually(() => expect(sender.isAway()).toBe(true))
    expect(other.mails).toEqual([])
    await other.close()
  })
})

describe('stopping', () => {
  test('lets a mail that is being sent arrive', async () => {
    kit.smtp.greetsAfter = 300
    const sender = kit.startSender()
    await kit.queue('onitsway@example.com')
    sender.wake()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sender.stop()
    expect(kit.smtp.mails).toHaveLength(1)
    expect(await kit.rows()).toEqual([])
  })

  test('does not wait for a server that hangs, and the mail is due at once for whoever comes next', async () => {
    kit.smtp.onRecipient = () => 'stall'
    const sender = kit.startSender({ stopMs: 300 })
    await kit.queue('handed-over@example.com')
    sender.wake()
    await aWhile()
    const before = Date.now()
    await sender.stop()
    expect(Date.now() - before).toBeLessThan(1_500)
    kit.smtp.onRecipient = () => undefined
    kit.startSender()
    await kit.smtp.mailTo('handed-over@example.com')
    await kit.emptied()
  })

  test('after it, wake does nothing', async () => {
    const sender = kit.startSender()
    await sender.stop()
    await kit.queue('tomorrow@example.com')
    sender.wake()
    await aWhile()
    expect(kit.smtp.mails).toEqual([])
    expect(await kit.rows()).toHaveLength(1)
  })
})
