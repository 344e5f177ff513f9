import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptInvitation, checkId, login, readLink } from '../../../../contract/account.ts'
import { getAuthority } from '../../../../contract/common.ts'
import {
  endUserSessions,
  getUser,
  inviteUser,
  liftSuspension,
  registerUser,
  removeUser,
  requestEmail,
  resetUser,
  restoreUser,
  suspendUser,
  unlockUser,
  withdrawUser,
} from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const NEW_PASSWORD = '푸른-바다-7고래'

let admin: TestUser
let hr: TestUser
let person: TestUser

beforeAll(async () => {
  // Mails stay in their queue, where they are read.
  await maru.services.jobs.stop()
  await maru.createPartner({ code: 'HEAD-1' })
})
beforeEach(async () => {
  await sql('delete from mails')
  await sql('delete from rate_limits')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser()
})

const about = (of: { userId: string }) => ({ userId: of.userId, reason: '본인 요청' })
const logIn = (of: { userId: string }, password = PASSWORD) =>
  maru.call(login, { loginId: of.userId, password })
const recordOf = async (of: { userId: string }) => (await maru.call(getUser, { userId: of.userId }, hr)).data
const isAlive = async ({ session }: TestUser) =>
  (await maru.call(getAuthority, {}, { session })).status === 200
const lastMailTo = async (email: string): Promise<string> =>
  (await sql('select text from mails where recipient = $1 order by id desc', [email])).rows[0]?.text ?? ''
const auditOf = async (of: { userId: string }, action: string) =>
  (await sql('select actor_id, detail from audit_log where target = $1 and action = $2', [of.userId, action]))
    .rows
const isOver = async (of: { userId: string }) =>
  sql(`update users set temporary_until = now() - interval '1 second' where login_id = $1`, [of.userId])

async function lock(of: TestUser): Promise<void> {
  for (let i = 0; i < 5; i += 1) await logIn(of, 'wrong-Maru-2026!')
}

const token = async (email: string) => /^[\w-]{43}$/m.exec(await lastMailTo(email))?.[0] ?? ''
async function invite(userId: string, more: object = {}) {
  const email = `${userId}@example.com`
  const answer = await maru.call(
    registerUser,
    {
      userId,
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      email,
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'HEAD-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      managerPassword: PASSWORD,
      ...more,
    },
    hr,
  )
  expect(answer.status).toBe(200)
  return { userId, email }
}
const accept = (link: string, password = NEW_PASSWORD) =>
  maru.call(acceptInvitation, { token: link, password })
const remove = (by: TestUser, of: TestUser) => maru.call(removeUser, about(of), by)

describe('the lock of wrong passwords (rules/users#unlock)', () => {
  test('shows when the lock ends, ends it by one call, and logs that', async () => {
    await lock(person)
    expect((await logIn(person)).code).toBe('LOGIN_LOCKED')
    expect((await recordOf(person)).lockedUntil).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect((await maru.call(unlockUser, about(person), hr)).status).toBe(200)
    expect((await recordOf(person)).lockedUntil).toBe('')
    expect((await logIn(person)).status).toBe(200)
    expect(await auditOf(person, 'user.unlock')).toEqual([
      { actor_id: hr.id, detail: { reason: '본인 요청' } },
    ])
    expect((await maru.call(unlockUser, about(person), hr)).code).toBe('RECORD_CHANGED')
  })

  test('is not set by a few wrong passwords', async () => {
    await logIn(person, 'wrong-Maru-2026!')
    expect((await recordOf(person)).lockedUntil).toBe('')
    expect((await maru.call(unlockUser, about(person), hr)).code).toBe('RECORD_CHANGED')
  })
})

describe('a temporary password that an administrator sends (rules/users#send-temporary-password)', () => {
  test('goes to the owner alone, ends sessions and the lock, and has to be changed', async () => {
    await lock(person)
    expect((await maru.call(resetUser, about(person), hr)).status).toBe(200)
    expect(await isAlive(person)).toBe(false)
    expect((await logIn(person)).code).toBe('LOGIN_FAILED')
    const text = await lastMailTo(person.email)
    const [password = ''] = /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/m.exec(text) ?? []
    expect(await recordOf(person)).toMatchObject({
      temporaryPassword: true,
      temporaryUntil: expect.stringMatching(/^\d{4}-/),
      lockedUntil: '',
    })
    expect((await logIn(person, password)).data).toMatchObject({ mustChangePassword: true })
    expect(await auditOf(person, 'user.reset-password')).toHaveLength(1)
  })

  test('ends after 24 hours, which a login says after the right password alone (rules/account#temporary-password)', async () => {
    await maru.call(resetUser, about(person), hr)
    const [password = ''] = /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/m.exec(await lastMailTo(person.email)) ?? []
    const { rows } = await sql(
      `select extract(epoch from temporary_until - now()) / 3600 as hours from users where id = $1`,
      [person.id],
    )
    expect(Math.round(Number(rows[0].hours))).toBe(24)
    await isOver(person)
    expect((await logIn(person, password)).code).toBe('TEMPORARY_PASSWORD_ENDED')
    expect((await logIn(person, 'wrong-Maru-2026!')).code).toBe('LOGIN_FAILED')
  })
})

test('logs a user out everywhere (rules/users#end-all-sessions)', async () => {
  await logIn(person)
  expect((await maru.call(endUserSessions, about(person), hr)).data).toEqual({ endedCount: 2 })
  expect(await isAlive(person)).toBe(false)
  expect(await auditOf(person, 'user.end-sessions')).toEqual([
    { actor_id: hr.id, detail: { ended: 2, reason: '본인 요청' } },
  ])
})

describe('an invitation (rules/users#invitation, rules/account#invitation, rules/account#mailed-links)', () => {
  test('lets a user registered without a password set one, once', async () => {
    const invited = await invite('invited.one')
    expect(await recordOf(invited)).toMatchObject({
      invited: true,
      invitationEnds: expect.stringMatching(/^\d{4}-/),
      loginRefusal: '',
    })
    const link = await token(invited.email)
    expect((await maru.call(readLink, { token: link })).data).toEqual({ kind: 'INVITATION', ...invited })
    expect((await logIn(invited, NEW_PASSWORD)).code).toBe('LOGIN_FAILED')
    expect((await accept(link)).data).toEqual({ userId: invited.userId })
    expect((await logIn(invited, NEW_PASSWORD)).data).toMatchObject({ mustChangePassword: false })
    expect((await recordOf(invited)).invited).toBe(false)
    expect((await accept(link)).code).toBe('LINK_INVALID')
    expect((await maru.call(readLink, { token: link })).code).toBe('LINK_INVALID')
    expect(await auditOf(invited, 'account.accept-invitation')).toHaveLength(1)
    const { rows } = await sql(`select from account_links where encode(token_hash, 'base64') = $1`, [link])
    expect(rows).toEqual([])
  })

  test('holds the password to its rules, has ten tries, and gives no session', async () => {
    const invited = await invite('invited.two')
    const link = await token(invited.email)
    expect((await accept(link, 'short')).code).toBe('INPUT_INVALID')
    expect((await accept(link, 'invited.two-2026!')).code).toBe('PASSWORD_PERSONAL')
    for (let i = 0; i < 9; i += 1)
      expect((await accept(link, 'maru-01098765432')).code).toBe('PASSWORD_PERSONAL')
    expect((await accept(link)).code).toBe('LINK_INVALID')
    expect(
      (
        await sql('select from sessions s join users u on u.id = s.user_id where login_id = $1', [
          invited.userId,
        ])
      ).rowCount,
    ).toBe(0)
  })

  test('ends after seven days, when it is sent again, and when the account is withdrawn', async () => {
    const invited = await invite('invited.three')
    const first = await token(invited.email)
    const { rows } = await sql(
      `select extract(epoch from expires_at - now()) / 86400 as days from account_links l
      join users u on u.id = l.user_id where u.login_id = $1`,
      [invited.userId],
    )
    expect(Math.round(Number(rows[0].days))).toBe(7)
    await sql(`update account_links set expires_at = now() - interval '1 second'`)
    expect((await accept(first)).code).toBe('LINK_INVALID')
    expect((await maru.call(inviteUser, { userId: invited.userId }, hr)).status).toBe(200)
    const second = await token(invited.email)
    expect((await accept(first)).code).toBe('LINK_INVALID')
    await sql('update users set withdrawn_at = now() where login_id = $1', [invited.userId])
    expect((await accept(second)).code).toBe('LINK_INVALID')
  })

  test('ends with a temporary password and is not sent to users with a password', async () => {
    const invited = await invite('invited.four')
    const link = await token(invited.email)
    await maru.call(resetUser, { userId: invited.userId }, hr)
    expect((await accept(link)).code).toBe('LINK_INVALID')
    expect((await maru.call(inviteUser, { userId: invited.userId }, hr)).code).toBe('RECORD_CHANGED')
    expect((await maru.call(inviteUser, about(person), hr)).code).toBe('RECORD_CHANGED')
  })

  test('stays as an expired one after a suspension and a withdrawal, and is sent again then', async () => {
    const invited = await invite('invited.six')
    const link = await token(invited.email)
    const suspension = { userId: invited.userId, suspendedFor: 'LEAVE', reason: '' } as const
    expect((await maru.call(suspendUser, suspension, hr)).status).toBe(200)
    expect((await accept(link)).code).toBe('LINK_INVALID')
    // Not even a call that had found the link before the suspension may use it.
    await sql(`update account_links set expires_at = now() + interval '1 day'`)
    expect((await accept(link)).code).toBe('LINK_INVALID')
    await maru.call(liftSuspension, about(invited), hr)
    expect(await recordOf(invited)).toMatchObject({ invited: true, suspended: false })
    const leaving = { userId: invited.userId, withdrawnReason: '퇴사' }
    expect((await maru.call(withdrawUser, leaving, hr)).status).toBe(200)
    expect((await maru.call(restoreUser, { userId: invited.userId }, hr)).status).toBe(200)
    expect((await maru.call(inviteUser, { userId: invited.userId }, hr)).status).toBe(200)
    expect((await accept(await token(invited.email))).status).toBe(200)
    expect((await logIn(invited, NEW_PASSWORD)).status).toBe(200)
  })

  test('leads to a login that still asks for the approval', async () => {
    const invited = await invite('invited.five', { approvalCode: 'MEMAP002' })
    await accept(await token(invited.email))
    expect((await logIn(invited, NEW_PASSWORD)).code).toBe('ACCOUNT_NOT_APPROVED')
  })
})

describe('removing an account for good (rules/users#removal)', () => {
  test('frees the ID of an account that was never approved, and logs it', async () => {
    const mistake = await maru.createUser({ approved: false, loginId: 'a.mistake' })
    expect((await recordOf(mistake)).removable).toBe(true)
    expect((await remove(hr, mistake)).status).toBe(200)
    expect((await maru.call(checkId, { userId: 'a.mistake' })).status).toBe(200)
    expect((await sql('select from users where id = $1', [mistake.id])).rowCount).toBe(0)
    const [row] = await auditOf(mistake, 'user.remove')
    expect(row).toMatchObject({ actor_id: hr.id, detail: { email: mistake.email, reason: '본인 요청' } })
    expect((await remove(hr, mistake)).code).toBe('USER_NOT_FOUND')
  })

  test('is refused once it was approved, while a request waits, and with keys or notices', async () => {
    const once = await maru.createUser()
    await sql(`update users set approval_code = 'MEMAP002' where id = $1`, [once.id])
    const asked = await maru.createUser({ asked: true })
    const author = await maru.createUser({ approved: false })
    await sql(`insert into notices (bullet_code, title, author_id) values ('BE0001', '글', $1)`, [author.id])
    const granted = await maru.createUser({ approved: false })
    await sql(
      `insert into approval_requests (user_id, login_id, name, email, affiliation_code, state, decided_by, decided_at)
        select id, login_id, name, email, affiliation_code, 'approved', $2, now() from users where id = $1`,
      [granted.id, hr.id],
    )
    for (const of of [person, once, asked, author, granted]) {
      expect((await recordOf(of)).removable).toBe(false)
      expect((await remove(hr, of)).code).toBe('USER_NOT_REMOVABLE')
    }
  })
})

test('refuses the caller’s own account and one out of reach (rules/users#account-card)', async () => {
  for (const endpoint of [unlockUser, resetUser, endUserSessions, inviteUser, removeUser]) {
    for (const [by, of] of [
      [hr, hr],
      [hr, admin],
      [person, hr],
    ] as const) {
      const answer = await maru.call(endpoint, about(of), by)
      expect.soft(answer, endpoint.path).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    const unknown = await maru.call(endpoint, { userId: 'no.such.one' }, hr)
    expect.soft(unknown.code, endpoint.path).toBe('USER_NOT_FOUND')
  }
  const own = await maru.call(requestEmail, { ...about(hr), email: 'x@example.com' }, hr)
  expect(own.code).toBe('FORBIDDEN')
})
