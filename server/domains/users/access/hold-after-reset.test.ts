import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  acceptInvitation,
  CERTIFY_TYPE,
  login,
  resetPassword,
  setPassword,
} from '../../../../contract/account.ts'
import {
  askFactorReset,
  changeRoles,
  confirmFactorReset,
  getFactorReset,
  previewBulk,
  resetUser,
} from '../../../../contract/users.ts'
import { certifier } from '../../../../dev/test-kit/certified.ts'
import { browser, factorsOf } from '../../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../../dev/test-kit/smtp.ts'

const clock = { now: new Date() }
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url }, { clock: () => clock.now })
const { allSent, getCode } = certifier(maru, smtp)
const { codeOf, finish, gaveFactor, withApp } = factorsOf(maru, clock)
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

const NEW = 'another-Maru-2026!'
let asker: TestUser
let other: TestUser
beforeAll(() => owner('update users set withdrawn_at = now()'))
beforeEach(async () => {
  await owner('delete from rate_limits')
  asker = await withApp(await maru.createUser({ role: 'admin' }))
  other = await withApp(await maru.createUser({ role: 'admin' }))
})
afterAll(() => smtp.close())

const enter = (person: TestUser, password: string) =>
  maru.call(login, { loginId: person.userId, password }, browser())
const sessionsOf = ({ id }: TestUser) => owner('select 1 from sessions where user_id = $1', [id])
const look = async ({ userId }: TestUser) => (await maru.call(getFactorReset, { userId }, asker)).data

/** Two administrators who have nothing to do with the user reset the second factors. */
async function reset({ userId }: TestUser): Promise<void> {
  const { data } = await maru.call(askFactorReset, { userId, reason: '분실' }, asker)
  expect((await maru.call(confirmFactorReset, { userId, resetId: data.resetId }, other)).status).toBe(200)
}

/** Reads the temporary password of the mail that comes. */
async function passwordFrom({ email }: TestUser, since: number): Promise<string> {
  const found = () =>
    smtp.mails
      .slice(since)
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(text) ?? [])
  await expect.poll(found).toHaveLength(1)
  return found()[0] ?? ''
}

/** Resets the password by the mailbox alone. */
async function resetByMail(person: TestUser) {
  const { email, userId } = person
  await allSent()
  const certificationCode = await getCode('resetPassword', email, userId)
  const since = smtp.mails.length
  const answer = await maru.call(resetPassword, {
    userId,
    email,
    certificationType: CERTIFY_TYPE.resetPassword,
    certificationCode,
  })
  return { answer, password: answer.status === 200 ? await passwordFrom(person, since) : '' }
}

describe('a reset of the second factors (rules/users#hold-after-reset)', () => {
  test('ends a temporary password that the mailbox got before, until the hold is over', async () => {
    const person = await withApp(await maru.createUser())
    const { password } = await resetByMail(person)
    expect((await enter(person, password)).code).toBe('SECOND_FACTOR_REQUIRED')
    expect(await look(person)).toMatchObject({ passwordEnds: true })
    await reset(person)
    expect((await enter(person, password)).code).toBe('TEMPORARY_PASSWORD_ENDED')
    expect((await enter(person, PASSWORD)).code).toBe('LOGIN_FAILED')
    expect((await resetByMail(person)).answer.code).toBe('FACTOR_RESET_HOLD')
    expect(await sessionsOf(person)).toEqual([])

    await owner(`update users set factors_reset_at = now() - interval '3 days' where id = $1`, [person.id])
    const later = await resetByMail(person)
    expect((await enter(person, later.password)).data).toMatchObject({ mustChangePassword: true })
  })

  test('ends a temporary password that an administrator sent before', async () => {
    const person = await withApp(await maru.createUser())
    const sender = await withApp(await maru.createUser({ role: 'admin' }))
    const since = smtp.mails.length
    const sent = await maru.call(resetUser, { userId: person.userId, reason: '' }, sender)
    expect(sent.status).toBe(200)
    const password = await passwordFrom(person, since)
    await reset(person)
    expect((await enter(person, password)).code).toBe('TEMPORARY_PASSWORD_ENDED')
    expect(await sessionsOf(person)).toEqual([])
  })

  test('ends a password that a manager chose at the registration', async () => {
    const person = await withApp(await maru.createUser())
    await owner('update users set password_own_from = null where id = $1', [person.id])
    await reset(person)
    expect((await enter(person, PASSWORD)).code).toBe('TEMPORARY_PASSWORD_ENDED')
  })

  test('ends a password that was chosen within three days without a second factor', async () => {
    const chosen = async () => {
      const person = await maru.createUser()
      const change = { currentPassword: PASSWORD, newPassword: NEW }
      const { sessionUid } = (await maru.call(setPassword, change, person)).data
      const session = { ...person, session: sessionUid }
      await owner(`update sessions set password_checked_at = now() where user_id = $1`, [person.id])
      return withApp(session)
    }
    const [fresh, old] = [await chosen(), await chosen()]
    await owner(`update users set password_own_from = password_own_from - interval '3 days' where id = $1`, [
      old.id,
    ])
    for (const person of [fresh, old]) await reset(person)
    expect((await enter(fresh, NEW)).code).toBe('TEMPORARY_PASSWORD_ENDED')
    expect((await enter(old, NEW)).status).toBe(200)
  })

  test('ends a password that was made with a mailed invitation beside a second factor', async () => {
    const person = await withApp(await maru.createUser())
    await owner('update users set password_own_from = null where id = $1', [person.id])
    const promoter = await withApp(await maru.createUser({ role: 'admin' }))
    const chosen = { userIds: [person.userId], roleCode: 'AUT001' }
    const { version } = (await maru.call(previewBulk, { ...chosen, bulkAction: 'role' }, promoter)).data
    expect((await maru.call(changeRoles, { ...chosen, version }, promoter)).status).toBe(200)
    const token = () =>
      smtp.mails.flatMap(({ to, text }) =>
        to.includes(person.email) ? (/^[\w-]{43}$/m.exec(text)?.[0] ?? []) : [],
      )
    await expect.poll(token).toHaveLength(1)
    const invitation = { token: token()[0] ?? '', password: NEW }
    expect((await maru.call(acceptInvitation, invitation)).status).toBe(200)
    await reset(person)
    expect((await enter(person, NEW)).code).toBe('TEMPORARY_PASSWORD_ENDED')
  })

  test('ends a password that was chosen with a second factor of the last three days', async () => {
    const person = await withApp(await maru.createUser())
    await owner('update totp_secrets set created_at = now() where user_id = $1', [person.id])
    const change = { currentPassword: PASSWORD, newPassword: NEW }
    expect((await maru.call(setPassword, change, person)).status).toBe(200)
    await reset(person)
    expect((await enter(person, NEW)).code).toBe('TEMPORARY_PASSWORD_ENDED')
  })

  test('keeps a password set with the second factor, even from a temporary one', async () => {
    const person = await withApp(await maru.createUser())
    const { password } = await resetByMail(person)
    const { ticket } = JSON.parse((await enter(person, password)).raw) as { ticket: string }
    const { sessionUid } = (await finish(ticket, codeOf(person.secret))).data
    const change = { currentPassword: password, newPassword: NEW }
    expect((await maru.call(setPassword, change, { session: sessionUid })).status).toBe(200)
    expect(await look(person)).toMatchObject({ passwordEnds: false })
    await gaveFactor(asker)
    await reset(person)
    expect((await enter(person, NEW)).status).toBe(200)
  })
})
