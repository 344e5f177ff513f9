import { beforeAll, describe, expect, test } from 'vitest'
import { getAuthority } from '../contract/common.ts'
import { endpoints } from '../contract/index.ts'
import { countUnreadNotifications, readNotifications } from '../contract/notifications.ts'
import { type FunctionName, FUNCTIONS, ROLE } from '../contract/permissions.ts'
import { BULK_ACTIONS, BULK_CHANGES, previewBulk, removeSearch, renameSearch } from '../contract/users.ts'
import { decisionOf, permissionsText, permissionTable } from './cli/permissions/table.ts'
import { type Answer, useMaru } from '../dev/test-kit/maru.ts'
import type { TestUser } from '../dev/test-kit/people.ts'
import { SAMPLE, sampleOf } from '../dev/test-kit/samples.ts'

/* Tests the permissions: every role against every call of the contract, on the real server. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

const ROLES = ['user', 'hr', 'admin'] as const

/** Permissions per call as the contract declares them; docs/rules.test.ts compares them with the rules. */
const table = new Map(permissionTable().map((row) => [row.path, row]))

beforeAll(async () => {
  await maru.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
})

/** Whether a call was answered since what the samples name was made: only that takes it away. */
let isToRestore = true

/** Restores the records that the samples name; they belong to another user. */
async function restore(): Promise<void> {
  if (!isToRestore) return
  isToRestore = false
  await sql(`update users set withdrawn_at = null, role_code = 'AUT003' where login_id = $1`, [SAMPLE.userId])
  await sql(
    `insert into notices (id, bullet_code, title, must_read, author_id) overriding system value
      select 1, 'BE0001', '남의 글', true, id from users where login_id = $1 on conflict do nothing`,
    [SAMPLE.userId],
  )
  // Past the number that is given here.
  await sql(`select nextval(pg_get_serial_sequence('notice_comments', 'id'))`)
  await sql(
    `insert into notice_comments (id, notice_id, author_id, body) overriding system value
      select 1, 1, id, '남의 댓글' from users where login_id = $1 on conflict do nothing`,
    [SAMPLE.userId],
  )
}

type Entry = (typeof endpoints)[number]
async function call(entry: Entry, session: string | undefined, more: object = {}): Promise<Answer> {
  // `checkFunction` returns a denied permission as its result, so ask about one that every role has.
  const change = entry.name === 'checkFunction' ? { functionName: 'autho_key_search' } : {}
  const sample = sampleOf(entry)
  const fitting = Object.entries(more).filter(([name]) => name in sample)
  const input = { ...sample, ...change, ...Object.fromEntries(fitting) }
  const answer = await maru.callRaw(entry.endpoint.path, input, { session })
  if (answer.status === 200) isToRestore = true
  return answer
}

/** The functions of which a call needs one, for itself or for the records of others. */
const functionsOf = ({ access, others = [] }: Entry['endpoint']): readonly FunctionName[] =>
  typeof access === 'object' ? access.function : others

const HISTORY_OF: Partial<Record<FunctionName, string>> = {
  autho_partner_search: 'partner',
  autho_notice_manage: 'notice',
  autho_role_manage: 'role',
  autho_setting_manage: 'affiliation',
}

/** Picks the record kind that a permission is about; a call about permissions gets one that may be granted. */
const askedBy = ([name = 'autho_user_manage']: readonly FunctionName[]) => ({
  recordKind: HISTORY_OF[name] ?? 'user',
  functionName: name,
})

/** Returns whether the caller may make the call, ignoring the rest of the answer. */
function verdict({ status, code }: Answer): '401' | '403' | '400 FUNCTION_DENIED' | 'allowed' {
  if (status === 401) return '401'
  if (status === 403) return '403'
  return code === 'FUNCTION_DENIED' && status === 400 ? '400 FUNCTION_DENIED' : 'allowed'
}

describe('who may do what (rules/roles#deny-by-default, rules/roles#built-in-roles)', () => {
  test('prints a line for every call in the table', () => {
    const lines = [...permissionsText().matchAll(/^\| `(.+?)` \|/gm)].map(([, path = '']) => path)
    expect(lines.toSorted()).toEqual(endpoints.map(({ endpoint }) => endpoint.path).toSorted())
  })

  test('refuses without a session exactly what the contract says', async () => {
    for (const entry of endpoints) {
      const answer = await call(entry, undefined)
      const isOpen = table.get(entry.endpoint.path)?.nobody === 'may'
      expect.soft([entry.name, verdict(answer)]).toEqual([entry.name, isOpen ? 'allowed' : '401'])
    }
  })

  test.each(ROLES)('as %s the server refuses exactly what the contract says', async (role) => {
    let { session } = await maru.createUser({ role })
    for (const entry of endpoints) {
      // A call that is answered may end the session.
      if (isToRestore) session = (await maru.createUser({ role })).session
      await restore()
      const decision = table.get(entry.endpoint.path)?.roles[ROLE[role]]
      const seen = verdict(await call(entry, session))
      expect
        .soft([entry.name, seen], `${entry.name} as ${role}`)
        .toEqual([entry.name, expected(entry, decision)])
    }
  })

  test('allows a role with one permission exactly that, and one with all others the rest', async () => {
    await sql(`insert into roles (code, group_name, name_en, sort_order) values ('AUT910', '하나', 'One', 9)`)
    const groups = Map.groupBy(endpoints, ({ endpoint }) => functionsOf(endpoint).join())
    for (const [names, entries] of groups) {
      const needed = FUNCTIONS.filter((name) => names.split(',').includes(name))
      if (needed.length === 0) continue
      const others = FUNCTIONS.filter((name) => !needed.includes(name))
      for (const held of [...needed.map((name) => [name]), others]) {
        const { id, session } = await maru.createUser()
        await sql(`update users set role_code = 'AUT910' where id = $1`, [id])
        await sql(`delete from role_functions where role_code = 'AUT910'`)
        await sql(`insert into role_functions select 'AUT910', unnest($1::text[])`, [held])
        for (const entry of entries) {
          await restore()
          const seen = verdict(await call(entry, session, askedBy(held)))
          const wanted = expected(entry, decisionOf(entry.endpoint, held))
          expect.soft([entry.name, held, seen]).toEqual([entry.name, held, wanted])
        }
      }
    }
  })

  test("allows calls about the caller's own record", async () => {
    const own = endpoints.filter(({ endpoint }) => table.get(endpoint.path)?.roles[ROLE.user] === 'own')
    expect(own.length).toBeGreaterThan(5)
    for (const entry of own) {
      const { session, id, userId, email } = await maru.createUser()
      const { rows } = await sql(
        `insert into notices (bullet_code, title, author_id) values ('BE0001', '내 글', $1) returning id`,
        [id],
      )
      const [comment] = (
        await sql(
          `insert into notice_comments (notice_id, author_id, body) values ($1, $2, '내 댓글') returning id`,
          [rows[0].id, id],
        )
      ).rows
      const named = { userId, email, notice: rows[0].id, comment: comment.id }
      const answer = await maru.callRaw(entry.endpoint.path, ownInput(entry, named), {
        session,
      })
      expect.soft([entry.name, verdict(answer)]).toEqual([entry.name, 'allowed'])
    }
  })
})

test("hides a user's saved searches and notifications from every other user", async () => {
  const [person, admin] = [await maru.createUser(), await maru.createUser({ role: 'admin' })]
  const { rows } = await sql(
    `with search as (insert into saved_searches (user_id, list, name, conditions) values ($1, 'users', '내 검색', '{}') returning id),
      news as (insert into notifications (kind, user_id) values ('ACCOUNT_APPROVED', $1) returning id)
      select search.id as "searchId", news.id as "newsId" from search, news`,
    [person.id],
  )
  const { searchId, newsId } = rows[0]
  expect((await maru.call(removeSearch, { searchId }, admin)).code).toBe('SEARCH_NOT_FOUND')
  expect((await maru.call(renameSearch, { searchId, searchName: '남' }, admin)).code).toBe('SEARCH_NOT_FOUND')
  const unread = async () => (await maru.call(countUnreadNotifications, {}, person)).data.unreadCount
  const before = await unread()
  await maru.call(readNotifications, { notificationIds: [newsId] }, admin)
  expect(await unread()).toBe(before)
  await maru.call(readNotifications, { notificationIds: [newsId] }, person)
  expect(await unread()).toBe(before - 1)
})

/** A refusal by record needs an existing record. */
const WITHOUT_RECORD = ['finishUpload', 'uploadFile']

function expected({ name, endpoint }: Entry, decision: string | undefined): string {
  if (decision === 'may') return 'allowed'
  if (endpoint.access === 'service') return '401'
  if (decision === 'own') return WITHOUT_RECORD.includes(name) ? 'allowed' : '403'
  const { access } = endpoint
  return typeof access === 'object' && access.refusal === 'FUNCTION_DENIED' ? '400 FUNCTION_DENIED' : '403'
}

function ownInput(
  entry: Entry,
  own: { userId: string; email: string; notice: string; comment: string },
): object {
  const sample = sampleOf(entry)
  if (entry.name === 'getUser') return { userId: '' }
  if (entry.name === 'withdrawUser') return { userId: own.userId }
  if (entry.name === 'updateUser') {
    const { affiliationCode, position, name, phoneNumber } = sample
    const basic = { affiliationCode, position, name, phoneNumber, email: own.email }
    return { originalUserId: own.userId, userId: own.userId, ...basic }
  }
  if ('commentId' in sample) return { ...sample, commentId: own.comment }
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
function about(entry: Entry, of: TestUser, role: string): Record<string, unknown> {
  const ids: Record<string, unknown> = {
    userId: of.userId,
    originalUserId: of.userId,
    email: of.email,
    roleCode: role,
    functionName: 'autho_admin_manage',
    userIds: [of.userId],
  }
  const sample = sampleOf(entry)
  const bent = Object.fromEntries(Object.keys(sample).map((name) => [name, ids[name] ?? sample[name]]))
  // A bulk call takes either user IDs or a search.
  if ('userIds' in bent) delete bent['found']
  // Omit the version, since no record has it: a stale version must not be the reason for the refusal. The versions of
  // bulk calls are tested below.
  else if ('version' in bent && entry.domain === 'users') delete bent['version']
  return bent
}

/** Sends an input as it is bent, a change of many people with the version that its preview gives. */
async function send(entry: Entry, input: Record<string, unknown>, by: TestUser): Promise<Answer> {
  const bulkAction = BULK_ACTIONS.find((action) => BULK_CHANGES[action].path === entry.endpoint.path)
  if (bulkAction === undefined) return maru.callRaw(entry.endpoint.path, input, by)
  const fields = ['userIds', 'except', 'validTo', 'roleCode', 'affiliationCode', 'partnerCode', 'teamId']
  const asked = Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name)))
  const preview = await maru.callRaw(previewBulk.path, { ...asked, bulkAction }, by)
  const { version = input['version'] } = (preview.data ?? {}) as { version?: string }
  return maru.callRaw(entry.endpoint.path, { ...input, version }, by)
}

/** The different ones of these inputs: to most calls it is all the same which role a sample is bent to. */
const different = <T>(inputs: readonly T[]): T[] => [
  ...new Map(inputs.map((input) => [JSON.stringify(input), input])).values(),
]

let made = 0

// A way to an account that needs no rights, but a code from its mailbox.
const walked = endpoints.filter(({ endpoint }) => endpoint.access !== 'public')

describe('no call lets anybody exceed their rights', () => {
  test('keeps 인사 관리자 from reaching, granting or changing 관리자 or a stronger role', async () => {
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
    const ranks = ['AUT001', 'AUT901']
    for (const of of [boss, deputy]) {
      for (const entry of walked.filter(({ name }) => name !== 'logout')) {
        for (const input of different(ranks.map((role) => about(entry, of, role)))) {
          const answer = await send(entry, input, hr)
          const isAbout = Object.values(input).flat().includes(of.userId) && entry.name !== 'previewBulk'
          if (isAbout && ['users', 'approvals'].includes(entry.domain)) {
            expect.soft([entry.name, answer.status]).not.toEqual([entry.name, 200])
          }
          expect.soft(answer.raw, entry.name).not.toContain(of.email)
        }
      }
      for (const role of ranks) {
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
  ] as const)('as %s nobody raises their own rights, for any function', async (_, functions) => {
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
      // Revoking a permission from the caller's own role raises no privilege; it would only end this loop.
      const targets = ['AUT001', 'AUT002', 'AUT003', ...(entry.name === 'revokeFunction' ? [] : [role])]
      const inputs = targets.flatMap((target) => {
        const input = about(entry, person, target)
        return 'functionName' in input
          ? FUNCTIONS.map((functionName) => ({ ...input, functionName }))
          : [input]
      })
      for (const input of different(inputs)) await send(entry, input, person)
    }
    const { data } = await maru.call(getAuthority, {}, person)
    expect(data.functions.toSorted()).toEqual(allowed)
    expect((await sql('select role_code from users where id = $1', [person.id])).rows[0].role_code).toBe(role)
  })
})
