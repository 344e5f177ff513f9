import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CERTIFY_TYPE,
  checkPassword,
  finishLogin,
  login,
  setPassword,
  signUp,
} from '../../../contract/account.ts'
import { SESSION_BINDING_HEADER } from '../../../contract/envelope.ts'
import {
  beginLink,
  beginSso,
  beginTry,
  createProvider,
  enableProvider,
  type FirstLogin,
  finishLink,
  finishSso,
  finishTry,
  listLinks,
  listProviders,
  removeLink,
  removeProvider,
  updateProvider,
} from '../../../contract/sso.ts'
import { exportOwnData } from '../../../contract/users/own-data.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../dev/test-kit/identity-provider.ts'
import { countWaiting } from '../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { BROWSER, CLIENT, OFFICE, PORTAL } from '../../../dev/test-kit/sso.ts'
import { makeCode } from '../account/email-verification.ts'
import { removeOldStates } from './index.ts'

/* Logins by OpenID Connect with a real provider (rules/sso). Forged answers: forged-answers.test.ts. */

const clock = { now: new Date() }
// Mails stay in the queue: no server takes them.
const SETTINGS = { OUTBOUND_ALLOW: '127.0.0.1', PORTAL_URL: PORTAL, SMTP_URL: 'smtp://127.0.0.1:1' }
const maru = useMaru(SETTINGS, { clock: () => clock.now })
const { codeOf, finish, passGate, withApp } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const OTHER_BROWSER = 'o'.repeat(43)

let idp: IdentityProvider
let admin: TestUser
let providerId: string
let count = 0

beforeAll(async () => {
  idp = await startIdentityProvider(CLIENT)
  return () => idp.stop()
})
beforeEach(async () => {
  await sql('delete from identity_providers')
  await sql('delete from rate_limits')
  admin = await maru.createUser({ role: 'admin' })
  providerId = await addProvider()
  await enable()
})

const form = () => ({
  providerName: '가나 로그인',
  issuer: idp.issuer,
  clientId: CLIENT.clientId,
  clientSecret: CLIENT.clientSecret,
  subjectClaim: 'sub' as const,
  emailDomains: [],
  firstLogin: 'refuse' as FirstLogin,
  factorCounts: false,
  endsSession: false,
})
const addProvider = async () => (await maru.call(createProvider, form(), admin)).data.providerId
const provider = async () => {
  const { providers } = (await maru.call(listProviders, {}, admin)).data
  return providers.find((one) => one.providerId === providerId)!
}
const refOf = async () => ({ providerId, providerVersion: (await provider()).providerVersion })
const personOf = (sub = `person-${(count += 1)}`) => ({
  sub,
  email: `${sub}@gana.kr`,
  email_verified: true,
  name: '가나',
})

/** Tests the login of the provider. */
async function tryOut(claims = personOf()) {
  const { loginUrl } = (await maru.call(beginTry, { ...(await refOf()), binding: BROWSER }, admin)).data
  return maru.call(finishTry, { binding: BROWSER, answer: await idp.logIn(loginUrl, claims) }, admin)
}
async function enable() {
  await tryOut()
  expect((await maru.call(enableProvider, { ...(await refOf()), enabled: true }, admin)).status).toBe(200)
}
/** Begins a login. @returns the URL of the provider */
const begin = async () => (await maru.call(beginSso, { providerId, binding: BROWSER }, OFFICE)).data.loginUrl
const end = (answer: string, binding = BROWSER, at = OFFICE) => maru.call(finishSso, { binding, answer }, at)
const logIn = async (claims: ReturnType<typeof personOf>) => end(await idp.logIn(await begin(), claims))
async function link(person: TestUser, claims: ReturnType<typeof personOf>) {
  await passGate(person)
  const { loginUrl } = (await maru.call(beginLink, { providerId, binding: BROWSER }, person)).data
  return maru.call(finishLink, { binding: BROWSER, answer: await idp.logIn(loginUrl, claims) }, person)
}
/** Creates a user whose account is linked. */
async function linkedUser(user: Parameters<typeof maru.createUser>[0] = {}) {
  const person = await maru.createUser(user)
  const claims = personOf()
  expect((await link(person, claims)).status).toBe(200)
  return { person, claims }
}
const lastAudit = async (action: string) =>
  (await sql('select target, detail from audit_log where action = $1 order by id desc limit 1', [action]))[0]

describe('a login by a provider', () => {
  test('logs a linked person in, and is recorded as such (rules/sso#login)', async () => {
    const { person, claims } = await linkedUser()
    const { status, data } = await logIn(claims)
    expect(status).toBe(200)
    expect(data).toMatchObject({ userId: person.userId, mustChangePassword: false })
    expect((await maru.call(listLinks, {}, { session: data.sessionUid })).data.links).toMatchObject([
      { providerId, providerName: '가나 로그인', usable: true },
    ])
    expect(await lastAudit('account.login')).toMatchObject({
      target: person.userId,
      detail: { by: 'sso', providerName: '가나 로그인' },
    })
  })

  test('finds nobody by an e-mail address, however the provider verified it (rules/sso#identity)', async () => {
    const person = await maru.createUser()
    const claims = { ...personOf(), email: person.email }
    expect(await logIn(claims)).toMatchObject({ status: 400, code: 'SSO_ACCOUNT_UNKNOWN' })
    await expect
      .poll(() => lastAudit('refusal.login'))
      .toMatchObject({ target: '', detail: { refusal: 'SSO_ACCOUNT_UNKNOWN' } })
  })

  test('checks the account as after a password (rules/sso#after-the-answer)', async () => {
    const { person, claims } = await linkedUser()
    const set = (columns: string) => sql(`update users set ${columns} where id = $1`, [person.id])
    const refused = async (code: string) => expect(await logIn(claims)).toMatchObject({ status: 400, code })
    await set(`suspended_at = now(), suspended_for = 'LEAVE'`)
    await refused('ACCOUNT_SUSPENDED_BY_HAND')
    await set(`suspended_at = null, suspended_for = null, valid_to = '2020-01-01'`)
    await refused('ACCOUNT_EXPIRED')
    await set(`valid_to = null, withdrawn_at = now()`)
    await refused('ACCOUNT_WITHDRAWN')
    await set('withdrawn_at = null')
    expect((await logIn(claims)).status).toBe(200)
  })

  test('keeps the networks of administrators and the limit of sessions (rules/sso#after-the-answer)', async () => {
    const { person, claims } = await linkedUser({ role: 'admin' })
    await sql(`update settings set admin_networks = '{203.0.113.0/24}', session_limit = 1`)
    await maru.services.settings.fresh()
    try {
      expect(await logIn(claims)).toMatchObject({ code: 'LOGIN_ADDRESS_REFUSED' })
      await sql(`update settings set admin_networks = '{}'`)
      await maru.services.settings.fresh()
      for (let n = 0; n < 2; n += 1) expect((await logIn(claims)).status).toBe(200)
      expect(await sql('select from sessions where user_id = $1', [person.id])).toHaveLength(1)
    } finally {
      await sql(`update settings set admin_networks = '{}', session_limit = 0`)
      await maru.services.settings.fresh()
    }
  })

  test('asks for the second factor of the portal, unless that of the provider counts (rules/sso#second-factor)', async () => {
    const { person, claims } = await linkedUser()
    const { secret } = await withApp(person)
    const asked = await logIn(claims)
    expect(asked).toMatchObject({ status: 400, code: 'SECOND_FACTOR_REQUIRED' })
    const { ticket } = JSON.parse(asked.raw) as { ticket: string }
    const finished = await finish(ticket, codeOf(secret))
    expect(finished).toMatchObject({ status: 200, data: { userId: person.userId } })
    expect(await lastAudit('account.login')).toMatchObject({ detail: { by: 'sso', factor: 'TOTP' } })

    const { clientSecret: _, ...kept } = form()
    await maru.call(updateProvider, { ...kept, factorCounts: true, ...(await refOf()) }, admin)
    expect(await logIn(claims)).toMatchObject({ status: 200, data: { userId: person.userId } })
  })

  test('asks for no second factor on a device that the user trusts (rules/sso#second-factor)', async () => {
    const { person, claims } = await linkedUser()
    const { secret } = await withApp(person)
    await sql('update roles set devices_trusted = true')
    try {
      const at = { ...OFFICE, headers: { ...OFFICE.headers, [SESSION_BINDING_HEADER]: 'cookie' } }
      const enter = async (cookie = '') =>
        end(await idp.logIn(await begin(), claims), BROWSER, { ...at, headers: { ...at.headers, cookie } })
      const { ticket } = JSON.parse((await enter()).raw) as { ticket: string }
      const given = { ticket, factor: 'TOTP' as const, proof: codeOf(secret), trustDevice: true }
      const { headers } = await maru.call(finishLogin, given, at)
      const cookies = [headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
      expect(await enter(cookies.join('; '))).toMatchObject({ status: 200, data: { userId: person.userId } })
      expect(await lastAudit('account.login')).toMatchObject({ detail: { by: 'sso', factor: 'DEVICE' } })
      expect(await enter()).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    } finally {
      await sql('update roles set devices_trusted = false')
    }
  })

  test('lets its user remove the link at the same time, and is refused then', async () => {
    const { person, claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    const holder = await maru.owner.connect()
    await holder.query('begin')
    await holder.query('select from users where id = $1 for update', [person.id])
    const removal = maru.call(removeLink, { providerId }, person)
    await expect.poll(() => countWaiting(maru.owner)).toBe(1)
    const entry = end(answer)
    await expect.poll(() => countWaiting(maru.owner)).toBe(2)
    await holder.query('rollback')
    holder.release()
    expect((await removal).status).toBe(200)
    expect(await entry).toMatchObject({ status: 400, code: 'SSO_ACCOUNT_UNKNOWN' })
  })

  test('counts as no reauthentication (rules/sso#after-the-answer)', async () => {
    const { claims } = await linkedUser({ role: 'admin' })
    const { sessionUid: session } = (await logIn(claims)).data
    const change = async () => maru.call(enableProvider, { ...(await refOf()), enabled: false }, { session })
    expect(await change()).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    await maru.call(checkPassword, { password: PASSWORD }, { session })
    expect((await change()).status).toBe(200)
  })

  test('sets no password without the temporary one (rules/sso#after-the-answer)', async () => {
    const { person, claims } = await linkedUser()
    await sql(
      `update users set password_temporary = true, temporary_until = now() + interval '1 day' where id = $1`,
      [person.id],
    )
    const { data } = await logIn(claims)
    expect(data.mustChangePassword).toBe(true)
    const set = { newPassword: 'another-Maru-2026!' }
    expect(await maru.call(setPassword, set, { session: data.sessionUid })).toMatchObject({
      code: expect.stringMatching(/^(PASSWORD_NEEDED|CONFIRMATION_REQUIRED)$/),
    })
  })

  test('works while the password is locked, and does not clear its lock (rules/sso#after-the-answer)', async () => {
    const { person, claims } = await linkedUser()
    const wrong = { loginId: person.userId, password: 'wrong' }
    for (let n = 0; n < 5; n += 1) await maru.call(login, wrong, { address: '203.0.113.9' })
    expect((await logIn(claims)).status).toBe(200)
    expect(await maru.call(login, wrong, { address: '203.0.113.9' })).toMatchObject({ code: 'LOGIN_LOCKED' })
  })

  test('is refused for people of other domains (rules/sso#domains)', async () => {
    const { claims } = await linkedUser()
    const { clientSecret: _, ...kept } = form()
    const set = async (emailDomains: string[]) =>
      maru.call(updateProvider, { ...kept, emailDomains, ...(await refOf()) }, admin)
    await set(['naga.kr'])
    expect(await logIn(claims)).toMatchObject({ code: 'SSO_DOMAIN_REFUSED' })
    await set(['naga.kr', 'gana.kr'])
    expect(await logIn({ ...claims, email_verified: false })).toMatchObject({ code: 'SSO_DOMAIN_REFUSED' })
    expect((await logIn(claims)).status).toBe(200)
  })
})

/** Lets people without an account request one. */
const allow = async () =>
  maru.call(updateProvider, { ...secretless(), firstLogin: 'request' as const, ...(await refOf()) }, admin)
const ticketOf = async (claims: ReturnType<typeof personOf>) => {
  const { raw, code } = await logIn(claims)
  expect(code).toBe('SSO_ACCOUNT_UNKNOWN')
  return (JSON.parse(raw) as { ticket?: string }).ticket
}
/** Requests an account with a ticket. */
async function requestAccount(ssoTicket: string, email: string) {
  const userId = `first.${(count += 1)}`
  const owner = { type: CERTIFY_TYPE.signUp, email, loginId: userId }
  const certificationCode = await maru.database.db.transaction().execute((tx) => makeCode(tx, owner, 'test'))
  const person = { name: '한처음', position: '사원', phoneNumber: '01098765432', affiliationCode: 'BEL001' }
  const input = { ...person, userId, email, password: '푸른-바다-7고래', certificationCode, ssoTicket }
  const answer = await maru.call(signUp, { ...input, certificationType: CERTIFY_TYPE.signUp }, OFFICE)
  const accounts = await sql('select id from users where login_id = $1', [userId])
  // A refused request leaves no account.
  expect(accounts).toHaveLength(answer.status === 200 ? 1 : 0)
  return { answer, userId }
}
const refusesRequest = async (ticket: string, email: string, code: string) =>
  expect((await requestAccount(ticket, email)).answer).toMatchObject({ status: 400, code })

/** Gives people of these domains accounts without approval. */
const admitFrom = async (emailDomains: string[]) =>
  maru.call(
    updateProvider,
    { ...secretless(), firstLogin: 'create' as const, emailDomains, ...(await refOf()) },
    admin,
  )

describe('a first login (rules/sso#first-login)', () => {
  test('takes no request by default, and offers nothing without an email address', async () => {
    const claims = personOf()
    await refusesRequest((await ticketOf(claims)) ?? '', claims.email, 'SSO_STATE_INVALID')
    await sql('delete from sso_states')
    await allow()
    expect(await ticketOf({ ...personOf(), email: undefined as unknown as string })).toBeUndefined()
    expect(await sql(`select from sso_states where purpose = 'request'`)).toEqual([])
  })

  // The owner of the address could request an account on a shared computer, where its thief left the ticket.
  test.each([false, 'false'])(
    'offers none with an address that the provider calls unverified: %j',
    async (isVerified) => {
      await allow()
      const claims = { ...personOf(), email_verified: isVerified as boolean }
      expect(await ticketOf(claims)).toBeUndefined()
      const { clientSecret: _, ...kept } = form()
      await maru.call(updateProvider, { ...kept, emailDomains: ['gana.kr'], ...(await refOf()) }, admin)
      expect(await logIn(claims)).toMatchObject({ code: 'SSO_DOMAIN_REFUSED' })
    },
  )

  test('begins and ends no login with its ticket', async () => {
    await allow()
    const ticket = (await ticketOf(personOf())) ?? ''
    for (const binding of [BROWSER, ticket])
      expect(await end(`state=${ticket}&code=x`, binding)).toMatchObject({ code: 'SSO_STATE_INVALID' })
    const asFactor = { ticket, factor: 'TOTP' as const, proof: '123456' }
    expect(await maru.call(finishLogin, asFactor, OFFICE)).toMatchObject({ code: 'TICKET_INVALID' })
  })

  test('leads to a request that is linked, and to a login once it is approved', async () => {
    await allow()
    const claims = { ...personOf(), email: `First-${count}@gana.kr` }
    const ticket = (await ticketOf(claims)) ?? ''
    const { answer, userId } = await requestAccount(ticket, claims.email.toLowerCase())
    expect(answer.status).toBe(200)
    expect(await lastAudit('account.sign-up')).toEqual({
      target: userId,
      detail: { providerName: '가나 로그인' },
    })
    expect(await logIn(claims)).toMatchObject({ code: 'ACCOUNT_NOT_APPROVED' })
    await sql(
      `update users set approval_code = 'MEMAP001', valid_from = current_date, valid_to = '2099-12-31',
       role_code = 'AUT003' where login_id = $1`,
      [userId],
    )
    expect(await logIn(claims)).toMatchObject({ status: 200, data: { userId } })
    // Used up.
    await refusesRequest(ticket, 'another.person@gana.kr', 'SSO_STATE_INVALID')
  })

  test('links nobody with the ticket of another person', async () => {
    await allow()
    const ticket = (await ticketOf(personOf())) ?? ''
    await refusesRequest(ticket, 'another.person@gana.kr', 'SSO_EMAIL_DIFFERS')
    expect(await sql('select from identities')).toEqual([])
  })

  test('opens no account whose email address the provider names', async () => {
    await allow()
    const victim = await maru.createUser()
    const ticket = (await ticketOf({ ...personOf(), email: victim.email })) ?? ''
    await refusesRequest(ticket, victim.email, 'CERTIFICATION_FAILED')
    expect(await sql('select from identities')).toEqual([])
  })

  test('is over after an hour, other settings, and a rule or provider that is off', async () => {
    await allow()
    const claims = personOf()
    const ticket = (await ticketOf(claims)) ?? ''
    await refusesRequest('x'.repeat(43), claims.email, 'SSO_STATE_INVALID')
    const fails = () => refusesRequest(ticket, claims.email, 'SSO_STATE_INVALID')
    const aged = (minutes: number) =>
      sql(`update sso_states set created_at = now() - make_interval(mins => $1) where purpose = 'request'`, [
        minutes,
      ])
    await aged(61)
    await fails()
    await aged(59)
    await removeOldStates(maru.database.pool)
    await sql('update identity_providers set enabled_at = null')
    await fails()
    await sql('update identity_providers set enabled_at = now()')
    await maru.call(updateProvider, { ...secretless(), ...(await refOf()) }, admin)
    await fails()
    await allow()
    await fails()
    await aged(61)
    await removeOldStates(maru.database.pool)
    expect(await sql('select from sso_states')).toEqual([])
  })

  test('is refused while SSO=off, and if the person has an account meanwhile', async () => {
    await allow()
    const claims = personOf()
    const ticket = (await ticketOf(claims)) ?? ''
    const { config } = maru.services
    Object.assign(config, { sso: false })
    await refusesRequest(ticket, claims.email, 'SSO_STATE_INVALID').finally(() =>
      Object.assign(config, { sso: true }),
    )
    await link(await maru.createUser(), claims)
    await refusesRequest(ticket, claims.email, 'SSO_TAKEN')
  })

  test('gives an account without approval to people of the domains alone', async () => {
    expect((await admitFrom([])).code).toBe('SSO_DOMAINS_NEEDED')
    expect((await admitFrom(['gana.kr'])).status).toBe(200)
    expect(await logIn({ ...personOf(), email: 'person@elsewhere.kr' })).toMatchObject({
      code: 'SSO_DOMAIN_REFUSED',
    })
    const claims = personOf()
    const ticket = (await ticketOf(claims)) ?? ''
    const { userId } = await requestAccount(ticket, claims.email)
    expect((await logIn(claims)).data).toMatchObject({ userId })
    expect(await lastAudit('account.sign-up')).toMatchObject({ detail: { approvalCode: 'MEMAP001' } })
    expect(
      await sql(
        `select role_code, valid_to, (select count(*)::int from approval_requests r where r.user_id = u.id) as requests
         from users u where login_id = $1`,
        [userId],
      ),
    ).toEqual([{ role_code: 'AUT003', valid_to: null, requests: 0 }])
  })

  test('approves nobody without a ticket, nor after another rule was saved', async () => {
    await maru.call(
      updateProvider,
      { ...secretless(), firstLogin: 'create' as const, emailDomains: ['gana.kr'], ...(await refOf()) },
      admin,
    )
    const claims = personOf()
    const ticket = (await ticketOf(claims)) ?? ''
    await allow()
    await refusesRequest(ticket, claims.email, 'SSO_STATE_INVALID')
  })

  test('makes one account of a ticket that two use at once', async () => {
    await allow()
    const claims = personOf()
    const ticket = (await ticketOf(claims)) ?? ''
    const answers = await Promise.all([
      requestAccount(ticket, claims.email),
      requestAccount(ticket, claims.email),
    ])
    expect(answers.filter(({ answer }) => answer.status === 200)).toHaveLength(1)
    expect(await sql('select from identities')).toHaveLength(1)
  })
})

describe('an answer (rules/sso#answer)', () => {
  test('counts once', async () => {
    const { claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    expect((await end(answer)).status).toBe(200)
    expect(await end(answer)).toMatchObject({ code: 'SSO_STATE_INVALID' })
  })

  test('counts once, even if it arrives several times at once', async () => {
    const { claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    const answers = await Promise.all(Array.from({ length: 6 }, () => end(answer)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is worthless in another browser, and stays valid in its own', async () => {
    const { claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    expect(await end(answer, OTHER_BROWSER)).toMatchObject({ code: 'SSO_STATE_INVALID' })
    expect((await end(answer)).status).toBe(200)
  })

  test('expires after ten minutes', async () => {
    const { claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    await sql(`update sso_states set created_at = created_at - interval '601 seconds'`)
    expect(await end(answer)).toMatchObject({ code: 'SSO_STATE_INVALID' })
  })

  test('has the state of its own login: a code of another login is refused', async () => {
    const { claims } = await linkedUser()
    const theirs = new URLSearchParams(await idp.logIn(await begin(), personOf()))
    const own = new URLSearchParams(await idp.logIn(await begin(), claims))
    own.set('code', theirs.get('code') ?? '')
    // The code belongs to another PKCE challenge.
    expect(await end(own.toString())).toMatchObject({ code: 'SSO_ANSWER_INVALID' })
  })

  test('with an unknown or repeated state, or without one, is refused', async () => {
    const answer = await idp.logIn(await begin(), personOf())
    for (const wrong of [`${answer}&state=x`, 'code=x', 'code=x&state=unknown', 'error=access_denied'])
      expect(await end(wrong)).toMatchObject({ code: 'SSO_STATE_INVALID' })
  })

  test('names the issuer that the login went to', async () => {
    const answer = new URLSearchParams(await idp.logIn(await begin(), personOf()))
    expect(answer.get('iss')).toBe(idp.issuer)
    answer.set('iss', 'http://evil.example')
    expect(await end(answer.toString())).toMatchObject({ code: 'SSO_ANSWER_INVALID' })
  })

  test('for another purpose is refused: a login links nothing, a link logs nobody in', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const answer = await idp.logIn(await begin(), personOf())
    expect(await maru.call(finishLink, { binding: BROWSER, answer }, person)).toMatchObject({
      code: 'SSO_STATE_INVALID',
    })
    const begun = (await maru.call(beginLink, { providerId, binding: BROWSER }, person)).data.loginUrl
    expect(await end(await idp.logIn(begun, personOf()))).toMatchObject({ code: 'SSO_STATE_INVALID' })
  })

  test('is refused as such if it says that the person canceled', async () => {
    expect(await end(await idp.cancel(await begin()))).toMatchObject({ code: 'SSO_DENIED' })
  })
})

describe('links (rules/sso#links)', () => {
  test('are made by their owner, after the password, with a mail', async () => {
    const person = await maru.createUser()
    const claims = personOf()
    expect(await maru.call(beginLink, { providerId, binding: BROWSER }, person)).toMatchObject({
      code: 'PASSWORD_CHECK_REQUIRED',
    })
    expect(await link(person, claims)).toMatchObject({ status: 200, data: { providerName: '가나 로그인' } })
    expect(await lastAudit('account.link')).toMatchObject({ target: person.userId })
    expect(await sql('select subject from mails where recipient = $1', [person.email])).toEqual([
      { subject: expect.stringContaining('연결되었습니다') },
    ])
  })

  test('are of one account at the provider and one in the portal', async () => {
    const { person, claims } = await linkedUser()
    expect(await link(await maru.createUser(), claims)).toMatchObject({ code: 'SSO_TAKEN' })
    expect(await link(person, personOf())).toMatchObject({ code: 'SSO_TAKEN' })
    expect((await logIn(claims)).data.userId).toBe(person.userId)
  })

  test('are finished by the user who began them alone', async () => {
    const [person, thief] = [await maru.createUser(), await maru.createUser()]
    await passGate(person)
    await passGate(thief)
    const { loginUrl } = (await maru.call(beginLink, { providerId, binding: BROWSER }, thief)).data
    const answer = await idp.logIn(loginUrl, personOf())
    expect(await maru.call(finishLink, { binding: BROWSER, answer }, person)).toMatchObject({
      code: 'SSO_STATE_INVALID',
    })
  })

  test('end the other sessions that began by them when they are removed', async () => {
    const { person, claims } = await linkedUser()
    const { sessionUid: session } = (await logIn(claims)).data
    await passGate(person)
    expect((await maru.call(removeLink, { providerId }, person)).status).toBe(200)
    expect(await maru.call(listLinks, {}, { session })).toMatchObject({ status: 401 })
    expect((await maru.call(listLinks, {}, person)).status).toBe(200)
    expect(await logIn(claims)).toMatchObject({ code: 'SSO_ACCOUNT_UNKNOWN' })
    expect(await lastAudit('account.unlink')).toMatchObject({ target: person.userId })
    expect(await maru.call(removeLink, { providerId }, person)).toMatchObject({
      code: 'SSO_PROVIDER_NOT_FOUND',
    })
  })

  test.each([
    ['null', 0],
    [`now() - interval '1 day'`, 1],
  ])('end with a password that another user set, and stay with an own one', async (ownFrom, kept) => {
    const { person: user } = await linkedUser()
    await sql(`update users set password_own_from = ${ownFrom} where id = $1`, [user.id])
    const change = { currentPassword: PASSWORD, newPassword: '높은-산-9호랑이' }
    expect((await maru.call(setPassword, change, user)).status).toBe(200)
    expect(await sql('select from identities where user_id = $1', [user.id])).toHaveLength(kept)
  })

  test('are in the exported data of their user (rules/retention#own-data)', async () => {
    const { person, claims } = await linkedUser()
    await passGate(person)
    const { bytes } = await maru.call(exportOwnData, {}, person)
    expect(JSON.parse(bytes.toString())).toMatchObject({
      singleSignOn: [{ provider: '가나 로그인', issuer: idp.issuer, subject: claims.sub }],
    })
  })
})

describe('a test login (rules/sso#test-login)', () => {
  test('shows claims and the linked account, and changes nothing else', async () => {
    const { person, claims } = await linkedUser()
    const before = await sql('select last_login_at from identities')
    const { data } = await tryOut(claims)
    expect(data).toMatchObject({ providerName: '가나 로그인', matchedId: person.userId, obstacle: '' })
    expect(data.claims).toContainEqual({ claim: 'email', text: claims.email })
    expect(JSON.stringify(data.claims)).not.toContain('nonce')
    expect(await sql('select last_login_at from identities')).toEqual(before)
    expect((await tryOut()).data.matchedId).toBe('')
  })

  test('says why the linked account may not log in', async () => {
    const { person, claims } = await linkedUser()
    await sql(`update users set valid_to = '2020-01-01' where id = $1`, [person.id])
    expect((await tryOut(claims)).data.obstacle).toContain('유효기간')
  })

  test('must succeed with the present settings before a provider is enabled', async () => {
    providerId = await addProvider()
    const turnOn = async () => maru.call(enableProvider, { ...(await refOf()), enabled: true }, admin)
    expect(await turnOn()).toMatchObject({ code: 'SSO_NOT_TRIED' })
    await tryOut()
    expect((await turnOn()).status).toBe(200)
    // The same secret, entered again, is another setting.
    await maru.call(updateProvider, { ...form(), ...(await refOf()) }, admin)
    expect(await provider()).toMatchObject({ enabled: false, tried: false })
    expect(await turnOn()).toMatchObject({ code: 'SSO_NOT_TRIED' })
  })

  test('begun before a change does not count for the new settings', async () => {
    const { loginUrl } = (await maru.call(beginTry, { ...(await refOf()), binding: BROWSER }, admin)).data
    const answer = await idp.logIn(loginUrl, personOf())
    await maru.call(updateProvider, { ...form(), ...(await refOf()) }, admin)
    expect(await maru.call(finishTry, { binding: BROWSER, answer }, admin)).toMatchObject({
      code: 'SSO_STATE_INVALID',
    })
    expect((await provider()).tried).toBe(false)
  })
})

describe('a provider in trouble (rules/sso#failures)', () => {
  test('is named if it is down, and passwords still work', async () => {
    const { person, claims } = await linkedUser()
    const answer = await idp.logIn(await begin(), claims)
    await idp.stop()
    try {
      expect(await end(answer)).toMatchObject({ status: 400, code: 'SSO_UNAVAILABLE' })
      expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).status).toBe(200)
    } finally {
      await idp.start()
    }
  })

  test('is believed at once after it has rotated its keys', async () => {
    const { claims } = await linkedUser()
    expect((await logIn(claims)).status).toBe(200)
    await idp.rotateKeys()
    expect((await logIn(claims)).status).toBe(200)
  })

  test('is named if it refuses the client secret; only a test login shows its words', async () => {
    const { claims } = await linkedUser()
    const own = await startIdentityProvider(CLIENT)
    const working = idp
    idp = own
    try {
      providerId = await addProvider()
      await enable()
      await own.expireSecret()
      const refused = await logIn(claims)
      expect(refused).toMatchObject({ code: 'SSO_CLIENT_REFUSED' })
      expect(refused.msg).not.toContain('invalid_client')
      expect((await tryOut()).msg).toContain('invalid_client')
    } finally {
      idp = working
      await own.stop()
    }
  })
})

/** Returns the form of a provider without its secret. */
const secretless = () => {
  const { clientSecret: _, ...kept } = form()
  return kept
}

describe('settings of providers (rules/sso#providers)', () => {
  test('never return the secret, which is stored encrypted and not in the audit log', async () => {
    const { raw } = await maru.call(listProviders, {}, admin)
    const rows = await sql('select client_secret::text from identity_providers')
    const trail = await sql('select detail::text from audit_log')
    for (const text of [raw, JSON.stringify(rows), JSON.stringify(trail)])
      expect(text).not.toContain(CLIENT.clientSecret)
    expect(await provider()).not.toHaveProperty('clientSecret')
  })

  test('need the secret again for another issuer or client', async () => {
    const other = { ...secretless(), clientId: 'other', ...(await refOf()) }
    expect(await maru.call(updateProvider, other, admin)).toMatchObject({ code: 'SSO_SECRET_REQUIRED' })
  })

  test('keep issuer and claim while accounts are linked', async () => {
    await linkedUser()
    for (const change of [{ issuer: 'https://evil.example' }, { subjectClaim: 'oid' as const }])
      expect(
        await maru.call(updateProvider, { ...form(), ...change, ...(await refOf()) }, admin),
      ).toMatchObject({
        code: 'SSO_LINKED',
      })
  })

  test('stay in use after a change of the name alone', async () => {
    await maru.call(updateProvider, { ...secretless(), providerName: '다른 이름', ...(await refOf()) }, admin)
    expect(await provider()).toMatchObject({ enabled: true, tried: true, providerName: '다른 이름' })
  })

  test('are five at most', async () => {
    for (let n = 1; n < 5; n += 1) await addProvider()
    expect(await maru.call(createProvider, form(), admin)).toMatchObject({ code: 'SSO_FULL' })
  })

  test('are refused with an old version', async () => {
    const ref = await refOf()
    await maru.call(updateProvider, { ...form(), ...ref }, admin)
    for (const call of [
      maru.call(updateProvider, { ...form(), ...ref }, admin),
      maru.call(enableProvider, { ...ref, enabled: true }, admin),
      maru.call(removeProvider, ref, admin),
      maru.call(beginTry, { ...ref, binding: BROWSER }, admin),
    ])
      expect(await call).toMatchObject({ code: 'RECORD_CHANGED' })
  })

  test('end the links and sessions of a provider that is deleted', async () => {
    const { person, claims } = await linkedUser()
    const { sessionUid: session } = (await logIn(claims)).data
    expect((await maru.call(removeProvider, await refOf(), admin)).status).toBe(200)
    expect(await maru.call(listLinks, {}, { session })).toMatchObject({ status: 401 })
    expect((await maru.call(listLinks, {}, person)).data.links).toEqual([])
  })

  test('send no request to addresses of this machine or of the cloud (rules/running#outbound-requests)', async () => {
    for (const issuer of ['http://localhost:1', 'https://169.254.169.254', 'https://[::1]']) {
      providerId = (await maru.call(createProvider, { ...form(), issuer }, admin)).data.providerId
      expect(await maru.call(beginTry, { ...(await refOf()), binding: BROWSER }, admin)).toMatchObject({
        code: 'SSO_UNAVAILABLE',
      })
    }
  })

  test('open no login with SSO=off, and stay (rules/sso#off)', async () => {
    const { config } = maru.services
    Object.assign(config, { sso: false })
    try {
      const { statusCode, body } = await maru.app.inject('/config.json')
      expect([statusCode, body.includes('가나 로그인')]).toEqual([200, false])
      expect((await maru.call(beginSso, { providerId, binding: BROWSER })).code).toBe(
        'SSO_PROVIDER_NOT_FOUND',
      )
      expect((await maru.call(listProviders, {}, admin)).data).toMatchObject({
        ssoOff: true,
        providers: [{}],
      })
    } finally {
      Object.assign(config, { sso: true })
    }
  })

  test('show enabled providers to the login page alone', async () => {
    const config = async () => (await maru.app.inject('/config.json')).json<{ sso?: unknown }>()
    expect((await config()).sso).toEqual([{ id: providerId, name: '가나 로그인', firstLogin: 'refuse' }])
    await maru.call(enableProvider, { ...(await refOf()), enabled: false }, admin)
    expect((await config()).sso).toBeUndefined()
    expect(await maru.call(beginSso, { providerId, binding: BROWSER })).toMatchObject({
      code: 'SSO_PROVIDER_NOT_FOUND',
    })
  })
})
