import { expect, test } from 'vitest'
import { updateUser } from '../../contract/users.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'

const maru = useMaru()

const rename = (by: TestUser, { email }: TestUser, originalUserId: string, userId: string) =>
  maru.call(
    updateUser,
    {
      originalUserId,
      userId,
      email,
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'HANDED-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
    },
    by,
  )

test('keeps the user a row is about, whatever login ID they have later (rules/audit#records-of-a-row)', async () => {
  const admin = await maru.createUser({ role: 'admin' })
  const first = await maru.createUser()
  await maru.createPartner({ code: 'HANDED-1', affiliation: 'BEL001' })
  await rename(admin, first, first.userId, 'first.one')
  await rename(admin, first, 'first.one', 'first.two')

  const { rows } = await maru.database.pool.query(
    `select target, records from audit_log where action = 'user.update' order by id`,
  )
  expect(rows).toEqual([
    { target: 'first.one', records: [`user/${first.id}`] },
    { target: 'first.two', records: [`user/${first.id}`] },
  ])
})
