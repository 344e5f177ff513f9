import { describe, expect, test } from 'vitest'
import { beginTotp, confirmTotp, finishLogin, login, setPassword } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { getUser, unlockUser } from '../../../contract/users.ts'
import { browser, factorsOf } from '../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { removeFactors, removeOldTickets } from './index.ts'
import { saveTemporaryPassword } from './queries.ts'

const NEW = 'brand-New-2026!'
const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { codeOf, enter, finish, nextCode, passGate, ticketOf, withApp, wrongCodeOf } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const sessionsOf = (person: TestUser) => sql('select from sessions where user_id = $1', [person.id])

/** Lets the locks of 15 minutes end, but that of the others on the ID. */
const locksEnd = ({ userId }: TestUser) =>
  sql(`update login_failures set failures = 0 where network <> '' or login_id <> $1`, [userId])

const guessAll = async (person: TestUser & { secret: string }) => {
  for (let n = 0; n < 30; n += 1) {
    expect((await finish(await ticketOf(person), wrongCodeOf(person.secret))).code).toMatch(/^SECOND/)
    await locksEnd(person)
  }
}

/** Gives the account another temporary password, as a reset by mail does, and logs in with it. */
const mailed = async (person: TestUser) => {
  const hash = await maru.services.passwords.hash(NEW)
  await maru.database.db
    .transaction()
    .execute((tx) => saveTemporaryPassword(tx, person.id, person.userId, hash))
  return async () => {
    const { raw } = await maru.call(login, { loginId: person.userId, password: NEW }, browser())
    return (JSON.parse(raw) as { ticket: string }).ticket
  }
}
// A mailed password forgets the known networks, so wrong codes count with the ID as well.
const noneLocks = () => sql('delete from login_failures')
const guess = async (person: TestUser & { secret: string }, ticket: () => Promise<string>, times: number) => {
  for (let n = 0; n < times; n += 1) {
    await noneLocks()
    await finish(await ticket(), wrongCodeOf(person.secret))
  }
  await noneLocks()
}

describe('a login with a second factor (rules/account#second-factor)', () => {
  test('takes no app that somebody with the database copied from another account', async () => {
    const [person, thief] = [await withApp(await maru.createUser()), await withApp(await maru.createUser())]
    await sql(
      `update totp_secrets t set sealed = o.sealed, last_step = 0 from totp_secrets o where t.user_id = $1 and o.user_id = $2`,
      [person.id, thief.id],
    )
    nextCode()
    expect((await finish(await ticketOf(person), codeOf(thief.secret))).code).toBe('SECOND_FACTOR_WRONG')
  })

  test('begins and logs no session before the second factor, and one with it', async () => {
    const person = await withApp(await maru.createUser())
    await sql('delete from sessions where user_id = $1', [person.id])
    const first = await enter(person)
    expect(first).toMatchObject({ status: 400, code: 'SECOND_FACTOR_REQUIRED' })
    expect(await sessionsOf(person)).toEqual([])
    const ticket = await ticketOf(person)
    expect(await isAlive(ticket)).toBe(false)
    const done = await finish(ticket, codeOf(person.secret))
    expect(done.data).toMatchObject({ userId: person.userId, mustChangePassword: false })
    expect(await isAlive(done.data.sessionUid)).toBe(true)
    const rows = await sql(
      `select detail ->> 'factor' as factor from audit_log where actor_id = $1 and action = 'account.login'`,
      [person.id],
    )
    expect(rows).toEqual([{ factor: 'TOTP' }])
  })

  test('stays one call for who has none', async () => {
    expect((await enter(await maru.createUser())).data.sessionUid).toHaveLength(43)
  })

  test('takes a code once: not again, and not one before it', async () => {
    const person = await withApp(await maru.createUser())
    const before = codeOf(person.secret)
    nextCode()
    const code = codeOf(person.secret)
    expect((await finish(await ticketOf(person), code)).status).toBe(200)
    for (const used of [code, before])
      expect((await finish(await ticketOf(person), used)).code).toBe('SECOND_FACTOR_WRONG')
    nextCode()
    expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)
  })

  test('takes the code that confirmed the app no more', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const { secret, enrolment } = (await maru.call(beginTotp, {}, person)).data
    const code = codeOf(secret)
    await maru.call(confirmTotp, { enrolment, code }, person)
    expect((await finish(await ticketOf(person), code)).code).toBe('SECOND_FACTOR_WRONG')
  })

  test('gives one session to several that send the same code at once', async () => {
    const person = await withApp(await maru.createUser())
    await sql('delete from sessions where user_id = $1', [person.id])
    const twin = await maru.startTwin()
    const code = codeOf(person.secret)
    const tickets = await Promise.all([1, 2, 3, 4].map(() => ticketOf(person)))
    const answers = await Promise.all(
      tickets.map((ticket, n) =>
        (n % 2 ? twin : maru).call(finishLogin, { ticket, factor: 'TOTP', proof: code }, browser()),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(person)).toHaveLength(1)
  })

  test('accepts a ticket once, for five minutes, in the same browser and network', async () => {
    const person = await withApp(await maru.createUser())
    const ticket = await ticketOf(person)
    for (const at of [browser('10.9.8.7', 'Firefox 140'), browser('10.1.1.1'), browser('10.1.1.1', 'x')])
      expect((await finish(ticket, codeOf(person.secret), 'TOTP', at)).code).toBe('TICKET_INVALID')
    expect((await finish(ticket, codeOf(person.secret))).status).toBe(200)
    nextCode()
    expect((await finish(ticket, codeOf(person.secret))).code).toBe('TICKET_INVALID')

    const old = await ticketOf(person)
    await sql(`update login_tickets set created_at = now() - interval '301 seconds'`)
    expect((await finish(old, codeOf(person.secret))).code).toBe('TICKET_INVALID')
    await removeOldTickets(maru.database.pool)
    expect(await sql('select from login_tickets')).toEqual([])
  })

  test('takes no ticket of a password that was changed since', async () => {
    const person = await withApp(await maru.createUser())
    const ticket = await ticketOf(person)
    await sql('update users set password_hash = $2 where id = $1', [
      person.id,
      await maru.services.passwords.hash('brand-New-2026!'),
    ])
    expect((await finish(ticket, codeOf(person.secret))).code).toBe('TICKET_INVALID')
  })

  test('is refused to an account that may not log in by then', async () => {
    const person = await withApp(await maru.createUser())
    const ticket = await ticketOf(person)
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await finish(ticket, codeOf(person.secret))).code).toBe('ACCOUNT_WITHDRAWN')
  })

  test('locks after five wrong codes, which the right password does not forgive', async () => {
    const person = await withApp(await maru.createUser())
    await sql('delete from login_networks where user_id = $1', [person.id])
    const codes = []
    for (let n = 0; n < 5; n += 1)
      codes.push((await finish(await ticketOf(person), wrongCodeOf(person.secret))).code)
    expect(codes).toEqual([...Array(4).fill('SECOND_FACTOR_WRONG'), 'SECOND_FACTOR_LOCKED'])
    expect((await enter(person)).code).toBe('LOGIN_LOCKED')
    expect(
      await sql('select from sessions where user_id = $1 and address = $2', [person.id, '10.9.8.7']),
    ).toEqual([])
  })

  test('logs a refused second factor with the actor and the data subject', async () => {
    const person = await withApp(await maru.createUser())
    // Refusals of the other tests use up the rows of their network.
    const at = browser('192.0.2.7')
    await finish(await ticketOf(person, at), wrongCodeOf(person.secret), 'TOTP', at)
    const rows = await sql(
      `select result from access_log where $1 = any(subjects) and act = 'login' and result <> '' order by position`,
      [person.id],
    )
    expect(rows.map(({ result }) => result)).toContain('SECOND_FACTOR_WRONG')
    await expect
      .poll(() => sql(`select from audit_log where action = 'refusal.code' and target = $1`, [person.userId]))
      .toHaveLength(1)
  })

  test('is not locked by logins under an ID that looks like the key of its lock', async () => {
    const person = await withApp(await maru.createUser())
    await sql('delete from login_networks where user_id = $1', [person.id])
    await finish(await ticketOf(person), wrongCodeOf(person.secret))
    const [row] = await sql(`select login_id from login_failures where login_id like '%second-factor%'`)
    const loginId = String(row.login_id)
    for (const typed of [loginId, loginId.trim().replace(/^\p{Cc}/u, '')])
      for (let n = 0; n < 6; n += 1) await maru.call(login, { loginId: typed, password: 'x' }, browser())
    nextCode()
    expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)
  })

  test('takes 30 wrong codes a day, whatever the clock of the lock', async () => {
    const person = await withApp(await maru.createUser())
    for (let n = 0; n < 30; n += 1) {
      await sql('delete from login_failures')
      await finish(await ticketOf(person), wrongCodeOf(person.secret))
    }
    await sql('delete from login_failures')
    expect(await finish(await ticketOf(person), codeOf(person.secret))).toMatchObject({
      status: 429,
      code: 'SECOND_FACTOR_LOCKED',
    })
  })

  describe('while the ID is locked from elsewhere', () => {
    const OFFICE = '10.9.8.7'
    const lockedElsewhere = async () => {
      const person = await withApp(await maru.createUser())
      await sql('delete from rate_limits')
      await sql('insert into login_networks (user_id, network) values ($1, $2) on conflict do nothing', [
        person.id,
        OFFICE,
      ])
      for (let n = 0; n < 6; n += 1)
        await maru.call(login, { loginId: person.userId, password: 'wrong' }, { address: '203.0.113.9' })
      return person
    }
    const LOCKED = { status: 429, code: 'SECOND_FACTOR_LOCKED' }

    test('counts every wrong code: 30 of them end the day', async () => {
      const person = await lockedElsewhere()
      await guessAll(person)
      const answer = await finish(await ticketOf(person), codeOf(person.secret))
      expect(answer).toMatchObject(LOCKED)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(80_000)
    })

    test('takes a recovery code and a passkey after the codes of the day', async () => {
      const person = await lockedElsewhere()
      await guessAll(person)
      const [code = ''] = person.codes
      expect((await finish(await ticketOf(person), code, 'RECOVERY')).status).toBe(200)
      expect(await finish(await ticketOf(person), codeOf(person.secret))).toMatchObject(LOCKED)
      expect((await finish(await ticketOf(person), 'none', 'PASSKEY')).code).toBe('PASSKEY_INVALID')
    })

    test('counts from zero after a new password, an unlock and a removal of the factors', async () => {
      const person = await lockedElsewhere()
      const hr = await maru.createUser({ role: 'hr' })
      const exhausted = () =>
        sql(`update factor_failures set failures = 30, since = now() where user_id = $1`, [person.id])
      await guessAll(person)
      expect((await maru.call(unlockUser, { userId: person.userId, reason: '' }, hr)).status).toBe(200)
      expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)

      await sql(
        'insert into factor_failures select id, sha256(convert_to(password_hash, $2)), 0 from users where id = $1 on conflict do nothing',
        [person.id, 'UTF8'],
      )
      await exhausted()
      const { lockedUntil } = (await maru.call(getUser, { userId: person.userId }, hr)).data
      expect(lockedUntil).toMatch(/^\d{4}-/)
      nextCode()
      const at = { session: person.session, address: OFFICE }
      const changed = await maru.call(setPassword, { currentPassword: PASSWORD, newPassword: NEW }, at)
      expect(changed.status).toBe(200)
      const { raw } = await maru.call(login, { loginId: person.userId, password: NEW }, browser())
      const { ticket } = JSON.parse(raw) as { ticket: string }
      expect((await finish(ticket, codeOf(person.secret))).status).toBe(200)

      await exhausted()
      await maru.database.db.transaction().execute((tx) => removeFactors(tx, person.id))
      expect(await sql('select from factor_failures where user_id = $1', [person.id])).toEqual([])
    })

    describe('under passwords that are mailed', () => {
      test('takes 60 wrong codes a day in all, and recovery codes after them', async () => {
        const person = await lockedElsewhere()
        await guess(person, await mailed(person), 30)
        await guess(person, await mailed(person), 30)
        const ticket = await mailed(person)
        const answer = await finish(await ticket(), codeOf(person.secret))
        expect(answer).toMatchObject(LOCKED)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(80_000)
        const hr = await maru.createUser({ role: 'hr' })
        const state = async () => (await maru.call(getUser, { userId: person.userId }, hr)).data.lockedUntil
        expect(await state()).toMatch(/^\d{4}-/)
        const [first = ''] = person.codes
        expect((await finish(await ticket(), first, 'RECOVERY')).status).toBe(200)
        // A right factor clears the count of all passwords.
        expect(await state()).toBe('')
        nextCode()
        expect((await finish(await ticket(), codeOf(person.secret))).status).toBe(200)
      })

      test('leaves the owner guesses after a thief of the password used up those of the day', async () => {
        const person = await lockedElsewhere()
        await guess(person, () => ticketOf(person), 50)
        const ticket = await mailed(person)
        expect((await finish(await ticket(), codeOf(person.secret))).status).toBe(200)
      })

      test('counts from zero after an unlock, and after a password that the owner chose', async () => {
        const person = await lockedElsewhere()
        const hr = await maru.createUser({ role: 'hr' })
        const spend = () =>
          sql(
            `insert into factor_failures (user_id, password_mark, failures, all_failures) values ($1, '', 0, 60)
             on conflict (user_id) do update set all_failures = 60`,
            [person.id],
          )
        await spend()
        expect(await finish(await ticketOf(person), codeOf(person.secret))).toMatchObject(LOCKED)
        expect((await maru.call(unlockUser, { userId: person.userId, reason: '' }, hr)).status).toBe(200)
        expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)

        await spend()
        const at = { session: person.session, address: OFFICE }
        expect(
          (await maru.call(setPassword, { currentPassword: PASSWORD, newPassword: NEW }, at)).status,
        ).toBe(200)
        nextCode()
        const { raw } = await maru.call(login, { loginId: person.userId, password: NEW }, browser())
        const { ticket } = JSON.parse(raw) as { ticket: string }
        expect((await finish(ticket, codeOf(person.secret))).status).toBe(200)
      })
    })

    test('checks five of 20 codes that are guessed at once on two servers', async () => {
      const person = await lockedElsewhere()
      const twin = await maru.startTwin()
      const tickets = await Promise.all(Array.from({ length: 20 }, () => ticketOf(person)))
      const proof = wrongCodeOf(person.secret)
      const answers = await Promise.all(
        tickets.map((ticket, n) =>
          (n % 2 ? twin : maru).call(finishLogin, { ticket, factor: 'TOTP', proof }, browser()),
        ),
      )
      expect(answers.filter(({ code }) => code === 'SECOND_FACTOR_WRONG').length).toBeLessThanOrEqual(4)
      expect(await sql('select failures from factor_failures where user_id = $1', [person.id])).toEqual([
        { failures: 5 },
      ])
      expect((await finish(tickets[0] ?? '', codeOf(person.secret))).code).toBe('SECOND_FACTOR_LOCKED')
    })
  })
})
