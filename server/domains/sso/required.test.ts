import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPassword, login, logout, readCheck } from '../../../contract/account.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { createRole } from '../../../contract/roles.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import {
  beginConfirmation,
  beginSso,
  beginTry,
  createProvider,
  enableProvider,
  finishConfirmation,
  finishSso,
  finishTry,
  getProviderLogout,
  listLinks,
  listProviders,
  updateProvider,
} from '../../../contract/sso.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../dev/test-kit/identity-provider.ts'
import { type CallOptions, PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { BROWSER, CLIENT, OFFICE, PORTAL, ssoOf, ticketIn } from '../../../dev/test-kit/sso.ts'

/* Roles that log in by single sign-on alone, emergency accounts, and what a user without a password does (rules/sso#required). */

const clock = { now: new Date() }
const SETTINGS = { OUTBOUND_ALLOW: '127.0.0.1', PORTAL_URL: PORTAL, SMTP_URL: 'smtp://127.0.0.1:1' }
const maru = useMaru(SETTINGS, { clock: () => clock.now })
const { codeOf, nextCode, withApp } = factorsOf(maru, clock)
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
  const form = {
    providerName: '가나 로그인',
    issuer: idp.issuer,
    clientId: CLIENT.clientId,
    clientSecret: CLIENT.clientSecret,
    subjectClaim: 'sub' as const,
    emailDomains: [],
    firstLogin: 'refuse' as const,
    factorCounts: false,
    endsSession: true,
  }
  ;({ providerId } = (await maru.call(createProvider, form, admin)).data)
  const ref = { providerId, providerVersion: 1 }
  const { loginUrl } = (await maru.call(beginTry, { ...ref, binding: BROWSER }, admin)).data
  const answer = await idp.logIn(loginUrl, { sub: 'tester' })
  await maru.call(finishTry, { binding: BROWSER, answer }, admin)
  expect((await maru.call(enableProvider, { ...ref, enabled: true }, admin)).status).toBe(200)
})

const save = (wanted: Parameters<typeof saveRequired>[0]) => saveRequired(wanted, admin)
/** Requires single sign-on of ordinary users and administrators. */
async function requireSso() {
  const answer = await save({ ssoRoles: ['AUT003', 'AUT001'], emergencyAccounts: [emergency.userId] })
  expect(answer.status).toBe(200)
}
const sessionsOf = async ({ id }: TestUser) => sql('select from sessions where user_id = $1', [id])
const lastAudit = async (action: string) =>
  (await sql('select target, detail from audit_log where action = $1 order by id desc limit 1', [action]))[0]

describe('a role that requires single sign-on (rules/sso#required)', () => {
  test('opens no account by password, and says so only after the right one', async () => {
    const person = await maru.createUser()
    await sql('delete from sessions where user_id = $1', [person.id])
    await requireSso()
    expect(await byPassword(person)).toMatchObject({ status: 400, code: 'SSO_REQUIRED' })
    const wrong = { loginId: person.userId, password: 'Wrong-2026!' }
    expect((await maru.call(login, wrong, OFFICE)).code).toBe('LOGIN_FAILED')
    expect(await sessionsOf(person)).toHaveLength(0)
    await link(person, 'own')
    expect((await byProvider('own')).data.userId).toBe(person.userId)
  })

  test('opens none by password and second factor either, whose login was waiting', async () => {
    const { secret: own, ...person } = await withApp(await maru.createUser())
    const ticket = ticketIn(await byPassword(person))
    await requireSso()
    expect((await byCode(ticket, codeOf(own))).code).toBe('SSO_REQUIRED')
    expect((await byPassword(person)).code).toBe('SSO_REQUIRED')
  })

  test('applies to no other role, and to none while no provider is enabled', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    const person = await maru.createUser()
    await requireSso()
    expect((await byPassword(hr)).status).toBe(200)
    await maru.call(enableProvider, { providerId, providerVersion: 1, enabled: false }, admin)
    expect((await byPassword(person)).status).toBe(200)
  })

  test('keeps sessions and programs that began before', async () => {
    const person = await maru.createUser()
    await requireSso()
    expect((await maru.call(listLinks, {}, person)).status).toBe(200)
  })
})

const unfit = async (ids: string[], code = 'EMERGENCY_ACCOUNT_UNFIT') =>
  expect((await save({ ssoRoles: ['AUT003'], emergencyAccounts: ids })).code).toBe(code)

describe('an emergency account (rules/sso#emergency-accounts)', () => {
  test('logs in by password and second factor, and notifies every administrator', async () => {
    await requireSso()
    const ticket = ticketIn(await byPassword(emergency))
    nextCode()
    expect((await byCode(ticket, codeOf(secret))).status).toBe(200)
    expect(await lastAudit('account.login')).toMatchObject({
      target: emergency.userId,
      detail: { emergency: true, factor: 'TOTP' },
    })
    const told = await sql(`select user_id::text as id from notifications where kind = 'EMERGENCY_LOGIN'`)
    expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining([admin.id, emergency.id]))
  })

  test('needs its second factor also on a trusted device', async () => {
    await requireSso()
    await sql('delete from totp_secrets where user_id = $1', [emergency.id])
    expect((await byPassword(emergency)).code).toBe('SSO_REQUIRED')
  })

  test('must be an administrator with own password and factor; roles need one', async () => {
    await unfit([], 'EMERGENCY_ACCOUNT_NEEDED')
    await unfit([emergency.userId, 'nobody.there'])
    await unfit([admin.userId])
    const { secret: _, ...hr } = await withApp(await maru.createUser({ role: 'hr' }))
    await unfit([hr.userId])
    // Permissions about the whole portal end in another company (rules/affiliations#external).
    const { secret: __, ...outside } = await withApp(
      await maru.createUser({ role: 'admin', affiliation: 'BEL006' }),
    )
    await sql(`update codes set is_external = true where code = 'BEL006'`)
    await unfit([outside.userId])
    await sql(`update codes set is_external = false where code = 'BEL006'`)
    await sql('update users set password_own_from = null where id = $1', [emergency.id])
    await unfit([emergency.userId])
    expect(await sql('select from roles where sso_required')).toHaveLength(0)
    expect(await sql('select from users where break_glass')).toHaveLength(0)
  })

  test('counts no longer after another role', async () => {
    await requireSso()
    await sql(`update users set role_code = 'AUT003' where id = $1`, [emergency.id])
    expect((await byPassword(emergency)).code).toBe('SSO_REQUIRED')
  })

  test('stays as it is in a form without it, and is saved with its conflicts', async () => {
    await requireSso()
    const { roles: _, fixed: __, address: ___, ...kept } = (await maru.call(getSecurity, {}, admin)).data
    const { ssoRoles, emergencyAccounts, ...former } = kept
    expect((await maru.call(updateSecurity, former, admin)).status).toBe(200)
    expect((await maru.call(getSecurity, {}, admin)).data).toMatchObject({ ssoRoles, emergencyAccounts })
    await save({ ssoRoles: [], emergencyAccounts: [] })
    expect((await maru.call(updateSecurity, kept, admin)).code).toBe('RECORD_CHANGED')
    expect(await lastAudit('setting.update')).toMatchObject({
      detail: { emergencyAccounts: { before: emergency.userId, after: '' } },
    })
  })
})

describe('a link at the login (rules/sso#first-login)', () => {
  test('needs provider, password and the same email address', async () => {
    const person = await maru.createUser()
    await requireSso()
    const other = ticketIn(await byProvider('other'))
    expect((await byPassword(person, other)).code).toBe('SSO_EMAIL_DIFFERS')
    const ticket = ticketIn(await byProvider('own', person.email.toUpperCase()))
    const wrong = { loginId: person.userId, password: 'Wrong-2026!', ssoTicket: ticket }
    expect((await maru.call(login, wrong, OFFICE)).code).toBe('LOGIN_FAILED')
    expect((await byPassword(person, 'x'.repeat(43))).code).toBe('SSO_STATE_INVALID')
    expect((await byPassword(person, ticket)).data.userId).toBe(person.userId)
    expect(await lastAudit('account.login')).toMatchObject({
      target: person.userId,
      detail: { linkedTo: '가나 로그인' },
    })
    // The session is one of the provider.
    expect(
      await sql('select provider_id::text as id from sessions where user_id = $1 order by created_at', [
        person.id,
      ]),
    ).toContainEqual({
      id: providerId,
    })
    // Once, and from now on without the password.
    expect((await byPassword(person, ticket)).code).toBe('SSO_STATE_INVALID')
    expect((await byProvider('own', person.email)).data.userId).toBe(person.userId)
  })

  test('needs the second factor, too, and links nothing before', async () => {
    const { secret: own, ...person } = await withApp(await maru.createUser())
    await requireSso()
    const ssoTicket = ticketIn(await byProvider('own', person.email))
    const ticket = ticketIn(await byPassword(person, ssoTicket))
    expect(await sql('select from identities where user_id = $1', [person.id])).toHaveLength(0)
    expect((await byCode(ticket, codeOf(own))).code).toBe('SSO_REQUIRED')
    expect((await byCode(ticket, codeOf(own), ssoTicket)).status).toBe(200)
    expect(await sql('select from identities where user_id = $1', [person.id])).toHaveLength(1)
  })

  test('does not replace the link of the account', async () => {
    const person = await maru.createUser()
    await link(person, 'own')
    const ticket = ticketIn(await byProvider('another', person.email))
    expect((await byPassword(person, ticket)).code).toBe('SSO_TAKEN')
  })
})

const begin = async (session: CallOptions) =>
  maru.call(beginConfirmation, { providerId, binding: BROWSER }, session)
const confirm = async (session: CallOptions, sub: string) => {
  const { loginUrl } = (await begin(session)).data
  const answer = await idp.logIn(loginUrl, { sub })
  return maru.call(finishConfirmation, { binding: BROWSER, answer }, session)
}
const isOpen = async ({ id }: TestUser) =>
  (
    await sql('select bool_or(password_checked_at is not null) as open from sessions where user_id = $1', [
      id,
    ])
  )[0].open

async function loggedIn() {
  const person = await maru.createUser()
  await link(person, 'own')
  await requireSso()
  await sql('delete from sessions where user_id = $1', [person.id])
  const { sessionUid } = (await byProvider('own')).data
  return { person, session: { ...OFFICE, session: sessionUid } }
}

describe('a reauthentication by the provider (rules/sso#reauthentication)', () => {
  test('opens the gate for a user without a password, and is recorded', async () => {
    const { person, session } = await loggedIn()
    expect((await maru.call(readCheck, {}, session)).data.providers).toEqual([
      { providerId, providerName: '가나 로그인' },
    ])
    expect((await begin(session)).data.loginUrl).toMatch(/prompt=login.*max_age=0|max_age=0.*prompt=login/)
    expect((await confirm(session, 'own')).status).toBe(200)
    expect(await isOpen(person)).toBe(true)
    expect(await lastAudit('account.check-password')).toMatchObject({
      detail: { by: 'sso', providerName: '가나 로그인' },
    })
  })

  test('refuses another person, the answer of a login, and users with a password', async () => {
    const { person, session } = await loggedIn()
    expect((await confirm(session, 'stranger')).code).toBe('SSO_ACCOUNT_UNKNOWN')
    const { loginUrl } = (await maru.call(beginSso, { providerId, binding: BROWSER }, OFFICE)).data
    const answer = await idp.logIn(loginUrl, { sub: 'own' })
    expect((await maru.call(finishConfirmation, { binding: BROWSER, answer }, session)).code).toBe(
      'SSO_STATE_INVALID',
    )
    await save({ ssoRoles: [], emergencyAccounts: [] })
    expect((await maru.call(readCheck, {}, session)).data.providers).toEqual([])
    expect((await begin(session)).code).toBe('SSO_ACCOUNT_UNKNOWN')
    expect(await isOpen(person)).toBe(false)
    expect((await maru.call(checkPassword, { password: PASSWORD }, session)).status).toBe(200)
  })

  test('refuses a provider that did not ask again', async () => {
    const { person, session } = await loggedIn()
    const { loginUrl } = (await begin(session)).data
    const answer = await idp.logIn(loginUrl, { sub: 'own' })
    // As if the provider had asked before.
    await sql(`update sso_states set created_at = now() + interval '5 minutes' where purpose = 'confirm'`)
    expect((await maru.call(finishConfirmation, { binding: BROWSER, answer }, session)).code).toBe(
      'SSO_CONFIRMATION_UNAVAILABLE',
    )
    expect(await isOpen(person)).toBe(false)
  })
})

/** Saves the roles by group of the provider. */
const saveGroups = async (groupRoles: { group: string; roleCode: string }[], groupsClaim = 'groups') => {
  const { providers } = (await maru.call(listProviders, {}, admin)).data
  const { enabled: _, tried: __, linkCount: ___, createdAt: ____, ...kept } = providers[0]!
  return maru.call(updateProvider, { ...kept, groupsClaim, groupRoles }, admin)
}
/** Adds a role with these permissions. @returns its code */
const addRole = async (functions: FunctionName[]) => {
  const number = crypto.randomUUID().slice(0, 8)
  const names = { roleName: `담당 ${number}`, roleNameEn: `Role ${number}` }
  return (await maru.call(createRole, { ...names, functions }, admin)).data.roleCode
}
/** Logs a person in whom the provider names with these groups. @returns the code of the role */
const roleAfter = async (person: TestUser, groups: unknown) => {
  const { loginUrl } = (await maru.call(beginSso, { providerId, binding: BROWSER }, OFFICE)).data
  const answer = await idp.logIn(loginUrl, { sub: person.userId, groups })
  expect((await maru.call(finishSso, { binding: BROWSER, answer }, OFFICE)).status).toBe(200)
  return (await sql('select role_code from users where id = $1', [person.id]))[0].role_code
}

describe('roles by group (rules/sso#groups)', () => {
  test('gives the role of the first match, and takes it from people who left', async () => {
    const [writer, reader] = [await addRole(['autho_notice_insert']), await addRole([])]
    const person = await maru.createUser()
    await link(person, person.userId)
    expect(
      (
        await saveGroups([
          { group: 'writers', roleCode: writer },
          { group: 'readers', roleCode: reader },
        ])
      ).status,
    ).toBe(200)
    expect(await roleAfter(person, ['readers', 'writers'])).toBe(writer)
    expect(await lastAudit('user.update')).toMatchObject({
      target: person.userId,
      detail: { roleCode: { before: 'AUT003', after: writer }, by: 'sso' },
    })
    // Without a list nothing changes.
    expect(await roleAfter(person, undefined)).toBe(writer)
    expect(await roleAfter(person, { writers: true })).toBe(writer)
    expect(await roleAfter(person, 'readers')).toBe(reader)
    expect(await roleAfter(person, [])).toBe('AUT003')
  })

  test('gives and takes no privileged role, and none that a person gave', async () => {
    const [writer, other] = [await addRole(['autho_notice_insert']), await addRole([])]
    const privileged = await addRole(['autho_user_manage'])
    for (const roleCode of [privileged, 'AUT001', 'AUT999'])
      expect((await saveGroups([{ group: 'all', roleCode }])).code).toBe('CODE_NOT_FOUND')
    await saveGroups([{ group: 'all', roleCode: writer }])
    for (const roleCode of ['AUT001', 'AUT002', other]) {
      const person = await maru.createUser()
      await sql('update users set role_code = $2 where id = $1', [person.id, roleCode])
      await link(person, person.userId)
      expect(await roleAfter(person, ['all'])).toBe(roleCode)
      expect(await roleAfter(person, [])).toBe(roleCode)
    }
    // The role has become a privileged one.
    await sql(`insert into role_functions values ($1, 'autho_user_manage')`, [writer])
    const person = await maru.createUser()
    await link(person, person.userId)
    expect(await roleAfter(person, ['all'])).toBe('AUT003')
  })
})

describe('a logout (rules/sso#logout)', () => {
  test('leads to the provider of the session, and nowhere else', async () => {
    const person = await maru.createUser()
    await link(person, 'own')
    const session = { ...OFFICE, session: (await byProvider('own')).data.sessionUid }
    const { logoutUrl } = (await maru.call(getProviderLogout, {}, session)).data
    const url = new URL(logoutUrl)
    expect(url.origin).toBe(idp.issuer)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${PORTAL}/login`)
    expect((await fetch(url)).status).toBe(200)
    expect((await maru.call(getProviderLogout, {}, person)).data.logoutUrl).toBe('')
    await idp.stop()
    try {
      expect((await maru.call(getProviderLogout, {}, session)).data.logoutUrl).toBe('')
      expect((await maru.call(logout, {}, session)).status).toBe(200)
    } finally {
      await idp.start()
    }
  })
})
