import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFY_TYPE, signUp } from '../../../contract/account.ts'
import { listAudit } from '../../../contract/audit.ts'
import { getSettings, MAX_POSITIONS, updateSettings } from '../../../contract/settings.ts'
import { checkImport } from '../../../contract/users/import.ts'
import { checkUpdates } from '../../../contract/users/import-update.ts'
import { getUser, registerUser, updateUser } from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const NOT_LISTED = '목록에서 선택해주세요.'

let admin: TestUser
let person: TestUser

beforeAll(async () => {
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  admin = await maru.createUser({ role: 'admin' })
  person = await maru.createUser({ affiliation: 'BEL001' })
})

afterEach(() => save([]))

async function save(positions: string[]) {
  const { version } = (await maru.call(getSettings, {}, admin)).data
  return maru.call(updateSettings, { positions, version }, admin)
}

const basic = (position: string) => ({
  userId: 'listed.user',
  affiliationCode: 'BEL001',
  position,
  name: '유선희',
  phoneNumber: '01012345678',
  email: 'listed.user@example.com',
})
const rest = {
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'HEAD-1',
  roleCode: 'AUT003',
}

async function edit(position: string) {
  const { userId } = person
  const { affiliationCode, name, email, phoneNumber } = (await maru.call(getUser, { userId }, admin)).data
  const input = { originalUserId: userId, userId, affiliationCode, position, name, email, phoneNumber }
  return maru.call(updateUser, input, admin)
}
const positionOf = async () => (await maru.call(getUser, { userId: person.userId }, admin)).data.position

describe('the list of positions (rules/settings#positions)', () => {
  it('is saved without repetitions and sent to the pages', async () => {
    await save(['사원', ' 대리 ', '사원'])
    expect((await maru.call(getSettings, {}, admin)).data.positions).toEqual(['사원', '대리'])
    const config = await maru.app.inject({ url: '/config.json' })
    expect(config.json()).toMatchObject({ positions: ['사원', '대리'] })
    // Two positions are not one with a comma.
    await save(['사원, 대리'])
    expect((await maru.call(getSettings, {}, admin)).data.positions).toEqual(['사원, 대리'])
    const { changes } = (await maru.call(listAudit, { target: 'portal' }, admin)).data.rows[0] ?? {}
    expect(changes).toEqual([{ item: '직급 목록', before: '사원, 대리', after: '사원, 대리' }])
    await save([])
    expect((await maru.app.inject({ url: '/config.json' })).json()).not.toHaveProperty('positions')
  })

  it('refuses too many and too long ones', async () => {
    for (const positions of [
      Array.from({ length: MAX_POSITIONS + 1 }, (_, at) => `직급${at}`),
      ['가'.repeat(51)],
    ])
      expect((await save(positions)).code).toBe('INPUT_INVALID')
    expect((await maru.call(getSettings, {}, admin)).data.positions).toEqual([])
  })

  it('refuses other positions of new and changed users, and keeps a stored one', async () => {
    const before = await positionOf()
    expect(await save(['수석'])).toMatchObject({ status: 200 })
    expect(await edit('과장')).toMatchObject({
      status: 400,
      code: 'INPUT_INVALID',
      msg: `직급: ${NOT_LISTED}`,
    })
    expect(await positionOf()).toBe(before)
    expect((await edit(before)).status).toBe(200)
    expect((await edit('수석')).status).toBe(200)
    expect(await positionOf()).toBe('수석')

    const registration = {
      ...rest,
      approvalCode: 'MEMAP001',
      password: '푸른-바다-7고래',
      managerPassword: PASSWORD,
    } as const
    expect((await maru.call(registerUser, { ...basic('과장'), ...registration }, admin)).msg).toBe(
      `직급: ${NOT_LISTED}`,
    )
    expect((await maru.call(registerUser, { ...basic('수석'), ...registration }, admin)).status).toBe(200)
  })

  it('refuses other positions at sign-up', async () => {
    await save(['수석'])
    const input = { ...basic('과장'), password: '푸른-바다-7고래', certificationCode: '123456' }
    const answer = await maru.call(signUp, { ...input, certificationType: CERTIFY_TYPE.signUp })
    expect(answer.msg).toBe(`직급: ${NOT_LISTED}`)
  })

  it('names the cells of files with other positions', async () => {
    await save(['수석'])
    const user = { ...basic('과장'), userId: 'file.user', email: 'file.user@example.com' }
    const created = await maru.call(checkImport, { rows: [{ ...user, ...rest }] }, admin)
    const updated = await maru.call(
      checkUpdates,
      { rows: [{ userId: person.userId, position: '과장' }] },
      admin,
    )
    for (const { data } of [created, updated])
      expect(data.errors.map(({ field, message }) => [field, message])).toEqual([['position', NOT_LISTED]])
  })
})
