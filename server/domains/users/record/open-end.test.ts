import { beforeEach, describe, expect, it } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { approveRequests, listRequests } from '../../../../contract/approvals.ts'
import { validityTexts } from '../../../../contract/messages/mails.ts'
import { checkImport, importUsers } from '../../../../contract/users/import.ts'
import { getUser, registerUser, updateUser } from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let hr: TestUser
let number = 0

/** Sets whether the end of a validity period may be empty. */
async function set(validityEnd: 'required' | 'optional'): Promise<void> {
  await sql('update settings set validity_end = $1', [validityEnd])
  await maru.services.settings.fresh()
}

beforeEach(async () => {
  hr = await maru.createUser({ role: 'hr' })
  if (number === 0) await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  number += 1
  await set('required')
})

const fields = (validTo: string) => ({
  affiliationCode: 'BEL001',
  position: '과장',
  name: '김하늘',
  phoneNumber: '01098765432',
  validFrom: '2026-01-01',
  validTo,
  roleCode: 'AUT003',
})
const card = { partnerCode: 'HEAD-1', approvalCode: 'MEMAP001' } as const
const added = (validTo: string) => ({
  ...fields(validTo),
  userId: `open.end${number}`,
  email: `open.end${number}@example.com`,
})
const register = (validTo: string) =>
  maru.call(
    registerUser,
    { ...added(validTo), ...card, password: '푸른-바다-7고래', managerPassword: PASSWORD },
    hr,
  )
const importing = (validTo: string) => {
  const rows = [{ ...added(validTo), partnerCode: 'HEAD-1' }]
  return maru.call(importUsers, { rows, managerPassword: PASSWORD }, hr)
}
const update = ({ userId, email }: TestUser, validTo: string) =>
  maru.call(updateUser, { ...fields(validTo), ...card, originalUserId: userId, userId, email }, hr)
async function approve(validTo: string) {
  const { requestId = '' } = (await maru.call(listRequests, { page: 1 }, hr)).data.requests.at(-1) ?? {}
  const { validFrom, roleCode } = fields(validTo)
  const partners = [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }]
  return maru.call(approveRequests, { requests: [requestId], validFrom, validTo, roleCode, partners }, hr)
}
const endOf = async (userId: string) =>
  (await sql('select valid_to from users where login_id = $1', [userId]))[0]
const INVALID = { status: 400, code: 'INPUT_INVALID', field: 'validTo' }

describe('an account without an end (rules/users#open-end)', () => {
  it('is refused by default at registration, edit, approval and import, and nothing changes', async () => {
    const person = await maru.createUser({ validTo: '2030-12-31' })
    const applicant = await maru.createUser({ approved: false, asked: true })
    const before = await sql('select count(*)::int as users, max(updated_at) as at from users')
    expect(await register('')).toMatchObject(INVALID)
    expect(await update(person, '')).toMatchObject(INVALID)
    expect(await update(applicant, '')).toMatchObject(INVALID)
    expect(await approve('')).toMatchObject(INVALID)
    expect((await importing('')).code).toBe('IMPORT_INVALID')
    const rows = [{ ...added(''), partnerCode: 'HEAD-1' }]
    const { errors } = (await maru.call(checkImport, { rows }, hr)).data
    expect(errors).toMatchObject([{ field: 'validTo', message: '필수 입력 항목입니다.' }])
    expect(await sql('select count(*)::int as users, max(updated_at) as at from users')).toEqual(before)
  })

  it('is saved in all four places if the setting allows it, and does not expire', async () => {
    await set('optional')
    expect((await register('')).status).toBe(200)
    const { userId } = added('')
    expect((await maru.call(getUser, { userId }, hr)).data.validTo).toBe('')
    expect((await maru.call(login, { loginId: userId, password: '푸른-바다-7고래' })).status).toBe(200)
    number += 1
    expect((await importing('')).status).toBe(200)
    expect(await endOf(added('').userId)).toEqual({ valid_to: null })
    const person = await maru.createUser({ validTo: '2030-12-31' })
    expect((await update(person, '')).status).toBe(200)
    expect(await endOf(person.userId)).toEqual({ valid_to: null })
    const [{ detail }] = await sql(
      `select detail from audit_log where action = 'user.update' and target = $1`,
      [person.userId],
    )
    expect(detail.validTo).toEqual({ before: '2030-12-31', after: null })
    const applicant = await maru.createUser({ approved: false, asked: true })
    expect((await approve('')).status).toBe(200)
    expect(await endOf(applicant.userId)).toEqual({ valid_to: null })
    expect(validityTexts.ko('2026-01-01', '')).toBe('2026-01-01부터')
  })

  it('checks a typed end as before, whatever the setting', async () => {
    await set('optional')
    for (const validTo of ['2025-12-31', '2026-02-30', '2100-01-01', 'never'])
      expect(await register(validTo), validTo).toMatchObject(INVALID)
    expect((await register('2030-12-31')).status).toBe(200)
    const person = await maru.createUser({ validTo: null })
    expect((await update(person, '2030-12-31')).status).toBe(200)
    expect(await endOf(person.userId)).toEqual({ valid_to: '2030-12-31' })
  })

  it('keeps an open end that was saved before, until the card is saved again', async () => {
    await set('optional')
    const person = await maru.createUser({ validTo: null })
    await set('required')
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).status).toBe(200)
    expect(await update(person, '')).toMatchObject(INVALID)
  })
})
