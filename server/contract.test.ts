import { afterEach, describe, expect, test } from 'vitest'
import { login, logout } from '../contract/account.ts'
import { listCodes } from '../contract/common.ts'
import { isDuringFactorSetUp } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { FUNCTIONS, ROLE } from '../contract/permissions.ts'
import { roles } from './db/seed/roles.ts'
import { PASSWORD, useMaru } from '../dev/test-kit/maru.ts'
import { sampleOf } from '../dev/test-kit/samples.ts'

const maru = useMaru()

const forServices = endpoints.filter(({ endpoint }) => endpoint.access === 'service')
const guarded = endpoints.filter(({ endpoint: { access } }) => access !== 'public' && access !== 'service')

describe('deny by default (rules/roles#deny-by-default)', () => {
  test('only fifteen calls are public', () => {
    const open = endpoints.filter(({ endpoint }) => endpoint.access === 'public').map(({ name }) => name)
    expect(open.toSorted()).toEqual(
      [
        'acceptInvitation',
        'beginSso',
        'finishSso',
        'confirmEmail',
        'readLink',
        'login',
        'finishLogin',
        'readLogin',
        'checkId',
        'certifyEmail',
        'signUp',
        'findId',
        'resetPassword',
        'listCodes',
        'readPrivacyNotice',
      ].toSorted(),
    )
  })

  test('limits every public call per address except the code lists of every screen (rules/wire#call-limits)', () => {
    const open = endpoints.filter(({ endpoint }) => endpoint.access === 'public')
    const unlimited = open.filter(({ endpoint }) => endpoint.limit === undefined)
    expect(unlimited.map(({ name }) => name)).toEqual(['listCodes'])
  })

  test('limits every call that compares a password per address', () => {
    const comparing = endpoints.filter(({ endpoint }) =>
      endpoint.errors.some((code) => code === 'PASSWORD_WRONG' || code === 'LOGIN_FAILED'),
    )
    expect(comparing.map(({ name }) => name).toSorted()).toEqual(
      [
        'checkPassword',
        'exportAudit',
        'exportLeakPeople',
        'exportKeys',
        'exportUsers',
        'finishSso',
        'importUsers',
        'login',
        'registerUser',
        'setPassword',
        'updateByImport',
      ].toSorted(),
    )
    for (const { name, endpoint } of comparing) expect(endpoint.limit, name).toBeDefined()
  })

  const dead: [string, () => Promise<string | undefined>][] = [
    ['no session', async () => undefined],
    ['an empty SessionId', async () => ''],
    ['an unknown SessionId', async () => 'A'.repeat(43)],
    ['a SessionId that is no token', async () => `' or 1=1; -- 홍길동`],
    ['a session idle for 30 minutes', () => sessionAged({ idle: '30 minutes' })],
    ['a session 12 hours old, used just now', () => sessionAged({ age: '12 hours' })],
    ['a session that was logged out', loggedOut],
    ['the hash that the database keeps', hashOfSession],
    ['a session of somebody withdrawn', () => sessionAfter(`withdrawn_at = now()`)],
    ['a session of somebody no longer approved', () => sessionAfter(`approval_code = 'MEMAP002'`)],
    ['a session of somebody whose validity ended', () => sessionAfter(`valid_to = current_date - 2`)],
    ['a session of somebody not valid yet', () => sessionAfter(`valid_from = current_date + 2`)],
  ]
  test.each(dead)(
    'answers 401 SESSION_REQUIRED to every other call with %s (rules/wire#statuses)',
    async (kind, make) => {
      const session = await make()
      // An expired session is detected before the call runs. Without a session every call is tested; of each other kind
      // of expired session, every fourth call, in rotation.
      const turn = dead.findIndex(([name]) => name === kind)
      for (const entry of guarded.filter((_, i) => turn === 0 || i % 4 === turn % 4)) {
        const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
        expect.soft([entry.name, answer.status, answer.code]).toEqual([entry.name, 401, 'SESSION_REQUIRED'])
        expect.soft(answer.raw).not.toContain('DATA')
      }
    },
  )

  test('answers no 500 if access ends between the session check and the response (rules/account#session-end)', async () => {
    const ends = [
      `update users set valid_to = current_date - 2 where id = $1`,
      `update users set withdrawn_at = now() where id = $1`,
      `delete from sessions where user_id = $1`,
    ]
    const { pool } = maru.database
    const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>
    let end: string | undefined
    let caller = ''
    let ended = 0
    const queryAndEnd = async (...asked: unknown[]) => {
      const found = await query(...asked)
      const isLook = (asked[0] as { name?: string }).name === 'find-session'
      if (isLook && end !== undefined) ended += (await maru.owner.query(end, [caller])).rowCount ?? 0
      return found
    }
    Object.assign(pool, { query: queryAndEnd })
    try {
      for (const [i, entry] of guarded.entries()) {
        end = undefined
        const { id, session } = await maru.createUser({ role: 'admin' })
        caller = id
        end = ends[i % ends.length]
        const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
        expect.soft(answer.status, `${entry.name} after ${end}: ${answer.raw}`).toBeLessThan(500)
      }
      expect(ended).toBeGreaterThanOrEqual(guarded.length)
    } finally {
      Object.assign(pool, { query })
    }
  })

  test('accepts a session just within its limits, and each use restarts its idle time (rules/account#session)', async () => {
    const call = endpoints.find(({ name }) => name === 'getAuthority')?.endpoint.path ?? ''
    const idle = await sessionAged({ idle: '29 minutes 50 seconds' })
    expect((await maru.callRaw(call, {}, { session: idle })).status).toBe(200)
    await maru.database.pool.query(`update sessions set last_used_at = last_used_at - interval '29 minutes'`)
    expect((await maru.callRaw(call, {}, { session: idle })).status).toBe(200)
    const old = await sessionAged({ age: '11 hours 59 minutes' })
    expect((await maru.callRaw(call, {}, { session: old })).status).toBe(200)
  })
})

describe('calls for services (design/keys#derived-keys)', () => {
  test('are only the one that verifies a key', () => {
    expect(forServices.map(({ name }) => name)).toEqual(['verifyKey'])
  })

  test('answer 401 SERVICE_TOKEN_REQUIRED without a valid token, even with a session', async () => {
    const { session } = await maru.createUser({ role: 'admin' })
    const revoked = await maru.createService()
    await maru.database.pool.query(`update service_tokens set revoked_at = now() where id = $1`, [revoked.id])
    const live = await maru.createService()
    const hash = await maru.database.pool.query('select token_hash from service_tokens where id = $1', [
      live.id,
    ])
    const kept = (hash.rows[0].token_hash as Buffer).toString('base64url')
    for (const entry of forServices) {
      const attempt = (token: string | undefined, uid?: string) =>
        maru.callRaw(entry.endpoint.path, sampleOf(entry), { token, session: uid })
      for (const token of [undefined, '', 'x', session, revoked.token, kept, `${live.token}x`]) {
        for (const uid of [undefined, session]) {
          const answer = await attempt(token, uid)
          expect.soft([answer.status, answer.code]).toEqual([401, 'SERVICE_TOKEN_REQUIRED'])
          expect.soft(answer.raw).not.toContain('DATA')
        }
      }
      expect((await attempt(live.token)).status).toBe(200)
    }
  })

  test('are all that a token opens: every other call is 401 SESSION_REQUIRED', async () => {
    const { token } = await maru.createService()
    for (const entry of guarded) {
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { token, session: token })
      expect.soft([entry.name, answer.status, answer.code]).toEqual([entry.name, 401, 'SESSION_REQUIRED'])
    }
  })
})

describe('who may do what (rules/roles#deny-by-default)', () => {
  test('gives the three built-in roles exactly the permissions of the table', () => {
    const held = Object.fromEntries(roles.map(({ code, functions }) => [code, functions.toSorted()]))
    expect(held).toEqual({
      [ROLE.admin]: FUNCTIONS.toSorted(),
      [ROLE.hr]: [
        'autho_key_own',
        'autho_key_search',
        'autho_notice_insert',
        'autho_notice_manage',
        'autho_user_insert',
        'autho_user_manage',
        'autho_user_search',
      ],
      [ROLE.user]: ['autho_key_own', 'autho_key_search', 'autho_notice_insert'],
    })
  })

  test('applies a granted or revoked permission to the next call', async () => {
    const { session } = await maru.createUser({ role: 'user' })
    const call = () => maru.callRaw('/pid/v1/get/SidoList', {}, { session })
    expect((await call()).code).toBe('FORBIDDEN')
    await maru.database.pool.query(`insert into role_functions values ('AUT003', 'autho_partner_search')`)
    expect((await call()).code).not.toBe('FORBIDDEN')
    await maru.database.pool.query(
      `delete from role_functions where role_code = 'AUT003' and function_name = 'autho_partner_search'`,
    )
    expect((await call()).code).toBe('FORBIDDEN')
  })
})

describe('while a temporary password is in force (rules/account#temporary-password)', () => {
  test('only set/password, logout and the calls of the header work', async () => {
    const works = []
    for (const entry of guarded) {
      const { session } = await maru.createUser({ role: 'admin', temporary: true })
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      // A user without a second factor has none to give again.
      if (answer.status === 200 || answer.code === 'FACTOR_NOT_FOUND') works.push(entry.name)
      else
        expect
          .soft([entry.name, answer.status, answer.code])
          .toEqual([entry.name, 403, 'PASSWORD_CHANGE_REQUIRED'])
    }
    expect(works.toSorted()).toEqual([
      'checkFactor',
      'checkSession',
      'extendSession',
      'getAuthority',
      'getProviderLogout',
      'listMenus',
      'logout',
      'readCheck',
      'setPassword',
    ])
  })

  test('returns no more from a public call than without a session', async () => {
    const { session, userId } = await maru.createUser({ role: 'admin', temporary: true })
    expect((await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { session })).status).toBe(200)
    expect(await maru.call(listCodes, { codeGroup: 'KAMEMTY001' }, { session })).toMatchObject({
      status: 403,
      code: 'PASSWORD_CHANGE_REQUIRED',
    })
    expect((await maru.call(login, { loginId: userId, password: PASSWORD }, { session })).data).toMatchObject(
      {
        mustChangePassword: true,
      },
    )
  })
})

test('allows only the setup of a required second factor and a password change (rules/account#required-factor)', async () => {
  const { pool } = maru.database
  await maru.owner.query(`update settings set factor_grace_days = 0`)
  await maru.owner.query(`update roles set factor_required_since = now() where code = 'AUT001'`)
  const works = []
  for (const entry of guarded) {
    const { session } = await maru.createUser({ role: 'admin' })
    const { status, code } = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
    if (code === 'FACTOR_SETUP_REQUIRED') expect.soft([entry.name, status]).toEqual([entry.name, 403])
    else works.push(entry.name)
  }
  await maru.owner.query(`update settings set factor_grace_days = 14`)
  await pool.query('update roles set factor_required_since = null')
  const through = guarded.filter(({ endpoint }) => isDuringFactorSetUp(endpoint)).map(({ name }) => name)
  expect(works.toSorted()).toEqual(through.toSorted())
  expect(through).toEqual(expect.arrayContaining(['logout', 'setPassword', 'checkPassword', 'beginTotp']))
  expect(through).not.toContain('removeTotp')
})

test('logs a change under the action in the contract, and only once it is made (rules/wire#audit)', async () => {
  const { session, id } = await maru.createUser()
  await maru.call(logout, {}, { session })
  const { rows } = await maru.database.pool.query(
    'select action, actor_id, target from audit_log where actor_id = $1',
    [id],
  )
  expect(rows).toEqual([{ action: logout.audit, actor_id: id, target: expect.any(String) }])
})

afterEach(() => {
  // Nothing here is a defect of the server's.
  expect(maru.log.filter((line) => line.level >= 50)).toEqual([])
})

async function sessionAged({ idle = '0 s', age = '0 s' }): Promise<string> {
  const { session, id } = await maru.createUser({ role: 'admin' })
  await maru.database.pool.query(
    `update sessions set created_at = now() - $2::interval, last_used_at = now() - $3::interval where user_id = $1`,
    [id, age, idle],
  )
  return session
}

async function loggedOut(): Promise<string> {
  const { session } = await maru.createUser({ role: 'admin' })
  expect((await maru.call(logout, {}, { session })).status).toBe(200)
  return session
}

async function hashOfSession(): Promise<string> {
  const { id } = await maru.createUser({ role: 'admin' })
  const { rows } = await maru.database.pool.query('select token_hash from sessions where user_id = $1', [id])
  return rows[0].token_hash.toString('base64url')
}

async function sessionAfter(change: string): Promise<string> {
  const { session, id } = await maru.createUser({ role: 'admin' })
  await maru.database.pool.query(`update users set ${change} where id = $1`, [id])
  return session
}
