import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  beginPasskey,
  confirmPasskey,
  getFactors,
  listSessions,
  PASSKEYS_MAX,
  removePasskey,
  removeTotp,
  renamePasskey,
} from '../../../contract/account.ts'
import { createAuthenticator } from '../../../dev/test-kit/authenticator.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { removeOldEnrolments } from './index.ts'

const PORTAL = 'https://portal.maru.kr'
const smtp = await startSmtp()
const clock = { now: new Date() }
const maru = useMaru({ SMTP_URL: smtp.url }, { clock: () => clock.now })
afterAll(() => smtp.close())
beforeEach(() => openAt(PORTAL))
const { enter, gaveFactor, passGate, withApp, withPasskey } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Sets where people open the portal. */
async function openAt(address: string | null): Promise<void> {
  await sql('update settings set portal_url = $1', [address])
  await maru.services.settings.fresh()
}

const mailWith = (email: string, words: string) =>
  expect
    .poll(() => smtp.mails.some((mail) => mail.to.includes(email) && mail.text.includes(words)))
    .toBe(true)
const begin = async (person: TestUser) => (await maru.call(beginPasskey, {}, person)).data.passkeyOptions
const confirm = (person: TestUser, proof: string, passkeyName = '내 휴대전화') =>
  maru.call(confirmPasskey, { passkeyName, proof }, person)
const keysOf = (person: TestUser) => sql('select * from passkeys where user_id = $1', [person.id])
const listOf = async (person: TestUser) => (await maru.call(getFactors, {}, person)).data

describe('setting a passkey up (rules/account#passkeys)', () => {
  test('as the first second factor ends the other sessions of its user (rules/account#second-factor)', async () => {
    const person = await maru.createUser()
    const other = (await enter(person)).data.sessionUid
    await withPasskey(person)
    expect((await maru.call(getFactors, {}, { session: other })).code).toBe('SESSION_REQUIRED')
    expect((await maru.call(getFactors, {}, person)).status).toBe(200)
  })

  test('counts once the device answers, creates ten codes once and notifies the user', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const device = createAuthenticator(PORTAL)
    const options = await begin(person)
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'portal.maru.kr' },
      user: { name: person.userId },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'preferred' },
      excludeCredentials: [],
    })
    expect((await enter(person)).status).toBe(200)
    const made = await confirm(person, device.make(options))
    expect(new Set(made.data.recoveryCodes).size).toBe(10)
    expect((await enter(person)).code).toBe('SECOND_FACTOR_REQUIRED')
    expect(await listOf(person)).toMatchObject({
      passkeysAt: PORTAL,
      passkeys: [{ passkeyName: '내 휴대전화', lastUsedAt: '', usable: true }],
      codesLeft: 10,
    })
    expect(await keysOf(person)).toMatchObject([{ credential_id: device.id, transports: ['internal'] }])
    await mailWith(person.email, '패스키 “내 휴대전화”가 등록')

    await gaveFactor(person, 'PASSKEY')
    const next = await begin(person)
    expect(JSON.parse(next)).toMatchObject({ excludeCredentials: [{ id: device.id }] })
    const second = await confirm(person, createAuthenticator(PORTAL).make(next), '보안 키')
    expect(second.data.recoveryCodes).toEqual([])
    const rows = await sql(
      `select detail from audit_log where target = $1 and action = 'account.add-factor' order by id`,
      [person.userId],
    )
    expect(rows.map(({ detail }) => detail)).toEqual([
      { factor: 'PASSKEY', passkeyName: '내 휴대전화' },
      { factor: 'PASSKEY', passkeyName: '보안 키' },
    ])
  })

  test('suggests browser and system as its name', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
    const from = { session: person.session, headers: { 'user-agent': agent } }
    expect((await maru.call(beginPasskey, {}, from)).data.passkeyName).toBe('Chrome · Windows')
  })

  test('asks for the password first, to begin, to confirm and to remove', async () => {
    const person = await withPasskey(await maru.createUser())
    const [row] = await keysOf(person)
    const options = await begin(person)
    await sql('update sessions set password_checked_at = null where user_id = $1', [person.id])
    const { passkeyId } = { passkeyId: String(row.id) }
    for (const { code } of [
      await maru.call(beginPasskey, {}, person),
      await confirm(person, createAuthenticator(PORTAL).make(options)),
      await maru.call(removePasskey, { passkeyId }, person),
    ])
      expect(code).toBe('PASSWORD_CHECK_REQUIRED')
    expect(await keysOf(person)).toHaveLength(1)
  })

  test.each([
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['another origin', { origin: 'https://portal.maru.kr.evil.example' }],
    ['another name of the portal', { rpId: 'evil.example' }],
    ['a signature of a login', { type: 'webauthn.get' }],
    ['nobody who touched it', { isPresent: false }],
  ])('refuses %s, and keeps nothing', async (_, lies) => {
    const person = await maru.createUser()
    await passGate(person)
    const options = await begin(person)
    const refused = await confirm(person, createAuthenticator(PORTAL).make(options, lies))
    expect(refused).toMatchObject({ status: 400, code: 'PASSKEY_INVALID' })
    expect(await keysOf(person)).toEqual([])
    expect(await sql('select from recovery_codes where user_id = $1', [person.id])).toEqual([])
    expect((await enter(person)).status).toBe(200)
  })

  test.each([
    'x',
    '{}',
    'null',
    '[]',
    '{"id":1}',
    '{"id":"a","rawId":"a","type":"public-key","response":{}}',
  ])('refuses %s, which is no answer of a device', async (proof) => {
    const person = await maru.createUser()
    await passGate(person)
    await begin(person)
    expect((await confirm(person, proof)).code).toBe('PASSKEY_INVALID')
  })

  test('accepts only the latest setup, once, for its user, for ten minutes', async () => {
    const [person, other] = [await maru.createUser(), await maru.createUser()]
    for (const each of [person, other]) await passGate(each)
    const device = createAuthenticator(PORTAL)
    expect((await confirm(person, 'x')).code).toBe('ENROLMENT_INVALID')

    const [options, ofOther] = [await begin(person), await begin(other)]
    expect(JSON.parse(options).challenge).not.toBe(JSON.parse(ofOther).challenge)
    expect((await confirm(other, device.make(options))).code).toBe('PASSKEY_INVALID')
    const before = device.make(options)
    const last = await begin(person)
    expect((await confirm(person, before)).code).toBe('PASSKEY_INVALID')
    const proof = device.make(last)
    expect((await confirm(person, proof)).status).toBe(200)
    const [row] = await keysOf(person)
    await gaveFactor(person, 'PASSKEY')
    await maru.call(removePasskey, { passkeyId: String(row.id) }, person)
    // Nor after it was removed.
    expect((await confirm(person, proof)).code).toBe('ENROLMENT_INVALID')

    const late = device.make(await begin(person))
    await sql(`update passkey_enrolments set created_at = now() - interval '601 seconds'`)
    expect((await confirm(person, late)).code).toBe('ENROLMENT_INVALID')
    expect(await keysOf(person)).toEqual([])
    await removeOldEnrolments(maru.database.pool)
    expect(await sql('select from passkey_enrolments')).toEqual([])
  })

  test('takes one of two same answers at once, on two servers too', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const twin = await maru.startTwin()
    const proof = createAuthenticator(PORTAL).make(await begin(person))
    const input = { passkeyName: '열쇠', proof }
    const answers = await Promise.all(
      [maru, twin, maru, twin].map((at) => at.call(confirmPasskey, input, person)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ data }) => data?.recoveryCodes.length === 10)).toHaveLength(1)
    expect(await keysOf(person)).toHaveLength(1)
  })

  test('takes no passkey that somebody has', async () => {
    const person = await withPasskey(await maru.createUser())
    const other = await maru.createUser()
    await passGate(other)
    expect((await confirm(other, person.device.make(await begin(other)))).code).toBe('PASSKEY_INVALID')
    expect(await keysOf(other)).toEqual([])
  })

  test(`lets a person have ${PASSKEYS_MAX}`, async () => {
    const person = await withPasskey(await maru.createUser())
    const options = await begin(person)
    await sql(
      `insert into passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports)
       select $1::bigint, 'k' || n, 'portal.maru.kr', 'x' || n, '', 0, '{}' from generate_series(2, $2) as n`,
      [person.id, PASSKEYS_MAX],
    )
    expect((await maru.call(beginPasskey, {}, person)).code).toBe('PASSKEYS_FULL')
    expect((await confirm(person, createAuthenticator(PORTAL).make(options))).code).toBe('PASSKEYS_FULL')
    expect(await keysOf(person)).toHaveLength(PASSKEYS_MAX)
  })
})

describe('a passkey that is there (rules/account#passkeys)', () => {
  test('lets only its user rename a passkey, and notifies them', async () => {
    const [person, other] = [await withPasskey(await maru.createUser()), await maru.createUser()]
    const [row] = await keysOf(person)
    const input = { passkeyId: String(row.id), passkeyName: '회사 노트북' }
    expect((await maru.call(renamePasskey, input, other)).code).toBe('FACTOR_NOT_FOUND')
    expect((await maru.call(renamePasskey, input, person)).status).toBe(200)
    expect((await listOf(person)).passkeys).toMatchObject([{ passkeyName: '회사 노트북' }])
    await mailWith(person.email, '“회사 노트북”으로 변경')
    const rows = await sql(
      `select detail from audit_log where target = $1 and action = 'account.rename-factor'`,
      [person.userId],
    )
    expect(rows).toEqual([
      { detail: { factor: 'PASSKEY', passkeyName: { before: '내 휴대전화', after: '회사 노트북' } } },
    ])
  })

  test('lets only its user delete it; the last factor takes the recovery codes along', async () => {
    const person = await withPasskey(await withApp(await maru.createUser()))
    const other = await maru.createUser()
    await passGate(other)
    const [row] = await keysOf(person)
    const input = { passkeyId: String(row.id) }
    expect((await maru.call(removePasskey, input, other)).code).toBe('FACTOR_NOT_FOUND')
    expect(await keysOf(person)).toHaveLength(1)
    await maru.call(removeTotp, {}, person)
    expect(await listOf(person)).toMatchObject({ totpSince: '', codesLeft: 10 })
    expect((await enter(person)).code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await maru.call(removePasskey, input, person)).status).toBe(200)
    expect(await sql('select from recovery_codes where user_id = $1', [person.id])).toEqual([])
    expect((await enter(person)).status).toBe(200)
    expect((await maru.call(removePasskey, input, person)).code).toBe('FACTOR_NOT_FOUND')
    await mailWith(person.email, '패스키 “내 휴대전화”가 삭제')
  })
})

describe('a passkey of somebody who has to have a second factor (rules/account#required-factor)', () => {
  test('suffices, can be set up before any other call, and stays if it is the last one', async () => {
    await maru.owner.query(`update roles set factor_required_since = now() where code = 'AUT003'`)
    await maru.owner.query('update settings set factor_grace_days = 0')
    try {
      const person = await maru.createUser()
      expect((await maru.call(listSessions, {}, person)).code).toBe('FACTOR_SETUP_REQUIRED')
      await withPasskey(person)
      expect((await maru.call(listSessions, {}, person)).status).toBe(200)
      const [row] = await keysOf(person)
      const refused = await maru.call(removePasskey, { passkeyId: String(row.id) }, person)
      expect(refused.code).toBe('FACTOR_NEEDED')
      expect(await keysOf(person)).toHaveLength(1)
      expect((await listOf(person)).codesLeft).toBe(10)
    } finally {
      await maru.owner.query('update roles set factor_required_since = null')
      await maru.owner.query('update settings set factor_grace_days = 14')
    }
  })
})

describe('a portal whose address browsers know no passkeys at (rules/account#passkeys)', () => {
  test.each([
    ['no address', null],
    ['an address without TLS', 'http://portal.maru.kr'],
    ['an address of numbers', 'https://10.0.0.1'],
    ['one of IPv6', 'https://[::1]:8443'],
  ])('sets none up: %s', async (_, address) => {
    await openAt(address)
    // The server ignores the host that a request claims.
    const headers = { origin: PORTAL, host: 'portal.maru.kr', 'x-forwarded-host': 'portal.maru.kr' }
    const person = await maru.createUser()
    await passGate(person)
    const from = { session: person.session, headers }
    expect((await maru.call(beginPasskey, {}, from)).code).toBe('PASSKEYS_UNAVAILABLE')
    expect((await maru.call(getFactors, {}, from)).data.passkeysAt).toBe('')
    expect(await sql('select from passkey_enrolments where user_id = $1', [person.id])).toEqual([])
  })

  test('is this machine, for those who try it', async () => {
    await openAt('http://localhost:3000')
    const person = await maru.createUser()
    await passGate(person)
    expect(JSON.parse(await begin(person))).toMatchObject({ rp: { id: 'localhost' } })
  })

  test('reports a passkey of another portal address as unusable', async () => {
    const person = await withPasskey(await maru.createUser())
    await openAt('https://new.maru.kr')
    expect(await listOf(person)).toMatchObject({ passkeys: [{ usable: false }] })
  })
})
