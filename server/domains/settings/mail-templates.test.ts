import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { certifyEmail, CERTIFY_TYPE } from '../../../contract/account.ts'
import { mailSamples } from '../../../contract/messages/mails-samples.ts'
import {
  listMailTemplates,
  MAIL_KINDS,
  type MailKind,
  problemsOf,
  sendMailTemplate,
  updateMailTemplate,
} from '../../../contract/settings/mail-templates.ts'
import { inviteUser } from '../../../contract/users.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { renderMail } from '../../services/mail/render.ts'

const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url, PORTAL_URL: 'https://portal.maru.kr' })

const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '김관리' })
})
beforeEach(async () => {
  await sql('delete from mail_templates')
  await sql('update settings set mail_templates_version = mail_templates_version + 1')
  await maru.services.settings.fresh()
})
afterEach(() => sql('delete from rate_limits'))

const list = async (by = admin) => (await maru.call(listMailTemplates, {}, by)).data.templates
async function read(mailKind: MailKind, language: 'ko' | 'en' = 'ko') {
  const found = (await list()).find((one) => one.mailKind === mailKind && one.language === language)
  if (found === undefined) throw new Error(`${mailKind} is not listed`)
  return found
}
async function save(mailKind: MailKind, changes: Record<string, string>, by = admin) {
  const { language, mailSubject, mailText, version } = await read(mailKind)
  return maru.call(updateMailTemplate, { mailKind, language, mailSubject, mailText, version, ...changes }, by)
}
const CODE = { mailSubject: '[{company}] 우리 회사 인증번호', mailText: '안녕하세요.\n{code}\n문의: 총무팀' }
const compose = (name: string) =>
  composeMail(
    maru.services.settings,
    'temporaryPassword',
    'ko',
    { userId: 'kim', name, password: 'abcd' },
    'https://portal.maru.kr/login',
  )

/** Asks for a code to sign up in a language, and returns the mail. */
const askForCode = async (language: string) => {
  const email = `${language}.${Date.now()}@example.com`
  const input = {
    email,
    certificationType: CERTIFY_TYPE.signUp,
    phoneNumber: '01012345678',
    userId: 'abcd',
  }
  expect((await maru.call(certifyEmail, input, { language })).status).toBe(200)
  return smtp.mailTo(email)
}

describe('a mail template (rules/settings#mail-templates)', () => {
  it('replaces the text of the next mail of its kind and language only', async () => {
    expect(await save('signUpCode', CODE)).toMatchObject({ status: 200 })
    const mail = await askForCode('ko')
    expect(mail.subject).toMatch(/우리 회사 인증번호$/)
    expect(mail.text).toMatch(/^안녕하세요\.\n\n\d{6}\n\n문의: 총무팀\n$/)
    expect(mail.html).toMatch(/font-size:24px[^>]*>\d{6}<\/p>/)
    expect((await askForCode('en')).subject).toContain('Verification code')
  })

  it('shows an invitation with its link where the text has it', async () => {
    const text = '{name}님, 환영합니다.\n{link}\n아이디는 {userId} 입니다.'
    expect((await save('invitation', { mailText: text })).status).toBe(200)
    const { userId, id, email } = await maru.createUser({ name: '<b>{link}</b>' })
    await sql(
      `insert into account_links (user_id, kind, token_hash, expires_at) values ($1, 'INVITATION', '\\x00', now())`,
      [id],
    )
    expect((await maru.call(inviteUser, { userId, reason: '분실' }, admin)).status).toBe(200)
    const { text: plain, html } = await smtp.mailTo(email)
    expect(plain).toMatch(
      new RegExp(
        `^<b>\\{link\\}</b>님, 환영합니다\\.\\n\\n바로가기: https://portal\\.maru\\.kr/invitation#[\\w-]{43}\\n\\n아이디는 ${userId}`,
      ),
    )
    expect(html).toContain('&lt;b&gt;{link}&lt;/b&gt;님, 환영합니다.')
  })

  it('is escaped in HTML, line by line', async () => {
    const text = '<script>alert(1)</script>\n"둘째" & 줄\n{password}\n{userId}'
    expect((await save('temporaryPassword', { mailText: text })).status).toBe(200)
    const mail = compose('김')
    const { html } = renderMail(mail.text, 'ko', mail.link)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;<br>&quot;둘째&quot; &amp; 줄</p>')
    expect(html).not.toContain('<script>')
  })

  it('is the shipped text again once it is empty, part by part', async () => {
    const { subject } = compose('김').text
    await save('temporaryPassword', { mailSubject: '{name}님', mailText: '' })
    expect(compose('김').text).toMatchObject({ subject: '김님', code: 'abcd' })
    await save('temporaryPassword', { mailSubject: '', mailText: '' })
    expect(compose('김').text).toMatchObject({ subject })
  })

  it('may be the shipped text of every kind, as the page shows it', async () => {
    for (const { mailKind, language, shippedSubject, shippedText } of await list())
      expect(problemsOf(mailKind, { mailSubject: shippedSubject, mailText: shippedText }), language).toEqual(
        [],
      )
  })

  it('is listed with the shipped text and the last change', async () => {
    const templates = await list()
    expect(templates).toHaveLength(MAIL_KINDS.length * 2)
    await save('signUpCode', CODE)
    expect(await read('signUpCode')).toMatchObject({
      ...CODE,
      shippedSubject: '[{company}] 회원가입 인증번호',
      shippedText: expect.stringMatching(/인증번호입니다.*\n\n\{code\}\n\n[^]*\{link\}$/),
      isInvalid: false,
      userId: admin.userId,
      name: '김관리',
      changedAt: expect.stringMatching(/^\d{4}-/),
    })
  })

  it('is read with the other settings, so that a mail needs no query, and only after a change', async () => {
    await sql(`insert into mail_templates (kind, language, subject, text, changed_by)
      select 'temporaryPassword', 'ko', '다른 서버', '', min(id) from users`)
    await maru.services.settings.fresh()
    expect(compose('김').text.subject).not.toBe('다른 서버')
    await sql('update settings set mail_templates_version = mail_templates_version + 1')
    await maru.services.settings.fresh()
    expect(compose('김').text.subject).toBe('다른 서버')
  })

  it('is refused if another user has saved since', async () => {
    const { version } = await read('signUpCode')
    await save('signUpCode', CODE)
    const late = await save('signUpCode', { ...CODE, mailSubject: '나중', version })
    expect(late).toMatchObject({ status: 400, code: 'RECORD_CHANGED' })
    expect(await read('signUpCode')).toMatchObject(CODE)
  })

  it('accepts one of two concurrent first changes', async () => {
    const { version } = await read('approved')
    const results = await Promise.all(
      ['하나', '둘'].map((mailSubject) => save('approved', { mailSubject, version })),
    )
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(results.filter(({ code }) => code === 'RECORD_CHANGED')).toHaveLength(1)
  })

  it('needs the reach of administrators, who get these mails, too', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    await sql(`insert into role_functions values ('AUT002', 'autho_setting_manage')`)
    onTestFinished(async () => {
      await sql(
        `delete from role_functions where role_code = 'AUT002' and function_name = 'autho_setting_manage'`,
      )
    })
    expect(await list(hr)).toHaveLength(MAIL_KINDS.length * 2)
    expect(await save('signUpCode', CODE, hr)).toMatchObject({ code: 'ADMIN_REACH_REQUIRED' })
  })

  it('is recorded with the former and the new text', async () => {
    await save('signUpCode', CODE)
    await save('signUpCode', { mailText: '바뀜\n{code}' })
    const [row] = await sql(
      `select target, detail from audit_log where action = 'setting.mail-template' order by id desc limit 1`,
    )
    expect(row).toEqual({
      target: 'signUpCode ko',
      detail: { mailText: { before: CODE.mailText, after: '바뀜\n{code}' } },
    })
  })
})

describe('a template that a newer version makes invalid (rules/settings#mail-templates)', () => {
  it('falls back to the shipped text, and the list says so', async () => {
    const { subject } = compose('김').text
    await sql(`insert into mail_templates (kind, language, subject, text, changed_by)
      select kind, 'ko', '옛 제목', text, (select min(id) from users)
      from (values ('temporaryPassword', '아이디 {userId}'), ('goneKind', '{gone}')) as t (kind, text)`)
    await sql('update settings set mail_templates_version = mail_templates_version + 1')
    await maru.services.settings.fresh()
    expect(compose('김').text).toMatchObject({ subject, code: 'abcd' })
    expect(await read('temporaryPassword')).toMatchObject({ mailSubject: '옛 제목', isInvalid: true })
    const repaired = await save('temporaryPassword', { mailText: '{userId}\n{password}' })
    expect(repaired.status).toBe(200)
    expect(compose('김').text.subject).toBe('옛 제목')
  })
})

describe('mails with a fixed text (rules/settings#fixed-mails)', () => {
  it('refuses a template for warnings, confirmations and mails to administrators', async () => {
    const { version } = await read('signUpCode')
    for (const mailKind of ['passwordChanged', 'emailChanged', 'confirmEmail', 'newAddress', 'totpRemoved']) {
      const input = { mailKind, language: 'ko', mailSubject: '안내', mailText: '', version }
      const refused = await maru.call(updateMailTemplate, input as never, admin)
      expect(refused, mailKind).toMatchObject({ status: 400, field: 'mailKind' })
    }
    expect(await sql('select * from mail_templates')).toEqual([])
  })
})

describe('the sample of a template (rules/settings#mail-template-sample)', () => {
  const sample = { mailKind: 'resetPasswordCode', language: 'en', ...CODE } as const

  it('reaches the own address with sample values, and saves nothing', async () => {
    const since = smtp.mails.length
    const { data } = await maru.call(sendMailTemplate, sample, admin)
    expect(data).toMatchObject({ state: 'sent', email: admin.email })
    const mail = await smtp.mailTo(admin.email, since)
    expect(mail.subject).toBe(`[${maru.services.settings.now().company}] 우리 회사 인증번호`)
    expect(mail.text).toContain('000000')
    expect(await sql('select * from mail_templates')).toEqual([])
  })

  it('contains no link of the portal', async () => {
    const since = smtp.mails.length
    const invitation = { mailKind: 'invitation', language: 'ko', mailSubject: '', mailText: '' } as const
    expect((await maru.call(sendMailTemplate, invitation, admin)).status).toBe(200)
    const { source, text } = await smtp.mailTo(admin.email, since)
    expect(text).toContain(mailSamples.ko.link)
    expect(source).not.toContain('portal.maru.kr')
  })

  it('shares the limit of the test mail, and follows the same rules as a saved one', async () => {
    const bad = { ...sample, mailText: 'http://evil.com\n{code}' }
    expect((await maru.call(sendMailTemplate, bad, admin)).status).toBe(400)
    for (let sent = 0; sent < 5; sent += 1)
      expect((await maru.call(sendMailTemplate, sample, admin)).status).toBe(200)
    expect(await maru.call(sendMailTemplate, sample, admin)).toMatchObject({ status: 429 })
  })
})
