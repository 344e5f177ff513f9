import { afterAll, describe, expect, test } from 'vitest'
import {
  CERTIFY_TYPE,
  checkPassword,
  findId,
  listSessions,
  login,
  resetPassword,
  setPassword,
} from '../../../contract/account.ts'
import { certifier, wrong } from '../../../dev/test-kit/certified.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'

/*
 * Find ID and reset password (rules/account#find-id, rules/account#reset-password), and the mail that tells of a
 * changed password.
 */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { getCode, allSent } = certifier(maru, smtp)
afterAll(() => smtp.close())

const NEW_PASSWORD = '푸른-바다-7고래'

function reset(userId: string, email: string, code: string, language = 'ko') {
  const certificate = { certificationType: CERTIFY_TYPE.resetPassword, certificationCode: code }
  return maru.call(resetPassword, { userId, email, ...certificate }, { language })
}

/** Resets and reads the temporary password from the mail. */
async function temporaryPassword({ userId, email }: { userId: string; email: string }): Promise<string> {
  const code = await getCode('resetPassword', email, userId)
  await allSent()
  const since = smtp.mails.length
  expect((await reset(userId, email, code)).status).toBe(200)
  const { text } = await smtp.mailTo(email, since)
  return /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(text)?.[0] ?? ''
}

describe('find ID', () => {
  test('tells the ID to the holder of the code, whatever the case of the e-mail', async () => {
    const { userId, email } = await maru.createUser({ loginId: 'lost.kim', email: 'lost.kim@example.com' })
    const code = await getCode('findId', email)
    const answer = await maru.call(findId, {
      email: ' Lost.Kim@Example.com ',
      certificationType: CERTIFY_TYPE.findId,
      certificationCode: code,
    })
    expect(answer.data).toEqual({ userId })
  })

  test('finds no ID for an account withdrawn after the code was sent', async () => {
    const { id, email } = await maru.createUser()
    const code = await getCode('findId', email)
    await maru.database.pool.query('update users set withdrawn_at = now() where id = $1', [id])
    const certificate = { certificationType: CERTIFY_TYPE.findId, certificationCode: code }
    expect(await maru.call(findId, { email, ...certificate })).toMatchObject({
      status: 400,
      code: 'CERTIFICATION_FAILED',
    })
  })
})

describe('reset password', () => {
  test.each([
    [
      'ko',
      '임시 비밀번호를 이메일로 보냈습니다. 로그인한 후 비밀번호를 변경해주세요.',
      '[주식회사 마루] 임시 비밀번호',
    ],
    ['en', /temporary password/i, '[주식회사 마루] Temporary password'],
  ])('mails a temporary password and says so in the same language (%s)', async (language, msg, subject) => {
    const { userId, email } = await maru.createUser()
    const code = await getCode('resetPassword', email, userId)
    await allSent()
    const since = smtp.mails.length
    const answer = await reset(userId, email, code, language)
    expect([answer.status, answer.data]).toEqual([200, {}])
    expect(answer.msg).toMatch(msg)
    const mail = await smtp.mailTo(email, since)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(userId)
    expect(answer.raw).not.toContain(/^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(mail.text)?.[0])
  })

  test('replaces the old password by a temporary one that has to be changed', async () => {
    const kim = await maru.createUser()
    const temporary = await temporaryPassword(kim)
    expect(await maru.call(login, { loginId: kim.userId, password: PASSWORD })).toMatchObject({
      code: 'LOGIN_FAILED',
    })
    const first = await maru.call(login, { loginId: kim.userId, password: temporary })
    expect(first.data).toMatchObject({ userId: kim.userId, mustChangePassword: true })
    const session = first.data.sessionUid
    expect(await maru.call(listSessions, {}, { session })).toMatchObject({ code: 'PASSWORD_CHANGE_REQUIRED' })
    const changed = await maru.call(
      setPassword,
      { currentPassword: temporary, newPassword: NEW_PASSWORD },
      { session },
    )
    expect(changed.status).toBe(200)
    expect(
      (await maru.call(login, { loginId: kim.userId, password: NEW_PASSWORD })).data.mustChangePassword,
    ).toBe(false)
    expect(await maru.call(login, { loginId: kim.userId, password: temporary })).toMatchObject({
      code: 'LOGIN_FAILED',
    })
  })

  test('does not allow the previous password again at once', async () => {
    const kim = await maru.createUser()
    const temporary = await temporaryPassword(kim)
    const { data } = await maru.call(login, { loginId: kim.userId, password: temporary })
    const back = { currentPassword: temporary, newPassword: PASSWORD }
    expect(await maru.call(setPassword, back, { session: data.sessionUid })).toMatchObject({
      code: 'PASSWORD_REUSED',
    })
  })

  test('ends every session', async () => {
    const kim = await maru.createUser()
    const second = (await maru.call(login, { loginId: kim.userId, password: PASSWORD })).data.sessionUid
    await temporaryPassword(kim)
    for (const session of [kim.session, second])
      expect((await maru.call(listSessions, {}, { session })).code).toBe('SESSION_REQUIRED')
  })

  test('lifts the lock of five wrong passwords', async () => {
    const kim = await maru.createUser()
    for (let i = 0; i < 5; i += 1)
      await maru.call(login, { loginId: kim.userId, password: 'wrong-Password-1' })
    expect((await maru.call(login, { loginId: kim.userId, password: PASSWORD })).code).toBe('LOGIN_LOCKED')
    const temporary = await temporaryPassword(kim)
    expect((await maru.call(login, { loginId: kim.userId, password: temporary })).status).toBe(200)
  })

  test('logs the reset without the password', async () => {
    const kim = await maru.createUser()
    const temporary = await temporaryPassword(kim)
    const { rows } = await maru.database.pool.query('select * from audit_log where actor_id = $1', [kim.id])
    expect(rows).toMatchObject([{ action: 'account.reset-password', target: kim.userId }])
    expect(JSON.stringify(rows)).not.toContain(temporary)
    await allSent()
    const { rows: left } = await maru.database.pool.query('select 1 from mails where text like $1', [
      `%${temporary}%`,
    ])
    expect(left).toEqual([])
  })

  test('changes nothing when the code is wrong', async () => {
    const kim = await maru.createUser()
    const code = await getCode('resetPassword', kim.email, kim.userId)
    await allSent()
    const since = smtp.mails.length
    expect(await reset(kim.userId, kim.email, wrong(code))).toMatchObject({ code: 'CERTIFICATION_FAILED' })
    await allSent()
    expect(smtp.mails.slice(since)).toEqual([])
    expect((await maru.call(login, { loginId: kim.userId, password: PASSWORD })).status).toBe(200)
    expect((await maru.call(listSessions, {}, { session: kim.session })).status).toBe(200)
  })

  test('sends one temporary password when the right code is used five times at once', async () => {
    const kim = await maru.createUser()
    const code = await getCode('resetPassword', kim.email, kim.userId)
    await allSent()
    const since = smtp.mails.length
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(kim.userId, kim.email, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await allSent()
    expect(smtp.mails.slice(since)).toHaveLength(1)
  })

  test('changes nothing and keeps the code while mail cannot be sent', async () => {
    const kim = await maru.createUser()
    const code = await getCode('resetPassword', kim.email, kim.userId)
    await smtp.down()
    await getAway()
    expect(await reset(kim.userId, kim.email, code)).toMatchObject({ status: 400, code: 'MAIL_UNAVAILABLE' })
    expect((await maru.call(login, { loginId: kim.userId, password: PASSWORD })).status).toBe(200)
    await smtp.up()
    await expect.poll(() => maru.services.mail.isAway()).toBe(false)
    expect((await reset(kim.userId, kim.email, code)).status).toBe(200)
  })
})

/** Sends another user's mail, so that the server notices that the mail server is unavailable. */
async function getAway(): Promise<void> {
  const other = await maru.createUser()
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await maru.call(setPassword, change, { session: other.session })).status).toBe(200)
  await expect.poll(() => maru.services.mail.isAway()).toBe(true)
}

describe('a changed password', () => {
  test('is announced to its owner by mail, in their language and without the password', async () => {
    const kim = await maru.createUser()
    await allSent()
    const since = smtp.mails.length
    await maru.call(
      setPassword,
      { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      { session: kim.session },
    )
    const mail = await smtp.mailTo(kim.email, since)
    expect(mail.subject).toBe('[주식회사 마루] 비밀번호가 변경되었습니다')
    expect(mail.text).toMatch(
      new RegExp(`^${kim.userId} 계정의 비밀번호가 \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\(한국 시간\\)`),
    )
    expect(mail.text + mail.html).not.toContain(NEW_PASSWORD)
  })

  test('is not announced when the change was refused', async () => {
    const kim = await maru.createUser()
    await allSent()
    const since = smtp.mails.length
    const tries = [
      { currentPassword: 'wrong-Password-1', newPassword: NEW_PASSWORD },
      { currentPassword: PASSWORD, newPassword: PASSWORD },
      { currentPassword: PASSWORD, newPassword: 'Password1!' },
    ]
    for (const input of tries)
      expect((await maru.call(setPassword, input, { session: kim.session })).status).toBe(400)
    await allSent()
    expect(smtp.mails.slice(since)).toEqual([])
  })

  test('refuses a login that was checking the password during a reset', async () => {
    const kim = await maru.createUser()
    during('verify', () => temporaryPassword(kim))
    expect(await maru.call(login, { loginId: kim.userId, password: PASSWORD })).toMatchObject({
      code: 'LOGIN_FAILED',
    })
    const { rows } = await maru.database.pool.query('select 1 from sessions where user_id = $1', [kim.id])
    expect(rows).toEqual([])
  })

  test('refuses a change without the temporary password during another reset', async () => {
    const kim = await maru.createUser()
    const first = await temporaryPassword(kim)
    const { data } = await maru.call(login, { loginId: kim.userId, password: first })
    let second = ''
    during('hash', async () => (second = await temporaryPassword(kim)))
    expect(
      await maru.call(setPassword, { newPassword: NEW_PASSWORD }, { session: data.sessionUid }),
    ).toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    expect((await maru.call(login, { loginId: kim.userId, password: second })).status).toBe(200)
  })

  test('refuses a change that was checking the old password during a reset', async () => {
    const kim = await maru.createUser()
    let temporary = ''
    during('hash', async () => (temporary = await temporaryPassword(kim)))
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect(await maru.call(setPassword, change, { session: kim.session })).toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    expect((await maru.call(login, { loginId: kim.userId, password: temporary })).status).toBe(200)
    expect((await maru.call(checkPassword, { password: PASSWORD }, { session: kim.session })).code).toBe(
      'SESSION_REQUIRED',
    )
  })
})

/** Has something happen while the next password is verified or hashed, which takes its time in production. */
function during(step: 'verify' | 'hash', happens: () => Promise<unknown>): void {
  const { passwords } = maru.services
  const real = { ...passwords }
  const slow = async (...args: [string, string]) => {
    Object.assign(passwords, real)
    const result = await real[step](...args)
    await happens()
    return result
  }
  Object.assign(passwords, { [step]: slow })
}
