import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { checkId, checkPassword, login, logout, setPassword } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { updateUser } from '../../../contract/users.ts'
import { koreanDay } from '../../../dev/test-kit/days.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { removeOldNetworks } from './index.ts'
import { verifyPasswordAttempt } from './login-attempts.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const NEW = 'brand-New-2026!'

const signIn = (userId: string, password = PASSWORD, address?: string) =>
  maru.call(login, { loginId: userId, password }, address === undefined ? {} : { address })
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const auditOf = async ({ id }: TestUser) =>
  (
    await sql(
      `select action from audit_log where actor_id = $1 and action not like 'refusal.%' order by id`,
      [id],
    )
  ).rows.map((row) => row.action)

describe('login (rules/account#login, rules/account#login-refusals)', () => {
  test('returns a session of 256 random bits and the login ID, and no password change', async () => {
    const kim = await maru.createUser({ loginId: 'kim.minsu' })
    const answer = await signIn('kim.minsu')
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ userId: kim.userId, mustChangePassword: false })
    expect(Buffer.from(answer.data.sessionUid, 'base64url')).toHaveLength(32)
    expect(await isAlive(answer.data.sessionUid)).toBe(true)
    expect(await auditOf(kim)).toEqual(['account.login'])
  })

  test('creates two independent sessions if done twice', async () => {
    const user = await maru.createUser()
    const [first, second] = [await signIn(user.userId), await signIn(user.userId)]
    expect(first.data.sessionUid).not.toBe(second.data.sessionUid)
    expect(await isAlive(first.data.sessionUid)).toBe(true)
    expect(await isAlive(second.data.sessionUid)).toBe(true)
  })

  test('leaves only the SHA-256 of sessionUid in the database', async () => {
    const user = await maru.createUser()
    const { sessionUid } = (await signIn(user.userId)).data
    const { rows } = await sql('select token_hash, s::text as row from sessions s where user_id = $1', [
      user.id,
    ])
    const hash = createHash('sha256').update(sessionUid).digest()
    expect(rows.some((row) => row.token_hash.equals(hash))).toBe(true)
    const dump = await sql(`select coalesce(string_agg(t::text, ''), '') as text from (
      select s::text as t from sessions s union all select a::text from audit_log a) as x`)
    expect(dump.rows[0].text).not.toContain(sessionUid)
  })

  test('ignores the case of the ID and spaces around it (rules/users#user-id)', async () => {
    await maru.createUser({ loginId: 'lee.seoyeon' })
    expect((await signIn('  Lee.SeoYeon ')).status).toBe(200)
  })

  test('compares passwords exactly, treating composed and decomposed Korean as equal', async () => {
    const user = await maru.createUser()
    expect((await signIn(user.userId, PASSWORD.toUpperCase())).code).toBe('LOGIN_FAILED')
    expect((await signIn(user.userId, ` ${PASSWORD}`)).code).toBe('LOGIN_FAILED')
    const korean = '대한-마루-2026'
    await maru.call(setPassword, { currentPassword: PASSWORD, newPassword: korean }, user)
    expect((await signIn(user.userId, korean.normalize('NFD'))).status).toBe(200)
  })

  test('gives a wrong password and an unknown ID the same answer', async () => {
    const user = await maru.createUser()
    const wrong = await signIn(user.userId, 'wrong')
    const unknown = await signIn('nobody.at.all', 'wrong')
    expect(wrong.code).toBe('LOGIN_FAILED')
    expect(unknown.raw).toBe(wrong.raw)
    expect(unknown.status).toBe(wrong.status)
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(wrong.headers).toSorted())
    expect(await auditOf(user)).toEqual([])
  })

  test.each([
    ['not approved', { approved: false }, 'ACCOUNT_NOT_APPROVED'],
    [
      'not valid before tomorrow',
      { validFrom: koreanDay(1), validTo: koreanDay(9) },
      'ACCOUNT_NOT_YET_VALID',
    ],
    ['valid until yesterday', { validFrom: koreanDay(-9), validTo: koreanDay(-1) }, 'ACCOUNT_EXPIRED'],
  ] as const)('tells that an account is %s, but only after the right password', async (_, of, code) => {
    const user = await maru.createUser(of)
    await sql('delete from sessions where user_id = $1', [user.id])
    expect((await signIn(user.userId, 'wrong')).code).toBe('LOGIN_FAILED')
    expect(await signIn(user.userId)).toMatchObject({ status: 400, code })
    expect((await sql('select from sessions where user_id = $1', [user.id])).rowCount).toBe(0)
    expect(await auditOf(user)).toEqual([])
  })

  test('tells that an account is withdrawn, but only after the right password', async () => {
    const user = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [user.id])
    expect((await signIn(user.userId, 'wrong')).code).toBe('LOGIN_FAILED')
    expect(await signIn(user.userId)).toMatchObject({ status: 400, code: 'ACCOUNT_WITHDRAWN' })
  })

  test('is possible on the first and the last day of the validity, in Asia/Seoul (rules/users#validity)', async () => {
    const user = await maru.createUser({ validFrom: koreanDay(0), validTo: koreanDay(0) })
    expect((await signIn(user.userId)).status).toBe(200)
  })

  test('gets no session when the password changes during the check', async () => {
    const user = await maru.createUser()
    await sql('delete from sessions where user_id = $1', [user.id])
    const locker = await maru.database.pool.connect()
    const changed = await maru.services.passwords.hash(NEW)
    await locker.query('begin')
    await locker.query('update users set password_hash = $2 where id = $1', [user.id, changed])
    const waiting = signIn(user.userId)
    await untilBlocked(locker)
    await locker.query('commit')
    locker.release()
    expect(await waiting).toMatchObject({ status: 400, code: 'LOGIN_FAILED' })
    expect((await sql('select from sessions where user_id = $1', [user.id])).rowCount).toBe(0)
  })
})

/** Restarts the rate limit of the login call, but not the count of wrong passwords. */
const aMinutePasses = () => sql(`delete from rate_limits where key like '${login.path}:%'`)
const busy = async () => refuse('UNAVAILABLE')

describe('five wrong passwords in a row (rules/account#login-lock)', () => {
  test.each(['known', 'unknown'])('lock a %s ID for 15 minutes, and the message says so', async (kind) => {
    const userId = kind === 'known' ? (await maru.createUser()).userId : 'nobody.knows'
    const answers = []
    for (let i = 0; i < 5; i += 1) answers.push(await signIn(userId, 'wrong'))
    expect(answers.map(({ code }) => code)).toEqual([...Array(4).fill('LOGIN_FAILED'), 'LOGIN_LOCKED'])
    expect(answers[4]).toMatchObject({
      status: 429,
      msg: '비밀번호를 5회 잘못 입력하여 15분 동안 로그인할 수 없습니다. 잠시 후 다시 시도해주세요.',
    })
    expect(answers[4]?.headers['retry-after']).toBe('900')
    const later = await signIn(userId)
    expect(later).toMatchObject({ status: 429, code: 'LOGIN_LOCKED' })
    expect(Number(later.headers['retry-after'])).toBeGreaterThan(890)
  })

  test('lock out even the right password for 15 minutes, which attempts do not prolong', async () => {
    const { userId } = await maru.createUser()
    for (let i = 0; i < 5; i += 1) await signIn(userId, 'wrong')
    await sql(
      `update login_failures set last_failed_at = now() - interval '14 minutes' where login_id = $1`,
      [userId],
    )
    const during = await signIn(userId)
    expect(during.code).toBe('LOGIN_LOCKED')
    expect(Number(during.headers['retry-after'])).toBeLessThanOrEqual(60)
    await sql(
      `update login_failures set last_failed_at = last_failed_at - interval '61 seconds' where login_id = $1`,
      [userId],
    )
    expect((await signIn(userId)).status).toBe(200)
  })

  test('lock the ID again after an earlier lock', async () => {
    const { userId } = await maru.createUser()
    for (let i = 0; i < 5; i += 1) await signIn(userId, 'wrong')
    await sql(
      `update login_failures set last_failed_at = now() - interval '16 minutes' where login_id = $1`,
      [userId],
    )
    for (let i = 0; i < 4; i += 1) expect((await signIn(userId, 'wrong')).code).toBe('LOGIN_FAILED')
    expect((await signIn(userId, 'wrong')).code).toBe('LOGIN_LOCKED')
  })

  test('restarts the count of wrong passwords after a right one', async () => {
    const { userId } = await maru.createUser()
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 4; i += 1) expect((await signIn(userId, 'wrong')).code).toBe('LOGIN_FAILED')
      expect((await signIn(userId)).status).toBe(200)
    }
  })

  test('do not include tries that were refused because too many were waiting', async () => {
    const { userId } = await maru.createUser()
    for (let i = 0; i < 10; i += 1) {
      await expect(verifyPasswordAttempt(maru.database.db, userId, busy)).rejects.toThrow('UNAVAILABLE')
    }
    expect((await signIn(userId, 'wrong')).code).toBe('LOGIN_FAILED')
  })

  test('do not lock out users in a network they have used before, and reveal no network', async () => {
    const { userId } = await maru.createUser()
    const [office, elsewhere] = ['203.0.113.120', '203.0.113.121']
    expect((await signIn(userId, PASSWORD, office)).status).toBe(200)
    for (let i = 0; i < 5; i += 1) await signIn(userId, 'wrong', elsewhere)
    expect((await signIn(userId, PASSWORD, elsewhere)).code).toBe('LOGIN_LOCKED')
    // A wrong password is answered as everywhere, after the same work, and counts against who sends it from here.
    const looks = vi.spyOn(maru.services.passwords, 'verify')
    const pretends = vi.spyOn(maru.services.passwords, 'verifyNothing')
    const [here, there] = [await signIn(userId, 'wrong', office), await signIn(userId, 'wrong', elsewhere)]
    expect([here.status, here.raw, here.headers['retry-after']]).toEqual([429, there.raw, '900'])
    expect([looks.mock.calls.length, pretends.mock.calls.length]).toEqual([1, 1])
    vi.restoreAllMocks()
    const own = await signIn(userId, PASSWORD, office)
    expect(own.status).toBe(200)
    const { sessionUid: session } = own.data
    expect(
      (await maru.call(checkPassword, { password: PASSWORD }, { session, address: office })).status,
    ).toBe(200)
    // The lock of the others goes on.
    expect((await signIn(userId, PASSWORD, elsewhere)).code).toBe('LOGIN_LOCKED')
    for (let i = 0; i < 5; i += 1) await signIn(userId, 'wrong', office)
    expect((await signIn(userId, PASSWORD, office)).code).toBe('LOGIN_LOCKED')
  })

  test('are not what many right ones at once are', async () => {
    const { userId } = await maru.createUser()
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(userId)))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(200))
  })

  test('are counted together however the ID is capitalized', async () => {
    const { userId } = await maru.createUser({ loginId: 'case.of.id' })
    for (let i = 0; i < 5; i += 1) await signIn(i % 2 === 0 ? userId : userId.toUpperCase(), 'wrong')
    expect((await signIn(userId)).code).toBe('LOGIN_LOCKED')
  })

  test('cannot be exceeded by parallel guesses: of 50 at once at most 5 are checked', async () => {
    const { userId } = await maru.createUser()
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(userId, 'wrong')))
    const looked = answers.filter(({ code }) => code === 'LOGIN_FAILED')
    expect(looked.length).toBeLessThanOrEqual(4)
    expect(answers.every(({ code }) => code === 'LOGIN_FAILED' || code === 'LOGIN_LOCKED')).toBe(true)
    expect((await signIn(userId)).code).toBe('LOGIN_LOCKED')
  })

  test('include those at the password gate and in a password change', async () => {
    const user = await maru.createUser()
    for (let i = 0; i < 4; i += 1) {
      expect((await maru.call(checkPassword, { password: 'wrong' }, user)).code).toBe('PASSWORD_WRONG')
    }
    const input = { currentPassword: 'wrong', newPassword: NEW }
    expect(await maru.call(setPassword, input, user)).toMatchObject({ status: 429, code: 'LOGIN_LOCKED' })
    expect((await maru.call(checkPassword, { password: PASSWORD }, user)).code).toBe('LOGIN_LOCKED')
    expect((await signIn(user.userId)).code).toBe('LOGIN_LOCKED')
  })

  test('slows an address that tries 100 IDs, even with right passwords, and no other (rules/account#address-limit)', async () => {
    const { userId } = await maru.createUser()
    const address = '203.0.113.77'
    for (let i = 0; i < 100; i += 1) {
      if (i % 50 === 0) await aMinutePasses()
      expect((await signIn(`guess.${i}`, 'wrong', address)).code).toBe('LOGIN_FAILED')
    }
    await aMinutePasses()
    const slowed = await signIn(userId, PASSWORD, address)
    expect(slowed).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(60)
    expect((await signIn(userId, PASSWORD, '203.0.113.78')).status).toBe(200)
  })

  test('exempts a user known at the address, and no other user of its network (rules/account#address-limit)', async () => {
    const [known, stranger] = [await maru.createUser(), await maru.createUser()]
    const office = '2001:db8:7:7'
    expect((await signIn(known.userId, PASSWORD, `${office}::1`)).status).toBe(200)
    for (let i = 0; i < 100; i += 1) {
      if (i % 50 === 0) await aMinutePasses()
      // As many addresses as one likes are one network.
      expect((await signIn(`many.${i}`, 'wrong', `${office}::${i + 2}`)).code).toBe('LOGIN_FAILED')
    }
    await aMinutePasses()
    expect((await signIn(stranger.userId, PASSWORD, `${office}::1`)).code).toBe('TOO_MANY_TRIES')
    // A wrong password does not reveal who is known here; five lock the ID as usual.
    for (let i = 0; i < 4; i += 1)
      expect((await signIn(known.userId, 'wrong', `${office}::9`)).code).toBe('TOO_MANY_TRIES')
    expect((await signIn(known.userId, PASSWORD, `${office}::9`)).status).toBe(200)
    for (let i = 0; i < 5; i += 1)
      expect((await signIn(known.userId, 'wrong', `${office}::9`)).code).toBe('TOO_MANY_TRIES')
    expect((await signIn(known.userId, PASSWORD, '203.0.113.50')).code).toBe('LOGIN_LOCKED')
    // Half a year later the network is like any other.
    await maru.database.pool.query(`update login_networks set last_login_at = now() - interval '181 days'`)
    await removeOldNetworks(maru.database.pool)
    expect((await maru.database.pool.query('select from login_networks')).rows).toEqual([])
  })

  test('lets a known user in while one device sends 300 logins a minute from the address (rules/account#address-limit)', async () => {
    const { userId } = await maru.createUser()
    const address = '203.0.113.80'
    expect((await signIn(userId, PASSWORD, address)).status).toBe(200)
    await sql(`update rate_limits set points = 300 where key like '/stm/v1/login:%'`)
    for (let i = 0; i < 5; i += 1) await signIn(`crowd.${i}`, 'wrong', address)
    expect((await signIn(userId, PASSWORD, address)).status).toBe(200)
  })

  test('allows an IPv6 site eight times what one of its networks has (rules/account#address-limit)', async () => {
    const once = { points: 1, seconds: 60 }
    const use = (address: string) => maru.services.limits.use('of-a-site', once, address).catch(String)
    for (let i = 0; i < 8; i += 1) expect(await use(`2001:db8:48:${i}::1`)).toBeUndefined()
    expect(await use('2001:db8:48:8::1')).toContain('TOO_MANY_TRIES')
    expect(await maru.services.limits.refusal('of-a-site', once, '2001:db8:48:9::1')).not.toBeNull()
    expect(await use('2001:db8:49::1')).toBeUndefined()
  })

  test('counts the guess that locks an ID for its address, and none during the lock', async () => {
    const address = '203.0.113.99'
    for (let i = 0; i < 30; i += 1) await signIn('one.victim', 'wrong', address)
    expect((await signIn('victim.0', 'wrong', address)).code).toBe('LOGIN_FAILED')
    for (let i = 0; i < 94; i += 1) {
      if (i % 40 === 0) await aMinutePasses()
      await signIn(`victim.${1 + Math.floor(i / 5)}`, 'wrong', address)
    }
    await aMinutePasses()
    expect((await signIn('somebody.else', 'wrong', address)).code).toBe('TOO_MANY_TRIES')
  })
})

describe('a temporary password (rules/account#temporary-password)', () => {
  test('makes login answer mustChangePassword until it is changed', async () => {
    const { userId } = await maru.createUser({ temporary: true })
    const first = await signIn(userId)
    expect(first.data.mustChangePassword).toBe(true)
    const changed = await maru.call(
      setPassword,
      { currentPassword: PASSWORD, newPassword: NEW },
      { session: first.data.sessionUid },
    )
    expect(changed.status).toBe(200)
    // Everything is open with the new session, and no longer with the one of the temporary password.
    expect(
      (await maru.call(checkPassword, { password: NEW }, { session: changed.data.sessionUid })).status,
    ).toBe(200)
    expect(await isAlive(first.data.sessionUid)).toBe(false)
    expect((await signIn(userId, NEW)).data.mustChangePassword).toBe(false)
  })
})

const changeOnce = (session: string) => maru.call(setPassword, { newPassword: NEW }, { session })
const passwordOf = async (userId: string) =>
  (await sql('select password_hash from users where login_id = $1', [userId])).rows[0].password_hash
async function withTemporary() {
  const person = await maru.createUser({ temporary: true })
  return { ...person, session: (await signIn(person.userId)).data.sessionUid }
}

describe('a temporary password entered at login (rules/account#temporary-password-once)', () => {
  test('is not needed again for the change in its session', async () => {
    const person = await withTemporary()
    const changed = await changeOnce(person.session)
    expect(changed.status).toBe(200)
    expect(await isAlive(person.session)).toBe(false)
    expect(await isAlive(changed.data.sessionUid)).toBe(true)
    expect((await signIn(person.userId)).code).toBe('LOGIN_FAILED')
    expect((await signIn(person.userId, NEW)).data.mustChangePassword).toBe(false)
    expect(await auditOf(person)).toContain('account.set-password')
  })

  test('is needed after 10 minutes, even if the session is used', async () => {
    const person = await withTemporary()
    const before = await passwordOf(person.userId)
    await sql(
      `update sessions set created_at = now() - interval '11 minutes', factor_checked_at = now() where user_id = $1`,
      [person.id],
    )
    expect(await changeOnce(person.session)).toMatchObject({ status: 400, code: 'PASSWORD_NEEDED' })
    expect(await passwordOf(person.userId)).toBe(before)
    const input = { currentPassword: PASSWORD, newPassword: NEW }
    expect((await maru.call(setPassword, input, { session: person.session })).status).toBe(200)
  })

  test('is needed for a password that is not temporary, or that a factor reset ended', async () => {
    const person = await maru.createUser()
    const before = await passwordOf(person.userId)
    expect((await changeOnce(person.session)).code).toBe('PASSWORD_NEEDED')
    await sql('update users set password_temporary = true, temporary_until = now() where id = $1', [
      person.id,
    ])
    expect((await changeOnce(person.session)).code).toBe('PASSWORD_NEEDED')
    expect(await passwordOf(person.userId)).toBe(before)
  })

  test('does not replace the rules for new passwords', async () => {
    const { session } = await withTemporary()
    const refused = await maru.call(setPassword, { newPassword: PASSWORD }, { session })
    expect(refused.code).toBe('PASSWORD_REUSED')
  })
})

const signInWith = ({ session }: TestUser, userId: string, password = PASSWORD) =>
  maru.call(login, { loginId: userId, password }, { session })

describe('a login in a browser that has a session (rules/account#session-end)', () => {
  test('ends that one, whosever it was, and no other', async () => {
    const [before, after] = [await maru.createUser(), await maru.createUser()]
    const elsewhere = (await signIn(before.userId)).data.sessionUid
    const again = (await signInWith(before, before.userId)).data.sessionUid
    expect(await Promise.all([before.session, elsewhere, again].map(isAlive))).toEqual([false, true, true])
    const other = (await signInWith({ ...before, session: again }, after.userId)).data.sessionUid
    const all = [again, elsewhere, other, after.session]
    expect(await Promise.all(all.map(isAlive))).toEqual([false, true, true, true])
  })

  test('leaves it when the password was wrong, or the account may not log in', async () => {
    const [user, withdrawn] = [await maru.createUser(), await maru.createUser()]
    await sql('update users set withdrawn_at = now() where id = $1', [withdrawn.id])
    expect((await signInWith(user, user.userId, 'wrong-One-2026')).code).toBe('LOGIN_FAILED')
    expect((await signInWith(user, withdrawn.userId)).code).toBe('ACCOUNT_WITHDRAWN')
    expect(await isAlive(user.session)).toBe(true)
  })
})

describe('logout (rules/account#logout, rules/account#session-end)', () => {
  test('ends the session of the call at once, and no other', async () => {
    const user = await maru.createUser()
    const other = (await signIn(user.userId)).data.sessionUid
    expect((await maru.call(logout, {}, user)).data).toEqual({})
    expect(await isAlive(user.session)).toBe(false)
    expect(await isAlive(other)).toBe(true)
    expect((await maru.call(logout, {}, user)).code).toBe('SESSION_REQUIRED')
  })

  test("ends all sessions and waiting logins of the user on request, and nobody else's", async () => {
    const somebody = await maru.createUser()
    const user = await maru.createUser()
    const other = (await signIn(user.userId)).data.sessionUid
    await sql(
      `insert into login_tickets (token_hash, user_id, browser_hash, password_mark) values ('\\x01', $1, '\\x02', '\\x03')`,
      [user.id],
    )
    expect((await maru.call(logout, { allDevices: true }, user)).data).toEqual({})
    expect(await isAlive(user.session)).toBe(false)
    expect(await isAlive(other)).toBe(false)
    expect((await sql('select 1 from login_tickets where user_id = $1', [user.id])).rows).toEqual([])
    expect(await isAlive(somebody.session)).toBe(true)
  })
})

describe('the duplicate check of an ID (rules/account#id-check)', () => {
  test('answers 200 for a free ID and 400 USER_ID_TAKEN for a taken one, in any case', async () => {
    await maru.createUser({ loginId: 'taken.id' })
    expect((await maru.call(checkId, { userId: 'free.one' })).data).toEqual({})
    expect(await maru.call(checkId, { userId: 'Taken.ID' })).toMatchObject({
      status: 400,
      code: 'USER_ID_TAKEN',
    })
  })

  test('never finds the ID of a withdrawn account free', async () => {
    const { id, userId } = await maru.createUser({ loginId: 'gone.id' })
    await sql('update users set withdrawn_at = now() where id = $1', [id])
    expect((await maru.call(checkId, { userId })).code).toBe('USER_ID_TAKEN')
  })

  test.each(['abc', 'a'.repeat(21), 'has space', '한글아이디', 'semi;colon', ''])(
    'rejects %j as an ID',
    async (userId) => {
      expect(await maru.call(checkId, { userId })).toMatchObject({ code: 'INPUT_INVALID', field: 'userId' })
    },
  )
})

describe('changing the password (rules/account#password-change)', () => {
  let user: TestUser
  const change = (newPassword: string, currentPassword = PASSWORD, session = user.session) =>
    maru.call(setPassword, { currentPassword, newPassword }, { session })
  beforeEach(async () => {
    user = await maru.createUser({ email: `local.part${Math.random()}@example.com`.replace('0.', '') })
  })

  test('answers a new session, ends all others and lets only the new password log in', async () => {
    const other = (await signIn(user.userId)).data.sessionUid
    const { data } = await change(NEW)
    expect(await isAlive(data.sessionUid)).toBe(true)
    expect(await isAlive(user.session)).toBe(false)
    expect(await isAlive(other)).toBe(false)
    expect((await signIn(user.userId)).code).toBe('LOGIN_FAILED')
    expect((await signIn(user.userId, NEW)).status).toBe(200)
    expect(await auditOf(user)).toEqual(['account.login', 'account.set-password', 'account.login'])
  })

  test('changes nothing when the old password is wrong', async () => {
    expect(await change(NEW, 'wrong')).toMatchObject({ status: 400, code: 'PASSWORD_WRONG' })
    expect(await isAlive(user.session)).toBe(true)
    expect((await signIn(user.userId)).status).toBe(200)
    expect(await auditOf(user)).toEqual(['account.login'])
  })

  test('changes nothing when another change comes first', async () => {
    const locker = await maru.database.pool.connect()
    const changed = await maru.services.passwords.hash(NEW)
    await locker.query('begin')
    await locker.query('update users set password_hash = $2 where id = $1', [user.id, changed])
    const waiting = change('an-Intruder-2026!')
    await untilBlocked(locker)
    await locker.query('commit')
    locker.release()
    expect(await waiting).toMatchObject({ status: 400, code: 'PASSWORD_WRONG' })
    expect((await signIn(user.userId, NEW)).status).toBe(200)
    expect((await signIn(user.userId, 'an-Intruder-2026!')).code).toBe('LOGIN_FAILED')
  })

  test('refuses the last three passwords but not the fourth last', async () => {
    const used = [PASSWORD, 'second-Maru-1!', 'third-Maru-2!', 'fourth-Maru-3!']
    let { session } = user
    for (const [i, next] of used.slice(1).entries()) {
      session = (await change(next, used[i], session)).data.sessionUid
    }
    for (const recent of used.slice(1)) {
      expect(await change(recent, used[3], session)).toMatchObject({ status: 400, code: 'PASSWORD_REUSED' })
    }
    expect((await change(PASSWORD, used[3], session)).status).toBe(200)
  })

  test.each([
    ['7 characters', 'Ab1!xyz', 'INPUT_INVALID'],
    ['8 characters of two kinds', 'abcdef12', 'INPUT_INVALID'],
    ['10 characters of one kind', 'abcdefghij', 'INPUT_INVALID'],
    ['129 characters', `Aa1!${'x'.repeat(125)}`, 'INPUT_INVALID'],
    ['a tab', 'good-Maru\t2026', 'INPUT_INVALID'],
    ['a common one', 'password123!', 'PASSWORD_COMMON'],
    ['a common Korean one', 'qlalfqjsgh1!', 'PASSWORD_COMMON'],
  ])('refuses %s and changes nothing', async (_, password, code) => {
    expect(await change(password)).toMatchObject({ status: 400, code })
    expect(await isAlive(user.session)).toBe(true)
    expect((await signIn(user.userId)).status).toBe(200)
  })

  test.each([
    ['the ID', () => `x-${user.userId.toUpperCase()}-9!`],
    ['the local part of the e-mail', () => `x-${user.email.split('@')[0]}-9!`],
  ])('refuses one that contains %s with PASSWORD_PERSONAL', async (_, make) => {
    expect(await change(make())).toMatchObject({ status: 400, code: 'PASSWORD_PERSONAL' })
  })

  test('refuses one that contains the phone number with PASSWORD_PERSONAL', async () => {
    const { rows } = await sql('select phone_number from users where id = $1', [user.id])
    expect(await change(`tel-${rows[0].phone_number}!`)).toMatchObject({ code: 'PASSWORD_PERSONAL' })
  })

  test('stores only an argon2id hash', async () => {
    await change(NEW)
    const { rows } = await sql('select password_hash, u::text as row from users u where id = $1', [user.id])
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(rows[0].row).not.toContain(NEW)
  })
})

describe('the password gate (rules/account#password-gate)', () => {
  test('unlocks the caller’s own record for 10 minutes, in this session only', async () => {
    const user = await maru.createUser()
    const other = (await signIn(user.userId)).data.sessionUid
    const edit = (session: string) => maru.call(updateUser, ownRecord(user), { session })
    expect((await edit(user.session)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect((await maru.call(checkPassword, { password: PASSWORD }, user)).data).toEqual({})
    expect((await edit(user.session)).status).toBe(200)
    expect((await edit(other)).code).toBe('PASSWORD_CHECK_REQUIRED')
    const age = (by: string) =>
      sql('update sessions set password_checked_at = now() - $2::interval where user_id = $1', [user.id, by])
    await age('9 minutes 55 seconds')
    expect((await edit(user.session)).status).toBe(200)
    await age('10 minutes')
    expect((await edit(user.session)).code).toBe('PASSWORD_CHECK_REQUIRED')
  })

  test('stays closed after a wrong password', async () => {
    const user = await maru.createUser()
    expect(await maru.call(checkPassword, { password: 'wrong' }, user)).toMatchObject({
      status: 400,
      code: 'PASSWORD_WRONG',
    })
    expect((await maru.call(updateUser, ownRecord(user), user)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect(await auditOf(user)).toEqual([])
  })
})

function ownRecord({ userId, email }: TestUser) {
  return {
    originalUserId: userId,
    userId,
    affiliationCode: 'BEL001',
    position: '과장',
    name: '김하늘',
    phoneNumber: '01012345678',
    email,
  }
}
