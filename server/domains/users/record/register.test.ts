import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkId, checkPassword, login, setPassword } from '../../../../contract/account.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { checkEmail, getUser, registerUser, requestEmail } from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

/* Registering a user (rules/users#register): who may, what is refused, and that a refusal writes nothing. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser

beforeAll(async () => {
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
  await maru.createPartner({ code: 'STOPPED-1', affiliation: 'BEL001' })
  await sql(`update partners set stopped_at = now() where code = 'STOPPED-1'`)
})
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
})
afterEach(() => {
  expect(maru.log.filter((line) => line.level >= 50)).toEqual([])
})

type Registration = InputOf<typeof registerUser>
const NEW_PASSWORD = '푸른-바다-7고래'

const form = (userId: string): Registration => ({
  userId,
  password: NEW_PASSWORD,
  affiliationCode: 'BEL001',
  position: '과장',
  name: '김하늘',
  phoneNumber: '01098765432',
  email: `${userId}@example.com`,
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'HEAD-1',
  roleCode: 'AUT003',
  approvalCode: 'MEMAP001',
  managerPassword: PASSWORD,
})
const register = (by: TestUser, input: Registration) => maru.call(registerUser, input, by)

/** Counts accounts, passwords, mails and audit rows of registrations. */
async function counts() {
  const { rows } = await sql(`select (select count(*)::int from users) as users,
    (select count(*)::int from password_history) as passwords, (select count(*)::int from mails) as mails,
    (select count(*)::int from audit_log where action = 'user.register') as audit`)
  return rows[0]
}

async function expectRefused(by: TestUser, input: Registration, code: string, status = 400) {
  const before = await counts()
  expect(await register(by, input)).toMatchObject({ status, code })
  expect(await counts()).toEqual(before)
}

describe('registering a user', () => {
  test.each(['관리자', '인사 관리자'])('saves both cards for %s and answers the ID', async (role) => {
    const by = role === '관리자' ? admin : hr
    const userId = `made.by.${by.userId}`
    expect((await register(by, form(userId.toUpperCase()))).data).toEqual({ userId })
    const { password: _, managerPassword: __, ...record } = form(userId)
    expect((await maru.call(getUser, { userId }, by)).data).toMatchObject(record)
  })

  test('sets a password that logs in and need not be changed (rules/account#temporary-password)', async () => {
    await register(hr, form('ready.kim'))
    const answer = await maru.call(login, { loginId: 'ready.kim', password: NEW_PASSWORD })
    expect(answer.data).toMatchObject({ userId: 'ready.kim', mustChangePassword: false })
    // It counts as the first of the last three (rules/account#password-rules).
    const again = { currentPassword: NEW_PASSWORD, newPassword: NEW_PASSWORD }
    expect(await maru.call(setPassword, again, { session: answer.data.sessionUid })).toMatchObject({
      code: 'PASSWORD_REUSED',
    })
  })

  test('as not approved makes an account that cannot log in', async () => {
    await register(hr, { ...form('later.kim'), approvalCode: 'MEMAP002' })
    expect((await maru.call(login, { loginId: 'later.kim', password: NEW_PASSWORD })).code).toBe(
      'ACCOUNT_NOT_APPROVED',
    )
  })

  test('writes one audit row with who, whom and which rights, but no password', async () => {
    await register(hr, form('noted.kim'))
    const { rows } = await sql(`select action, actor_id, detail from audit_log where target = 'noted.kim'`)
    expect(rows).toEqual([
      {
        action: 'user.register',
        actor_id: hr.id,
        detail: {
          roleCode: 'AUT003',
          approvalCode: 'MEMAP001',
          affiliationCode: 'BEL001',
          partnerCode: 'HEAD-1',
        },
      },
    ])
  })

  test('stores the password only as a hash', async () => {
    await register(hr, form('hashed.kim'))
    const { rows } = await sql(`select * from users where login_id = 'hashed.kim'`)
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(rows)).not.toContain(NEW_PASSWORD)
  })
})

test('stores a phone number without its hyphens and +82 (rules/users#phone-number)', async () => {
  const typed = { ...form('hyphen.kim'), phoneNumber: '+82 10-9876-5432' }
  await maru.call(registerUser, { ...typed, managerPassword: PASSWORD }, admin)
  const { data } = await maru.call(getUser, { userId: 'hyphen.kim' }, admin)
  expect(data.phoneNumber).toBe('01098765432')
})

test('tells a manager that an email is in use or reserved (rules/users#availability-check)', async () => {
  const { email } = await maru.createUser({ email: 'in.use@example.com' })
  const gone = await maru.createUser({ email: 'gone.by@example.com' })
  await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
  const asked = async (by: TestUser, wanted: string) =>
    (await maru.call(checkEmail, { email: wanted }, by)).code
  expect(await asked(hr, email.toUpperCase())).toBe('EMAIL_TAKEN')
  expect(await asked(hr, gone.email)).toBe('EMAIL_TAKEN')
  await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [gone.id])
  expect(await asked(hr, gone.email)).toBeUndefined()
  expect(await asked(await maru.createUser(), email)).toBe('FORBIDDEN')
})

test('names the user whose email a call refuses as taken in the access log (rules/audit#access-log)', async () => {
  const { id, email } = await maru.createUser({ email: 'logged.one@example.com' })
  const person = await maru.createUser()
  for (const { code, headers } of [
    await maru.call(checkEmail, { email }, hr),
    await maru.call(requestEmail, { userId: person.userId, email, reason: '' }, hr),
    await maru.call(registerUser, { ...form('logged.kim'), email, managerPassword: PASSWORD }, hr),
  ]) {
    const { rows } = await maru.owner.query('select subjects from access_log where request_id = $1', [
      headers['x-request-id'],
    ])
    expect([code, ...rows[0].subjects.map(String)]).toEqual(expect.arrayContaining(['EMAIL_TAKEN', id]))
  }
})

describe('the manager’s password (rules/users#manager-password)', () => {
  test('is PASSWORD_WRONG when wrong, and nothing is written', async () => {
    await expectRefused(hr, { ...form('wrong.kim'), managerPassword: 'not-It-2026!' }, 'PASSWORD_WRONG')
  })

  test('must be the manager’s own, not another manager’s or the new person’s', async () => {
    await sql('update users set password_hash = $2 where id = $1', [
      hr.id,
      await maru.services.passwords.hash('Only-hr-2026!'),
    ])
    await expectRefused(hr, form('whose.kim'), 'PASSWORD_WRONG')
    await expectRefused(hr, { ...form('whose.kim'), managerPassword: NEW_PASSWORD }, 'PASSWORD_WRONG')
    expect((await register(hr, { ...form('whose.kim'), managerPassword: 'Only-hr-2026!' })).status).toBe(200)
  })

  test('protects whose e-mail or ID is in use', async () => {
    const { userId, email } = await maru.createUser()
    const taken = { ...form(userId), email, managerPassword: 'not-It-2026!' }
    await expectRefused(hr, taken, 'PASSWORD_WRONG')
  })

  test('locks here, at the gate and at the login after five wrong ones (rules/account#login-lock)', async () => {
    const wrong = { ...form('guess.kim'), managerPassword: 'not-It-2026!' }
    for (let i = 0; i < 4; i += 1) await expectRefused(hr, wrong, 'PASSWORD_WRONG')
    await expectRefused(hr, wrong, 'LOGIN_LOCKED', 429)
    await expectRefused(hr, form('guess.kim'), 'LOGIN_LOCKED', 429)
    expect((await maru.call(checkPassword, { password: PASSWORD }, hr)).code).toBe('LOGIN_LOCKED')
    expect((await maru.call(login, { loginId: hr.userId, password: PASSWORD })).code).toBe('LOGIN_LOCKED')
    // Nobody else is locked by it.
    expect((await register(admin, form('guess.kim'))).status).toBe(200)
  })

  test('is counted together with wrong passwords at the gate', async () => {
    for (let i = 0; i < 3; i += 1) await maru.call(checkPassword, { password: 'not-It-2026!' }, hr)
    const wrong = { ...form('mixed.kim'), managerPassword: 'not-It-2026!' }
    await expectRefused(hr, wrong, 'PASSWORD_WRONG')
    await expectRefused(hr, wrong, 'LOGIN_LOCKED', 429)
  })

  test('can be guessed at most five times by 50 simultaneous calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        register(hr, { ...form('rush.kim'), managerPassword: `not-It-${i}!` }),
      ),
    )
    expect(answers.filter(({ code }) => code === 'PASSWORD_WRONG')).toHaveLength(4)
    expect(answers.filter(({ code }) => code === 'LOGIN_LOCKED')).toHaveLength(46)
  })
})

describe('who may register whom', () => {
  test('answers 일반 사용자 400 FUNCTION_DENIED, 권한이 없습니다. (rules/roles#deny-by-default)', async () => {
    const by = await maru.createUser()
    const before = await counts()
    expect(await register(by, form('denied.kim'))).toMatchObject({
      status: 400,
      code: 'FUNCTION_DENIED',
      msg: '권한이 없습니다.',
    })
    expect(await counts()).toEqual(before)
  })

  test('requires a session', async () => {
    expect(await maru.call(registerUser, form('nobody.kim'))).toMatchObject({ status: 401 })
  })

  test('keeps 인사 관리자 from registering 관리자 or a stronger role; a 관리자 may', async () => {
    const boss = { ...form('boss.kim'), roleCode: 'AUT001' }
    await expectRefused(hr, boss, 'FORBIDDEN', 403)
    const powerful = await maru.database.db
      .insertInto('roles')
      .values({ code: 'AUT900', groupName: '권한 담당', nameEn: 'Role keeper', sortOrder: 9 })
      .returning('code')
      .executeTakeFirstOrThrow()
    await sql(`insert into role_functions values ($1, 'autho_role_manage')`, [powerful.code])
    await expectRefused(hr, { ...boss, roleCode: powerful.code }, 'FORBIDDEN', 403)
    expect((await register(admin, boss)).status).toBe(200)
  })

  test('refuses a role without the permission from its next call', async () => {
    await sql(`delete from role_functions where role_code = 'AUT002' and function_name = 'autho_user_insert'`)
    expect((await register(hr, form('revoked.kim'))).code).toBe('FUNCTION_DENIED')
    await sql(`insert into role_functions values ('AUT002', 'autho_user_insert')`)
  })

  test('refuses to register over the caller’s own account, whose ID and email are taken', async () => {
    await expectRefused(hr, { ...form(hr.userId) }, 'USER_ID_TAKEN')
    await expectRefused(hr, { ...form('second.me'), email: hr.email }, 'EMAIL_TAKEN')
  })
})

describe('a wrong registration form is refused and writes nothing', () => {
  const refusals: [string, Partial<Registration>, string, string?][] = [
    ['no ID', { userId: '' }, 'INPUT_INVALID', 'userId'],
    ['a Korean ID', { userId: '김하늘입니다' }, 'INPUT_INVALID', 'userId'],
    ['no position', { position: ' ' }, 'INPUT_INVALID', 'position'],
    ['no name', { name: '' }, 'INPUT_INVALID', 'name'],
    ['ten digits', { phoneNumber: '0101234567' }, 'INPUT_INVALID', 'phoneNumber'],
    ['no e-mail', { email: 'haneul' }, 'INPUT_INVALID', 'email'],
    ['no affiliation', { affiliationCode: '' }, 'INPUT_INVALID', 'affiliationCode'],
    ['no start', { validFrom: '' }, 'INPUT_INVALID', 'validFrom'],
    ['a day that does not exist', { validTo: '2026-02-30' }, 'INPUT_INVALID', 'validTo'],
    ['an end before the start', { validTo: '2025-12-31' }, 'INPUT_INVALID', 'validTo'],
    ['no partner code', { partnerCode: '' }, 'INPUT_INVALID', 'partnerCode'],
    ['no authority', { roleCode: '' }, 'INPUT_INVALID', 'roleCode'],
    ['a short password', { password: 'aB3$xyz' }, 'INPUT_INVALID', 'password'],
    ['a password of one kind', { password: 'abcdefghijklmn' }, 'INPUT_INVALID', 'password'],
    ['no password of the manager', { managerPassword: '' }, 'INPUT_INVALID', 'managerPassword'],
    ['an unknown affiliation', { affiliationCode: 'BEL999' }, 'CODE_NOT_FOUND'],
    ['an unknown authority', { roleCode: 'AUT999' }, 'CODE_NOT_FOUND'],
    ['a partner of another affiliation', { partnerCode: 'BUSAN-1' }, 'PARTNER_NOT_FOUND'],
    ['an unknown partner', { partnerCode: 'NO-SUCH' }, 'PARTNER_NOT_FOUND'],
    ['a stopped partner', { partnerCode: 'STOPPED-1' }, 'PARTNER_STOPPED'],
    ['a common password', { password: 'Password1!' }, 'PASSWORD_COMMON'],
    ['a password with the new ID in it', { password: 'xx-form.kim-9!' }, 'PASSWORD_PERSONAL'],
    ['a password with the phone number in it', { password: 'tel-98765432!' }, 'PASSWORD_PERSONAL'],
  ]
  test.each(refusals)('refuses %s', async (_, change, code, field) => {
    const before = await counts()
    const answer = await register(admin, { ...form('form.kim'), ...change })
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.field).toBe(field)
    expect(answer.msg).toMatch(/\p{Script=Hangul}/u)
    expect(await counts()).toEqual(before)
  })

  test('refuses an ID that any account has, and an e-mail that is in use or reserved (rules/users#e-mail)', async () => {
    const gone = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    expect((await maru.call(checkId, { userId: gone.userId })).code).toBe('USER_ID_TAKEN')
    await expectRefused(admin, form(gone.userId), 'USER_ID_TAKEN')
    await expectRefused(admin, { ...form('mail.kim'), email: hr.email.toUpperCase() }, 'EMAIL_TAKEN')
    await expectRefused(admin, { ...form('mail.kim'), email: gone.email }, 'EMAIL_TAKEN')
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [gone.id])
    expect((await register(admin, { ...form('mail.kim'), email: gone.email })).status).toBe(200)
  })

  test('refuses all but one of ten concurrent calls with one ID', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        register(admin, { ...form('same.kim'), email: `same${i}@example.com` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await sql(`select count(*)::int as made from users where email like 'same%'`)
    expect(rows).toEqual([{ made: 1 }])
  })
})
