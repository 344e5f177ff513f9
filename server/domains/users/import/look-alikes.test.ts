import { expect, test } from 'vitest'
import { checkId, login } from '../../../../contract/account.ts'
import { getUser, registerUser, updateUser } from '../../../../contract/users.ts'
import { createAdmin } from '../../account/index.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'

const maru = useMaru()

test('refuses an ID like an administrator’s, and lets earlier ones stay (rules/users#reserved-names)', async () => {
  const partnerCode = await maru.createPartner({ affiliation: 'BEL001' })
  const admin = await maru.createUser({ role: 'admin' })
  const refused = {
    status: 400,
    code: 'INPUT_INVALID',
    msg: expect.stringContaining('관리자로 보일 수 있는 아이디') as string,
  }
  const person = {
    affiliationCode: 'BEL001',
    position: '사원',
    name: '관리자 김',
    phoneNumber: '01012345678',
    email: 'like@example.com',
    validFrom: '2026-01-01',
    validTo: '2099-12-31',
    partnerCode,
    roleCode: 'AUT003',
    approvalCode: 'MEMAP001' as const,
  }
  expect(await maru.call(checkId, { userId: 'Adm1n' })).toMatchObject(refused)
  const registration = { ...person, password: '푸른-바다-7고래', managerPassword: PASSWORD }
  expect(await maru.call(registerUser, { ...registration, userId: 'a.d.m.i.n' }, admin)).toMatchObject(
    refused,
  )
  // A name is not refused: somebody may be called so.
  expect((await maru.call(registerUser, { ...registration, userId: 'like.kim' }, admin)).status).toBe(200)
  const edit = { ...person, originalUserId: 'like.kim' }
  expect(await maru.call(updateUser, { ...edit, userId: 'r00t' }, admin)).toMatchObject(refused)
  await maru.database.pool.query(`update users set login_id = 'r00t' where login_id = 'like.kim'`)
  const kept = { ...person, originalUserId: 'r00t', userId: 'r00t', position: '대리' }
  expect((await maru.call(updateUser, kept, admin)).status).toBe(200)
  expect((await maru.call(getUser, { userId: 'r00t' }, admin)).data).toMatchObject({ position: '대리' })
})

test.each(['null', 'Undefined', 'true', '__proto__'])(
  'refuses the ID %s for a new account and by a rename, and an account keeps it (rules/users#reserved-words)',
  async (userId) => {
    const admin = await maru.createUser({ role: 'admin' })
    const partnerCode = await maru.createPartner({ affiliation: 'BEL001' })
    const person = {
      affiliationCode: 'BEL001',
      position: '사원',
      name: '김하늘',
      phoneNumber: '01012345678',
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode,
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001' as const,
    }
    const refused = {
      status: 400,
      code: 'INPUT_INVALID',
      msg: expect.stringContaining('시스템에서 다른 의미로 사용하는 아이디') as string,
    }
    expect(await maru.call(checkId, { userId })).toMatchObject(refused)
    const registration = { ...person, email: `${userId}@example.com`, userId, managerPassword: PASSWORD }
    expect(await maru.call(registerUser, registration, admin)).toMatchObject(refused)
    const { keySecret, passwords } = maru.services
    const wanted = { userId: userId.toLowerCase(), email: 'word@example.com' }
    await expect(createAdmin(maru.database.db, { keySecret, passwords }, wanted)).rejects.toThrow(
      'cannot be an ID',
    )
    const owner = await maru.createUser()
    const edit = { ...person, email: owner.email, originalUserId: owner.userId }
    expect(await maru.call(updateUser, { ...edit, userId }, admin)).toMatchObject(refused)
    const id = userId.toLowerCase()
    await maru.database.pool.query('update users set login_id = $1 where id = $2', [id, owner.id])
    const kept = { ...edit, originalUserId: id, userId: id, position: '대리' }
    expect((await maru.call(updateUser, kept, admin)).status).toBe(200)
    expect((await maru.call(login, { loginId: id, password: PASSWORD })).status).toBe(200)
  },
)
