import { describe, expect, test } from 'vitest'
import { beginTotp, confirmTotp, finishLogin } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { browser, factorsOf } from '../../test-kit/factors.ts'
import { useMaru } from '../../test-kit/maru.ts'
import type { TestUser } from '../../test-kit/people.ts'
import { removeOldTickets } from './index.ts'

const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { codeOf, enter, finish, nextCode, passGate, ticketOf, withApp, wrongCodeOf } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const sessionsOf = (person: TestUser) => sql('select from sessions where user_id = $1', [person.id])

describe('a login with a second factor (rules/account#second-factor)', () => {
  test('begins no session before the code, and one with it, which is on record', async () => {
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

  test('takes a ticket once, for five minutes, in the browser and network that it was given to', async () => {
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

  test('is on record with what was refused: who, and in the access log whose', async () => {
    const person = await withApp(await maru.createUser())
    await finish(await ticketOf(person), wrongCodeOf(person.secret))
    const rows = await sql(
      `select result from access_log where $1 = any(subjects) and act = 'login' and result <> '' order by position`,
      [person.id],
    )
    expect(rows.map(({ result }) => result)).toContain('SECOND_FACTOR_WRONG')
    await expect
      .poll(() => sql(`select from audit_log where action = 'refusal.code' and target = $1`, [person.userId]))
      .toHaveLength(1)
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
})
