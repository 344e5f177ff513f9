import { describe, expect, test } from 'vitest'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { eraseExpired } from '../../jobs/erasures.ts'
import { sweepRows } from '../../jobs/schedule.ts'
import { CODE, eventually, useMailQueue } from '../../../dev/test-kit/mail-queue.ts'
import { queueMail } from '../mail.ts'

/*
 * The queue of mails and how it empties, against a real SMTP server with STARTTLS and AUTH (rules/running#mail-queue):
 * a mail is there exactly when its transaction is, and leaves once, whatever dies in between.
 */
const kit = useMailQueue()

describe('a queued mail', () => {
  test('is never sent when its transaction is rolled back', async () => {
    const sender = kit.startSender()
    const text = mailTexts.ko.signUpCode('마루상사', CODE)
    const doomed = kit.database.db.transaction().execute(async (tx) => {
      await queueMail(tx, { to: 'never@example.com', language: 'ko', text, link: null, requester: 'test' })
      throw new Error('rolled back')
    })
    await expect(doomed).rejects.toThrow('rolled back')
    await sender.looked()
    expect(await kit.rows()).toEqual([])
    expect(kit.smtp.mails).toEqual([])
  })

  test('is not sent before its transaction commits', async () => {
    const sender = kit.startSender()
    const text = mailTexts.ko.signUpCode('마루상사', CODE)
    await kit.database.db.transaction().execute(async (tx) => {
      await queueMail(tx, { to: 'later@example.com', language: 'ko', text, link: null, requester: 'test' })
      sender.wake()
      await sender.looked()
      expect(kit.smtp.mails).toEqual([])
    })
    await kit.smtp.mailTo('later@example.com')
  })

  test('is sent by the next server when one dies between commit and sending', async () => {
    await kit.queue('survivor@example.com')
    kit.startSender()
    expect((await kit.smtp.mailTo('survivor@example.com')).text).toContain(CODE)
    await kit.emptied()
  })

  test('is sent by another server once the lease of a dead sender is over', async () => {
    await kit.queue('orphan@example.com')
    // `takeDue` wrote this before the power loss.
    await kit.database.pool.query(`update mails set tries = 1, next_try_at = now() + interval '2 minutes'`)
    const sender = kit.startSender()
    await sender.looked()
    expect(kit.smtp.mails).toEqual([])
    await kit.database.pool.query(`update mails set next_try_at = next_try_at - interval '2 minutes'`)
    await kit.smtp.mailTo('orphan@example.com')
    await kit.emptied()
  })

  test('is sent once by two servers that share 60 mails', async () => {
    for (let i = 0; i < 60; i += 1) await kit.queue(`number${i}@example.com`)
    const [one, other] = [kit.startSender(), kit.startSender()]
    for (let i = 0; i < 20; i += 1) other.wake()
    await kit.emptied()
    await Promise.all([one.looked(), other.looked()])
    const recipients = kit.smtp.mails.map(({ to }) => to.join())
    expect(recipients.toSorted()).toEqual(
      Array.from({ length: 60 }, (_, i) => `number${i}@example.com`).toSorted(),
    )
  })
})

describe('a mail that is sent', () => {
  test('is encrypted and uses the account in SMTP_URL', async () => {
    kit.startSender()
    await kit.queue('secure@example.com')
    expect(await kit.smtp.mailTo('secure@example.com')).toMatchObject({ isEncrypted: true, user: 'maru' })
  })

  test('goes to one user from the configured sender, with Korean subject, text and HTML', async () => {
    kit.startSender()
    await kit.queue('whole@example.com')
    const mail = await kit.smtp.mailTo('whole@example.com')
    expect(mail).toMatchObject({
      from: '마루 <no-reply@maru.example>',
      to: ['whole@example.com'],
      subject: '[마루상사] 회원가입 인증번호',
    })
    expect(mail.text).toContain(`회원가입을 위한 인증번호입니다. 5분 안에 입력해주세요.\n\n${CODE}\n`)
    expect(mail.html).toContain('<html lang="ko">')
    expect(mail.html).toContain(`>${CODE}</p>`)
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    expect(mail.headers).not.toHaveProperty('cc')
    expect(mail.headers).not.toHaveProperty('bcc')
  })

  test('never turns its words or addresses into headers, recipients or HTML', async () => {
    kit.startSender()
    const subject = '[Evil\r\nBcc: spy@example.com\r\n\r\n] hello'
    const text = { subject, paragraphs: ['<script>alert(1)</script> & "x"', '.\r\nQUIT'] }
    const to = 'a@example.com, spy@example.com'
    await kit.database.db.transaction().execute(async (tx) => {
      await queueMail(tx, { to: 'injected@example.com', language: 'en', text, link: null, requester: 'test' })
      await queueMail(tx, { to, language: 'en', text, link: null, requester: 'test' })
      await queueMail(tx, {
        to: 'b@example.com>\r\nRCPT TO:<spy@example.com',
        language: 'en',
        text,
        link: null,
        requester: 'test',
      })
    })
    const mail = await kit.smtp.mailTo('injected@example.com')
    expect(mail.headers).not.toHaveProperty('bcc')
    expect(mail.subject).toMatch(/^\[Evil\s+Bcc: spy@example\.com\s+\] hello$/)
    expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;')
    await eventually(async () =>
      expect((await kit.rows()).filter(({ failedAt }) => failedAt === null)).toEqual([]),
    )
    expect(kit.smtp.mails.flatMap((each) => each.to)).not.toContain('spy@example.com')
  })

  test('reuses connections: 30 mails need at most four, one of them to check the server', async () => {
    for (let i = 0; i < 30; i += 1) await kit.queue(`pooled${i}@example.com`)
    const sender = kit.startSender()
    for (let i = 0; i < 500; i += 1) sender.wake()
    await kit.emptied()
    expect(kit.smtp.mails).toHaveLength(30)
    expect(kit.smtp.connections).toBeLessThanOrEqual(4)
  })

  test('leaves the queue without being sent if it has no recipient', async () => {
    kit.startSender()
    await kit.queue(null)
    await kit.emptied()
    expect(kit.smtp.mails).toEqual([])
  })

  test('is dropped instead when its code has expired', async () => {
    await kit.queue('late@example.com', 300)
    await kit.database.pool.query(`update mails set expires_at = now() - interval '1 second'`)
    kit.startSender()
    await kit.emptied()
    expect(kit.smtp.mails).toEqual([])
  })

  test('never appears in the log', async () => {
    kit.smtp.onRecipient = () => 550
    kit.startSender()
    await kit.queue('logged@example.com')
    await eventually(() => expect(kit.log.join('')).toContain('rejected permanently'))
    expect(kit.log.join('')).not.toContain(CODE)
    expect(kit.log.join('')).not.toContain('인증번호')
    expect(kit.log.join('')).not.toContain('p@ss')
  })
})

test('deletes refused mails after 30 days and expired codes with the sweep', async () => {
  await kit.queue('old@example.com')
  await kit.queue('recent@example.com')
  await kit.queue('waiting@example.com')
  const { pool } = kit.database
  await pool.query(`update mails set created_at = now() - interval '40 days',
    failed_at = case recipient when 'old@example.com' then now() - interval '31 days'
      when 'recent@example.com' then now() - interval '29 days' end`)
  await pool.query(`insert into certifications (type_code, email, login_id, salt, code_hash, expires_at)
    values ('TYP001', 'dead@example.com', 'a', '', '', now() - interval '1 second'),
      ('TYP001', 'live@example.com', 'a', '', '', now() + interval '1 minute')`)
  await sweepRows(pool, { idleSeconds: 1800, absoluteSeconds: 43_200 })
  await eraseExpired(kit.database.db, { sealSeeds: [] }, new AbortController().signal)
  expect((await kit.rows()).map(({ recipient }) => recipient)).toEqual([
    'recent@example.com',
    'waiting@example.com',
  ])
  const { rows: codes } = await pool.query('select email from certifications')
  expect(codes).toEqual([{ email: 'live@example.com' }])
})
