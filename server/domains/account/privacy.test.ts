import { beforeEach, describe, expect, test } from 'vitest'
import {
  acceptPrivacyNotice,
  CERTIFY_TYPE,
  listSessions,
  login,
  logout,
  setPassword,
  signUp,
} from '../../../contract/account.ts'
import { checkSession, listCodes } from '../../../contract/common.ts'
import { isDuringFactorSetUp } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/index.ts'
import { getPrivacyNotice, publishPrivacyNotice } from '../../../contract/settings/privacy.ts'
import { exportOwnData } from '../../../contract/users/own-data.ts'
import { programAccountsOf } from '../../../dev/test-kit/program-accounts.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'
import { hashToken } from '../../callers/bearer-tokens.ts'
import { findLiveSessions } from '../../callers/sessions.ts'
import { eraseWithdrawn } from '../users/index.ts'
import { makeCode } from './email-verification.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.owner.query<Record<string, unknown>>(text, values)).rows
let admin: TestUser
const { register, tokenOf, plain } = programAccountsOf(maru, () => admin)

beforeEach(async () => {
  await sql('truncate privacy_notices, privacy_acceptances')
  await maru.services.settings.fresh()
  admin = await maru.createUser({ role: 'admin' })
})

const present = async () => (await maru.call(getPrivacyNotice, {}, admin)).data
const publish = async (text: string, more: { isMaterial?: boolean; noticeTextEn?: string } = {}) =>
  maru.call(
    publishPrivacyNotice,
    {
      noticeText: text,
      noticeTextEn: '',
      isMaterial: false,
      version: (await present()).version,
      ...more,
    },
    admin,
  )
const enter = async ({ userId }: TestUser) => {
  const { data } = await maru.call(login, { loginId: userId, password: PASSWORD })
  return { owes: data.mustAcceptPrivacy, by: { session: data.sessionUid } }
}
const use = async (by: { session: string }) => (await maru.call(listSessions, {}, by)).code ?? 'done'
const accept = async (by: { session: string }, privacyVersion: number) => {
  const { status, code } = await maru.call(acceptPrivacyNotice, { privacyVersion }, by)
  return code ?? status
}
const acceptancesOf = ({ id }: TestUser) =>
  sql('select version from privacy_acceptances where user_id = $1 order by version', [id])

const apply = async (userId: string, more: { privacyVersion?: number; ssoTicket?: string } = {}) => {
  const email = `${userId}@example.com`
  const certificationType = CERTIFY_TYPE.signUp
  const code = await maru.database.db
    .transaction()
    .execute((tx) => makeCode(tx, { type: certificationType, email, loginId: userId }, 'test'))
  return maru.call(signUp, {
    userId,
    password: '푸른-바다-7고래',
    affiliationCode: 'BEL001',
    position: '과장',
    name: '김하늘',
    phoneNumber: '01098765432',
    email,
    certificationType,
    certificationCode: code ?? '',
    ...more,
  })
}
const accepted = (userId: string) =>
  sql('select version from privacy_acceptances a join users u on u.id = a.user_id where login_id = $1', [
    userId,
  ])

describe('the acceptance of the privacy notice (rules/account#privacy-acceptance)', () => {
  test('is required after the next login, not of sessions that began before', async () => {
    const person = await maru.createUser()
    await publish('처리방침')
    // Sessions from before go on, also that of the administrator who published it.
    expect([await use(person), await use(admin)]).toEqual(['done', 'done'])
    const { owes, by } = await enter(person)
    expect(owes).toBe(true)
    expect(await maru.call(listSessions, {}, by)).toMatchObject({
      status: 403,
      code: 'PRIVACY_ACCEPTANCE_REQUIRED',
    })
    expect((await maru.call(checkSession, {}, by)).status).toBe(200)
    expect((await maru.call(listCodes, { codeGroup: 'KAMEMTY001' }, by)).code).toBe(
      'PRIVACY_ACCEPTANCE_REQUIRED',
    )
    const hash = hashToken(by.session)
    const live = () => findLiveSessions(maru.database.pool, maru.services.settings.session(), [hash])
    expect((await live()).size).toBe(0)
    expect(await accept(by, 1)).toBe(200)
    expect([await use(by), (await live()).size, (await enter(person)).owes]).toEqual(['done', 1, false])
  })

  test('opens no call but those of a login and the acceptance', async () => {
    await publish('처리방침')
    const works: string[] = []
    const guarded = endpoints.filter(
      ({ endpoint: { access } }) => access !== 'public' && access !== 'service' && access !== 'provider',
    )
    for (const entry of guarded) {
      const { session } = await maru.createUser({ role: 'admin' })
      const { code } = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      if (code !== 'PRIVACY_ACCEPTANCE_REQUIRED') works.push(entry.name)
    }
    const through = guarded.filter(({ endpoint }) => isDuringFactorSetUp(endpoint)).map(({ name }) => name)
    expect(works.toSorted()).toEqual([...through, 'acceptPrivacyNotice'].toSorted())
  })

  test('counts for later versions unless one is material', async () => {
    const person = await maru.createUser()
    await publish('처리방침')
    expect(await accept((await enter(person)).by, 1)).toBe(200)
    await publish('오타를 고침')
    expect((await enter(person)).owes).toBe(false)
    await publish('새 수탁자', { isMaterial: true })
    await publish('다시 오타를 고침')
    const { owes, by } = await enter(person)
    expect([owes, await use(by)]).toEqual([true, 'PRIVACY_ACCEPTANCE_REQUIRED'])
    expect(await accept(by, 4)).toBe(200)
    expect([(await enter(person)).owes, await acceptancesOf(person)]).toEqual([
      false,
      [{ version: 1 }, { version: 4 }],
    ])
  })

  test('refuses any version but the present one, and counts once', async () => {
    await publish('처리방침')
    await publish('새 처리방침', { isMaterial: true })
    const person = await maru.createUser()
    for (const version of [1, 3, 1_000_000])
      expect(await accept(person, version)).toBe('PRIVACY_NOTICE_CHANGED')
    for (const version of [0, -1, 1.5, 2_147_483_648, null])
      expect((await maru.callRaw(acceptPrivacyNotice.path, { privacyVersion: version }, person)).code).toBe(
        'INPUT_INVALID',
      )
    expect(await acceptancesOf(person)).toEqual([])
    await Promise.all([1, 2, 3].map(() => accept(person, 2)))
    const rows = await sql(
      `select target, detail from audit_log where action = 'account.accept-privacy' and actor_id = $1`,
      [person.id],
    )
    expect(rows).toEqual([{ target: person.userId, detail: { privacyVersion: 2 } }])
  })

  test('is for the caller alone', async () => {
    await publish('처리방침')
    const [person, other] = [await maru.createUser(), await maru.createUser()]
    const input = { privacyVersion: 1, userId: other.userId }
    expect((await maru.callRaw(acceptPrivacyNotice.path, input, person)).code).toBe('INPUT_INVALID')
    expect((await maru.callRaw(acceptPrivacyNotice.path, { privacyVersion: 1 })).code).toBe(
      'SESSION_REQUIRED',
    )
    expect(await acceptancesOf(other)).toEqual([])
  })

  test('comes after the change of a temporary password', async () => {
    await publish('처리방침')
    const person = await maru.createUser({ temporary: true })
    expect(await accept(person, 1)).toBe('PASSWORD_CHANGE_REQUIRED')
    const { data } = await maru.call(
      setPassword,
      { currentPassword: PASSWORD, newPassword: '푸른-바다-7고래' },
      person,
    )
    const by = { session: data.sessionUid }
    expect(await use(by)).toBe('PRIVACY_ACCEPTANCE_REQUIRED')
    expect(await accept(by, 1)).toBe(200)
    expect(await use(by)).toBe('done')
  })

  test('is not asked of programs', async () => {
    const { programToken } = await tokenOf(await register())
    await publish('처리방침')
    expect((await plain('users/listUsers', programToken)).status).toBe(200)
  })

  test('ends with the session', async () => {
    await publish('처리방침')
    const { by } = await enter(await maru.createUser())
    expect((await maru.call(logout, {}, by)).status).toBe(200)
    expect(await accept(by, 1)).toBe('SESSION_REQUIRED')
  })

  test('is in the own data, and deleted with the account', async () => {
    await publish('처리방침')
    const person = await maru.createUser()
    expect(await accept(person, 1)).toBe(200)
    await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
    const file = JSON.parse((await maru.call(exportOwnData, {}, person)).raw)
    expect(file.privacyAcceptances).toMatchObject([{ privacyVersion: 1, acceptedAt: expect.any(String) }])
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [person.id])
    await maru.database.db.transaction().execute((tx) => eraseWithdrawn(tx, 30, 100, maru.services.keySecret))
    expect(await acceptancesOf(person)).toEqual([])
  })
})

describe('the acceptance at sign-up (rules/account#privacy-acceptance)', () => {
  test('is refused without the present version, naming the field, also with single sign-on', async () => {
    expect((await apply('too.early', { privacyVersion: 1 })).code).toBe('PRIVACY_NOTICE_CHANGED')
    await publish('처리방침')
    for (const more of [{}, { ssoTicket: 'A'.repeat(43) }]) {
      const { status, code, raw } = await apply('not.yet', more)
      expect([status, code, JSON.parse(raw).field]).toEqual([400, 'INPUT_INVALID', 'PRIVACY_VERSION'])
    }
    expect((await apply('not.yet', { privacyVersion: 2 })).code).toBe('PRIVACY_NOTICE_CHANGED')
    expect(await sql(`select from users where login_id in ('not.yet', 'too.early')`)).toEqual([])
  })

  test('is stored with the account and in its audit row', async () => {
    await publish('처리방침')
    await publish('새 처리방침', { isMaterial: true })
    expect((await apply('haneul.kim', { privacyVersion: 2 })).status).toBe(200)
    expect(await accepted('haneul.kim')).toEqual([{ version: 2 }])
    const rows = await sql(
      `select detail from audit_log where action = 'account.sign-up' and target = 'haneul.kim'`,
    )
    expect(rows).toEqual([{ detail: { privacyVersion: 2 } }])
  })
})
