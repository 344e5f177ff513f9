import { afterAll, describe, expect, test } from 'vitest'
import { finishLogin, getFactors, readLogin } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { createAuthenticator } from '../../../dev/test-kit/authenticator.ts'
import { browser, factorsOf } from '../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { resetByOperator } from './index.ts'

const PORTAL = 'https://portal.maru.kr'
const smtp = await startSmtp()
const clock = { now: new Date() }
const maru = useMaru({ SMTP_URL: smtp.url, PORTAL_URL: PORTAL }, { clock: () => clock.now })
afterAll(() => smtp.close())
const { codeOf, enter, finish, optionsOf, ticketOf, withApp, withPasskey } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const counterOf = async ({ id }: TestUser) =>
  (await sql('select counter from passkeys where user_id = $1', [id])).map(({ counter }) => Number(counter))
const wayOf = async (ticket: string) => (await maru.call(readLogin, { ticket }, browser())).data
const sign = (ticket: string, proof: string) => finish(ticket, proof, 'PASSKEY')
/** Ends all sessions of the user, so that only the tested login can create one. */
const loggedOut = async <P extends TestUser>(person: P) => {
  await sql('delete from sessions where user_id = $1', [person.id])
  return person
}
const sessionsOf = ({ id }: TestUser) => sql('select from sessions where user_id = $1', [id])

describe('a login with a passkey (rules/account#passkeys)', () => {
  test('begins and logs a session for a signature of the current challenge', async () => {
    const person = await loggedOut(await withPasskey(await maru.createUser()))
    const ticket = await ticketOf(person)
    const way = await wayOf(ticket)
    expect(way).toMatchObject({ factors: ['PASSKEY', 'RECOVERY'], passkeysAt: PORTAL })
    expect(JSON.parse(way.passkeyOptions)).toMatchObject({
      rpId: 'portal.maru.kr',
      userVerification: 'preferred',
      allowCredentials: [{ id: person.device.id, transports: ['internal'] }],
    })
    const done = await sign(ticket, person.device.sign(way.passkeyOptions))
    expect(done.data).toMatchObject({ userId: person.userId, mustChangePassword: false })
    expect((await maru.call(getAuthority, {}, { session: done.data.sessionUid })).status).toBe(200)
    expect(await counterOf(person)).toEqual([1])
    expect(
      (await maru.call(getFactors, {}, { session: done.data.sessionUid })).data.passkeys[0]?.lastUsedAt,
    ).not.toBe('')
    const rows = await sql(
      `select detail ->> 'factor' as factor from audit_log where actor_id = $1 and action = 'account.login'`,
      [person.id],
    )
    expect(rows).toEqual([{ factor: 'PASSKEY' }])
  })

  test('says which ways there are, and asks a passkey of nobody who has none', async () => {
    const app = await withApp(await maru.createUser())
    const both = await withPasskey(app)
    expect((await wayOf(await ticketOf(both))).factors).toEqual(['PASSKEY', 'TOTP', 'RECOVERY'])
    const other = await withApp(await maru.createUser())
    expect(await wayOf(await ticketOf(other))).toEqual({
      factors: ['TOTP', 'RECOVERY'],
      passkeyOptions: '',
      passkeysAt: PORTAL,
      mayTrustDevice: false,
    })
    expect((await finish(await ticketOf(both), codeOf(both.secret))).status).toBe(200)
    expect((await finish(await ticketOf(both), app.codes[0] ?? '', 'RECOVERY')).status).toBe(200)
  })

  test('tells nothing to who has no ticket, or one of another browser', async () => {
    const person = await withPasskey(await maru.createUser())
    const ticket = await ticketOf(person)
    for (const [given, at] of [
      ['x', browser()],
      [ticket, browser('10.9.8.7', 'Firefox 140')],
      [ticket, browser('10.1.1.1')],
    ] as const)
      expect((await maru.call(readLogin, { ticket: given }, at)).code).toBe('TICKET_INVALID')
    expect((await enter(await maru.createUser())).data.sessionUid).toHaveLength(43)
  })

  test.each([
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['another origin', { origin: 'https://portal.maru.kr.evil.example' }],
    ['the origin without TLS', { origin: 'http://portal.maru.kr' }],
    ['another name of the portal', { rpId: 'evil.example' }],
    ['an enrolment', { type: 'webauthn.create' }],
    ['nobody who touched it', { isPresent: false }],
  ])('refuses a signature of %s, counts it as a wrong try and begins nothing', async (_, lies) => {
    const person = await loggedOut(await withPasskey(await maru.createUser()))
    const ticket = await ticketOf(person)
    const options = await optionsOf(ticket)
    const refused = await sign(ticket, person.device.sign(options, { ...lies, counter: 1 }))
    expect(refused).toMatchObject({ status: 400, code: 'PASSKEY_INVALID' })
    expect(await sessionsOf(person)).toEqual([])
    expect(await counterOf(person)).toEqual([0])
    const [{ failures }] = await sql(
      'select max(failures) as failures from login_failures where login_id = $1',
      [person.userId],
    )
    expect(failures).toBe(1)
    expect((await sign(ticket, person.device.sign(options, { counter: 1 }))).status).toBe(200)
  })

  test('takes another person’s passkey from nobody, and no key that only names itself so', async () => {
    const [person, other] = [
      await loggedOut(await withPasskey(await maru.createUser())),
      await withPasskey(await maru.createUser()),
    ]
    const ticket = await ticketOf(person)
    const options = await optionsOf(ticket)
    const stranger = createAuthenticator(PORTAL)
    for (const proof of [
      other.device.sign(options),
      stranger.sign(options),
      stranger.sign(options, { id: person.device.id }),
      'x',
    ])
      expect((await sign(ticket, proof)).code).toBe('PASSKEY_INVALID')
    expect(await sessionsOf(person)).toEqual([])
    expect(await counterOf(other)).toEqual([0])
  })

  test('takes a signature once: not with the ticket again, and not with the next one', async () => {
    const person = await withPasskey(await maru.createUser(), createAuthenticator(PORTAL, { counts: false }))
    const ticket = await ticketOf(person)
    const proof = person.device.sign(await optionsOf(ticket))
    expect((await sign(ticket, proof)).status).toBe(200)
    expect((await sign(ticket, proof)).code).toBe('TICKET_INVALID')
    const next = await ticketOf(person)
    expect((await sign(next, proof)).code).toBe('PASSKEY_INVALID')
    await optionsOf(next)
    expect((await sign(next, proof)).code).toBe('PASSKEY_INVALID')
  })

  test('accepts only a signature of the latest challenge of this ticket', async () => {
    const person = await loggedOut(
      await withPasskey(await maru.createUser(), createAuthenticator(PORTAL, { counts: false })),
    )
    const [ticket, another] = [await ticketOf(person), await ticketOf(person)]
    const [before, last, elsewhere] = [
      await optionsOf(ticket),
      await optionsOf(ticket),
      await optionsOf(another),
    ]
    for (const options of [before, elsewhere])
      expect((await sign(ticket, person.device.sign(options))).code).toBe('PASSKEY_INVALID')
    expect(await sessionsOf(person)).toEqual([])
    expect((await sign(ticket, person.device.sign(last))).status).toBe(200)
  })

  test('ends with its ticket after five minutes', async () => {
    const person = await loggedOut(await withPasskey(await maru.createUser()))
    const ticket = await ticketOf(person)
    const proof = person.device.sign(await optionsOf(ticket))
    await sql(`update login_tickets set created_at = now() - interval '301 seconds'`)
    expect((await sign(ticket, proof)).code).toBe('TICKET_INVALID')
    expect((await maru.call(readLogin, { ticket }, browser())).code).toBe('TICKET_INVALID')
    expect(await sessionsOf(person)).toEqual([])
    expect(await counterOf(person)).toEqual([0])
  })

  test('creates one session if several send one signature at once, on two servers too', async () => {
    const person = await loggedOut(
      await withPasskey(await maru.createUser(), createAuthenticator(PORTAL, { counts: false })),
    )
    const twin = await maru.startTwin()
    const ticket = await ticketOf(person)
    const proof = person.device.sign(await optionsOf(ticket))
    const answers = await Promise.all(
      [maru, twin, maru, twin].map((at) =>
        at.call(finishLogin, { ticket, factor: 'PASSKEY', proof }, browser()),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(person)).toHaveLength(1)
  })

  test('refuses and logs a passkey whose counter does not increase and notifies its user', async () => {
    const person = await loggedOut(await withPasskey(await maru.createUser()))
    await sql('update passkeys set counter = 7 where user_id = $1', [person.id])
    const ticket = await ticketOf(person)
    const options = await optionsOf(ticket)
    for (const counter of [7, 6, 0]) {
      const refused = await sign(ticket, person.device.sign(options, { counter }))
      expect(refused).toMatchObject({ status: 400, code: 'PASSKEY_CLONED' })
    }
    expect(await sessionsOf(person)).toEqual([])
    expect(await counterOf(person)).toEqual([7])
    const rows = await sql(
      `select detail from audit_log where action = 'account.factor-cloned' and target = $1`,
      [person.userId],
    )
    const detail = { factor: 'PASSKEY', passkeyName: '내 휴대전화' }
    expect(rows).toEqual([{ detail }, { detail }, { detail }])
    await expect
      .poll(() =>
        smtp.mails.some(({ to, text }) => to.includes(person.email) && text.includes('사용 횟수가 이전보다')),
      )
      .toBe(true)
    const [{ results }] = await sql(
      `select array_agg(result) as results from access_log where $1 = any(subjects) and act = 'login'`,
      [person.id],
    )
    expect(results).toContain('PASSKEY_CLONED')
    expect((await sign(ticket, person.device.sign(options, { counter: 8 }))).status).toBe(200)
    expect(await counterOf(person)).toEqual([8])
  })

  test('takes one that counts nothing, and one that did not ask who its person is', async () => {
    for (const of of [{ counts: false }, { isVerified: false }]) {
      const person = await withPasskey(await maru.createUser(), createAuthenticator(PORTAL, of))
      for (let n = 0; n < 2; n += 1) {
        const ticket = await ticketOf(person)
        expect((await sign(ticket, person.device.sign(await optionsOf(ticket)))).status).toBe(200)
      }
    }
  })

  test('locks after five wrong ones', async () => {
    const person = await loggedOut(await withPasskey(await maru.createUser()))
    await sql('delete from login_networks where user_id = $1', [person.id])
    const ticket = await ticketOf(person)
    const codes = []
    for (let n = 0; n < 5; n += 1) codes.push((await sign(ticket, 'x')).code)
    expect(codes).toEqual([...Array(4).fill('PASSKEY_INVALID'), 'SECOND_FACTOR_LOCKED'])
    const proof = person.device.sign(await optionsOf(ticket))
    expect((await sign(ticket, proof)).code).toBe('SECOND_FACTOR_LOCKED')
    expect(await sessionsOf(person)).toEqual([])
  })

  test('takes none that was removed meanwhile', async () => {
    const person = await loggedOut(await withPasskey(await withApp(await maru.createUser())))
    const ticket = await ticketOf(person)
    const proof = person.device.sign(await optionsOf(ticket))
    await sql('delete from passkeys where user_id = $1', [person.id])
    expect((await sign(ticket, proof)).code).toBe('PASSKEY_INVALID')
    expect(await sessionsOf(person)).toEqual([])
  })
})

describe('a lost passkey (rules/running#operator-accounts)', () => {
  test('is taken away with what was begun by a reset, which says so', async () => {
    const person = await withPasskey(await maru.createUser())
    await sql(`insert into passkey_enrolments (user_id, challenge) values ($1, 'x')`, [person.id])
    const reset = await resetByOperator(maru.database.db, maru.services, person.userId)
    expect(reset.hadFactors).toBe(true)
    for (const table of ['passkeys', 'passkey_enrolments', 'recovery_codes'])
      expect(await sql(`select from ${table} where user_id = $1`, [person.id])).toEqual([])
  })
})
