import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPassword, login, setPassword } from '../../../contract/account.ts'
import { getUser, resetUser, unlockUser } from '../../../contract/users.ts'
import { browser, factorsOf } from '../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { deleteOldAttempts, resetByOperator } from './index.ts'

/* Wrong passwords in a row, whatever time passes (rules/account#disabled-password). */

const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { codeOf, enter, finish, ticketOf, withApp, wrongCodeOf } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const MOST = 45
const OFFICE = '10.9.8.7'
const STRANGER = '203.0.113.9'
const DISABLED = { status: 400, code: 'PASSWORD_DISABLED' }

const signIn = (loginId: string, password = PASSWORD, address = STRANGER) =>
  maru.call(login, { loginId, password }, { address })
/** Lets the locks of 15 minutes end. */
const locksEnd = () => sql('update login_failures set failures = 0')
/** Guesses until the next wrong one is the last, as far as the counts say. */
async function guess(loginId: string, times: number, address = STRANGER) {
  for (let n = 0; n < times; n += 1) {
    await signIn(loginId, 'wrong', address)
    await locksEnd()
  }
}
const guessed = (loginId: string, total: number, network = '') =>
  sql(
    `insert into login_failures (login_id, network, failures, total) values ($1, $2, 0, $3)
      on conflict (login_id, network) do update set failures = 0, total = $3`,
    [loginId, network, total],
  )
const mailsTo = ({ email }: TestUser) => sql('select subject from mails where recipient = $1', [email])

let person: TestUser
beforeAll(() => maru.services.jobs.stop())
beforeEach(async () => {
  await sql('delete from rate_limits')
  await sql('delete from mails')
  person = await maru.createUser()
})

describe('too many wrong passwords in a row (rules/account#disabled-password)', () => {
  test('disable the password of a known or unknown ID and answer with the way out', async () => {
    const answers = []
    for (const loginId of [person.userId, 'nobody.knows.this']) {
      await guess(loginId, MOST - 1)
      expect((await signIn(loginId, 'wrong')).code).toBe('LOGIN_FAILED')
      await locksEnd()
      answers.push(await signIn(loginId, 'wrong'), await signIn(loginId))
    }
    for (const answer of answers) expect(answer).toMatchObject(DISABLED)
    expect(new Set(answers.map(({ raw }) => raw)).size).toBe(1)
    expect(answers[0]?.msg).toContain('비밀번호 재설정')
  })

  test('are mailed to the owner once, and take the same statements for an unknown ID', async () => {
    for (const loginId of [person.userId, 'nobody.at.all']) {
      await guessed(loginId, MOST - 1)
      await signIn(loginId, 'wrong')
    }
    for (let n = 0; n < 3; n += 1) await signIn(person.userId, 'wrong')
    expect(await mailsTo(person)).toEqual([{ subject: expect.stringContaining('중지') }])
    expect(await sql('select from mails where recipient is null')).toHaveLength(1)
  })

  test('let the owner log in from a known network, and keep strangers out', async () => {
    await signIn(person.userId, PASSWORD, OFFICE)
    await guess(person.userId, MOST)
    expect(await signIn(person.userId, 'wrong', OFFICE)).toMatchObject(DISABLED)
    expect((await signIn(person.userId, PASSWORD, OFFICE)).status).toBe(200)
    expect(await signIn(person.userId)).toMatchObject(DISABLED)
  })

  test('are answered alike in two networks, known to the owner or not', async () => {
    await signIn(person.userId, PASSWORD, OFFICE)
    const answersFor = async (loginId: string) => {
      await guessed(loginId, 35)
      const codes = []
      for (let round = 0; round < 3; round += 1) {
        for (const address of [STRANGER, OFFICE])
          for (let n = 0; n < 5; n += 1) codes.push((await signIn(loginId, 'wrong', address)).code)
        await locksEnd()
      }
      return codes
    }
    const known = await answersFor(person.userId)
    expect(known).toEqual(await answersFor('nobody.in.the.office'))
    expect(known).toContain('PASSWORD_DISABLED')
  })

  test('are limited from known networks too, all of them together', async () => {
    for (const address of [OFFICE, '10.1.1.1']) await signIn(person.userId, PASSWORD, address)
    await guess(person.userId, 25, OFFICE)
    await guess(person.userId, MOST - 25, '10.1.1.1')
    for (const address of [OFFICE, '10.1.1.1'])
      expect(await signIn(person.userId, PASSWORD, address)).toMatchObject(DISABLED)
  })

  test('stay below 50 when 20 guess at once on two servers', async () => {
    await guessed(person.userId, MOST - 1)
    const twin = await maru.startTwin()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? twin : maru).call(
          login,
          { loginId: person.userId, password: 'wrong' },
          { address: STRANGER },
        ),
      ),
    )
    const [{ total }] = await sql('select total from login_failures where login_id = $1', [person.userId])
    expect(total).toBeGreaterThanOrEqual(MOST)
    expect(total).toBeLessThanOrEqual(50)
    expect(await signIn(person.userId)).toMatchObject(DISABLED)
  })

  test('restart from zero after a login, but not before its second factor', async () => {
    await guess(person.userId, MOST - 1)
    expect((await signIn(person.userId)).status).toBe(200)
    await guess(person.userId, MOST - 1, '198.51.100.4')
    expect((await signIn(person.userId, PASSWORD, '198.51.100.4')).status).toBe(200)

    const guarded = await withApp(await maru.createUser())
    await guessed(guarded.userId, MOST - 1)
    expect((await enter(guarded)).code).toBe('SECOND_FACTOR_REQUIRED')
    await finish(await ticketOf(guarded), wrongCodeOf(guarded.secret))
    expect(await enter(guarded)).toMatchObject(DISABLED)
    expect(await mailsTo(guarded)).toContainEqual({ subject: expect.stringContaining('중지') })
  })

  test('count at the password gate, which is refused then', async () => {
    await guessed(person.userId, MOST - 1)
    expect((await maru.call(checkPassword, { password: 'wrong' }, person)).code).toBe('PASSWORD_WRONG')
    expect(await maru.call(checkPassword, { password: PASSWORD }, person)).toMatchObject(DISABLED)
    expect(await mailsTo(person)).toHaveLength(1)
  })

  test('are forgotten by no wait, whether or not the ID exists', async () => {
    await sql('delete from login_failures')
    for (const loginId of [person.userId, 'nobody.again']) await guessed(loginId, MOST)
    await guessed('few.wrong', 4)
    await guessed('some.wrong', 5)
    await sql(`update login_failures set last_failed_at = now() - interval '31 days'`)
    await deleteOldAttempts(maru.database.pool)
    const left = async () => (await sql('select login_id from login_failures')).map((row) => row.login_id)
    expect(await left()).toEqual(expect.arrayContaining([person.userId, 'nobody.again', 'some.wrong']))
    expect(await left()).not.toContain('few.wrong')
    await sql(`update login_failures set last_failed_at = now() - interval '2 years'`)
    await deleteOldAttempts(maru.database.pool)
    expect(new Set(await left())).toEqual(new Set([person.userId, 'nobody.again']))
    for (const loginId of [person.userId, 'nobody.again'])
      expect(await signIn(loginId)).toMatchObject(DISABLED)
  })

  test('leave an account alone that gets the ID later', async () => {
    await guessed('later.user', MOST)
    await maru.createUser({ loginId: 'earlier.user' })
    const { insertAccount } = await import('./queries.ts')
    const { db } = maru.database
    const {
      id: _,
      wasApproved: __,
      ...account
    } = await db
      .selectFrom('users')
      .selectAll()
      .where('loginId', '=', 'earlier.user')
      .executeTakeFirstOrThrow()
    await db
      .transaction()
      .execute((tx) =>
        insertAccount(
          tx,
          { ...account, customValues: '{}', loginId: 'later.user', email: 'later@example.com' },
          maru.services.keySecret,
        ),
      )
    expect(await sql(`select from login_failures where login_id = 'later.user'`)).toEqual([])
  })
})

const disable = () => guessed(person.userId, MOST)
const stateOf = async (hr: TestUser) => (await maru.call(getUser, { userId: person.userId }, hr)).data

describe('a disabled password (rules/account#disabled-password, rules/users#unlock)', () => {
  test('is shown on the card and ended by an administrator', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    await disable()
    expect(await stateOf(hr)).toMatchObject({ passwordDisabled: true })
    expect((await maru.call(unlockUser, { userId: person.userId, reason: '' }, hr)).status).toBe(200)
    expect(await stateOf(hr)).toMatchObject({ passwordDisabled: false })
    expect((await signIn(person.userId)).status).toBe(200)
  })

  test('is ended by a temporary password, of an administrator or the operator', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    await disable()
    expect((await maru.call(resetUser, { userId: person.userId, reason: '' }, hr)).status).toBe(200)
    expect((await signIn(person.userId)).code).toBe('LOGIN_FAILED')
    await disable()
    const { password } = await resetByOperator(maru.database.db, maru.services, person.userId)
    expect((await signIn(person.userId, password)).status).toBe(200)
  })

  test('is replaced when the owner sets a new password from a known network', async () => {
    await signIn(person.userId, PASSWORD, OFFICE)
    await disable()
    const at = { session: person.session, address: OFFICE }
    const newPassword = 'brand-New-2026!'
    expect((await maru.call(setPassword, { currentPassword: PASSWORD, newPassword }, at)).status).toBe(200)
    expect((await signIn(person.userId, newPassword)).status).toBe(200)
  })
})

describe('the second step while others guess the password (rules/account#second-factor)', () => {
  test.each(['known', 'unknown'])('goes on for the owner in a network that is %s', async (kind) => {
    const owner = await withApp(await maru.createUser())
    await sql('delete from login_networks where user_id = $1', [owner.id])
    if (kind === 'known')
      await sql('insert into login_networks (user_id, network) values ($1, $2)', [owner.id, OFFICE])
    const ticket = await ticketOf(owner, browser(OFFICE))
    for (let n = 0; n < 6; n += 1) await signIn(owner.userId, 'wrong')
    await guessed(owner.userId, MOST)
    expect((await signIn(owner.userId)).code).toBe('PASSWORD_DISABLED')
    expect((await finish(ticket, codeOf(owner.secret), 'TOTP', browser(OFFICE))).status).toBe(200)
  })
})
