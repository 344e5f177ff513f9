import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'
import { previewBulk } from '../contract/users.ts'
import { checkUpdates } from '../contract/users/import-update.ts'
import { type Answer, PASSWORD, useMaru } from '../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../dev/test-kit/people.ts'
import { fieldsOf, SAMPLE, sampleOf } from '../dev/test-kit/samples.ts'

/*
 * Every call that is about a person, by every role, about oneself, another, somebody above and somebody withdrawn
 * (rules/roles#reach, rules/roles#own-account). Calls that are about no person's record: permissions.test.ts.
 */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Input fields that name a user. The fields below name other records. */
const NAMES_A_PERSON = ['userId', 'originalUserId', 'userIds', 'requests', 'recordId']

/**
 * Fields tested elsewhere: those of the board (notice-access.test.ts), records that only their user sees or that have no
 * owner (permissions.test.ts), teams (teams/teams.test.ts), webhooks (events/webhooks.test.ts), program accounts
 * (keys/program-accounts.test.ts), and tokens and adoptions of providers (scim/manage.test.ts).
 */
const NAMES_ELSE =
  'searchId notificationIds noticeId commentId answeredId mentionId mentionIds uploadId fileId replacesFileId loginId keyId keyIds serviceId programId passkeyId accessId findingIds sessionId itemId itemIds resetId teamId otherTeamIds parentId auditId deviceId webhookId eventId afterId providerId clientId matchedId incidentId leakSearchId accountId tokenId candidateIds'.split(
    ' ',
  )

/** Calls whose user ID is of a future user or is only claimed: it gives no access to a record. */
const SAYS_AN_ID =
  'certifyEmail, checkId, resetPassword, signUp, checkImport, importUsers, registerUser'.split(', ')

/** Calls whose user ID is a filter; keys/history.test.ts tests which keys a caller finds (rules/keys#own-keys). */
const FILTERS_BY_ID = ['exportKeys', 'getKeyStatistics', 'listKeys']

const CUSTOM = 'AUT950'
const ACTORS = ['user', 'hr', 'admin', 'custom'] as const
const WHOSE = ['own', 'other', 'above', 'withdrawn'] as const
type Who = (typeof ACTORS)[number]
type Whose = (typeof WHOSE)[number]

/** Role that holds a privileged permission which the actor lacks; no role is above 관리자. */
const ABOVE: Record<Who, NewUser['role'] | undefined> = {
  user: 'hr',
  custom: 'hr',
  hr: 'admin',
  admin: undefined,
}

/** A call about a person. */
interface About {
  /** User to create, so that the call applies to them. */
  user?: NewUser
  before?: (of: TestUser) => Promise<unknown>
  /** True if the users that the call applies to have no session. */
  hasNoSession?: true
  input: (of: TestUser, actor: TestUser) => object | Promise<object>
  /** True if the call applies to withdrawn accounts only. */
  ofWithdrawn?: true
  /** Unusual answers to a caller who administers users. */
  answers?: Partial<Record<Whose, string>>
  /** Returns the outcome of an answer that is not a refusal, if that is not `done`. */
  says?: (data: never) => string
  /** True if every user may make the call about themselves. */
  ofOneself?: true
  /** True if every user may make the call about every user. */
  ofEverybody?: true
}

const USUAL: Record<Whose, string> = {
  own: '403 FORBIDDEN',
  other: 'done',
  above: '403 FORBIDDEN',
  withdrawn: '400 USER_NOT_FOUND',
}

const named = (more: object = {}) => ({ input: ({ userId }: TestUser) => ({ userId, ...more }) })

/** The version that a dry run answered; of a refused one any. */
const versionOf = (data: unknown) => (data as { version?: string } | undefined)?.version ?? 'A'.repeat(22)

/** A change of many, with the version that its preview answers. */
function ofMany(bulkAction: string, more: object = {}, asked: object = more): About {
  return {
    input: async ({ userId }, actor) => {
      const chosen = { userIds: [userId] }
      const { data } = await maru.callRaw(previewBulk.path, { ...chosen, bulkAction, ...asked }, actor)
      return { ...chosen, ...more, version: versionOf(data) }
    },
    answers: { own: '400 BULK_NOBODY', above: '400 BULK_NOBODY', withdrawn: '400 BULK_NOBODY' },
  }
}

const column = (set: string) => ({
  before: ({ id }: TestUser) => sql(`update users set ${set} where id = $1`, [id]),
})
const invitation = ({ id }: TestUser) =>
  sql(
    `insert into account_links (token_hash, user_id, kind, expires_at)
      values (sha256(random()::text::bytea), $1, 'INVITATION', now() + interval '1 day')`,
    [id],
  )
const suspended = { ...column(`suspended_at = now(), suspended_for = 'LEAVE'`), hasNoSession: true as const }

/** Describes a call about an approval request of either kind. */
function ofRequest(kind: 'account' | 'affiliation', more: object): About {
  return {
    ...(kind === 'account' && { user: { asked: true } }),
    before: ({ id, userId, email }) =>
      sql(
        `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
          values ($1, $2, '-', $3, 'BEL001', $4, case when $4 = 'affiliation' then 'BEL002' end) on conflict do nothing`,
        [id, userId, email, kind],
      ),
    input: async ({ id }) => {
      const rows = await sql(`select id from approval_requests where user_id = $1 and state = 'waiting'`, [
        id,
      ])
      return { requests: rows.map((row) => row.id), ...more }
    },
    answers: { withdrawn: '400 REQUEST_DECIDED' },
  }
}

const withFactor = ({ id }: Pick<TestUser, 'id'>) =>
  sql(
    `insert into totp_secrets (user_id, sealed, last_step, created_at) values ($1, '', 0, now() - interval '4 days') on conflict do nothing`,
    [id],
  )

async function gaveFactor(person: TestUser): Promise<void> {
  await withFactor(person)
  await sql(
    `update sessions set factor_checked_at = now(), factor_checked_by = 'TOTP', factor_made_at = now() - interval '4 days' where user_id = $1`,
    [person.id],
  )
}

/** Describes a call about a reset of a user's second factors that another administrator requested. */
function ofReset(more: object, answers: About['answers'] = {}): About {
  return {
    async before(person) {
      await withFactor(person)
      const { id } = await maru.createUser({ role: 'admin' })
      await withFactor({ id })
      await sql(`insert into factor_resets (user_id, asked_by, reason) values ($1, $2, '-')`, [person.id, id])
    },
    async input({ id, userId }) {
      const [reset] = await sql('select max(id)::text as id from factor_resets where user_id = $1', [id])
      return { userId, resetId: reset?.id, ...more }
    },
    answers,
  }
}

const row = ({ userId }: TestUser) => ({ rows: [{ userId, position: '과장' }] })
const nothing = { own: '400 IMPORT_INVALID', above: '400 IMPORT_INVALID', withdrawn: '400 IMPORT_INVALID' }
const partners = (affiliationCode: string, partnerCode: string) => [{ affiliationCode, partnerCode }]
const span = { validFrom: '2026-01-01', validTo: '2099-12-31' }

const CALLS: Record<string, About> = {
  getColleague: {
    ...named(),
    ofEverybody: true,
    answers: { own: 'done', above: 'done', withdrawn: 'nothing' },
    says: ({ state }: { state: string }) => (state === 'PRESENT' ? 'done' : 'nothing'),
  },
  getUser: { ...named(), answers: { own: 'done' }, ofOneself: true },
  updateUser: {
    input: ({ userId, email }) => ({
      originalUserId: userId,
      userId,
      email,
      affiliationCode: 'BEL001',
      name: '바뀐이름',
      position: '과장',
      phoneNumber: '01055556666',
    }),
    answers: { own: 'done' },
    ofOneself: true,
  },
  withdrawUser: { ...named(), answers: { own: 'done' }, ofOneself: true },
  listUserSessions: named(),
  endUserSession: {
    async input({ id, userId }) {
      const [session] = await sql('select id from sessions where user_id = $1 limit 1', [id])
      return { userId, sessionId: session?.id }
    },
  },
  getFactorReset: named(),
  askFactorReset: { ...named({ reason: '분실' }), before: withFactor },
  withdrawFactorReset: ofReset({}, { other: '400 RESET_NOT_OWN' }),
  confirmFactorReset: ofReset({}),
  refuseFactorReset: ofReset({ reason: '본인이 아님' }),
  endUserSessions: named(),
  extendUser: {
    ...named({ validTo: '2099-01-01', extendTo: '2099-12-31' }),
    user: { validTo: '2099-01-01' },
  },
  inviteUser: { ...named(), before: invitation },
  countBelongings: named(),
  liftSuspension: { ...named(), ...suspended },
  removeUser: { ...named(), user: { approved: false } },
  requestEmail: { input: ({ userId }) => ({ userId, email: `new.${userId}@example.com` }) },
  resetUser: named(),
  suspendUser: named({ suspendedFor: 'LEAVE' }),
  unlockUser: {
    ...named(),
    before: ({ userId }) =>
      sql('insert into login_failures (login_id, failures, last_failed_at) values ($1, 5, now())', [userId]),
  },
  getWithdrawn: { ...named(), ofWithdrawn: true, answers: { own: '400 USER_NOT_FOUND' } },
  restoreUser: { ...named(), ofWithdrawn: true, answers: { own: '400 USER_NOT_FOUND' } },
  previewBulk: {
    input: ({ userId }) => ({ userIds: [userId], bulkAction: 'suspend' }),
    answers: { own: 'nobody', above: 'nobody', withdrawn: 'nobody' },
    says: ({ userCount }: { userCount: number }) => (userCount === 0 ? 'nobody' : 'done'),
  },
  changeRoles: { ...ofMany('role', { roleCode: CUSTOM }), user: {} },
  extendUsers: { ...ofMany('extend', { validTo: '2099-12-31' }), user: { validTo: '2099-01-01' } },
  moveUsers: ofMany('move', { affiliationCode: 'BEL002', partnerCode: 'RECORDS-2' }),
  changeMainTeams: {
    ...ofMany('team', { teamId: '9001' }),
    before: () =>
      sql(
        `insert into teams (id, affiliation_code, name, name_en) overriding system value values (9001, 'BEL001', '합류팀', '') on conflict do nothing`,
      ),
  },
  suspendUsers: ofMany('suspend', { suspendedFor: 'LEAVE' }, {}),
  withdrawUsers: ofMany('withdraw'),
  liftUsers: { ...ofMany('lift'), ...suspended },
  inviteUsers: { ...ofMany('invite'), before: invitation },
  restoreUsers: { ...ofMany('restore'), ofWithdrawn: true },
  checkUpdates: {
    input: row,
    answers: nothing,
    says: ({ errorCount }: { errorCount: number }) => (errorCount > 0 ? '400 IMPORT_INVALID' : 'done'),
  },
  updateByImport: {
    input: async (of, actor) => {
      const { data } = await maru.callRaw(checkUpdates.path, row(of), actor)
      return { ...row(of), version: versionOf(data), managerPassword: PASSWORD }
    },
    answers: nothing,
  },
  approveRequests: ofRequest('account', {
    ...span,
    roleCode: 'AUT003',
    partners: partners('BEL001', SAMPLE.partner),
  }),
  refuseRequests: ofRequest('account', { reason: '시험' }),
  approveAffiliationChanges: ofRequest('affiliation', { partners: partners('BEL002', 'RECORDS-2') }),
  refuseAffiliationChanges: ofRequest('affiliation', { reason: '시험' }),
  listRequestsOfUser: named(),
  listHistory: {
    input: ({ userId }) => ({ recordKind: 'user', recordId: userId }),
    before: ({ id, userId }) =>
      sql(
        `insert into audit_log (action, target, address, request_id, records)
          values ('user.update', $1, '-', '-', array['user/' || $2::text])`,
        [userId, id],
      ),
    // The list also includes what users may see of themselves and of withdrawn users.
    answers: { own: 'done', above: 'nothing', withdrawn: 'done' },
    says: ({ rows }: { rows: unknown[] }) => (rows.length === 0 ? 'nothing' : 'done'),
  },
}

const entryOf = new Map(endpoints.map((entry) => [entry.name, entry]))

beforeAll(async () => {
  await maru.createPartner({ code: SAMPLE.partner })
  await maru.createPartner({ code: 'RECORDS-2', affiliation: 'BEL002' })
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ($1, '명부 담당', 'Registrar', 9)`,
    [CUSTOM],
  )
  await sql(`insert into role_functions values ($1, 'autho_user_manage')`, [CUSTOM])
  // A withdrawn user does not count as the last one.
  await maru.createUser({ role: 'admin' })
})

async function create(role: Who, user: NewUser = {}): Promise<TestUser> {
  const person = await maru.createUser({ ...user, role: role === 'custom' ? 'user' : role })
  if (role === 'custom') await sql('update users set role_code = $2 where id = $1', [person.id, CUSTOM])
  await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
  return person
}

/** Returns the user that the call is about: the actor, or a new user. */
async function target(call: About, who: Who, whose: Whose, actor: TestUser): Promise<TestUser> {
  const above = ABOVE[who] ?? 'user'
  const of = whose === 'own' ? actor : await create(whose === 'above' ? above : 'user', call.user)
  if (whose !== 'own' || !call.hasNoSession) await call.before?.(of)
  const isWithdrawn = whose !== 'own' && (whose === 'withdrawn') !== (call.ofWithdrawn === true)
  if (isWithdrawn) await sql('update users set withdrawn_at = now() where id = $1', [of.id])
  return of
}

function verdictOf({ status, code, data }: Answer, { says }: About): string {
  if (status !== 200) return `${status} ${code}`
  return says?.(data as never) ?? 'done'
}

function expected(call: About, who: Who, whose: Whose): string {
  if (who === 'user' && !call.ofEverybody) return whose === 'own' && call.ofOneself ? 'done' : '403 FORBIDDEN'
  return call.answers?.[whose] ?? USUAL[whose]
}

/** All that the database says of an account. */
const stateOf = async ({ id }: TestUser) => [
  await sql(`select to_jsonb(u) as it from users u where id = $1`, [id]),
  await sql('select to_jsonb(r) as it from approval_requests r where user_id = $1 order by id', [id]),
  await sql('select count(*) from account_links where user_id = $1', [id]),
]

describe('records of people', () => {
  test('are named by the calls below, and by no other', () => {
    const naming = endpoints
      .filter((entry) => fieldsOf(sampleOf(entry)).some((name) => NAMES_A_PERSON.includes(name)))
      .map(({ name }) => name)
    expect(naming.toSorted()).toEqual([...Object.keys(CALLS), ...SAYS_AN_ID, ...FILTERS_BY_ID].toSorted())
  })

  test('are named by no field that nothing here asks about', () => {
    const ids = endpoints.flatMap((entry) => fieldsOf(sampleOf(entry))).filter((name) => /Ids?$/.test(name))
    const known = [...NAMES_A_PERSON, ...NAMES_ELSE]
    expect([...new Set(ids)].filter((name) => !known.includes(name))).toEqual([])
  })

  test.each(Object.keys(CALLS))(
    '%s: answers every caller about every user as the rules say',
    async (name) => {
      const call = CALLS[name] as About
      const seen: Record<string, string> = {}
      const wanted: Record<string, string> = {}
      const cases = ACTORS.flatMap((who) => WHOSE.map((whose) => [who, whose] as const)).filter(
        // For an ordinary user the target makes no difference if they may not make the call at all.
        ([who, whose]) =>
          (whose !== 'above' || ABOVE[who] !== undefined) &&
          (who !== 'user' || call.ofOneself === true || whose === 'own' || whose === 'other'),
      )
      const look = async ([who, whose]: (typeof cases)[number]) => {
        const actor = await create(who)
        const of = await target(call, who, whose, actor)
        const input = await call.input(of, actor)
        // Both who take part in a reset have just given a second factor.
        if (name.endsWith('FactorReset') && who !== 'user') await gaveFactor(actor)
        const before = await stateOf(of)
        const answer = await maru.callRaw(entryOf.get(name)?.endpoint.path ?? '', input, actor)
        const verdict = verdictOf(answer, call)
        seen[`${who}, ${whose}`] = verdict
        wanted[`${who}, ${whose}`] = expected(call, who, whose)
        if (verdict === 'done') return
        expect(await stateOf(of), `${name} by ${who} of ${whose}`).toEqual(before)
        expect(answer.raw + JSON.stringify(answer.data ?? {})).not.toContain(of.email)
      }
      await Promise.all(cases.map(look))
      expect(seen).toEqual(wanted)
    },
  )
})
