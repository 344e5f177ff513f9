import { type AddressInfo, createServer, type Socket } from 'node:net'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CERTIFY_TYPE,
  checkPassword,
  login,
  resetPassword,
  setPassword,
  signUp,
} from '../../../contract/account.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import {
  beginConfirmation,
  finishConfirmation,
  getProviderLogout,
  listLinks,
  removeLink,
  removeProvider,
} from '../../../contract/sso.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../dev/test-kit/identity-provider.ts'
import { countWaiting } from '../../../dev/test-kit/locks.ts'
import { type Answer, type CallOptions, PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { BROWSER, CLIENT, OFFICE, PORTAL, ssoOf, ticketIn } from '../../../dev/test-kit/sso.ts'
import { makeCode } from '../account/email-verification.ts'
import { eraseWithdrawn } from '../users/index.ts'
import { sealSecret } from './queries.ts'

/* Attacks on required single sign-on: by thieves of passwords, sessions and tickets, and by administrators (rules/sso#required). */

const clock = { now: new Date() }
const SETTINGS = { OUTBOUND_ALLOW: '127.0.0.1', PORTAL_URL: PORTAL }
const maru = useMaru(SETTINGS, { clock: () => clock.now })
const { codeOf, nextCode, withApp, wrongCodeOf } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let idp: IdentityProvider
let admin: TestUser
let emergency: TestUser
let secret: string
let providerId: string
const { byCode, byPassword, byProvider, link, saveRequired } = ssoOf(maru, () => ({ idp, providerId }))

beforeAll(async () => {
  idp = await startIdentityProvider(CLIENT)
  return () => idp.stop()
})
beforeEach(async () => {
  await sql('delete from identity_providers')
  await sql('delete from rate_limits')
  await sql('update users set break_glass = false')
  await sql('update roles set sso_required = false')
  admin = await maru.createUser({ role: 'admin' })
  emergency = await maru.createUser({ role: 'admin' })
  secret = (await withApp(emergency)).secret
  providerId = await addProvider('가나 로그인')
  expect((await save([emergency.userId])).status).toBe(200)
})

async function addProvider(name: string): Promise<string> {
  const clientSecret = sealSecret(maru.services.keySecret, CLIENT.clientSecret, {
    ...CLIENT,
    issuer: idp.issuer,
  })
  const [{ id }] = await sql(
    `insert into identity_providers (name, issuer, client_id, client_secret, tried_version, enabled_at, first_login, email_domains)
     values ($1, $2, $3, $4, 1, now(), 'create', '{gana.kr,example.com}') returning id::text`,
    [name, idp.issuer, CLIENT.clientId, clientSecret],
  )
  await maru.services.settings.fresh()
  return id
}
/** Requires single sign-on of ordinary users and administrators, with these emergency accounts. */
const save = (emergencyAccounts: string[]) =>
  saveRequired({ ssoRoles: ['AUT001', 'AUT003'], emergencyAccounts }, admin)
const ticketFor = async (...of: Parameters<typeof byProvider>) => ticketIn(await byProvider(...of))
const linksOf = async ({ id }: TestUser) =>
  (await sql('select subject from identities where user_id = $1', [id])).map(({ subject }) => subject)
let count = 0
/** Signs up with a ticket, with a right certification code for the address. */
async function register(ssoTicket: string, email: string) {
  const userId = `new.${(count += 1)}`
  const owner = { type: CERTIFY_TYPE.signUp, email, loginId: userId }
  const certificationCode = await maru.database.db.transaction().execute((tx) => makeCode(tx, owner, 'test'))
  const form = { name: '한처음', position: '사원', phoneNumber: '01098765432', affiliationCode: 'BEL001' }
  const input = { ...form, userId, email, password: '푸른-바다-7고래', certificationCode, ssoTicket }
  return maru.call(signUp, { ...input, certificationType: CERTIFY_TYPE.signUp }, OFFICE)
}
const codesOf = (answers: Answer[]) => answers.map(({ status, code }) => String(code ?? status)).toSorted()

/** Waits until this many connections wait for a lock. */
const untilWaiting = (wanted: number) =>
  expect.poll(() => countWaiting(maru.owner)).toBeGreaterThanOrEqual(wanted)
/** Makes two calls that meet: the first has to wait before it writes to a table, and the second begins meanwhile. */
async function meeting(table: string, first: () => Promise<Answer>, second: () => Promise<Answer>) {
  const locker = await maru.owner.connect()
  try {
    await locker.query(`begin; lock table ${table} in share mode`)
    const one = first()
    await untilWaiting(1)
    const two = second()
    await untilWaiting(2)
    await locker.query('commit')
    return await Promise.all([one, two])
  } finally {
    await locker.query('rollback')
    locker.release()
  }
}

describe('a thief of a password', () => {
  test('learns nothing of roles and emergency accounts by a wrong one', async () => {
    const person = await maru.createUser()
    for (const { userId: loginId } of [person, emergency, { userId: 'nobody.there' }])
      for (const more of [{}, { ssoTicket: 'x' }])
        expect((await maru.call(login, { loginId, password: 'Wrong-2026!', ...more }, OFFICE)).code).toBe(
          'LOGIN_FAILED',
        )
  })

  test('clears no wrong second factors by a refused login', async () => {
    const { secret: own, ...person } = await withApp(await maru.createUser())
    const failures = async () =>
      (
        await sql('select sum(total)::int as total from login_failures where login_id = $1', [person.userId])
      )[0].total
    const ticket = ticketIn(await byPassword(person, 'no ticket'))
    expect((await byCode(ticket, wrongCodeOf(own), 'no ticket')).code).toBe('SECOND_FACTOR_WRONG')
    const before = await failures()
    expect(before).toBeGreaterThan(0)
    expect((await byPassword(person)).code).toBe('SSO_REQUIRED')
    expect(await failures()).toBe(before)
  })

  test('opens no account by a made-up ticket, also with the second factor', async () => {
    const { secret: own, ...person } = await withApp(await maru.createUser())
    const ticket = ticketIn(await byPassword(person, 'no ticket'))
    expect((await byCode(ticket, codeOf(own), 'no ticket')).code).toBe('SSO_STATE_INVALID')
    expect((await byCode(ticket, codeOf(own))).code).toBe('SSO_REQUIRED')
  })

  test('keeps no session alive by new passwords, and it ends with its provider (rules/sso#required)', async () => {
    const person = await maru.createUser()
    await link(person, 'own')
    const { sessionUid: session } = (await byProvider('own')).data
    const age = `created_at = now() - interval '3 hours'`
    await sql(`update sessions set ${age} where user_id = $1`, [person.id])
    await maru.call(checkPassword, { password: PASSWORD }, { session })
    const change = { currentPassword: PASSWORD, newPassword: '푸른-바다-7고래' }
    const { data } = await maru.call(setPassword, change, { ...OFFICE, session })
    const of = 'from sessions where user_id = $1'
    expect(
      await sql(`select provider_id::text as id, created_at < now() - interval '2 hours' as old ${of}`, [
        person.id,
      ]),
    ).toEqual([{ id: providerId, old: true }])
    await maru.call(removeProvider, { providerId, providerVersion: 1 }, admin)
    expect((await maru.call(listLinks, {}, { session: data.sessionUid })).status).toBe(401)
  })

  test('gets in by no temporary password', async () => {
    const person = await maru.createUser()
    await link(person, 'own')
    const owner = { type: CERTIFY_TYPE.resetPassword, email: person.email, loginId: person.userId }
    const certificationCode = await maru.database.db
      .transaction()
      .execute((tx) => makeCode(tx, owner, 'test'))
    const reset = { userId: person.userId, email: person.email, certificationCode }
    const answer = await maru.call(
      resetPassword,
      { ...reset, certificationType: CERTIFY_TYPE.resetPassword },
      OFFICE,
    )
    expect(answer.code).toBeUndefined()
    expect(await linksOf(person)).toEqual([])
    const hash = await maru.services.passwords.hash(PASSWORD)
    await sql('update users set password_hash = $2 where id = $1 and password_temporary', [person.id, hash])
    expect((await byPassword(person)).code).toBe('SSO_REQUIRED')
  })
})

describe('a ticket of an identity (rules/sso#first-login)', () => {
  test('links nothing after a login by another provider', async () => {
    const { secret: own, ...person } = await withApp(await maru.createUser())
    const other = await addProvider('다른 로그인')
    await link(person, 'own')
    const ssoTicket = await ticketFor('stranger', person.email, other)
    const ticket = await ticketFor('own', person.email)
    expect((await byCode(ticket, codeOf(own), ssoTicket)).code).toBe('SSO_STATE_INVALID')
    expect((await byCode(ticket, codeOf(own))).status).toBe(200)
    expect(await linksOf(person)).toEqual(['own'])
  })

  test('counts once, for a login and a sign-up at once and for two logins', async () => {
    const person = await maru.createUser()
    const ticket = await ticketFor('one', person.email)
    const answers = await Promise.all([byPassword(person, ticket), byPassword(person, ticket)])
    expect(codesOf(answers)).toEqual(['200', 'SSO_STATE_INVALID'])
    const two = await maru.createUser()
    const shared = await ticketFor('two', two.email)
    // The address belongs to the account, so the sign-up cannot succeed.
    const both = await Promise.all([byPassword(two, shared), register(shared, two.email)])
    expect(codesOf(both)).toEqual(['200', 'CERTIFICATION_FAILED'])
  })

  test('gives one account if two tickets of a person are used at once', async () => {
    const [one, two] = [await maru.createUser(), await maru.createUser()]
    const tickets = [await ticketFor('same', one.email), await ticketFor('same', two.email)]
    const answers = await Promise.all([byPassword(one, tickets[0]), byPassword(two, tickets[1])])
    expect(codesOf(answers)).toEqual(['200', 'SSO_TAKEN'])
  })

  test.each([
    [`suspended_at = now()`, 'ACCOUNT_SUSPENDED'],
    [`withdrawn_at = now()`, 'ACCOUNT_WITHDRAWN'],
    [`valid_to = '2020-01-01'`, 'ACCOUNT_EXPIRED'],
    [`email = 'changed@gana.kr'`, 'SSO_EMAIL_DIFFERS'],
  ])('opens no account after %s', async (change, code) => {
    const person = await maru.createUser()
    const ticket = await ticketFor(`person-${code}`, person.email)
    await sql(`update users set ${change} where id = $1`, [person.id])
    expect((await byPassword(person, ticket)).code).toBe(code)
    expect(await linksOf(person)).toEqual([])
  })

  test('makes no second account of a withdrawn person', async () => {
    const person = await maru.createUser({ email: 'gone@gana.kr' })
    await link(person, 'gone')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    const answer = await byProvider('gone')
    expect(answer.code).toBe('ACCOUNT_WITHDRAWN')
    expect(ticketIn(answer)).toBeUndefined()
  })

  test('has no address of look-alikes, whose lower case is another person’s', async () => {
    // The first letter is a Kelvin sign.
    expect(await byProvider('kelvin', '\u212Aim@gana.kr')).toMatchObject({ code: 'SSO_DOMAIN_REFUSED' })
    expect(await byProvider('dotted', 'kim@gana.\u212Ar')).toMatchObject({ code: 'SSO_DOMAIN_REFUSED' })
    await sql(`update identity_providers set email_domains = '{}', first_login = 'request'`)
    for (const email of ['\u212Aim@gana.kr', 'kim\0@gana.kr', 'k im@gana.kr', '', ['kim@gana.kr'], 1]) {
      const answer = await byProvider('kelvin', email as string)
      expect(answer).toMatchObject({ status: 400, code: 'SSO_ACCOUNT_UNKNOWN' })
      expect(ticketIn(answer)).toBeUndefined()
    }
  })

  test('deadlocks with no removal of the link or the provider', async () => {
    const person = await maru.createUser()
    const ticket = await ticketFor('own', person.email)
    const remove = () => maru.call(removeProvider, { providerId, providerVersion: 1 }, admin)
    const answers = await meeting('identities', () => byPassword(person, ticket), remove)
    expect(codesOf(answers)).toEqual(['200', '200'])
    expect(await linksOf(person)).toEqual([])
    providerId = await addProvider('다시')
    await link(person, 'own')
    const met = await meeting('sessions', () => byProvider('own'), remove)
    expect(codesOf(met)).toEqual(['200', '200'])
    providerId = await addProvider('또 다시')
    const again = await ticketFor('own', person.email)
    const { session } = person
    await maru.call(checkPassword, { password: PASSWORD }, { session })
    const unlink = () => maru.call(removeLink, { providerId }, { session })
    expect(codesOf(await meeting('identities', () => byPassword(person, again), unlink))).toEqual([
      '200',
      '200',
    ])
  })
})

describe('an emergency account (rules/sso#emergency-accounts)', () => {
  test('is a person and no ID, so that nobody takes it over by its name or after its erasure', async () => {
    const thief = await maru.createUser({ role: 'admin' })
    const { userId } = emergency
    await sql(`update users set login_id = 'renamed.one' where id = $1`, [emergency.id])
    await sql('delete from login_ids where login_id = $1', [userId])
    await sql('update users set login_id = $2 where id = $1', [thief.id, userId])
    expect((await byPassword({ ...thief, userId })).code).toBe('SSO_REQUIRED')
    // A form with the former name is one of before.
    const { roles: _, fixed: __, address: ___, ...kept } = (await maru.call(getSecurity, {}, admin)).data
    expect(kept.emergencyAccounts).toEqual(['renamed.one'])
    await sql(`update users set withdrawn_at = now() - interval '900 days' where id = $1`, [emergency.id])
    await maru.database.db.transaction().execute((tx) => eraseWithdrawn(tx, 800, 10, maru.services.keySecret))
    expect((await maru.call(getSecurity, {}, admin)).data.emergencyAccounts).toEqual([])
  })

  test('is no program, nobody withdrawn or suspended, and nobody of a wrong form', async () => {
    for (const change of ['withdrawn_at', 'suspended_at']) {
      await sql(`update users set ${change} = now() where id = $1`, [emergency.id])
      expect((await save([emergency.userId, admin.userId])).code).toBe('EMERGENCY_ACCOUNT_UNFIT')
      await sql(`update users set ${change} = null where id = $1`, [emergency.id])
    }
    const { roles: _, fixed: __, address: ___, ...kept } = (await maru.call(getSecurity, {}, admin)).data
    const raw = (over: object) => maru.callRaw(updateSecurity.path, { ...kept, ...over }, admin)
    for (const emergencyAccounts of [
      ['program:x'],
      ['a\0bcd'],
      'text',
      [1],
      [null],
      {},
      ['one1', 'two2', 'tre3', 'for4'],
    ])
      expect(await raw({ emergencyAccounts })).toMatchObject({ code: 'INPUT_INVALID' })
    for (const ssoRoles of ['text', [1], ['a\0b'], {}])
      expect(await raw({ ssoRoles })).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('is decided by one of two administrators who save at once', async () => {
    const { secret: _, ...second } = await withApp(await maru.createUser({ role: 'admin' }))
    const answers = await Promise.all([save([second.userId]), save([second.userId, emergency.userId])])
    expect(codesOf(answers)).toEqual(['200', 'RECORD_CHANGED'])
  })

  test('is noticed also with a link, and opened by no provider’s administrator alone', async () => {
    const ssoTicket = await ticketFor('own', emergency.email)
    const ticket = ticketIn(await byPassword(emergency, ssoTicket))
    nextCode()
    expect((await byCode(ticket, codeOf(secret), ssoTicket)).code).toBeUndefined()
    const told = await sql(`select from notifications where kind = 'EMERGENCY_LOGIN' and actor_id = $1`, [
      emergency.id,
    ])
    expect(told.length).toBeGreaterThan(1)
    // Now linked: the provider alone does not replace the factor.
    expect((await byProvider('own', emergency.email)).code).toBe('SECOND_FACTOR_REQUIRED')
    const begun = { providerId, binding: BROWSER }
    expect((await maru.call(beginConfirmation, begun, emergency)).code).toBe('SSO_ACCOUNT_UNKNOWN')
  })
})

describe('a logout (rules/sso#logout)', () => {
  test('holds nothing while its provider is silent', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    await sql('update identity_providers set issuer = $1, ends_session = true', [issuer])
    const person = await maru.createUser()
    await sql('update sessions set provider_id = $2 where user_id = $1', [person.id, providerId])
    const asked = Array.from({ length: 60 }, () => maru.call(getProviderLogout, {}, person))
    await expect.poll(() => sockets.length).toBeGreaterThan(0)
    expect((await maru.call(listLinks, {}, person)).status).toBe(200)
    await expect.poll(() => sockets.length).toBe(60)
    sockets.forEach((socket) => socket.destroy())
    silent.close()
    for (const { data } of await Promise.all(asked)) expect(data.logoutUrl).toBe('')
  })
})

/** Begins a reauthentication as a linked user, changes something, and finishes. */
async function confirmAfter(
  change: (person: TestUser) => Promise<unknown>,
  by?: (person: TestUser) => CallOptions,
) {
  const person = await maru.createUser()
  const sub = `own-${person.id}`
  await link(person, sub)
  const begun = { providerId, binding: BROWSER }
  const { loginUrl } = (await maru.call(beginConfirmation, begun, person)).data
  const answer = await idp.logIn(loginUrl, { sub, email: person.email })
  await change(person)
  return maru.call(finishConfirmation, { binding: BROWSER, answer }, by?.(person) ?? person)
}

describe('a reauthentication by the provider (rules/sso#reauthentication)', () => {
  test('counts for nobody else, and for no link or provider that is gone', async () => {
    const stranger = await maru.createUser()
    await link(stranger, 'stranger')
    expect(
      (
        await confirmAfter(
          async () => {},
          () => stranger,
        )
      ).code,
    ).toBe('SSO_STATE_INVALID')
    const unlink = ({ id }: TestUser) => sql('delete from identities where user_id = $1', [id])
    expect((await confirmAfter(unlink)).code).toBe('SSO_ACCOUNT_UNKNOWN')
    // The identity belongs to another account meanwhile.
    const move = (person: TestUser) =>
      sql('update identities set user_id = $2 where user_id = $1', [person.id, admin.id])
    expect((await confirmAfter(move)).code).toBe('SSO_ACCOUNT_UNKNOWN')
    expect((await confirmAfter(() => sql('update roles set sso_required = false'))).code).toBe(
      'SSO_ACCOUNT_UNKNOWN',
    )
    await sql(`update roles set sso_required = true where code = 'AUT003'`)
    expect((await confirmAfter(() => sql('update identity_providers set enabled_at = null'))).code).toBe(
      'SSO_STATE_INVALID',
    )
  })

  test('replaces no password in a form', async () => {
    let session = ''
    expect(
      (
        await confirmAfter(
          async () => {},
          (one) => ((session = one.session), one),
        )
      ).status,
    ).toBe(200)
    const refused = /^(PASSWORD_NEEDED|CONFIRMATION_REQUIRED|PASSWORD_WRONG)$/
    for (const input of [
      { newPassword: '푸른-바다-7고래' },
      { newPassword: '푸른-바다-7고래', currentPassword: 'Wrong-2026!' },
    ])
      expect((await maru.call(setPassword, input, { session })).code).toMatch(refused)
  })
})
