import { describe, expect, test } from 'vitest'
import { checkPassword, endOtherSessions, listSessions, login } from '../../../contract/account.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* My devices (rules/account#devices): the caller's active sessions, and a button that ends the others. */
const maru = useMaru()

const AGENTS = {
  'Chrome · Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Safari · iOS':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Firefox · Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Samsung Internet for Android · Android':
    'Mozilla/5.0 (Linux; Android 15; SM-S931N) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
}

async function logIn({ userId }: TestUser, userAgent = '', address = '192.0.2.10'): Promise<string> {
  const answer = await maru.call(login, { loginId: userId, password: PASSWORD }, { address })
  await maru.database.pool.query(
    `update sessions set user_agent = $1 where user_agent <> 'test' and user_agent = any ($2)`,
    [userAgent, ['', 'lightMyRequest']],
  )
  return answer.data.sessionUid
}

const list = async (session: string) => (await maru.call(listSessions, {}, { session })).data.sessions

async function openGate(session: string): Promise<void> {
  expect((await maru.call(checkPassword, { password: PASSWORD }, { session })).status).toBe(200)
}

describe('the list of devices', () => {
  test('lists the caller’s active sessions, the current one first, then by last use', async () => {
    const kim = await maru.createUser()
    await maru.createUser()
    const phone = await logIn(kim, AGENTS['Safari · iOS'], '198.51.100.4')
    const laptop = await logIn(kim, AGENTS['Chrome · Windows'], '198.51.100.5')
    await maru.database.pool.query(
      `update sessions set last_used_at = now() - interval '5 minutes' where address = '198.51.100.4'`,
    )
    await maru.database.pool.query(
      `update sessions set last_used_at = now() - interval '9 minutes' where user_id = $1 and user_agent = 'test'`,
      [kim.id],
    )
    const rows = await list(laptop)
    expect(rows.map(({ current, address }) => [current, address])).toEqual([
      [true, '198.51.100.5'],
      [false, '198.51.100.4'],
      [false, '127.0.0.1'],
    ])
    expect((await list(phone))[0]).toMatchObject({
      current: true,
      address: '198.51.100.4',
      device: 'Safari · iOS',
    })
    for (const { loggedInAt, lastUsedAt } of rows)
      expect([loggedInAt, lastUsedAt].join()).toMatch(/^\d{4}(-\d\d){2} \d\d(:\d\d){2},\d{4}/)
  })

  test.each(Object.entries(AGENTS))('names a device %s', async (name, agent) => {
    const session = await logIn(await maru.createUser(), agent)
    expect((await list(session))[0]?.device).toBe(name)
  })

  test.each(['', 'curl/8.0', '<script>alert(1)</script>', '\u{1f431}'.repeat(100)])(
    'copes with a user agent of %j',
    async (agent) => {
      const session = await logIn(await maru.createUser(), agent)
      expect((await list(session))[0]?.device).not.toMatch(/[<>]/)
    },
  )

  test('leaves out expired sessions and never shows a token', async () => {
    const kim = await maru.createUser()
    const session = await logIn(kim)
    await maru.database.pool.query(
      `update sessions set last_used_at = now() - interval '31 minutes' where user_id = $1 and user_agent = 'test'`,
      [kim.id],
    )
    const answer = await maru.call(listSessions, {}, { session })
    expect(answer.data.sessions).toHaveLength(1)
    expect(JSON.stringify(answer.data)).not.toContain(session)
  })
})

describe('logging out other devices', () => {
  test('needs the password gate of this session and otherwise ends nothing', async () => {
    const kim = await maru.createUser()
    const session = await logIn(kim)
    // The gate of another session does not count.
    await openGate(kim.session)
    expect(await maru.call(endOtherSessions, {}, { session })).toMatchObject({
      status: 400,
      code: 'PASSWORD_CHECK_REQUIRED',
    })
    expect(await list(kim.session)).toHaveLength(2)
  })

  test('ends, counts and logs only the caller’s other active sessions', async () => {
    const kim = await maru.createUser()
    const park = await maru.createUser()
    const session = await logIn(kim)
    const dead = await logIn(kim)
    await maru.database.pool.query(
      `update sessions set last_used_at = now() - interval '31 minutes' where token_hash = sha256($1)`,
      [dead],
    )
    await openGate(session)
    const answer = await maru.call(endOtherSessions, {}, { session })
    expect(answer.data).toEqual({ endedCount: 1 })
    expect((await maru.call(listSessions, {}, { session: kim.session })).code).toBe('SESSION_REQUIRED')
    expect(await list(session)).toHaveLength(1)
    expect(await list(park.session)).toHaveLength(1)
    const { rows } = await maru.database.pool.query(
      `select target, detail from audit_log where actor_id = $1 and action = 'account.end-sessions'`,
      [kim.id],
    )
    expect(rows).toEqual([{ target: kim.userId, detail: { ended: 1 } }])
  })
})
