import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, login, signUp } from '../../../contract/account.ts'
import { certifier, wrong } from '../../../dev/test-kit/certified.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { makeCode } from './email-verification.ts'

/* Sign-up (rules/account#sign-up): from an empty form to an account that waits for approval. */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { certify, getCode, startAfresh } = certifier(maru, smtp)
afterAll(() => smtp.close())

const PASSWORD = '푸른-바다-7고래'
const form = (userId: string, code: string) => ({
  userId,
  password: PASSWORD,
  affiliationCode: 'BEL001',
  position: '과장',
  name: '김하늘',
  phoneNumber: '01098765432',
  email: `${userId}@example.com`,
  certificationType: CERTIFY_TYPE.signUp,
  certificationCode: code,
})
const certified = async (userId: string) =>
  form(userId, await getCode('signUp', `${userId}@example.com`, userId))

async function accounts(where: { loginId: string } | { email: string }) {
  const [[column, value] = ['', '']] = Object.entries(where)
  return maru.database.db
    .selectFrom('users')
    .selectAll()
    .where(column as 'email', '=', value)
    .execute()
}

/** Creates a code without a mail, for tests that need fifty of them. */
const codeFor = (loginId: string, email: string) =>
  maru.database.db
    .transaction()
    .execute((tx) => makeCode(tx, { type: CERTIFY_TYPE.signUp, email, loginId }, 'test'))

async function triesOf(email: string): Promise<number | undefined> {
  const row = await maru.database.db
    .selectFrom('certifications')
    .select(['tries', 'foreignTries'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row && row.tries + row.foreignTries
}

describe('a certified sign-up', () => {
  test.each([
    ['ko', '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.'],
    ['en', /administrator/],
  ])('becomes a request for approval and says so (%s)', async (language, msg) => {
    const answer = await maru.call(signUp, await certified(`said.${language}`), { language })
    expect([answer.status, answer.data]).toEqual([200, {}])
    expect(answer.msg).toMatch(msg)
    expect(await accounts({ loginId: `said.${language}` })).toMatchObject([{ language }])
  })

  test('creates an unapproved ordinary user with a hashed and remembered password', async () => {
    expect((await maru.call(signUp, await certified('haneul.kim'))).status).toBe(200)
    const [user, ...others] = await accounts({ loginId: 'haneul.kim' })
    expect(others).toEqual([])
    expect(user).toMatchObject({
      name: '김하늘',
      position: '과장',
      phoneNumber: '01098765432',
      email: 'haneul.kim@example.com',
      affiliationCode: 'BEL001',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP002',
      partnerId: null,
      validFrom: null,
      validTo: null,
      passwordTemporary: false,
      withdrawnAt: null,
    })
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/)
    const { rows } = await maru.database.pool.query(
      `select (select count(*)::int from password_history where user_id = $1) as passwords,
        (select count(*)::int from sessions where user_id = $1) as sessions,
        (select array_agg(state || ' ' || login_id) from approval_requests where user_id = $1) as requests,
        (select array_agg(action) from audit_log where actor_id = $1) as audit`,
      [user?.id],
    )
    expect(rows).toEqual([
      { passwords: 1, sessions: 0, requests: ['waiting haneul.kim'], audit: ['account.sign-up'] },
    ])
  })

  test('allows login only after approval', async () => {
    await maru.call(signUp, await certified('waiting.kim'))
    const logIn = () => maru.call(login, { loginId: 'waiting.kim', password: PASSWORD })
    expect(await logIn()).toMatchObject({ status: 400, code: 'ACCOUNT_NOT_APPROVED' })
    await maru.database.pool.query(
      `update users set approval_code = 'MEMAP001' where login_id = 'waiting.kim'`,
    )
    expect((await logIn()).data).toMatchObject({ userId: 'waiting.kim', mustChangePassword: false })
  })

  test('is refused when it tries to grant itself anything through extra fields', async () => {
    const input = await certified('greedy.kim')
    for (const more of [{ roleCode: 'AUT001' }, { approvalCode: 'MEMAP001' }, { partnerCode: 'X-1' }]) {
      const answer = await maru.callRaw(signUp.path, { ...input, ...more })
      expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    }
    expect(await accounts({ loginId: 'greedy.kim' })).toEqual([])
  })
})

describe('a wrong form is refused before the code is tried and writes nothing', () => {
  const refusals: [string, Record<string, unknown>, string, string?][] = [
    ['an ID of three', { userId: 'abc' }, 'INPUT_INVALID', 'userId'],
    ['an ID with a space', { userId: 'kim haneul' }, 'INPUT_INVALID', 'userId'],
    ['a Korean ID', { userId: '김하늘입니다' }, 'INPUT_INVALID', 'userId'],
    ['a password of seven', { password: 'aB3$xyz' }, 'INPUT_INVALID', 'password'],
    ['a password of letters alone', { password: 'abcdefghijklmn' }, 'INPUT_INVALID', 'password'],
    ['a short password of two kinds', { password: 'abcd2891' }, 'INPUT_INVALID', 'password'],
    ['a password of 129', { password: 'aB3$'.repeat(33).slice(0, 129) }, 'INPUT_INVALID', 'password'],
    ['a common password', { password: 'Password1!' }, 'PASSWORD_COMMON'],
    ['a password with the ID in it', { password: 'xx-form.kim-9!' }, 'PASSWORD_PERSONAL'],
    ['a password with the phone number in it', { password: 'tel-98765432!' }, 'PASSWORD_PERSONAL'],
    ['no affiliation', { affiliationCode: '' }, 'INPUT_INVALID', 'affiliationCode'],
    ['an unknown affiliation', { affiliationCode: 'BEL999' }, 'CODE_NOT_FOUND'],
    ['no rank', { position: ' ' }, 'INPUT_INVALID', 'position'],
    ['no name', { name: '' }, 'INPUT_INVALID', 'name'],
    ['a name of 51', { name: '가'.repeat(51) }, 'INPUT_INVALID', 'name'],
    ['a phone number of ten digits', { phoneNumber: '0101234567' }, 'INPUT_INVALID', 'phoneNumber'],
    [
      'a phone number of twelve digits with dashes',
      { phoneNumber: '010-1234-56789' },
      'INPUT_INVALID',
      'phoneNumber',
    ],
    ['no e-mail', { email: '' }, 'INPUT_INVALID', 'email'],
    ['two e-mails', { email: 'a@b.example,c@d.example' }, 'INPUT_INVALID', 'email'],
    ['a code of five', { certificationCode: '12345' }, 'INPUT_INVALID', 'certificationCode'],
    ['a code of letters', { certificationCode: 'abcdef' }, 'INPUT_INVALID', 'certificationCode'],
    ['another purpose', { certificationType: 'TYP003' }, 'INPUT_INVALID', 'certificationType'],
  ]
  test.each(refusals)('refuses %s', async (_, change, code, field) => {
    const input = form('form.kim', await codeFor('form.kim', 'form.kim@example.com'))
    const answer = await maru.callRaw(signUp.path, { ...input, ...change })
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.field).toBe(field)
    expect(answer.msg).toMatch(/\p{Script=Hangul}/u)
    expect(await accounts({ loginId: 'form.kim' })).toEqual([])
    expect(await triesOf('form.kim@example.com')).toBe(0)
  })
})

describe('a sign-up', () => {
  test('writes nothing when the code is wrong', async () => {
    const input = await certified('guess.kim')
    const answer = await maru.call(signUp, { ...input, certificationCode: wrong(input.certificationCode) })
    expect(answer).toMatchObject({ status: 400, code: 'CERTIFICATION_FAILED' })
    expect(await accounts({ loginId: 'guess.kim' })).toEqual([])
    const { rows } = await maru.database.pool.query(
      `select from approval_requests where login_id = 'guess.kim'`,
    )
    expect(rows).toEqual([])
  })

  test('refuses an ID in use, even by a withdrawn account, and keeps the code valid', async () => {
    const input = await certified('late.kim')
    const first = await maru.createUser({ loginId: 'late.kim', email: 'first@example.com' })
    expect(await maru.call(signUp, input)).toMatchObject({ status: 400, code: 'USER_ID_TAKEN' })
    await maru.database.pool.query('update users set withdrawn_at = now() where id = $1', [first.id])
    expect(await maru.call(signUp, input)).toMatchObject({ status: 400, code: 'USER_ID_TAKEN' })
    expect(await accounts({ email: 'late.kim@example.com' })).toEqual([])
    expect(await triesOf('late.kim@example.com')).toBe(2)
  })

  test('is refused like a wrong code when the e-mail now belongs to somebody else', async () => {
    const input = await certified('slow.kim')
    await maru.createUser({ loginId: 'fast.kim', email: 'slow.kim@example.com' })
    expect(await maru.call(signUp, input)).toMatchObject({ status: 400, code: 'CERTIFICATION_FAILED' })
    expect(await accounts({ loginId: 'slow.kim' })).toEqual([])
  })

  test('may use the e-mail of an account that can no longer be restored', async () => {
    const { id } = await maru.createUser({ loginId: 'left.kim', email: 'back.kim@example.com' })
    await maru.database.pool.query(
      `update users set withdrawn_at = now() - interval '31 days' where id = $1`,
      [id],
    )
    expect((await maru.call(signUp, await certified('back.kim'))).status).toBe(200)
  })

  test('creates one account and audit row for 50 concurrent sign-ups on two servers', async () => {
    const twin = await maru.startTwin()
    // The mails of the tests that follow are not for it to send.
    await twin.services.jobs.stop()
    const forms = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const email = `rush${i}@example.com`
        return { ...form('rush.kim', await codeFor('rush.kim', email)), email }
      }),
    )
    const answers = await Promise.all(forms.map((input, i) => (i % 2 ? maru : twin).call(signUp, input)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'USER_ID_TAKEN')).toHaveLength(49)
    const [account, ...others] = await accounts({ loginId: 'rush.kim' })
    expect(others).toEqual([])
    const { rows } = await maru.database.pool.query(
      `select (select count(*)::int from users where email like 'rush%') as accounts,
        (select count(*)::int from password_history where user_id = $1) as passwords,
        (select count(*)::int from audit_log where target = 'rush.kim') as audit`,
      [account?.id],
    )
    expect(rows).toEqual([{ accounts: 1, passwords: 1, audit: 1 }])
  })

  test('creates one account for five concurrent submissions', async () => {
    const input = await certified('double.kim')
    const answers = await Promise.all(Array.from({ length: 5 }, () => maru.call(signUp, input)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accounts({ loginId: 'double.kim' })).toHaveLength(1)
  })
})

describe('with a mail server (rules/account#mail-outage)', () => {
  beforeEach(startAfresh)

  test('refuses codes while the mail server is down, uses up no limit and sends later', async () => {
    const { email } = await maru.createUser()
    await smtp.down()
    // Nobody knows yet that it is down: the code waits in the queue.
    expect((await certify('signUp', 'patient.kim@example.com', 'patient.kim')).status).toBe(200)
    await expect.poll(() => maru.services.mail.isAway()).toBe(true)
    for (const [purpose, to] of [
      ['signUp', 'new@example.com'],
      ['findId', email],
      ['findId', 'no@example.com'],
    ] as const)
      for (let i = 0; i < 6; i += 1)
        expect(await certify(purpose, to, purpose === 'signUp' ? 'new.kim' : undefined)).toMatchObject({
          status: 400,
          code: 'MAIL_UNAVAILABLE',
          msg: '지금은 메일을 보낼 수 없습니다. 잠시 후 다시 시도해주세요.',
        })
    expect(await triesOf('new@example.com')).toBeUndefined()
    await smtp.up()
    const { text } = await smtp.mailTo('patient.kim@example.com')
    const code = /^\d{6}$/m.exec(text)?.[0] ?? ''
    expect((await maru.call(signUp, form('patient.kim', code))).status).toBe(200)
    expect((await certify('findId', email)).status).toBe(200)
  })

  test('notices the outage even if the first caller has no account', async () => {
    await smtp.down()
    expect((await certify('findId', 'nobody.first@example.com')).status).toBe(200)
    await expect.poll(() => maru.services.mail.isAway()).toBe(true)
    await smtp.up()
    await expect.poll(() => maru.services.mail.isAway()).toBe(false)
  })

  test('answers as usual if the recipient is rejected, and allows another code', async () => {
    smtp.onRecipient = () => 550
    expect((await certify('signUp', 'typo.kim@example.com', 'typo.kim')).status).toBe(200)
    await expect
      .poll(() =>
        maru.database.db
          .selectFrom('mails')
          .select(['text', 'recipient'])
          .where('failedAt', 'is not', null)
          .execute(),
      )
      .toEqual([{ text: '', recipient: 'typo.kim@example.com' }])
    expect(await accounts({ loginId: 'typo.kim' })).toEqual([])
    smtp.onRecipient = () => undefined
    expect((await maru.call(signUp, await certified('typo.kim'))).status).toBe(200)
  })

  test('does not wait for a slow mail server', async () => {
    smtp.onRecipient = () => 'stall'
    expect((await certify('signUp', 'hasty.kim@example.com', 'hasty.kim')).status).toBe(200)
    const mails = await maru.database.db.selectFrom('mails').select(['recipient', 'lastError']).execute()
    expect(mails).toEqual([{ recipient: 'hasty.kim@example.com', lastError: null }])
  })
})
