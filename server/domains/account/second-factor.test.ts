import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveRequests } from '../../../contract/approvals.ts'
import {
  beginTotp,
  checkFactor,
  confirmTotp,
  getFactors,
  removeTotp,
  renewRecoveryCodes,
} from '../../../contract/account.ts'
import { deriveFrom } from '../../services/key-secret.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { findCodeProof } from './factors.ts'
import { renewSealed } from './index.ts'
import { findTimeStep } from './factor-codes.ts'

const smtp = await startSmtp()
const clock = { now: new Date() }
const maru = useMaru({ SMTP_URL: smtp.url }, { clock: () => clock.now })
beforeAll(() => maru.createPartner({ code: 'HEAD-1' }))
afterAll(() => smtp.close())
const { codeOf, enter, finish, passGate, ticketOf, withApp, wrongCodeOf } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Returns a fixed time plus a number of steps of 30 seconds. */
const at = (steps: number) => new Date(1_800_000_000_000 + steps * 30_000)

/** Waits for a mail about second factors (rules/account#second-factor-mails). */
const mailWith = (email: string, words: string) =>
  expect
    .poll(() => smtp.mails.some((mail) => mail.to.includes(email) && mail.text.includes(words)))
    .toBe(true)

describe('the first second factor (rules/account#second-factor)', () => {
  test('ends the other sessions of its user, and no second one does', async () => {
    const person = await maru.createUser()
    const other = (await enter(person)).data.sessionUid
    const stranger = await maru.createUser()
    const { secret } = await withApp(person)
    expect((await maru.call(getFactors, {}, { session: other })).code).toBe('SESSION_REQUIRED')
    for (const { session } of [person, stranger])
      expect((await maru.call(getFactors, {}, { session })).status).toBe(200)
    const later = (await finish(await ticketOf(person), codeOf(secret))).data.sessionUid
    await withApp(person)
    expect((await maru.call(getFactors, {}, { session: later })).status).toBe(200)
  })

  test('is due in a session from before it: no recovery codes, no removal, no approval', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const applicant = await maru.createUser({ asked: true })
    const { secret } = await withApp(admin)
    // Set up in this session, and not given in it.
    await sql('update sessions set factor_checked_at = null, factor_checked_by = null where user_id = $1', [
      admin.id,
    ])
    await passGate(admin)
    const [request] = await sql('select id from approval_requests where user_id = $1', [applicant.id])
    const approve = () =>
      maru.call(
        approveRequests,
        {
          requests: [String(request?.id)],
          validFrom: '2026-01-01',
          validTo: '2099-12-31',
          roleCode: 'AUT003',
          partners: [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }],
        },
        admin,
      )
    const codes = await sql('select code_hash from recovery_codes where user_id = $1', [admin.id])
    expect((await maru.call(renewRecoveryCodes, {}, admin)).code).toBe('CONFIRMATION_REQUIRED')
    expect((await maru.call(removeTotp, {}, admin)).code).toBe('CONFIRMATION_REQUIRED')
    expect((await approve()).code).toBe('CONFIRMATION_REQUIRED')
    expect(await sql('select code_hash from recovery_codes where user_id = $1', [admin.id])).toEqual(codes)
    expect(await sql('select approval_code from users where id = $1', [applicant.id])).toEqual([
      { approval_code: 'MEMAP002' },
    ])
    const given = { factor: 'TOTP' as const, proof: codeOf(secret) }
    expect((await maru.call(checkFactor, given, admin)).status).toBe(200)
    expect((await approve()).status).toBe(200)
    expect((await maru.call(removeTotp, {}, admin)).status).toBe(200)
  })

  test('is not required for approvals, but a login in the last ten minutes is', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await sql(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [admin.id])
    const nothing = {
      requests: ['1'],
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      roleCode: 'AUT003',
      partners: [],
    }
    expect((await maru.call(approveRequests, nothing, admin)).code).toBe('CONFIRMATION_REQUIRED')
  })
})

describe('codes of an authenticator app (rules/account#authenticator-app)', () => {
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('are those of RFC 6238 at %i seconds', (seconds, vector) => {
    const secret = Secret.fromUTF8('12345678901234567890').base32
    const moment = new Date(seconds * 1000)
    // An app shows the last six of the eight digits in the test vectors.
    expect(findTimeStep(secret, vector.slice(2), moment)).toBe(Math.floor(seconds / 30))
  })

  test('count one step before and after, and no further', () => {
    const secret = new Secret({ size: 20 }).base32
    const code = new TOTP({ secret }).generate({ timestamp: at(0).getTime() })
    const step = 60_000_000
    expect([-2, -1, 0, 1, 2].map((off) => findTimeStep(secret, code, at(off)))).toEqual([
      null,
      step,
      step,
      step,
      null,
    ])
  })
})

describe('setting an app up (rules/account#authenticator-app)', () => {
  test('counts once a code has come, and gives ten recovery codes, once', async () => {
    const person = await maru.createUser()
    await passGate(person)
    const { secret, otpauth, enrolment } = (await maru.call(beginTotp, {}, person)).data
    expect(otpauth).toContain(`secret=${secret}`)
    expect(otpauth).toContain(person.userId)
    expect((await enter(person)).status).toBe(200)

    const wrong = await maru.call(confirmTotp, { enrolment, code: wrongCodeOf(secret) }, person)
    expect(wrong.code).toBe('SECOND_FACTOR_WRONG')
    expect((await enter(person)).status).toBe(200)

    const made = await maru.call(confirmTotp, { enrolment, code: codeOf(secret) }, person)
    expect(new Set(made.data.recoveryCodes).size).toBe(10)
    expect((await enter(person)).code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await maru.call(getFactors, {}, person)).data).toMatchObject({
      codesLeft: 10,
      totpLastUsedAt: '',
    })
    await mailWith(person.email, '인증 앱이 등록되었습니다')
  })

  test('asks for the password first, and for a code within ten minutes', async () => {
    const person = await maru.createUser()
    expect((await maru.call(beginTotp, {}, person)).code).toBe('PASSWORD_CHECK_REQUIRED')
    await passGate(person)
    const { secret, enrolment } = (await maru.call(beginTotp, {}, person)).data
    clock.now = new Date(clock.now.getTime() + 11 * 60_000)
    const late = await maru.call(confirmTotp, { enrolment, code: codeOf(secret) }, person)
    expect(late.code).toBe('ENROLMENT_INVALID')
  })

  test('is nobody else’s, and not by what Maru did not make', async () => {
    const [person, other] = [await maru.createUser(), await maru.createUser()]
    for (const each of [person, other]) await passGate(each)
    const { secret, enrolment } = (await maru.call(beginTotp, {}, person)).data
    const code = codeOf(secret)
    for (const given of [enrolment, 'x'.repeat(80), 'x', `${enrolment.slice(0, -2)}AA`])
      expect((await maru.call(confirmTotp, { enrolment: given, code }, other)).code).toBe('ENROLMENT_INVALID')
    expect(await sql('select from totp_secrets where user_id = $1', [other.id])).toEqual([])
  })

  test('replaces the app before, and keeps the recovery codes', async () => {
    const person = await withApp(await maru.createUser())
    const again = await withApp(person)
    expect(again.codes).toEqual([])
    expect((await finish(await ticketOf(person), codeOf(person.secret))).code).toBe('SECOND_FACTOR_WRONG')
    expect((await finish(await ticketOf(person), codeOf(again.secret))).status).toBe(200)
    expect((await finish(await ticketOf(person), person.codes[0] ?? '', 'RECOVERY')).status).toBe(200)
  })

  test('leaves neither secret nor code in the database', async () => {
    const person = await withApp(await maru.createUser())
    const [{ text }] = (await sql(`select coalesce(string_agg(t, ''), '') as text from (
      select s::text as t from totp_secrets s union all select c::text from recovery_codes c
      union all select a::text from audit_log a union all select m::text from mails m) as x`)) as [
      { text: string },
    ]
    for (const one of [person.secret, Buffer.from(person.secret).toString('hex'), ...person.codes])
      expect(text).not.toContain(one)
  })
})

describe('recovery codes (rules/account#recovery-codes)', () => {
  test('accepts each recovery code once in any notation and notifies the user', async () => {
    const person = await withApp(await maru.createUser())
    const [one = '', two = ''] = person.codes
    expect((await finish(await ticketOf(person), ` ${one.toUpperCase()} `, 'RECOVERY')).status).toBe(200)
    expect((await finish(await ticketOf(person), one, 'RECOVERY')).code).toBe('SECOND_FACTOR_WRONG')
    expect((await finish(await ticketOf(person), two.replaceAll('-', ' '), 'RECOVERY')).status).toBe(200)
    expect((await maru.call(getFactors, {}, person)).data.codesLeft).toBe(8)
    await mailWith(person.email, '남은 복구 코드는 8개')
  })

  test('are nobody else’s', async () => {
    const [person, other] = [await withApp(await maru.createUser()), await withApp(await maru.createUser())]
    expect((await finish(await ticketOf(other), person.codes[0] ?? '', 'RECOVERY')).code).toBe(
      'SECOND_FACTOR_WRONG',
    )
  })

  test('invalidates recovery codes when new ones are created', async () => {
    const person = await withApp(await maru.createUser())
    const { recoveryCodes } = (await maru.call(renewRecoveryCodes, {}, person)).data
    expect((await finish(await ticketOf(person), person.codes[0] ?? '', 'RECOVERY')).code).toBe(
      'SECOND_FACTOR_WRONG',
    )
    expect((await finish(await ticketOf(person), recoveryCodes[0] ?? '', 'RECOVERY')).status).toBe(200)
  })

  test('are not made without a second factor, and go with the last one', async () => {
    const person = await maru.createUser()
    await passGate(person)
    expect((await maru.call(renewRecoveryCodes, {}, person)).code).toBe('FACTOR_NOT_FOUND')
    await withApp(person)
    await maru.call(removeTotp, {}, person)
    expect(await sql('select from recovery_codes where user_id = $1', [person.id])).toEqual([])
    expect((await enter(person)).status).toBe(200)
    expect((await maru.call(removeTotp, {}, person)).code).toBe('FACTOR_NOT_FOUND')
    await mailWith(person.email, '인증 앱이 삭제되었습니다')
  })
})

describe('a changed key secret (rules/account#authenticator-app)', () => {
  const current = 'a'.repeat(43)
  const next = 'b'.repeat(43)

  test('re-encrypts app secrets at startup and loses none without the previous secret', async () => {
    const { db } = maru.database
    const person = await withApp(await maru.createUser())
    const own = maru.services.keySecret
    const looks = async (keys: { sealSeeds: readonly Buffer[] }) =>
      (await findCodeProof(
        db,
        keys,
        person.id,
        { factor: 'TOTP', proof: codeOf(person.secret) },
        clock.now,
      )) !== null
    const [changed, after] = [deriveFrom(next), deriveFrom(`${next}\n${current}`)]
    expect(await renewSealed(db, changed)).toBeGreaterThan(0)
    expect(await looks(changed)).toBe(false)
    expect(await looks(own)).toBe(true)
    const both = { ...changed, sealSeeds: [...changed.sealSeeds, ...own.sealSeeds] }
    expect(await looks(both)).toBe(true)
    expect(await renewSealed(db, both)).toBe(0)
    expect(await looks(changed)).toBe(true)
    expect(await looks(after)).toBe(true)
    expect(await looks(own)).toBe(false)
    expect(await renewSealed(db, { ...own, sealSeeds: [...own.sealSeeds, ...changed.sealSeeds] })).toBe(0)
    // A value encrypted with the current key is not decrypted again, or the start would report that this one is broken.
    await sql(`update totp_secrets set sealed = '\\x00' where user_id = $1`, [person.id])
    expect(await renewSealed(db, own)).toBe(0)
    await sql(`update totp_secrets set sealed_by = null where user_id = $1`, [person.id])
    expect(await renewSealed(db, own)).toBe(1)
  })
})
