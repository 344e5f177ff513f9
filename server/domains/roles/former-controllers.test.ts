import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  acceptInvitation,
  checkPassword,
  confirmEmail,
  login,
  setPassword,
} from '../../../contract/account.ts'
import { approveRequests } from '../../../contract/approvals.ts'
import { getAuthority } from '../../../contract/common.ts'
import { createProgram, issueKey } from '../../../contract/keys.ts'
import { grantFunction } from '../../../contract/roles.ts'
import { checkUpdates, updateByImport } from '../../../contract/users/import-update.ts'
import {
  changeRoles,
  getUser,
  previewBulk,
  registerUser,
  requestEmail,
  updateUser,
} from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
/** The password that HR sets and knows. */
const GIVEN = '푸른-바다-7고래'
const OWN = '높은-산-9호랑이'
const card = { validFrom: '2026-01-01', validTo: '2099-12-31', partnerCode: 'HEAD-1' }
/** A role that HR reaches and cannot grant. */
const CUSTOM = 'AUT950'
let hr: TestUser
let admin: TestUser
let made = 0

beforeAll(async () => {
  // Mails stay in their queue, where they are read.
  await maru.services.jobs.stop()
  await maru.createPartner({ code: 'HEAD-1' })
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ($1, '협력사 담당', 'Partners', 9)`,
    [CUSTOM],
  )
  await sql(`insert into role_functions values ($1, 'autho_partner_search')`, [CUSTOM])
})
beforeEach(async () => {
  await sql('delete from mails')
  await sql('delete from rate_limits')
  hr = await maru.createUser({ role: 'hr' })
  admin = await maru.createUser({ role: 'admin' })
})

type Person = { userId: string; email: string }

const logIn = ({ userId }: Person, password: string) => maru.call(login, { loginId: userId, password })
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const mailsTo = async ({ email }: Person): Promise<string[]> =>
  (await sql('select text from mails where recipient = $1 order by id', [email])).rows.map(({ text }) => text)
const tokenIn = (text: string | undefined) => /^[\w-]{43}$/m.exec(text ?? '')?.[0] ?? ''

/** An account that HR registers, with a password that HR knows, or by an invitation. */
async function registered(password?: string): Promise<Person> {
  made += 1
  const userId = `former.${made}`
  const person = { userId, email: `${userId}@example.com` }
  const input = {
    ...person,
    affiliationCode: 'BEL001',
    position: '과장',
    name: '김하늘',
    phoneNumber: '01098765432',
    ...card,
    roleCode: 'AUT003',
    approvalCode: 'MEMAP001' as const,
    managerPassword: PASSWORD,
    ...(password === undefined ? {} : { password }),
  }
  expect((await maru.call(registerUser, input, hr)).status).toBe(200)
  return person
}

async function edited({ userId }: Person, roleCode: string) {
  const { data } = await maru.call(getUser, { userId }, admin)
  const { affiliationCode, position, name, phoneNumber, email } = data
  const basic = { originalUserId: userId, userId, affiliationCode, position, name, phoneNumber, email }
  return maru.call(updateUser, { ...basic, ...card, roleCode, approvalCode: 'MEMAP001' }, admin)
}
async function changedWithMany({ userId }: Person, roleCode: string) {
  const chosen = { userIds: [userId], roleCode }
  const { version } = (await maru.call(previewBulk, { ...chosen, bulkAction: 'role' }, admin)).data
  return maru.call(changeRoles, { ...chosen, version }, admin)
}
async function changedByFile({ userId }: Person, roleCode: string) {
  const rows = [{ userId, roleCode }]
  const { version } = (await maru.call(checkUpdates, { rows }, admin)).data
  return maru.call(updateByImport, { rows, version, managerPassword: PASSWORD }, admin)
}
async function gainedByItsRole({ userId }: Person, _roleCode: string) {
  const plain = `AUT96${made}`
  await sql('insert into roles (code, group_name, name_en, sort_order) values ($1, $1, $1, 9)', [plain])
  await sql('update users set role_code = $2 where login_id = $1', [userId, plain])
  return maru.call(grantFunction, { roleCode: plain, functionName: 'autho_audit_search' }, admin)
}
/** An applicant of whom HR has made the account its own, approved as an administrator. */
async function approved({ userId, email }: Person, roleCode: string) {
  const { rows } = await sql(
    `with u as (update users set approval_code = 'MEMAP002' where login_id = $1 returning id)
    insert into approval_requests (user_id, login_id, name, email, affiliation_code)
    select id, $1, '김하늘', $2, 'BEL001' from u returning id`,
    [userId, email],
  )
  const partners = [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }]
  const { validFrom, validTo } = card
  const request = { requests: [rows[0].id as string], validFrom, validTo, roleCode, partners }
  return maru.call(approveRequests, request, admin)
}

describe('an account that gets a role which its former controllers could not grant (rules/roles#former-controllers)', () => {
  test.each([
    ['the edit of one', edited, 'AUT001'],
    ['the edit of one, by another function', edited, CUSTOM],
    ['a change of many', changedWithMany, 'AUT001'],
    ['a file', changedByFile, 'AUT001'],
    ['an approval', approved, 'AUT001'],
    ['a grant to its role', gainedByItsRole, ''],
  ])('is closed to who registered it, by %s', async (_name, raise, roleCode) => {
    const person = await registered(GIVEN)
    const { sessionUid } = (await logIn(person, GIVEN)).data
    const other = { ...person, email: `other.${person.email}` }
    await maru.call(requestEmail, { userId: person.userId, email: other.email, reason: '' }, hr)
    const correction = tokenIn((await mailsTo(other))[0])
    await sql('delete from mails')

    expect((await raise(person, roleCode)).status).toBe(200)
    expect.soft(await isAlive(sessionUid)).toBe(false)
    expect.soft((await logIn(person, GIVEN)).code).toBe('LOGIN_FAILED')
    expect.soft((await maru.call(confirmEmail, { token: correction })).code).toBe('LINK_INVALID')

    const token = tokenIn((await mailsTo(person)).find((text) => /^[\w-]{43}$/m.test(text)))
    expect((await maru.call(acceptInvitation, { token, password: OWN })).status).toBe(200)
    expect((await logIn(person, OWN)).data.mustChangePassword).toBe(false)
  })

  test.each([
    ['is not its own', 'null', []],
    ['is its own since a later time', `now() - interval '1 day'`, []],
    ['was its own before', `now() - interval '3 days'`, ['sub']],
  ])('loses the single sign-on links of a time when the password %s', async (_name, ownFrom, kept) => {
    const person = await registered(GIVEN)
    await sql(`update users set password_own_from = ${ownFrom} where login_id = $1`, [person.userId])
    await sql(
      `with p as (
        insert into identity_providers (name, issuer, client_id, client_secret)
        values ('회사', 'https://login.example.com', 'maru', '') returning id
      )
      insert into identities (provider_id, subject, user_id, created_at)
      select p.id, 'sub', u.id, now() - interval '2 days' from p, users u where u.login_id = $1`,
      [person.userId],
    )
    expect((await edited(person, 'AUT001')).status).toBe(200)
    const { rows } = await sql(
      'select subject from identities i join users u on u.id = i.user_id where login_id = $1',
      [person.userId],
    )
    expect(rows.map(({ subject }) => subject)).toEqual(kept)
  })

  test('is closed to who registered it and has chosen another password as its user since', async () => {
    const person = await registered(GIVEN)
    const { sessionUid } = (await logIn(person, GIVEN)).data
    const change = { currentPassword: GIVEN, newPassword: OWN }
    expect((await maru.call(setPassword, change, { session: sessionUid })).status).toBe(200)
    await sql('delete from mails')
    expect((await edited(person, 'AUT001')).status).toBe(200)
    expect((await logIn(person, OWN)).code).toBe('LOGIN_FAILED')
    expect(tokenIn((await mailsTo(person)).find((text) => /^[\w-]{43}$/m.test(text)))).not.toBe('')
  })

  test('ends the programs that were made with a password that ends', async () => {
    const person = await registered(GIVEN)
    const session = { session: (await logIn(person, GIVEN)).data.sessionUid }
    await maru.call(checkPassword, { password: GIVEN }, session)
    const { programToken: token } = (await maru.call(createProgram, { programName: '단말' }, session)).data
    const issue = async () => (await maru.call(issueKey, { requestKey: 'r' }, { token })).code
    expect(await issue()).not.toBe('PROGRAM_TOKEN_REQUIRED')
    expect((await edited(person, 'AUT001')).status).toBe(200)
    expect(await issue()).toBe('PROGRAM_TOKEN_REQUIRED')
  })

  test('voids a pending invitation and sends another one', async () => {
    const person = await registered()
    const before = tokenIn((await mailsTo(person))[0])
    expect((await edited(person, 'AUT001')).status).toBe(200)
    expect((await maru.call(acceptInvitation, { token: before, password: OWN })).code).toBe('LINK_INVALID')
    const mails = await mailsTo(person)
    expect(mails).toHaveLength(2)
    const token = tokenIn(mails[1])
    expect((await maru.call(acceptInvitation, { token, password: OWN })).status).toBe(200)
  })

  test('keeps the password that its user chose, and loses its sessions', async () => {
    const person = await maru.createUser()
    expect((await edited(person, 'AUT001')).status).toBe(200)
    expect(await isAlive(person.session)).toBe(false)
    expect((await logIn(person, PASSWORD)).status).toBe(200)
    expect(await mailsTo(person)).toEqual([])
  })

  test('keeps everything if HR could grant the role, or if the account loses permissions', async () => {
    const person = await registered(GIVEN)
    const { sessionUid } = (await logIn(person, GIVEN)).data
    for (const roleCode of ['AUT002', 'AUT003'])
      expect.soft((await edited(person, roleCode)).status).toBe(200)
    expect(await isAlive(sessionUid)).toBe(true)
    expect((await logIn(person, GIVEN)).status).toBe(200)
    expect(await mailsTo(person)).toEqual([])
  })
})
