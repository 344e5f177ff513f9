import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  certifyNewEmail,
  changeEmail,
  confirmEmail,
  endOtherSessions,
  login,
  logout,
  readLink,
  setPassword,
} from '../../../contract/account.ts'
import {
  endUserSessions,
  getUser,
  liftSuspension,
  previewBulk,
  requestEmail,
  resetUser,
  restoreUser,
  restoreUsers,
  suspendUser,
  updateUser,
  withdrawUser,
  withdrawUsers,
} from '../../../contract/users.ts'
import { resetByOperator } from './index.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let hr: TestUser
let person: TestUser

// Mails stay in their queue, where they are read.
beforeAll(() => maru.services.jobs.stop())
beforeEach(async () => {
  await sql('delete from mails')
  await sql('delete from rate_limits')
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser()
  await sql('update sessions set password_checked_at = now()')
})

const mailsTo = async (email: string) =>
  (await sql('select subject, text from mails where recipient = $1 order by id', [email])).rows
const emailOf = async ({ id }: TestUser) =>
  (await sql('select email from users where id = $1', [id])).rows[0].email
const certify = (by: TestUser, email: string) => maru.call(certifyNewEmail, { email }, by)
const change = (by: TestUser, email: string, certificationCode: string) =>
  maru.call(changeEmail, { email, certificationCode }, by)
async function codeSentTo(email: string): Promise<string> {
  return /^\d{6}$/m.exec((await mailsTo(email))[0]?.text ?? '')?.[0] ?? ''
}
async function tokenSentTo(email: string): Promise<string> {
  const [mail] = (await mailsTo(email)).filter(({ text }) => /^[\w-]{43}$/m.test(text))
  return /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0] ?? ''
}

const ask = (by: TestUser, of: TestUser, email: string, reason = '') =>
  maru.call(requestEmail, { userId: of.userId, email, reason }, by)

const createAdmin = () => maru.createUser({ role: 'admin' })
const setPasswordOf = async (of: TestUser) =>
  maru.call(setPassword, { currentPassword: PASSWORD, newPassword: '푸른-바다-7고래' }, of)
const suspendAndLift = async (of: TestUser) => {
  const boss = await createAdmin()
  await maru.call(suspendUser, { userId: of.userId, suspendedFor: 'LEAVE', reason: '' }, boss)
  return maru.call(liftSuspension, { userId: of.userId, reason: '' }, boss)
}
const withdrawAndRestore = async (of: TestUser) => {
  const boss = await createAdmin()
  await maru.call(withdrawUser, { userId: of.userId, withdrawnReason: '' }, boss)
  return maru.call(restoreUser, { userId: of.userId }, boss)
}
const withdrawAndRestoreWithMany = async (of: TestUser) => {
  const boss = await createAdmin()
  const chosen = { userIds: [of.userId] }
  const versionOf = async (bulkAction: 'withdraw' | 'restore') =>
    (await maru.call(previewBulk, { ...chosen, bulkAction }, boss)).data.version
  await maru.call(withdrawUsers, { ...chosen, version: await versionOf('withdraw') }, boss)
  return maru.call(restoreUsers, { ...chosen, version: await versionOf('restore') }, boss)
}
const resetByAdmin = async (of: TestUser) => {
  const answer = await maru.call(resetUser, { userId: of.userId, reason: '' }, await createAdmin())
  // The requester has a password of their own again.
  await sql('update users set password_temporary = false where id = $1', [of.id])
  return answer
}
const logOutByAdmin = async (of: TestUser) =>
  maru.call(endUserSessions, { userId: of.userId, reason: '' }, await createAdmin())
const changeOwnEmail = async (of: TestUser) => {
  const email = `moved.${of.userId}@example.com`
  await certify(of, email)
  return change(of, email, await codeSentTo(email))
}
const takeBack = async (of: TestUser) => ask(await createAdmin(), of, of.email)

describe('one’s own e-mail (rules/account#own-e-mail)', () => {
  test('changes the email by a code sent to the new address and notifies the old one', async () => {
    expect((await certify(person, 'New.Address@example.com')).status).toBe(200)
    const answer = await change(
      person,
      'new.address@example.com',
      await codeSentTo('new.address@example.com'),
    )
    expect(answer.status).toBe(200)
    expect(await emailOf(person)).toBe('new.address@example.com')
    expect((await mailsTo(person.email)).map(({ text }) => text).join()).toContain('new.address@example.com')
    const { rows } = await sql('select action, actor_id, detail from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ])
    expect(rows).toEqual([
      {
        action: 'account.change-email',
        actor_id: person.id,
        detail: { email: { before: person.email, after: 'new.address@example.com' } },
      },
    ])
  })

  test('needs the password gate, for the code and for the change', async () => {
    await sql('update sessions set password_checked_at = null where user_id = $1', [person.id])
    expect((await certify(person, 'a@example.com')).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect((await change(person, 'a@example.com', '123456')).code).toBe('PASSWORD_CHECK_REQUIRED')
  })

  test('notifies only the owner of an email in use, and sends no code', async () => {
    expect((await certify(person, hr.email)).status).toBe(200)
    const mails = await mailsTo(hr.email)
    expect(mails).toHaveLength(1)
    expect(mails[0].subject).toContain('이미 사용 중인')
    expect(mails[0].text).not.toMatch(/\d{6}/)
    const { rows } = await sql(`select from certifications where type_code = 'TYP004' and email = $1`, [
      hr.email,
    ])
    expect(rows).toHaveLength(1)
    expect((await change(person, hr.email, '000000')).code).toBe('CERTIFICATION_FAILED')
  })

  test('refuses the current address, a wrong code and another user’s code', async () => {
    expect((await certify(person, person.email)).code).toBe('EMAIL_TAKEN')
    await certify(person, 'mine@example.com')
    const code = await codeSentTo('mine@example.com')
    expect((await change(hr, 'mine@example.com', code)).code).toBe('CERTIFICATION_FAILED')
    const wrong = code === '111111' ? '222222' : '111111'
    expect((await change(person, 'mine@example.com', wrong)).code).toBe('CERTIFICATION_FAILED')
    expect((await change(person, 'mine@example.com', code)).status).toBe(200)
    expect((await change(person, 'mine@example.com', code)).code).toBe('CERTIFICATION_FAILED')
  })

  test('refuses an email taken in the meantime like a wrong code', async () => {
    await certify(person, 'soon.taken@example.com')
    const code = await codeSentTo('soon.taken@example.com')
    await maru.createUser({ email: 'soon.taken@example.com' })
    expect((await change(person, 'soon.taken@example.com', code)).code).toBe('CERTIFICATION_FAILED')
    expect(await emailOf(person)).toBe(person.email)
  })

  test('sends codes to five mailboxes in an hour (rules/account#certification-recipients)', async () => {
    const answers = []
    for (let n = 0; n < 6; n += 1) answers.push(await certify(person, `foreign.${n}@example.com`))
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), 429])
    expect((await certify(hr, 'foreign.9@example.com')).status).toBe(200)
  })

  test('gets five codes in ten minutes at most', async () => {
    for (let i = 0; i < 5; i += 1) expect((await certify(person, 'flood@example.com')).status).toBe(200)
    expect((await certify(person, 'flood@example.com')).code).toBe('TOO_MANY_TRIES')
    // Nobody else waits for that.
    expect((await certify(hr, 'flood@example.com')).status).toBe(200)
  })
})

describe('an e-mail that an administrator corrects (rules/users#e-mail-corrected, rules/account#certified-correction)', () => {
  test('changes the email once its owner confirms it, and notifies both addresses', async () => {
    const answer = await ask(hr, person, 'right@example.com', '오타')
    expect(answer.status).toBe(200)
    expect(await emailOf(person)).toBe(person.email)
    expect((await maru.call(getUser, { userId: person.userId }, hr)).data.pendingEmail).toBe(
      'right@example.com',
    )
    expect((await mailsTo(person.email))[0].text).toContain('right@example.com')
    const token = await tokenSentTo('right@example.com')
    expect((await maru.call(readLink, { token })).data).toEqual({
      kind: 'EMAIL',
      userId: person.userId,
      email: 'right@example.com',
    })
    expect((await maru.call(confirmEmail, { token })).status).toBe(200)
    expect(await emailOf(person)).toBe('right@example.com')
    expect(await mailsTo(person.email)).toHaveLength(2)
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    const { rows } = await sql(
      `select action, actor_id, detail from audit_log where target = $1 and action ~ 'email' order by id`,
      [person.userId],
    )
    const email = { before: person.email, after: 'right@example.com' }
    expect(rows).toEqual([
      { action: 'user.request-email', actor_id: hr.id, detail: { email, reason: '오타' } },
      { action: 'account.change-email', actor_id: person.id, detail: { email } },
    ])
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).status).toBe(200)
  })

  test('refuses users out of reach, oneself and an address in use', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    expect((await ask(hr, admin, 'a@example.com')).code).toBe('FORBIDDEN')
    expect((await ask(hr, hr, 'a@example.com')).code).toBe('FORBIDDEN')
    expect((await ask(hr, person, admin.email)).code).toBe('EMAIL_TAKEN')
    const { data } = await maru.call(getUser, { userId: person.userId }, hr)
    const { userId, affiliationCode, position, name, phoneNumber } = data
    const basic = { originalUserId: userId, userId, affiliationCode, position, name, phoneNumber }
    expect((await maru.call(updateUser, { ...basic, email: 'b@example.com' }, hr)).code).toBe(
      'EMAIL_READ_ONLY',
    )
  })

  test('is not confirmed once who asked could not ask any more (rules/roles#reach)', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '협력사', 'Partners', 9)`,
    )
    await sql(`insert into role_functions values ('AUT950', 'autho_partner_search')`)
    const changes: [who: () => TestUser, other: string, back: string][] = [
      // A role that HR reaches and cannot grant.
      [() => person, `role_code = 'AUT950'`, `role_code = 'AUT003'`],
      [() => person, `role_code = 'AUT001'`, `role_code = 'AUT003'`],
      [() => hr, `role_code = 'AUT003'`, `role_code = 'AUT002'`],
      [() => hr, `suspended_at = now()`, `suspended_at = null`],
      [() => hr, `withdrawn_at = now()`, `withdrawn_at = null`],
    ]
    await ask(hr, person, 'own@example.com')
    const token = await tokenSentTo('own@example.com')
    const admin = await maru.createUser({ role: 'admin' })
    const pending = async () => (await maru.call(getUser, { userId: person.userId }, admin)).data.pendingEmail
    for (const [who, other, back] of changes) {
      expect.soft(await pending(), back).toBe('own@example.com')
      await sql(`update users set ${other} where id = $1`, [who().id])
      // Nor does the record show it as if it were waited for.
      expect.soft(await pending(), other).toBe('')
      expect.soft((await maru.call(readLink, { token })).code, other).toBe('LINK_INVALID')
      expect.soft((await maru.call(confirmEmail, { token })).code, other).toBe('LINK_INVALID')
      await sql(`update users set ${back} where id = $1`, [who().id])
    }
    expect(await emailOf(person)).toBe(person.email)
    expect((await maru.call(confirmEmail, { token })).status).toBe(200)
  })

  test('is not confirmed while who asked is in another company (rules/affiliations#external)', async () => {
    const other = await maru.createUser({ role: 'hr', affiliation: 'BEL006' })
    await sql(`update users set affiliation_code = 'BEL006' where id = $1`, [hr.id])
    await ask(hr, other, 'out@example.com')
    const token = await tokenSentTo('out@example.com')
    await sql(`update codes set is_external = true where code = 'BEL006'`)
    expect.soft((await maru.call(getUser, { userId: other.userId }, hr)).status).toBe(403)
    expect.soft((await maru.call(readLink, { token })).code).toBe('LINK_INVALID')
    expect.soft((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect.soft(await emailOf(other)).toBe(other.email)
    await sql(`update codes set is_external = false where code = 'BEL006'`)
    expect((await maru.call(confirmEmail, { token })).status).toBe(200)
  })

  test('ends a temporary password sent to the old address, and its sessions', async () => {
    await maru.call(resetUser, { userId: person.userId, reason: '' }, hr)
    const password = /^\w{4}(-\w{4}){3}$/m.exec((await mailsTo(person.email))[0].text)?.[0] ?? ''
    const { sessionUid } = (await maru.call(login, { loginId: person.userId, password })).data
    await ask(hr, person, 'reader@example.com')
    const token = await tokenSentTo('reader@example.com')
    expect((await maru.call(confirmEmail, { token })).status).toBe(200)
    expect((await maru.call(login, { loginId: person.userId, password })).code).toBe(
      'TEMPORARY_PASSWORD_ENDED',
    )
    const own = { currentPassword: password, newPassword: '푸른-바다-7고래' }
    expect((await maru.call(setPassword, own, { session: sessionUid })).code).toBe('SESSION_REQUIRED')
  })

  test('refuses a link that was replaced, has expired, or whose address is taken', async () => {
    await ask(hr, person, 'first@example.com')
    const replaced = await tokenSentTo('first@example.com')
    await ask(hr, person, 'second@example.com')
    expect((await maru.call(confirmEmail, { token: replaced })).code).toBe('LINK_INVALID')
    const token = await tokenSentTo('second@example.com')
    await sql(`update account_links set expires_at = now() - interval '1 second'`)
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect((await maru.call(readLink, { token })).code).toBe('LINK_INVALID')
    const pending = async () => (await maru.call(getUser, { userId: person.userId }, hr)).data.pendingEmail
    expect(await pending()).toBe('')
    await sql(`update account_links set expires_at = now() + interval '1 day', tries = 10`)
    expect((await maru.call(readLink, { token })).code).toBe('LINK_INVALID')
    expect(await pending()).toBe('')
    await sql(`update account_links set tries = 0`)
    expect(await pending()).toBe('second@example.com')
    await maru.createUser({ email: 'second@example.com' })
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect(await emailOf(person)).toBe(person.email)
  })

  test.each<[name: string, who: () => TestUser, act: (of: TestUser) => Promise<{ status: number }>]>([
    ['its requester changes the password', () => hr, setPasswordOf],
    ['its requester is sent a temporary password', () => hr, resetByAdmin],
    ['its requester is suspended and back again', () => hr, suspendAndLift],
    ['its requester is withdrawn and back again', () => hr, withdrawAndRestore],
    ['its requester is logged out everywhere', () => hr, logOutByAdmin],
    ['its requester logs other devices out', () => hr, (of) => maru.call(endOtherSessions, {}, of)],
    ['its user changes the password', () => person, setPasswordOf],
    ['its user is sent a temporary password', () => person, resetByAdmin],
    ['its user is withdrawn and back again', () => person, withdrawAndRestore],
    ['its user is withdrawn with many and back again', () => person, withdrawAndRestoreWithMany],
    ['its user is suspended and back again', () => person, suspendAndLift],
    ['its user changes the e-mail', () => person, changeOwnEmail],
    ['an administrator enters the present address', () => person, takeBack],
  ])('ends for good when %s', async (_name, who, act) => {
    const wanted = `wanted.${person.userId}@example.com`
    expect((await ask(hr, person, wanted)).status).toBe(200)
    const token = await tokenSentTo(wanted)
    expect((await maru.call(readLink, { token })).status).toBe(200)
    expect((await act(who())).status).toBe(200)
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect(await emailOf(person)).not.toBe(wanted)
  })

  test('ends for good when the second factors of its requester are reset', async () => {
    await ask(hr, person, 'reset@example.com')
    const token = await tokenSentTo('reset@example.com')
    await resetByOperator(maru.database.db, maru.services, hr.userId)
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
  })

  test('goes on when its requester or its user logs out', async () => {
    await ask(hr, person, 'goes.on@example.com')
    const token = await tokenSentTo('goes.on@example.com')
    for (const who of [hr, person]) expect((await maru.call(logout, {}, who)).status).toBe(200)
    expect((await maru.call(confirmEmail, { token })).status).toBe(200)
  })
})
