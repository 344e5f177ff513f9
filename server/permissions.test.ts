import { beforeAll, describe, expect, test } from 'vitest'
import { getAuthority } from '../contract/common.ts'
import { endpoints } from '../contract/index.ts'
import { FUNCTIONS, POWERS } from '../contract/permissions.ts'
import { permissionTable } from './cli/permissions/table.ts'
import { type Answer, useMaru } from './test-kit/maru.ts'
import type { TestUser } from './test-kit/people.ts'
import { SAMPLE, sampleOf } from './test-kit/samples.ts'

/*
 * Who may do what, written down by hand, and every role against every call on the real server. A call that
 * is new fails here until somebody has said who may make it; then `npm run permissions -- --write`.
 */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

const ROLES = ['user', 'hr', 'admin'] as const
const CODE = { user: 'AUT003', hr: 'AUT002', admin: 'AUT001' } as const

/** [what, who: no session / 일반 사용자 / 인사 관리자 / 관리자, calls]: y(es), o(wn record), n(o). */
const DECISIONS: readonly (readonly [row: string, who: string, calls: string])[] = [
  ['no session', 'yyyy', 'login checkId certifyEmail signUp findId resetPassword listCodes'],
  ['own page', 'nyyy', 'logout checkPassword setPassword listSessions endOtherSessions'],
  ['own page; users: detail, edit, approve, withdraw', 'noyy', 'getUser updateUser withdrawUser'],
  ['users: search', 'nnyy', 'listUsers exportUsers listPartnersOfAffiliation listRoles'],
  ['users: approve', 'nnyy', 'listRequests approveRequests refuseRequests listRequestsOfUser'],
  ['users: register', 'nnyy', 'registerUser checkImport importUsers'],
  ['users: validity', 'nnyy', 'listEnding extendUser liftSuspension'],
  ['who I am', 'nyyy', 'listMenus checkFunction checkSession getAuthority'],
  ['notices: read, write', 'nyyy', 'listNotices getNotice createNotice confirmNotice downloadFile linkFile'],
  ['notices: own uploads', 'nyyy', 'cancelUpload'],
  [
    "notices: edit and delete own / others'",
    'noyy',
    'updateNotice deleteNotice listUnread remindUnread uploadFile beginUpload finishUpload deleteFile',
  ],
  ['key history', 'nyyy', 'listKeys exportKeys listKeyProvinces listKeyDistricts getKeyStatistics'],
  ['own keys', 'nyyy', 'issueKey'],
  ['services prove themselves', 'nnnn', 'verifyKey'],
  ['services', 'nnny', 'listServices createService revokeService'],
  [
    'partners',
    'nnny',
    `listPartners exportPartners getPartner createPartner updatePartner deletePartner checkPartnerCode listPartnerProvinces
      listPartnerDistricts revokeKey getPartnerUsage`,
  ],
  [
    'roles',
    'nnny',
    'listRolesWithFunctions createRole renameRole removeRole grantFunction revokeFunction listRoleChanges',
  ],
]

const LETTERS: Record<string, 'may' | 'own' | 'no'> = { y: 'may', o: 'own', n: 'no' }
const decided = new Map(
  DECISIONS.flatMap(([, who, calls]) =>
    calls.split(/\s+/).map((name) => [name, Array.from(who, (letter) => LETTERS[letter])] as const),
  ),
)

beforeAll(async () => {
  await maru.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
})

/** What the samples name is there again, and somebody else's. */
async function restore(): Promise<void> {
  await sql(`update users set withdrawn_at = null, role_code = 'AUT003' where login_id = $1`, [SAMPLE.userId])
  await sql(
    `insert into notices (id, bullet_code, title, must_read, author_id) overriding system value
      select 1, 'BE0001', '남의 글', true, id from users where login_id = $1 on conflict do nothing`,
    [SAMPLE.userId],
  )
}

type Entry = (typeof endpoints)[number]
function call(entry: Entry, session: string | undefined): Promise<Answer> {
  // What it denies is its answer to everybody who may ask: asked about what every role holds.
  const change = entry.name === 'checkFunction' ? { functionName: 'autho_key_search' } : {}
  return maru.callRaw(entry.endpoint.path, { ...sampleOf(entry), ...change }, { session })
}

/** What an answer says of the right to make the call, whatever else it says. */
function verdict({ status, code }: Answer): '401' | '403' | '400 FUNCTION_DENIED' | 'allowed' {
  if (status === 401) return '401'
  if (status === 403) return '403'
  return code === 'FUNCTION_DENIED' && status === 400 ? '400 FUNCTION_DENIED' : 'allowed'
}

describe('who may do what (rules/roles#deny-by-default, rules/roles#built-in-roles)', () => {
  test('has every call of the contract once', () => {
    expect([...decided.keys()].toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted())
  })

  test('is what the contract says, and docs/permissions.md with it', () => {
    for (const { name, nobody, roles } of permissionTable()) {
      expect
        .soft([name, nobody, ...ROLES.map((role) => roles[CODE[role]])])
        .toEqual([name, ...(decided.get(name) ?? [])])
    }
  })

  test('without a session the server refuses what it says, and nothing else', async () => {
    for (const entry of endpoints) {
      const answer = await call(entry, undefined)
      const isOpen = decided.get(entry.name)?.[0] === 'may'
      expect.soft([entry.name, verdict(answer)]).toEqual([entry.name, isOpen ? 'allowed' : '401'])
    }
  })

  test.each(ROLES)('as %s the server refuses what it says, and nothing else', async (role) => {
    for (const entry of endpoints) {
      await restore()
      const { session } = await maru.createUser({ role })
      const decision = decided.get(entry.name)?.[1 + ROLES.indexOf(role)]
      const seen = verdict(await call(entry, session))
      expect
        .soft([entry.name, seen], `${entry.name} as ${role}`)
        .toEqual([entry.name, expected(entry, decision)])
    }
  })

  test('own: the own record is not refused', async () => {
    const own = [...decided].filter(([, [, user]]) => user === 'own').map(([name]) => name)
    expect(own.length).toBeGreaterThan(5)
    for (const entry of endpoints.filter(({ name }) => own.includes(name))) {
      const { session, id, userId, email } = await maru.createUser()
      const { rows } = await sql(
        `insert into notices (bullet_code, title, author_id) values ('BE0001', '내 글', $1) returning id`,
        [id],
      )
      const answer = await maru.callRaw(
        entry.endpoint.path,
        ownInput(entry, { userId, email, notice: rows[0].id }),
        {
          session,
        },
      )
      expect.soft([entry.name, verdict(answer)]).toEqual([entry.name, 'allowed'])
    }
  })
})

/** A refusal by record comes only where the record is there to be looked at. */
const WITHOUT_RECORD = ['finishUpload', 'uploadFile']

function expected({ name, endpoint }: Entry, decision: string | undefined): string {
  if (decision === 'may') return 'allowed'
  if (endpoint.access === 'service') return '401'
  if (decision === 'own') return WITHOUT_RECORD.includes(name) ? 'allowed' : '403'
  return name === 'registerUser' ? '400 FUNCTION_DENIED' : '403'
}

function ownInput(entry: Entry, own: { userId: string; email: string; notice: string }): object {
  const sample = sampleOf(entry)
  if (entry.name === 'getUser') return { userId: '' }
  if (entry.name === 'withdrawUser') return { userId: own.userId }
  if (entry.name === 'updateUser') {
    const { affiliationCode, position, name, phoneNumber } = sample
    const basic = { affiliationCode, position, name, phoneNumber, email: own.email }
    return { originalUserId: own.userId, userId: own.userId, ...basic }
  }
  return 'noticeId' in sample ? { ...sample, noticeId: own.notice } : sample
}

/** Everything that gives or takes rights or access, of everybody but the one who acts. */
async function rightsOf(person: TestUser, others: readonly string[]): Promise<unknown> {
  const users = await sql(
    `select login_id, role_code, approval_code, valid_from, valid_to, withdrawn_at, suspended_at, password_hash
      from users where id = any ($1) order by id`,
    [others],
  )
  const own = await sql(
    'select role_code, approval_code, valid_from, valid_to, suspended_at from users where id = $1',
    [person.id],
  )
  const roles = await sql('select * from role_functions order by 1, 2')
  return [users.rows, own.rows, roles.rows]
}

/** The sample of a call, bent to be about this user, this role and, where a role is granted, that one. */
function about(entry: Entry, of: TestUser, role: string): object {
  const ids: Record<string, unknown> = {
    userId: of.userId,
    originalUserId: of.userId,
    email: of.email,
    roleCode: role,
    functionName: 'autho_admin_manage',
    USER_IDS: [of.userId],
  }
  const sample = sampleOf(entry)
  const bent = Object.fromEntries(Object.keys(sample).map((name) => [name, ids[name] ?? sample[name]]))
  // Without a version, which is nobody's: it must not be that which refuses.
  if ('version' in bent && entry.domain === 'users') delete bent['version']
  return bent
}

let made = 0

// A way to an account that needs no rights, but a code from its mailbox.
const walked = endpoints.filter(({ endpoint }) => endpoint.access !== 'public')

describe('who is not meant to cannot, by any call', () => {
  test('인사 관리자 neither reaches nor grants nor touches 관리자, nor a role with a power that HR lacks', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    await maru.createPartner({ code: SAMPLE.partner })
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT901', '부관리자', 'Deputy', 9)`,
    )
    await sql(`insert into role_functions values ('AUT901', 'autho_role_manage')`)
    const [boss, deputy] = [await maru.createUser({ role: 'admin' }), await maru.createUser()]
    await sql(`update users set role_code = 'AUT901' where id = $1`, [deputy.id])
    await sql('update sessions set password_checked_at = now() where user_id = $1', [hr.id])
    const others = (await sql('select id from users where id <> $1 order by id', [hr.id])).rows.map(
      ({ id }) => id,
    )
    const before = await rightsOf(hr, [boss.id, deputy.id])
    const grants = await sql(`select count(*)::int as n from users where role_code in ('AUT001', 'AUT901')`)
    for (const of of [boss, deputy]) {
      for (const role of ['AUT001', 'AUT901']) {
        for (const entry of walked.filter(({ name }) => name !== 'logout')) {
          const answer = await maru.callRaw(entry.endpoint.path, about(entry, of, role), hr)
          const isAbout = Object.values(about(entry, of, role))
            .flat()
            .includes(of.userId)
          if (isAbout && ['users', 'approvals'].includes(entry.domain)) {
            expect.soft([entry.name, answer.status]).not.toEqual([entry.name, 200])
          }
          expect.soft(answer.raw, entry.name).not.toContain(of.email)
        }
        // The samples themselves, with the role that is out of reach.
        for (const entry of walked.filter(({ name }) =>
          /^(updateUser|registerUser|approveRequests)$/.test(name),
        )) {
          const sample = sampleOf(entry)
          const input = 'roleCode' in sample ? { ...sample, roleCode: role, version: undefined } : sample
          const answer = await maru.callRaw(entry.endpoint.path, JSON.parse(JSON.stringify(input)), hr)
          expect.soft([entry.name, answer.status]).not.toEqual([entry.name, 200])
        }
      }
    }
    expect(await rightsOf(hr, [boss.id, deputy.id])).toEqual(before)
    expect(
      (await sql(`select count(*)::int as n from users where role_code in ('AUT001', 'AUT901')`)).rows,
    ).toEqual(grants.rows)
    expect(others.length).toBeGreaterThan(2)
  })

  test.each([
    ['일반 사용자', ['autho_key_search']],
    ['인사 관리자', ['autho_user_manage', 'autho_user_insert', 'autho_notice_manage', 'autho_key_search']],
    ['권한 담당', ['autho_role_manage', 'autho_key_search']],
    ['사용자와 권한 담당', ['autho_role_manage', 'autho_user_manage']],
  ] as const)('as %s nobody raises the own rights, by any call, for any function', async (_, functions) => {
    made += 1
    const role = `AUT${920 + made}`
    await sql(`insert into roles (code, group_name, name_en, sort_order) values ($1, $1, $1, 9)`, [role])
    for (const name of functions) await sql('insert into role_functions values ($1, $2)', [role, name])
    const person = await maru.createUser()
    await sql('update users set role_code = $2 where id = $1', [person.id, role])
    await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
    const allowed = [...functions].toSorted()
    for (const entry of walked.filter(
      ({ name }) => !['logout', 'withdrawUser', 'setPassword'].includes(name),
    )) {
      for (const target of [role, 'AUT001', 'AUT002', 'AUT003']) {
        for (const functionName of 'functionName' in sampleOf(entry) ? FUNCTIONS : [POWERS[0]]) {
          const input: Record<string, unknown> = { ...about(entry, person, target) }
          if ('functionName' in input) input['functionName'] = functionName
          // What may be taken from the own role is no raise; it would only end the walk.
          if (entry.name === 'revokeFunction' && target === role) continue
          await maru.callRaw(entry.endpoint.path, input, person)
        }
      }
    }
    const { data } = await maru.call(getAuthority, {}, person)
    expect(data.functions.toSorted()).toEqual(allowed)
    expect((await sql('select role_code from users where id = $1', [person.id])).rows[0].role_code).toBe(role)
  })
})
