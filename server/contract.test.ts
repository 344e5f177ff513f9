import { afterEach, describe, expect, test } from 'vitest'
import { login, logout } from '../contract/account.ts'
import { listCodes } from '../contract/common.ts'
import { endpoints } from '../contract/index.ts'
import { FUNCTIONS, ROLE } from '../contract/permissions.ts'
import { handlers } from './app.ts'
import { roles } from './db/seed/roles.ts'
import { notBuilt } from './http/handler.ts'
import { PASSWORD, useMaru } from './test-kit/maru.ts'
import { sampleOf } from './test-kit/samples.ts'

const maru = useMaru()

const forServices = endpoints.filter(({ endpoint }) => endpoint.access === 'service')
const guarded = endpoints.filter(({ endpoint: { access } }) => access !== 'public' && access !== 'service')
const ROLES = ['admin', 'hr', 'user'] as const

describe('the table of contents (rules/wire#calls)', () => {
  test('holds the 39 calls, each at its path, and those that Maru adds', () => {
    const paths = endpoints.map(({ endpoint }) => endpoint.path)
    expect(paths.toSorted()).toEqual([...SPEC_PATHS, ...ADDED_PATHS].toSorted())
    expect(SPEC_PATHS).toHaveLength(39)
  })

  test('these calls, and no other, are not built yet', () => {
    const left = endpoints
      .filter(({ domain, name }) => handlers[domain][name as never] === notBuilt)
      .map(({ domain, name }) => `${domain}.${name}`)
    expect(left.toSorted()).toEqual(NOT_BUILT.toSorted())
    expect(left).toHaveLength(0)
  })

  test('a call that is not built says so, to those who may make it, and changes nothing', async () => {
    const { session } = await maru.createUser({ role: 'admin' })
    for (const entry of endpoints) {
      if (handlers[entry.domain][entry.name as never] !== notBuilt) continue
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      expect.soft([entry.name, answer.status, answer.code]).toEqual([entry.name, 400, 'NOT_BUILT'])
      expect.soft(answer.msg).toBe('아직 준비 중인 기능입니다.')
    }
  })
})

describe('without a session only the public calls are answered (rules/roles#deny-by-default)', () => {
  test('the public calls', () => {
    const open = endpoints.filter(({ endpoint }) => endpoint.access === 'public').map(({ name }) => name)
    expect(open.toSorted()).toEqual(
      ['login', 'checkId', 'certifyEmail', 'signUp', 'findId', 'resetPassword', 'listCodes'].toSorted(),
    )
  })

  test('every one of them has a limit per address, but for the code lists, which every screen asks for (rules/wire#call-limits)', () => {
    const open = endpoints.filter(({ endpoint }) => endpoint.access === 'public')
    const unlimited = open.filter(({ endpoint }) => endpoint.limit === undefined)
    expect(unlimited.map(({ name }) => name)).toEqual(['listCodes'])
  })

  test('every call that compares a password has one too', () => {
    const comparing = endpoints.filter(({ endpoint }) =>
      endpoint.errors.some((code) => code === 'PASSWORD_WRONG' || code === 'LOGIN_FAILED'),
    )
    expect(comparing.map(({ name }) => name).toSorted()).toEqual(
      [
        'checkPassword',
        'exportKeys',
        'exportUsers',
        'importUsers',
        'login',
        'registerUser',
        'setPassword',
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
  test.each(dead)('%s: every other call is 401 SESSION_REQUIRED (rules/wire#statuses)', async (_, make) => {
    const session = await make()
    for (const entry of guarded) {
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      expect.soft([entry.name, answer.status, answer.code]).toEqual([entry.name, 401, 'SESSION_REQUIRED'])
      expect.soft(answer.raw).not.toContain('DATA')
    }
  })

  test('a session just within its limits is alive, and its use begins the idle time anew (rules/account#session)', async () => {
    const call = endpoints.find(({ name }) => name === 'getAuthority')?.endpoint.path ?? ''
    const idle = await sessionAged({ idle: '29 minutes 50 seconds' })
    expect((await maru.callRaw(call, {}, { session: idle })).status).toBe(200)
    await maru.database.pool.query(`update sessions set last_used_at = last_used_at - interval '29 minutes'`)
    expect((await maru.callRaw(call, {}, { session: idle })).status).toBe(200)
    const old = await sessionAged({ age: '11 hours 59 minutes' })
    expect((await maru.callRaw(call, {}, { session: old })).status).toBe(200)
  })
})

describe('calls of services (ADR 023)', () => {
  test('verifying a key is the one there is', () => {
    expect(forServices.map(({ name }) => name)).toEqual(['verifyKey'])
  })

  test('without a token in force they answer 401 SERVICE_TOKEN_REQUIRED, whatever session comes with it', async () => {
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

  test('a token is no session: with it alone every other call is 401 SESSION_REQUIRED', async () => {
    const { token } = await maru.createService()
    for (const entry of guarded) {
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { token, session: token })
      expect.soft([entry.name, answer.status, answer.code]).toEqual([entry.name, 401, 'SESSION_REQUIRED'])
    }
  })
})

describe('who may do what (rules/roles#deny-by-default)', () => {
  test('the functions of the three roles are the table, row by row', () => {
    const held = Object.fromEntries(roles.map(({ code, functions }) => [code, functions.toSorted()]))
    expect(held).toEqual({
      [ROLE.admin]: FUNCTIONS.toSorted(),
      [ROLE.hr]: ['autho_key_search', 'autho_notice_manage', 'autho_user_insert', 'autho_user_manage'],
      [ROLE.user]: ['autho_key_search'],
    })
  })

  test.each(ROLES)('every call that %s lacks the permission for is refused, and no other', async (role) => {
    const { session } = await maru.createUser({ role })
    const refused: Record<string, [number, string | undefined]> = {}
    for (const entry of guarded) {
      if (typeof entry.endpoint.access === 'string') continue
      const { status, code } = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      if (code === 'FORBIDDEN' || code === 'FUNCTION_DENIED') refused[entry.name] = [status, code]
    }
    expect(refused).toEqual(REFUSED[role])
  })

  test('a function granted to a role counts with the next call, and a revoked one too', async () => {
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

describe('while a temporary password waits to be changed (rules/account#temporary-password)', () => {
  test('only set/password, logout and the calls of the header work', async () => {
    const works = []
    for (const entry of guarded) {
      const { session } = await maru.createUser({ role: 'admin', temporary: true })
      const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
      if (answer.status === 200) works.push(entry.name)
      else
        expect
          .soft([entry.name, answer.status, answer.code])
          .toEqual([entry.name, 403, 'PASSWORD_CHANGE_REQUIRED'])
    }
    expect(works.toSorted()).toEqual(['checkSession', 'getAuthority', 'listMenus', 'logout', 'setPassword'])
  })

  test('a public call answers what it answers to nobody, and no more', async () => {
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

test('a change goes on record by the action that the contract names, and only once it is made (rules/wire#audit)', async () => {
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

const forbidden: [number, string] = [403, 'FORBIDDEN']
const noPartners = {
  listPartnerProvinces: forbidden,
  listPartnerDistricts: forbidden,
  checkPartnerCode: forbidden,
  createPartner: forbidden,
  getPartner: forbidden,
  updatePartner: forbidden,
  deletePartner: forbidden,
  listPartners: forbidden,
  exportPartners: forbidden,
}
const noKeyManagement = {
  revokeKey: forbidden,
  getPartnerUsage: forbidden,
  listServices: forbidden,
  createService: forbidden,
  revokeService: forbidden,
}

/** What each role is refused for want of a function; one denial is 400 (rules/roles#deny-by-default). */
const noRoles = {
  listRolesWithFunctions: forbidden,
  createRole: forbidden,
  renameRole: forbidden,
  removeRole: forbidden,
  grantFunction: forbidden,
  revokeFunction: forbidden,
  listRoleChanges: forbidden,
}

const REFUSED = {
  admin: {},
  hr: { ...noPartners, ...noKeyManagement, ...noRoles },
  user: {
    ...noRoles,
    ...noPartners,
    ...noKeyManagement,
    listUsers: forbidden,
    exportUsers: forbidden,
    checkImport: forbidden,
    importUsers: forbidden,
    listEnding: forbidden,
    extendUser: forbidden,
    liftSuspension: forbidden,
    listRequests: forbidden,
    approveRequests: forbidden,
    refuseRequests: forbidden,
    listRequestsOfUser: forbidden,
    listPartnersOfAffiliation: forbidden,
    listRoles: forbidden,
    registerUser: [400, 'FUNCTION_DENIED'],
  },
}

/** Shrinks with every issue. */
const NOT_BUILT: string[] = []

/** The calls that every client may count on. */
const SPEC_PATHS = [
  '/stm/v1/login',
  '/stm/v1/logout',
  '/stm/v1/check/id',
  '/stm/v1/email/certify',
  '/stm/v1/signup',
  '/stm/v1/find/id',
  '/stm/v1/reset/password',
  '/stm/v1/check/password',
  '/stm/v1/set/password',
  '/stm/v1/users',
  '/stm/v1/user',
  '/stm/v1/upd/user',
  '/stm/v1/del/user',
  '/stm/v1/ins/user',
  '/cm/v1/codes',
  '/cm/v1/header',
  '/cm/v1/powerCodes',
  '/cm/v1/chk/authority',
  '/cm/v1/get/authority',
  '/pid/v1/get/Partner/from/belongto',
  '/bmt/v1/get/noticeList',
  '/bmt/v1/get/noticeInfo',
  '/bmt/v1/ins/noticeInfo',
  '/bmt/v1/upd/noticeInfo',
  '/bmt/v1/del/noticeInfo',
  '/bmt/v1/ins/fileInfo',
  '/bmt/v1/del/fileInfo',
  '/bmt/v1/dwn/fileInfo',
  '/kmn/v1/get/KeyList',
  '/kmn/v1/get/SidoList',
  '/kmn/v1/get/SigunguList',
  '/pid/v1/get/SidoList',
  '/pid/v1/get/SigunguList',
  '/pid/v1/chk/PartnerInfo',
  '/pid/v1/ins/PartnerInfo',
  '/pid/v1/get/PartnerInfo',
  '/pid/v1/upd/PartnerInfo',
  '/pid/v1/del/PartnerInfo',
  '/pid/v1/get/PartnerList',
]

/**
 * What came later: my devices, requests for approval, validity and roles,
 * who has read a notice, uploads that resume, links to download, issuing keys.
 */
const ADDED_PATHS = [
  '/stm/v1/get/sessions',
  '/stm/v1/del/sessions',
  '/stm/v1/exp/users',
  '/kmn/v1/exp/KeyList',
  '/pid/v1/exp/PartnerList',
  '/stm/v1/chk/import',
  '/stm/v1/ins/import',
  '/stm/v1/get/approvals',
  '/stm/v1/upd/approve',
  '/stm/v1/upd/refuse',
  '/stm/v1/get/approvalHistory',
  '/bmt/v1/ins/noticeRead',
  '/bmt/v1/get/noticeUnread',
  '/bmt/v1/ins/noticeReminder',
  '/bmt/v1/ins/uploadInfo',
  '/bmt/v1/upd/uploadInfo',
  '/bmt/v1/del/uploadInfo',
  '/bmt/v1/dwn/linkInfo',
  '/stm/v1/get/endings',
  '/stm/v1/ext/user',
  '/stm/v1/lft/user',
  '/cm/v1/chk/session',
  '/rol/v1/get/roles',
  '/rol/v1/ins/role',
  '/rol/v1/upd/role',
  '/rol/v1/del/role',
  '/rol/v1/ins/function',
  '/rol/v1/del/function',
  '/rol/v1/get/changes',
  '/kmn/v1/ins/Key',
  '/kmn/v1/del/Key',
  '/kmn/v1/chk/Key',
  '/kmn/v1/get/KeyStatistics',
  '/kmn/v1/get/PartnerUsage',
  '/kmn/v1/get/ServiceList',
  '/kmn/v1/ins/Service',
  '/kmn/v1/del/Service',
]
