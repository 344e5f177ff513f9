import { beforeEach, describe, expect, test } from 'vitest'
import { login, setPassword } from '../../../../contract/account.ts'
import { getAuthority } from '../../../../contract/common.ts'
import { listNotifications } from '../../../../contract/notifications.ts'
import { endUserSession, endUserSessions, listUserSessions } from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let hr: TestUser
let person: TestUser
beforeEach(async () => {
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser()
})

const logIn = async ({ userId }: TestUser, address: string) =>
  (await maru.call(login, { loginId: userId, password: PASSWORD }, { address })).data.sessionUid
const sessionsOf = async ({ userId }: TestUser) =>
  (await maru.call(listUserSessions, { userId }, hr)).data.sessions
const end = (of: TestUser, sessionId: string, by = hr) =>
  maru.call(endUserSession, { userId: of.userId, sessionId, reason: '분실 신고' }, by)
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const told = async (session: string) =>
  (await maru.call(listNotifications, { page: 1, perPage: 10 }, { session })).data.notifications.filter(
    ({ kind }) => kind === 'SESSION_ENDED',
  )
const onRecord = ({ userId }: TestUser) =>
  sql(`select actor_id, detail from audit_log where target = $1 and action = 'user.end-sessions'`, [userId])

describe('where somebody is logged in (rules/users#user-sessions)', () => {
  test('shows device, address, whether the network is known, and times, but no token', async () => {
    const phone = await logIn(person, '198.51.100.4')
    await logIn(person, '198.51.100.4')
    await sql(
      `update sessions set last_used_at = now() - interval '5 minutes' where user_id = $1 and user_agent = 'test'`,
      [person.id],
    )
    const answer = await maru.call(listUserSessions, { userId: person.userId }, hr)
    const places = answer.data.sessions.map(({ address, placeKnown }) => `${address} ${placeKnown}`)
    expect(places.toSorted()).toEqual(['127.0.0.1 true', '198.51.100.4 false', '198.51.100.4 true'])
    const last = answer.data.sessions.at(-1)
    expect(last).toMatchObject({ address: '127.0.0.1', sessionId: expect.stringMatching(/^\d+$/) })
    expect(`${last?.loggedInAt} ${last?.lastUsedAt}`).toMatch(/^\d{4}(-\d\d){2} .{8} \d{4}/)
    const [row] = await sql(`select encode(token_hash, 'hex') as hash from sessions where user_id = $1`, [
      person.id,
    ])
    expect(answer.raw + JSON.stringify(answer.data)).not.toMatch(new RegExp(`${phone}|${row.hash}`))
  })

  test('keeps an unknown place across a change of the password', async () => {
    await logIn(person, '198.51.100.4')
    const session = await logIn(person, '198.51.100.9')
    const change = { currentPassword: PASSWORD, newPassword: '푸른-바다-7고래' }
    const changed = await maru.call(setPassword, change, { session, address: '198.51.100.9' })
    expect(changed.status).toBe(200)
    expect((await sessionsOf(person)).map(({ address, placeKnown }) => `${address} ${placeKnown}`)).toEqual([
      '198.51.100.9 false',
    ])
  })

  test('leaves out expired sessions', async () => {
    await logIn(person, '198.51.100.4')
    await sql(
      `update sessions set last_used_at = now() - interval '31 minutes' where user_id = $1 and user_agent = 'test'`,
      [person.id],
    )
    expect(await sessionsOf(person)).toHaveLength(1)
  })
})

describe('a session that an administrator ends (rules/users#end-a-session)', () => {
  test('ends one session immediately, logs it and notifies its user (rules/account#session-ended)', async () => {
    const phone = await logIn(person, '198.51.100.4')
    const lost = (await sessionsOf(person)).find(({ address }) => address === '198.51.100.4')
    expect((await end(person, lost?.sessionId ?? '')).status).toBe(200)
    expect([await isAlive(phone), await isAlive(person.session)]).toEqual([false, true])
    expect(await onRecord(person)).toEqual([
      {
        actor_id: hr.id,
        detail: { ended: 1, device: lost?.device, address: '198.51.100.4', reason: '분실 신고' },
      },
    ])
    expect(await told(person.session)).toMatchObject([{ reason: 'manager', address: '198.51.100.4' }])
    expect((await end(person, lost?.sessionId ?? '')).code).toBe('SESSION_NOT_FOUND')
    expect(await onRecord(person)).toHaveLength(1)
  })

  test('is that of the person who is named, or none', async () => {
    const other = await maru.createUser()
    const [of] = await sessionsOf(other)
    expect((await end(person, of?.sessionId ?? '')).code).toBe('SESSION_NOT_FOUND')
    expect(await isAlive(other.session)).toBe(true)
    expect(await onRecord(person)).toEqual([])
  })

  test('sends one notification when all sessions end', async () => {
    await logIn(person, '198.51.100.4')
    const asked = { userId: person.userId, reason: '' }
    expect((await maru.call(endUserSessions, asked, hr)).data).toEqual({ endedCount: 2 })
    const rows = await told(await logIn(person, '198.51.100.4'))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ reason: 'manager' })
    expect(rows[0]?.address ?? '').toBe('')
  })
})
