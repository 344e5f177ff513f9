import { beforeEach, describe, expect, test } from 'vitest'
import { login, setPassword } from '../../../contract/account.ts'
import { createProgram, revokeProgram, rollProgram } from '../../../contract/keys.ts'
import { resetUser, suspendUser, withdrawUser } from '../../../contract/users.ts'
import { type Answer, PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'

const maru = useMaru()
const { sql, passGate, issue, holder, make, listed, expectDead } = programsOf(maru)

let kim: TestUser
beforeEach(async () => {
  kim = await holder()
})

const daysOf = async (id: string) =>
  (
    await sql(
      `select extract(days from expires_at - created_at)::int as n from program_tokens where id = $1`,
      [id],
    )
  )[0].n

const roll = async (programId: string, input: { overlapDays?: number; validDays?: number } = {}) =>
  (await maru.call(rollProgram, { programId, ...input }, kim)).data.programToken

describe('the end of a token (rules/keys#token-end)', () => {
  test('is 180 days away unless another is chosen, and 365 at most', async () => {
    expect(await daysOf((await make(kim, 'usual')).id)).toBe(180)
    expect(await daysOf((await make(kim, 'most', 365)).id)).toBe(365)
    for (const validDays of [0, -1, 366, 1.5]) {
      const answer = await maru.call(createProgram, { programName: 'x', validDays }, kim)
      expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'validDays' })
    }
  })

  test('expires for good, issues nothing and is shown as expired', async () => {
    const { id, token } = await make(kim)
    await sql(`update program_tokens set expires_at = now() - interval '1 second' where id = $1`, [id])
    await expectDead(token)
    expect(await listed(kim)).toEqual([expect.objectContaining({ state: 'expired' })])
    expect((await maru.call(rollProgram, { programId: id }, kim)).code).toBe('PROGRAM_NOT_FOUND')
    await expectDead(token)
  })

  test('is announced in the list from 14 days before', async () => {
    const { id } = await make(kim)
    const stateIn = async (interval: string) => {
      await sql(`update program_tokens set expires_at = now() + $2::interval where id = $1`, [id, interval])
      return (await listed(kim))[0]?.state
    }
    expect(await stateIn('15 days')).toBe('live')
    expect(await stateIn('13 days')).toBe('soon')
  })

  test('leaves a revoked token unable to issue', async () => {
    const { id, token } = await make(kim)
    expect((await issue(token)).status).toBe(200)
    await maru.call(revokeProgram, { programId: id }, kim)
    await expectDead(token)
    expect(await listed(kim)).toEqual([expect.objectContaining({ state: 'revoked' })])
    expect((await maru.call(revokeProgram, { programId: id }, kim)).code).toBe('PROGRAM_NOT_FOUND')
  })

  test('hides ended tokens from the list after 90 days', async () => {
    const { id } = await make(kim)
    await maru.call(revokeProgram, { programId: id }, kim)
    await sql(`update program_tokens set ended_at = now() - interval '91 days' where id = $1`, [id])
    expect(await listed(kim)).toEqual([])
  })

  type Change = [what: string, change: (id: string) => Promise<unknown>, back: string]
  const changes: Change[] = [
    [
      'suspended',
      async (id) => sql('update users set suspended_at = now() where id = $1', [id]),
      'suspended_at = null',
    ],
    [
      'withdrawn',
      async (id) => sql('update users set withdrawn_at = now() where id = $1', [id]),
      'withdrawn_at = null',
    ],
    [
      'no longer approved',
      async (id) => sql(`update users set approval_code = 'MEMAP002' where id = $1`, [id]),
      `approval_code = 'MEMAP001'`,
    ],
    [
      'over by its validity',
      async (id) => sql('update users set valid_to = current_date - 2 where id = $1', [id]),
      'valid_to = null',
    ],
  ]
  test.each(changes)(
    'ends with an account that is %s, and does not come back with it',
    async (_, end, back) => {
      const { token } = await make(kim)
      expect((await issue(token)).status).toBe(200)
      await end(kim.id)
      await expectDead(token)
      await sql(`update users set ${back} where id = $1`, [kim.id])
      expect((await maru.call(login, { loginId: kim.userId, password: PASSWORD })).status).toBe(200)
      await expectDead(token)
      const [row] = await sql('select end_reason from program_tokens where user_id = $1', [kim.id])
      expect(row).toEqual({ end_reason: 'account' })
    },
  )

  test('ends tokens on suspension, withdrawal and a password set by another user', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await passGate(admin)
    const ways: ((person: TestUser) => Promise<Answer<never> | Answer>)[] = [
      ({ userId }) => maru.call(suspendUser, { userId, suspendedFor: 'INCIDENT', reason: '분실' }, admin),
      ({ userId }) => maru.call(withdrawUser, { userId }, admin),
      ({ userId }) => maru.call(resetUser, { userId, reason: '분실' }, admin),
    ]
    for (const way of ways) {
      const person = await holder()
      const { token } = await make(person)
      expect((await way(person)).status).toBe(200)
      await expectDead(token)
    }
  })

  test('keeps the token when its user changes the password', async () => {
    const { token } = await make(kim)
    const newPassword = 'another-Maru-2026!'
    const changed = await maru.call(setPassword, { currentPassword: PASSWORD, newPassword }, kim)
    expect(changed.status).toBe(200)
    expect((await issue(token)).status).toBe(200)
  })
})

describe('a rollover (rules/keys#token-rollover)', () => {
  test('gives a new token, and the one before is good for the days that were chosen', async () => {
    const { id, token } = await make(kim)
    const next = await roll(id)
    expect(next).not.toBe(token)
    for (const good of [token, next]) expect((await issue(good)).status).toBe(200)
    const [row] = await listed(kim)
    expect(row?.previousUntil).toMatch(/^\d{4}-/)
    const [days] = await sql(
      `select round(extract(epoch from previous_until - now()) / 86400)::int as n from program_tokens where id = $1`,
      [id],
    )
    expect(days.n).toBe(7)
    await sql(`update program_tokens set previous_until = now() - interval '1 second' where id = $1`, [id])
    await expectDead(token)
    expect((await issue(next)).status).toBe(200)
    expect((await listed(kim))[0]?.previousUntil).toBe('')
  })

  test('ends the one before at once where no day was chosen', async () => {
    const { id, token } = await make(kim)
    const next = await roll(id, { overlapDays: 0 })
    await expectDead(token)
    expect((await issue(next)).status).toBe(200)
  })

  test('gives a new end, and the one before none that is later than its own', async () => {
    const { id, token } = await make(kim, '짧은 것', 1)
    await roll(id, { overlapDays: 30, validDays: 365 })
    const [row] = await sql(
      `select previous_until < now() + interval '1 day' as before, expires_at > now() + interval '364 days' as after
        from program_tokens where id = $1`,
      [id],
    )
    expect(row).toEqual({ before: true, after: true })
    expect((await issue(token)).status).toBe(200)
  })

  test('keeps only the last previous token valid after two rotations in a row', async () => {
    const { id, token: first } = await make(kim)
    const second = await roll(id)
    const third = await roll(id)
    await expectDead(first)
    for (const good of [second, third]) expect((await issue(good)).status).toBe(200)
    await maru.call(revokeProgram, { programId: id }, kim)
    for (const dead of [first, second, third]) await expectDead(dead)
  })

  test('takes 30 days of overlap at most', async () => {
    const { id } = await make(kim)
    for (const overlapDays of [-1, 31]) {
      const answer = await maru.call(rollProgram, { programId: id, overlapDays }, kim)
      expect(answer).toMatchObject({ code: 'INPUT_INVALID', field: 'overlapDays' })
    }
  })
})
