import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listHistory } from '../../../contract/audit.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import {
  getSettings,
  getSetup,
  MAIL_CHANGES,
  sendTestMail,
  updateMailServer,
  updateSettings,
} from '../../../contract/settings.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { deriveFrom } from '../../services/key-secret.ts'
import { renewMailPassword } from '../../services/mail/mail-server.ts'

const smtp = await startSmtp()
const { hostname, port, username, password } = new URL(smtp.url)
const maru = useMaru()
const fixed = useMaru({ SMTP_URL: smtp.url, MAIL_FROM: '나라 <no-reply@nara.kr>' })

const PASSWORD = decodeURIComponent(password)
const SERVER = {
  mailHost: hostname,
  mailPort: Number(port),
  mailSecurity: 'starttls',
  mailUser: username,
  mailFrom: '나라 <mail@nara.kr>',
} as const

const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const row = () => sql('select mail_url, mail_user, mail_password, mail_from from settings')

let admin: TestUser
beforeEach(async () => {
  await sql(`update settings set mail_url = null, mail_user = '', mail_password = null, mail_from = null,
    mail_tested = null`)
  await maru.services.settings.fresh()
  admin = await maru.createUser({ role: 'admin' })
})

const read = async (by = admin) => (await maru.call(getSettings, {}, by)).data
const save = async (changes: Record<string, unknown>, by = admin) =>
  maru.call(updateMailServer, { ...changes, version: (await read()).mailVersion }, by)

describe('a mail server set in the portal (rules/settings#mail-server)', () => {
  it('sends the next mail, as the test mail proves', async () => {
    const written = await maru.call(sendTestMail, {}, admin)
    expect(written.data.state).toBe('written')
    expect(readFileSync(written.data.path, 'utf8')).toContain('no-reply@maru.example')
    expect((await save({ ...SERVER, mailPassword: PASSWORD })).status).toBe(200)
    expect((await maru.call(sendTestMail, {}, admin)).data.state).toBe('sent')
    expect(await smtp.mailTo(admin.email)).toMatchObject({
      from: '나라 <mail@nara.kr>',
      user: username,
      isEncrypted: true,
    })
    const { steps } = (await maru.call(getSetup, {}, admin)).data
    expect(steps.find(({ step }) => step === 'mail')).toMatchObject({ done: true, lacks: [] })
    expect(await read()).toMatchObject({
      ...SERVER,
      mailPasswordSet: true,
      mailServer: `${hostname}:${port}`,
    })
  })

  it('sends a test mail by the server that another process has just saved', async () => {
    await sql(`update settings set mail_url = 'smtp://127.0.0.1:1'`)
    expect((await maru.call(sendTestMail, {}, admin)).data).toMatchObject({
      state: 'failed',
      problem: 'refused',
    })
    expect(await sql('select mail_tested from settings')).toEqual([{ mail_tested: null }])
  })

  it('returns the password in no response, audit row or column', async () => {
    const secret = 'Very-secret-1'
    const saved = await save({ ...SERVER, mailPassword: secret })
    const history = { recordKind: 'setting', page: 1, perPage: 10 } as const
    const { rows } = (await maru.call(listHistory, history, admin)).data
    expect(rows[0]).toMatchObject({ target: 'mail', userId: admin.userId })
    expect(rows[0]?.changes.map(({ item }) => item)).toEqual([
      '보내는 사람',
      '메일 서버 주소',
      '포트',
      '메일 서버 사용자',
      '메일 서버 비밀번호 변경',
    ])
    const audit = await sql(`select detail from audit_log where target = 'mail'`)
    for (const text of [saved.data, rows, audit, await read(), await row()])
      expect(JSON.stringify(text)).not.toContain(secret)
    expect((await row())[0].mail_password.toString('latin1')).not.toContain(secret)
    // A new password alone is a change too.
    await save({ ...SERVER, mailPassword: 'Another-secret-1' })
    expect((await maru.call(listHistory, history, admin)).data.rows[0]?.changes).toHaveLength(1)
  })

  it('keeps the password for another sender, and requires it for another server or user', async () => {
    await save({ ...SERVER, mailPassword: PASSWORD })
    expect((await save({ mailFrom: 'other@nara.kr' })).status).toBe(200)
    expect((await maru.call(sendTestMail, {}, admin)).data.state).toBe('sent')
    const before = await row()
    for (const change of [
      { mailHost: 'mail.attacker.example' },
      { mailPort: 2525 },
      { mailSecurity: 'tls' },
      { mailUser: 'another' },
    ])
      expect((await save(change)).code).toBe('MAIL_PASSWORD_REQUIRED')
    expect(await row()).toEqual(before)
    expect((await save({ mailHost: '' })).status).toBe(200)
    expect(await row()).toMatchObject([{ mail_url: null, mail_user: '', mail_password: null }])
    expect((await maru.call(sendTestMail, {}, admin)).data.state).toBe('written')
  })

  it('sends the password to no other server that the database names', async () => {
    await save({ ...SERVER, mailPassword: PASSWORD })
    await sql(`update settings set mail_url = 'smtp://mail.attacker.example:587'`)
    await maru.services.settings.fresh()
    const { smtpUrl } = maru.services.settings.mailServer()
    expect([new URL(smtpUrl).username, new URL(smtpUrl).password]).toEqual([username, ''])
  })

  it('encrypts the password with a new key secret at the start', async () => {
    await save({ ...SERVER, mailPassword: PASSWORD })
    const { keySecret } = maru.services
    const next = deriveFrom('another-secret-of-at-least-32-characters')
    const both = { ...next, sealSeeds: [...next.sealSeeds, ...keySecret.sealSeeds] }
    expect(await renewMailPassword(maru.database.db, both)).toBe(true)
    expect(await renewMailPassword(maru.database.db, next)).toBe(true)
    expect(await renewMailPassword(maru.database.db, keySecret)).toBe(false)
  })

  it('refuses other users, an outdated version and invalid input, and stays as it is', async () => {
    const { mailVersion: stale } = await read()
    await save({ ...SERVER, mailPassword: PASSWORD })
    const before = await row()
    const hr = await maru.createUser({ role: 'hr' })
    expect((await save({ mailFrom: 'a@nara.kr' }, hr)).code).toBe('FORBIDDEN')
    await sql(`insert into role_functions values ('AUT002', 'autho_setting_manage')`)
    onTestFinished(async () => {
      await sql(
        `delete from role_functions where role_code = 'AUT002' and function_name = 'autho_setting_manage'`,
      )
    })
    expect((await save({ mailFrom: 'a@nara.kr' }, hr)).code).toBe('ADMIN_REACH_REQUIRED')
    const late = await maru.call(updateMailServer, { mailFrom: 'a@nara.kr', version: stale }, admin)
    expect(late.code).toBe('RECORD_CHANGED')
    for (const change of [
      { mailHost: 'mail server' },
      { mailHost: 'user@mail.example' },
      { mailHost: 'mail.example/x' },
      { mailHost: 'mail.example:25' },
      { mailPort: 0 },
      { mailPort: 65_536 },
      { mailPort: '587' },
      { mailSecurity: 'none' },
      { mailPassword: '' },
      { mailUser: 'a\nb' },
      { mailFrom: '' },
      { mailFrom: 'a@nara.kr, b@nara.kr' },
      { mailFrom: 'a@nara.kr\r\nBcc: spy@nara.kr' },
      { mailFrom: '마루\u2028<a@nara.kr>' },
    ])
      expect(await save(change), JSON.stringify(change)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    expect(await row()).toEqual(before)
  })

  it('notifies every administrator of another server in the portal, the author too (rules/notifications#kinds)', async () => {
    const other = await maru.createUser({ role: 'admin' })
    const hr = await maru.createUser({ role: 'hr' })
    const told = async (by: TestUser) => (await maru.call(listNotifications, {}, by)).data.notifications
    await save({ mailFrom: 'other@nara.kr' })
    expect(await told(other)).toEqual([])
    await save({ ...SERVER, mailPassword: PASSWORD })
    for (const one of [admin, other])
      expect(await told(one)).toMatchObject([
        { kind: 'MAIL_SERVER', name: expect.stringContaining('홍길동'), address: `${hostname}:${port}` },
      ])
    expect(await told(hr)).toEqual([])
    await sql(`update users set role_code = 'AUT002' where id = $1`, [other.id])
    expect(await told(other)).toEqual([])
  })

  it('refuses the eleventh change of a user in ten minutes, so that no thief scans the network', async () => {
    const own = { ...SERVER, mailUser: '' }
    for (let tries = 1; tries <= MAIL_CHANGES.points; tries += 1)
      expect((await save({ ...own, mailPort: tries })).status).toBe(200)
    const before = await row()
    expect(await save({ ...own, mailPort: 99 })).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
    expect(await row()).toEqual(before)
  })

  it('requires a recent password of the caller', async () => {
    await sql(`update sessions set created_at = created_at - interval '11 minutes' where user_id = $1`, [
      admin.id,
    ])
    expect((await save({ mailFrom: 'a@nara.kr' })).code).toBe('CONFIRMATION_REQUIRED')
    expect(await row()).toMatchObject([{ mail_from: null }])
  })

  it('gives environment variables priority, and names them', async () => {
    const by = await fixed.createUser({ role: 'admin' })
    const { data } = await fixed.call(getSettings, {}, by)
    expect(data.fixed).toContainEqual({ field: 'mailServer', variable: 'SMTP_URL' })
    expect(data.fixed).toContainEqual({ field: 'mailFrom', variable: 'MAIL_FROM' })
    expect(data).toMatchObject({ ...SERVER, mailFrom: '나라 <no-reply@nara.kr>', mailPasswordSet: true })
    expect(JSON.stringify(data)).not.toContain(PASSWORD)
    const version = data.mailVersion
    for (const change of [{ mailHost: 'mail.nara.kr' }, { mailPassword: 'x' }, { mailFrom: 'a@nara.kr' }])
      expect((await fixed.call(updateMailServer, { ...change, version }, by)).code).toBe('SETTING_FIXED')
    const { version: portal } = data
    expect((await fixed.call(updateSettings, { logoText: '나라', version: portal }, by)).status).toBe(200)
  })
})
