import { beforeEach, describe, expect, test } from 'vitest'
import { login, setPassword } from '../../../contract/account.ts'
import { resetUser } from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const NEW_PASSWORD = '푸른-바다-7고래'
const OFFICE = '10.9.8.7'
const THIEF = '198.51.100.7'
let person: TestUser

const logIn = async (address: string, password: string) => {
  const answer = await maru.call(login, { loginId: person.userId, password }, { address })
  expect(answer.status).toBe(200)
  return answer.data.sessionUid
}
const warned = async () =>
  (
    await sql(
      `select detail ->> 'address' as address from notifications where kind = 'NEW_NETWORK' and user_id = $1 order by id`,
      [person.id],
    )
  ).map(({ address }) => address)

beforeEach(async () => {
  // Mails stay in their queue.
  await maru.services.jobs.stop()
  person = await maru.createUser()
  await logIn(OFFICE, PASSWORD)
  await logIn(THIEF, PASSWORD)
  expect(await warned()).toEqual([THIEF])
})

describe('networks of earlier logins (rules/account#known-networks)', () => {
  test('are forgotten with a new password, except for the one where it was set', async () => {
    const session = await logIn(OFFICE, PASSWORD)
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await maru.call(setPassword, change, { session, address: OFFICE })).status).toBe(200)
    await logIn(OFFICE, NEW_PASSWORD)
    expect(await warned()).toEqual([THIEF])
    await logIn(THIEF, NEW_PASSWORD)
    expect(await warned()).toEqual([THIEF, THIEF])
  })

  test('forgets all networks with a temporary password and notifies of the next login', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    expect((await maru.call(resetUser, { userId: person.userId, reason: '' }, admin)).status).toBe(200)
    const [mail] = await sql('select text from mails where recipient = $1 order by id desc limit 1', [
      person.email,
    ])
    const [password = ''] = /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/m.exec(mail?.text ?? '') ?? []
    await logIn(THIEF, password)
    expect(await warned()).toEqual([THIEF, THIEF])
  })
})
