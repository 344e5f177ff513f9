import { describe, expect, test } from 'vitest'
import { getAuthority } from '../../../contract/common.ts'
import { login } from '../../../contract/account.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { createAdmin, resetByOperator } from './index.ts'

const maru = useMaru()
const { withApp } = factorsOf(maru, { now: new Date() })
const signIn = (loginId: string, password: string) => maru.call(login, { loginId, password })
const trailOf = async (target: string) =>
  (
    await maru.database.pool.query<{ action: string; actor_id: string | null; detail: unknown }>(
      `select action, actor_id, detail from audit_log where target = $1 and action like 'user.%'`,
      [target],
    )
  ).rows

describe('accounts by the operator (rules/running#operator-accounts)', () => {
  test('resets to a temporary password, ends sessions and the lock, and logs it', async () => {
    const user = await maru.createUser({ role: 'admin' })
    for (let i = 0; i < 5; i += 1) await signIn(user.userId, 'wrong')
    const { password, refusal } = await resetByOperator(
      maru.database.db,
      maru.services,
      ` ${user.userId.toUpperCase()} `,
    )
    expect(refusal).toBeNull()
    expect((await maru.call(getAuthority, {}, { session: user.session })).status).toBe(401)
    const answer = await signIn(user.userId, password)
    expect(answer.data).toMatchObject({ userId: user.userId, mustChangePassword: true })
    expect(await trailOf(user.userId)).toEqual([
      { action: 'user.reset-password', actor_id: null, detail: { reason: 'npm run admin' } },
    ])
  })

  test('deletes second factors on a reset, logs it and reports it', async () => {
    const user = await withApp(await maru.createUser({ role: 'admin' }))
    const reset = await resetByOperator(maru.database.db, maru.services, user.userId)
    expect(reset.hadFactors).toBe(true)
    expect((await signIn(user.userId, reset.password)).status).toBe(200)
    const { rows } = await maru.database.pool.query(
      `select actor_id, detail from audit_log where target = $1 and action = 'account.remove-factor'`,
      [user.userId],
    )
    expect(rows).toEqual([{ actor_id: null, detail: { reason: 'npm run admin' } }])
    const again = await resetByOperator(maru.database.db, maru.services, user.userId)
    expect(again.hadFactors).toBe(false)
  })

  test('names other reasons against a login, and refuses an unknown ID', async () => {
    const user = await maru.createUser({ validTo: '2020-01-01', validFrom: '2019-01-01' })
    expect((await resetByOperator(maru.database.db, maru.services, user.userId)).refusal).toMatch(
      /expired|ended|valid/i,
    )
    await expect(resetByOperator(maru.database.db, maru.services, 'nobody')).rejects.toThrow(
      /No account has the ID/,
    )
  })

  test('creates an administrator, logs it, and refuses an ID that is taken or invalid', async () => {
    const wanted = { userId: 'ops.kim', email: 'ops@company.kr' }
    const password = await createAdmin(maru.database.db, maru.services, wanted)
    const { data, status } = await signIn(wanted.userId, password)
    expect([status, data.mustChangePassword]).toEqual([200, true])
    expect(await trailOf(wanted.userId)).toHaveLength(1)
    const refused = (userId: string, email: string) =>
      expect(createAdmin(maru.database.db, maru.services, { userId, email })).rejects
    await refused('ops.kim', 'other@company.kr').toThrow(/ID is already in use/)
    await refused('ops.lee', 'ops@company.kr').toThrow(/e-mail/i)
    await refused('x', 'ok@company.kr').toThrow(/cannot be an ID/)
    await refused('ops.lee', 'no mail').toThrow(/is not an email address/)
    expect(await trailOf('ops.lee')).toEqual([])
  })
})
