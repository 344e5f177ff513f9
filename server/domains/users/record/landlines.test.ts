import { beforeEach, describe, expect, it } from 'vitest'
import { CERTIFY_TYPE, signUp } from '../../../../contract/account.ts'
import { checkImport } from '../../../../contract/users/import.ts'
import { checkUpdates } from '../../../../contract/users/import-update.ts'
import { exportUsers, getUser, registerUser, updateUser } from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser
let hr: TestUser
let person: TestUser
let number = 0

async function set(phoneNumbers: 'mobile' | 'landline'): Promise<void> {
  await sql('update settings set phone_numbers = $1', [phoneNumbers])
  await maru.services.settings.fresh()
}

beforeEach(async () => {
  if (number === 0) await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  number += 1
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser({ affiliation: 'BEL001' })
  await set('landline')
})

async function edit(phoneNumber: string) {
  const { affiliationCode, position, name, email } = (await maru.call(getUser, { userId: person.userId }, hr))
    .data
  const { userId } = person
  const input = { originalUserId: userId, userId, affiliationCode, position, name, email, phoneNumber }
  return maru.call(updateUser, input, hr)
}
const phoneOf = async (loginId: string) =>
  (await sql('select phone_number from users where login_id = $1', [loginId]))[0]?.phone_number

const exported = async (password: string) =>
  (await maru.call(exportUsers, { keyword: person.userId, format: 'csv', reason: '시험', password }, admin))
    .raw

const basic = (phoneNumber: string) => ({
  userId: `line.user${number}`,
  affiliationCode: 'BEL001',
  position: '사원',
  name: '유선희',
  phoneNumber,
  email: `line.user${number}@example.com`,
})
const register = (phoneNumber: string) =>
  maru.call(
    registerUser,
    {
      ...basic(phoneNumber),
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'HEAD-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      password: '푸른-바다-7고래',
      managerPassword: PASSWORD,
    },
    hr,
  )
async function cellErrors(phoneNumber: string) {
  const row = { ...basic(phoneNumber), roleCode: 'AUT003', partnerCode: 'HEAD-1' }
  const dates = { validFrom: '2026-01-01', validTo: '2099-12-31' }
  const created = await maru.call(checkImport, { rows: [{ ...row, ...dates }] }, hr)
  const updated = await maru.call(checkUpdates, { rows: [{ userId: person.userId, phoneNumber }] }, hr)
  return [created, updated].map(({ data }) => data.errors.map(({ field, message }) => [field, message]))
}

describe('landlines (rules/users#landlines)', () => {
  it.each([
    ['02-123-4567', '021234567'],
    ['+82 2 1234 5678', '0212345678'],
    ['(031) 123-4567', '0311234567'],
    ['010-1234-5678', '01012345678'],
  ])('takes %s if the setting allows it (rules/settings#phone-numbers)', async (typed, stored) => {
    expect((await edit(typed)).status).toBe(200)
    expect(await phoneOf(person.userId)).toBe(stored)
    expect((await register(typed)).status).toBe(200)
    expect(await phoneOf(basic('').userId)).toBe(stored)
    expect(await cellErrors(typed)).toMatchObject([
      [
        ['userId', expect.any(String)],
        ['email', expect.any(String)],
      ],
      [],
    ])
  })

  it('refuses other numbers with a text that names the digits (rules/users#landlines)', async () => {
    for (const wrong of ['2-123-4567', '02-12-345', '1588-1234', '010-1234-567a'])
      expect(await edit(wrong)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    const text = '전화번호는 9~11자리의 숫자만 적어주세요.'
    expect(await cellErrors('1588-1234')).toEqual([[['phoneNumber', text]], [['phoneNumber', text]]])
  })

  it('takes 11 digits only without the setting, but keeps a saved landline (rules/users#phone-number)', async () => {
    await edit('02-123-4567')
    await set('mobile')
    const strict = { status: 400, code: 'INPUT_INVALID', msg: expect.stringContaining('11자리') }
    expect((await edit('02-123-4567')).status).toBe(200)
    expect(await edit('02-123-4568')).toMatchObject(strict)
    expect(await register('02-123-4567')).toMatchObject(strict)
    const request = { ...basic('02-123-4567'), password: '푸른-바다-7고래', certificationCode: '123456' }
    expect(await maru.call(signUp, { ...request, certificationType: CERTIFY_TYPE.signUp })).toMatchObject(
      strict,
    )
    const text = '전화번호는 11자리의 숫자만 적어주세요.'
    expect(await cellErrors('02-123-4568')).toEqual([[['phoneNumber', text]], [['phoneNumber', text]]])
  })

  it('exports landlines with hyphens, and masked (rules/lists#masking)', async () => {
    await edit('02-123-4567')
    expect(await exported(PASSWORD)).toContain('02-123-4567')
    expect(await exported('')).toContain('02-****-4567')
  })
})
