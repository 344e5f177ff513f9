import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { CODE, eventually, useMailQueue } from '../../../dev/test-kit/mail-queue.ts'
import { open } from '../../../dev/test-kit/smtp.ts'
import { queueMail } from '../mail.ts'

/* Without a mail server each mail is an .eml file, and the terminal says where (rules/running#outbox). */
const kit = useMailQueue()

function startOutbox(name: string, env: Record<string, string> = {}) {
  const dataDir = join(kit.dataDir, name)
  const said: string[] = []
  const mail = kit.startSender({
    env: { DATA_DIR: dataDir, SMTP_URL: '', ...env },
    say: (line) => said.push(line),
  })
  return { dataDir, said, mail, outbox: join(dataDir, 'outbox') }
}

describe('the outbox', () => {
  test('writes each mail as one file that mail programs open, and logs its path', async () => {
    const { outbox, said, mail } = startOutbox('complete', { MAIL_FROM: '총무팀 <ga@maru.example>' })
    await kit.queue('kim@example.com')
    await kit.queue(null)
    mail.wake()
    await kit.emptied()
    await mail.stop()
    const files = readdirSync(outbox)
    expect(files).toHaveLength(1)
    const path = join(outbox, files[0] ?? '')
    expect(path).toMatch(/\.eml$/)
    expect([...said, ...kit.log]).toEqual([`A mail was written to ${path}`])
    expect(await open(readFileSync(path))).toMatchObject({
      from: '총무팀 <ga@maru.example>',
      to: ['kim@example.com'],
      subject: '[마루상사] 회원가입 인증번호',
      text: expect.stringContaining(CODE),
      html: expect.stringContaining(`>${CODE}</p>`),
    })
  })

  test.each([
    ['공지: 마루 <ga@maru.example>', '공지: 마루'],
    ['"마루" <ga@maru.example>', '마루'],
    ['"a <ga@maru.example>', '"a'],
    ['spy@other.example <ga@maru.example>', 'spy@other.example'],
    ['마루 (총무) < ga@maru.example >', '마루 (총무)'],
  ])('sends %s from the address in brackets (rules/running#smtp)', async (MAIL_FROM, name) => {
    const { outbox, mail } = startOutbox(`sender ${Buffer.from(MAIL_FROM).toString('hex')}`, { MAIL_FROM })
    await kit.queue('kim@example.com')
    mail.wake()
    await kit.emptied()
    await mail.stop()
    const { from, headers } = await open(readFileSync(join(outbox, readdirSync(outbox)[0] ?? '')))
    expect(from).toBe(`${name} <ga@maru.example>`)
    expect(headers['message-id']).toMatch(/@maru\.example>$/)
  })

  test('can be read by nobody else on the machine, as it holds codes', async () => {
    const { outbox, mail } = startOutbox('private')
    await kit.queue('kim@example.com')
    mail.wake()
    await kit.emptied()
    await mail.stop()
    expect(statSync(outbox).mode & 0o077).toBe(0)
    for (const file of readdirSync(outbox)) expect(statSync(join(outbox, file)).mode & 0o077).toBe(0)
  })

  test('has mails in English that are English from subject to HTML', async () => {
    const { outbox, mail } = startOutbox('english')
    const text = mailTexts.en.temporaryPassword('Maru Inc.', 'kim', 'abcd-efgh')
    await kit.database.db
      .transaction()
      .execute((tx) =>
        queueMail(tx, { to: 'kim@example.com', language: 'en', text, link: null, requester: 'test' }),
      )
    mail.wake()
    await kit.emptied()
    await mail.stop()
    const {
      subject,
      text: plain,
      html,
    } = await open(readFileSync(join(outbox, readdirSync(outbox)[0] ?? '')))
    expect(subject).toBe('[Maru Inc.] Temporary password')
    expect(html).toContain('<html lang="en">')
    expect(subject + plain).not.toMatch(/\p{Script=Hangul}/u)
  })

  test('keeps mails waiting while its folder cannot be written', async () => {
    const { dataDir, outbox, mail } = startOutbox('unwritable')
    await mail.stop()
    rmSync(outbox, { recursive: true, force: true })
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(outbox, 'a file where the folder should be')
    const blocked = startOutbox('unwritable')
    await kit.queue('kim@example.com')
    blocked.mail.wake()
    await eventually(() => expect(blocked.mail.isAway()).toBe(true))
    expect(await kit.rows()).toHaveLength(1)
    await blocked.mail.stop()
  })
})
