import { afterAll, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, certifyEmail, findId, resetPassword, signUp } from '../../../contract/account.ts'
import { certifier, wrong } from '../../../dev/test-kit/certified.ts'
import { type Answer, useMaru } from '../../../dev/test-kit/maru.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { makeCode } from './email-verification.ts'

/*
 * Certification by e-mail (rules/account#certification-code, rules/account#certification-types), the codes read from
 * mails that a real server received.
 */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { certify, getCode, allSent } = certifier(maru, smtp)
afterAll(() => smtp.close())

const find = (email: string, code: string) =>
  maru.call(findId, { email, certificationType: CERTIFY_TYPE.findId, certificationCode: code })
const reset = (userId: string, email: string, code: string) =>
  maru.call(resetPassword, {
    userId,
    email,
    certificationType: CERTIFY_TYPE.resetPassword,
    certificationCode: code,
  })
const request = (userId: string, email: string, code: string) =>
  maru.callRaw(signUp.path, { ...sampleOf({ endpoint: signUp }), userId, email, certificationCode: code })

const FAILED = { status: 400, code: 'CERTIFICATION_FAILED' }

async function codeRow(email: string) {
  const rows = await maru.database.db
    .selectFrom('certifications')
    .selectAll()
    .where('email', '=', email)
    .execute()
  expect(rows.length).toBeLessThanOrEqual(1)
  return rows[0]
}

async function age(email: string, seconds: number): Promise<void> {
  await maru.database.pool.query(
    'update certifications set expires_at = expires_at - make_interval(secs => $2) where email = $1',
    [email, seconds],
  )
}

describe('a certification code', () => {
  test.each([
    ['ko', '[주식회사 마루] 아이디 찾기 인증번호'],
    ['en', '[주식회사 마루] Verification code to find your ID'],
  ])('has six digits and is mailed in the language of the request (%s)', async (language, subject) => {
    const { email } = await maru.createUser()
    expect((await certify('findId', email, undefined, { language })).status).toBe(200)
    const mail = await smtp.mailTo(email)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toMatch(/^\d{6}$/m)
  })

  test('is sent with an empty phone number as without one, and not with a wrong one', async () => {
    const { email, userId } = await maru.createUser()
    const ask = (phoneNumber: string) =>
      maru.call(certifyEmail, {
        email,
        userId,
        phoneNumber,
        certificationType: CERTIFY_TYPE.resetPassword,
      })
    expect(await ask('0101234')).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'phoneNumber' })
    expect((await ask('')).status).toBe(200)
    expect((await smtp.mailTo(email)).text).toMatch(/^\d{6}$/m)
  })

  test('is stored only as a salted hash', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    const row = await codeRow(email)
    expect(row?.codeHash).toHaveLength(32)
    expect(row?.salt).toHaveLength(16)
    expect(
      JSON.stringify({ ...row, codeHash: row?.codeHash.toString(), salt: '', expiresAt: '' }),
    ).not.toContain(code)
    await allSent()
  })

  test('works after 299 seconds', async () => {
    const { email, userId } = await maru.createUser()
    const code = await getCode('findId', email)
    await age(email, 295)
    expect((await find(email, code)).data).toEqual({ userId })
  })

  test('is refused after 300 seconds', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    await age(email, 300)
    expect(await find(email, code)).toMatchObject(FAILED)
  })

  test('is refused once used', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    expect((await find(email, code)).status).toBe(200)
    expect(await find(email, code)).toMatchObject(FAILED)
    expect(await codeRow(email)).toBeUndefined()
  })

  test('works only once when used several times at once', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    const answers = await Promise.all(Array.from({ length: 5 }, () => find(email, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ code: refusal }) => refusal === 'CERTIFICATION_FAILED')).toHaveLength(4)
  })

  test('stops working as soon as a newer one is asked for', async () => {
    const { email } = await maru.createUser()
    const options = { address: '203.0.113.1' }
    const first = await getCode('findId', email, undefined, options)
    const second = await getCode('findId', email, undefined, options)
    if (first !== second) expect(await find(email, first)).toMatchObject(FAILED)
    expect((await find(email, second)).status).toBe(200)
  })

  test('still works on the fifth try', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    for (let i = 0; i < 4; i += 1) expect(await find(email, wrong(code))).toMatchObject(FAILED)
    expect((await find(email, code)).status).toBe(200)
  })

  test('is refused after five wrong tries', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    for (let i = 0; i < 5; i += 1) expect(await find(email, wrong(code))).toMatchObject(FAILED)
    expect(await find(email, code)).toMatchObject(FAILED)
  })

  test('is refused after 50 wrong tries at once, only five of which are checked', async () => {
    const { email } = await maru.createUser()
    const code = await getCode('findId', email)
    const guesses = Array.from({ length: 50 }, () => find(email, wrong(code)))
    for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject(FAILED)
    const { tries = 0, foreignTries = 0 } = (await codeRow(email)) ?? {}
    expect(tries + foreignTries).toBe(5)
    expect(await find(email, code)).toMatchObject(FAILED)
  })

  test('is refused for another user ID', async () => {
    const code = await getCode('signUp', 'two.ids@example.com', 'first.id')
    expect(await request('second.id', 'two.ids@example.com', code)).toMatchObject(FAILED)
    const kim = await maru.createUser()
    const park = await maru.createUser()
    const forKim = await getCode('resetPassword', kim.email, kim.userId)
    expect(await reset(park.userId, kim.email, forKim)).toMatchObject(FAILED)
    expect(await reset(park.userId, park.email, forKim)).toMatchObject(FAILED)
  })

  test('is refused for another email', async () => {
    const kim = await maru.createUser()
    const park = await maru.createUser()
    const code = await getCode('findId', kim.email)
    expect(await find(park.email, code)).toMatchObject(FAILED)
  })

  test('is refused for other purposes', async () => {
    const { email, userId } = await maru.createUser()
    const toFind = await getCode('findId', email)
    expect(await reset(userId, email, toFind)).toMatchObject(FAILED)
    expect(await request(userId, email, toFind)).toMatchObject(FAILED)
    await maru.database.db.deleteFrom('certifications').execute()
    const toReset = await getCode('resetPassword', email, userId)
    expect(await find(email, toReset)).toMatchObject(FAILED)
  })
})

describe('nobody can find out who works here', () => {
  const people = ['somebody', 'nobody', 'withdrawn'] as const
  async function person(kind: (typeof people)[number]) {
    const user = await maru.createUser()
    if (kind === 'nobody') return { email: `no.${user.userId}@example.com`, userId: `no.${user.userId}` }
    if (kind === 'withdrawn')
      await maru.database.pool.query('update users set withdrawn_at = now() where id = $1', [user.id])
    return user
  }

  const steps: [string, (who: { email: string; userId: string }) => Promise<Answer>][] = [
    ['certify to sign up', ({ email, userId }) => certify('signUp', email, `x.${userId}`)],
    ['certify to find the ID', ({ email }) => certify('findId', email)],
    ['certify to reset', ({ email, userId }) => certify('resetPassword', email, userId)],
    ['certify to reset, with an ID of nobody', ({ email }) => certify('resetPassword', email, 'no.such.id')],
    ['find the ID with a wrong code', ({ email }) => find(email, '000000')],
    ['reset with a wrong code', ({ email, userId }) => reset(userId, email, '000000')],
    ['sign up with a wrong code', ({ email, userId }) => request(`x.${userId}`, email, '000000')],
    [
      'the sixth code in ten minutes',
      async ({ email }) => {
        const ask = () => certify('findId', email, undefined, { address: '203.0.113.2' })
        for (let i = 0; i < 5; i += 1) await ask()
        return ask()
      },
    ],
  ]
  test.each(steps)('reveals nothing in the status, body or headers of any answer: %s', async (_, step) => {
    const answers = []
    for (const kind of people) {
      const { status, raw, headers } = await step(await person(kind))
      const { date: _date, 'x-request-id': _id, 'retry-after': _wait, ...rest } = headers
      answers.push({ status, raw, rest })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('sends no mail for an email that matches no account', async () => {
    const nobody = await person('nobody')
    const withdrawn = await person('withdrawn')
    const kim = await person('somebody')
    // The mail that earlier tests requested has been sent.
    await allSent()
    await allSent()
    const since = smtp.mails.length
    await certify('findId', nobody.email)
    await certify('resetPassword', nobody.email, nobody.userId)
    await certify('findId', withdrawn.email)
    await certify('resetPassword', withdrawn.email, withdrawn.userId)
    await certify('resetPassword', kim.email, nobody.userId)
    await certify('resetPassword', nobody.email, kim.userId)
    await allSent()
    expect(smtp.mails.slice(since)).toEqual([])
  })

  test('mails the owner of an email in use a hint without a code, in their language (rules/frame#mail-language)', async () => {
    const kim = await maru.createUser()
    await maru.database.pool.query(`update users set language = 'en' where id = $1`, [kim.id])
    await certify('signUp', kim.email, 'somebody.else')
    const mail = await smtp.mailTo(kim.email)
    expect(mail.subject).toBe('[주식회사 마루] This e-mail address has an account')
    expect(mail.text + mail.html).not.toMatch(/(?<!\d)\d{6}(?!\d)/)
  })

  test('accepts no guessed code where none was sent', async () => {
    const kim = await maru.createUser()
    const guess = (type: string, loginId: string, email: string) =>
      maru.database.db.transaction().execute((tx) => makeCode(tx, { type, loginId, email }, 'test'))
    const nobody = 'nobody.at.all@example.com'
    expect(await find(nobody, await guess('TYP002', '', nobody))).toMatchObject(FAILED)
    const wrongId = await guess('TYP003', 'no.such.id', kim.email)
    expect(await reset('no.such.id', kim.email, wrongId)).toMatchObject(FAILED)
    const taken = await guess('TYP001', 'somebody.else', kim.email)
    expect(await request('somebody.else', kim.email, taken)).toMatchObject(FAILED)
    const { rows } = await maru.database.pool.query(`select 1 from users where login_id = 'somebody.else'`)
    expect(rows).toEqual([])
  })
})
