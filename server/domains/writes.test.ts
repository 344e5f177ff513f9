import { expect, test } from 'vitest'
import {
  beginPasskey,
  beginTotp,
  CERTIFY_TYPE,
  confirmPasskey,
  confirmTotp,
  login,
} from '../../contract/account.ts'
import { listAffiliations } from '../../contract/affiliations.ts'
import {
  getInspection,
  getInspectionRules,
  createIncident,
  getIncident,
  getPolicy,
  getReview,
  searchMonth,
  takeRights,
} from '../../contract/audit.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import { listWebhooks } from '../../contract/events.ts'
import { endpoints } from '../../contract/index.ts'
import {
  createAccountToken,
  createProgram,
  createProgramAccount,
  issueKey,
  listProgramAccounts,
} from '../../contract/keys.ts'
import { previewLimits } from '../../contract/partners.ts'
import { createTeam, listTeams } from '../../contract/teams.ts'
import { extendUsers, previewBulk } from '../../contract/users.ts'
import { checkUpdates } from '../../contract/users/import-update.ts'
import { makeCode } from './account/email-verification.ts'
import { type LinkKind, makeLinks } from './account/email-links.ts'
import { createAuthenticator } from '../../dev/test-kit/authenticator.ts'
import { codeAt } from '../../dev/test-kit/factors.ts'
import { sendUpload, writeNotice } from '../../dev/test-kit/files.ts'
import { listMailTemplates } from '../../contract/settings/mail-templates.ts'
import { getPrivacyNotice } from '../../contract/settings/privacy.ts'
import { getRetention } from '../../contract/settings/retention.ts'
import { getSettings } from '../../contract/settings.ts'
import { getSecurity } from '../../contract/settings/security.ts'
import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { type CallOptions, PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../dev/test-kit/people.ts'
import { roundTrips } from '../../dev/test-kit/round-trips.ts'
import { sampleOf } from '../../dev/test-kit/samples.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query<{ id: string }>(text, values)

/** Input that a call needs in addition to its sample, and the caller if that is not the administrator. */
interface Asked {
  input?: object
  by?: TestUser
  /** From where, for a call without a session that was begun there. */
  from?: CallOptions
}

const roleCode = 'AUT950'
const newRole = () =>
  sql(
    `with made as (insert into roles (code, group_name, name_en, sort_order) values ($1, '감사', 'Audit', 950)
       on conflict do nothing) delete from role_functions where role_code = $1`,
    [roleCode],
  )

/** Creates a user who has just re-entered their password. */
async function checked(role: 'user' | 'admin' = 'user'): Promise<TestUser> {
  const person = await maru.createUser({ role })
  await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
  return person
}

async function requestOf(person: TestUser): Promise<string> {
  const { rows } = await sql('select id from approval_requests where user_id = $1', [person.id])
  return rows[0]?.id ?? ''
}

/** Creates an open request for another affiliation. */
async function changeOf({ id }: TestUser): Promise<string> {
  const { rows } = await sql(
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
     select id, login_id, name, email, affiliation_code, 'affiliation', 'BEL002' from users where id = $1 returning id`,
    [id],
  )
  return rows[0]?.id ?? ''
}

async function certified(type: keyof typeof CERTIFY_TYPE, email: string, loginId: string): Promise<object> {
  const certificationType = CERTIFY_TYPE[type]
  const certificationCode = await maru.database.db
    .transaction()
    .execute((tx) => makeCode(tx, { type: certificationType, email, loginId }, 'test'))
  return { userId: loginId, email, certificationType, certificationCode }
}

async function linkOf(id: string, kind: LinkKind): Promise<string> {
  const asked = kind === 'EMAIL' ? { newEmail: `linked.${id}@example.com`, requestedBy: admin.id } : {}
  const [token = ''] = await maru.database.db
    .transaction()
    .execute((tx) => makeLinks(tx, kind, [{ id, ...asked }]))
  return token
}

/** Creates a user with a second factor. */
async function withFactor(role: 'user' | 'admin' = 'user'): Promise<TestUser> {
  const user = await maru.createUser({ role })
  await sql(
    `insert into totp_secrets (user_id, sealed, last_step, created_at) values ($1, '', 0, now() - interval '4 days')`,
    [user.id],
  )
  return user
}

/** Creates an administrator who gave their second factor just now. */
async function eye(): Promise<TestUser> {
  const by = await withFactor('admin')
  await gaveFactor(by)
  return by
}

/** Creates a user for whom an administrator has requested a reset of second factors. */
async function resetOf(asker: TestUser): Promise<Asked> {
  const { id, userId } = await withFactor()
  const { rows } = await sql(
    `insert into factor_resets (user_id, asked_by, reason) values ($1, $2, '-') returning id`,
    [id, asker.id],
  )
  return { input: { userId, resetId: rows[0]?.id } }
}

/** Adds an identity provider that may have SCIM tokens. */
async function managing(): Promise<string> {
  const { providerId } = await provider()
  await sql(`update identity_providers set scim_affiliation_code = 'BEL001' where id = $1`, [providerId])
  return providerId
}

let providers = 0
/** Adds an identity provider, in the database alone. */
async function provider(): Promise<{ providerId: string; providerVersion: number }> {
  const { rows } = await sql(
    `insert into identity_providers (name, issuer, client_id, client_secret, tried_version)
      values ($1, 'https://login.example.com', '점검 안내', '', 1) returning id`,
    [`provider ${(providers += 1)}`],
  )
  return { providerId: rows[0]?.id ?? '', providerVersion: 1 }
}

let webhooks = 0
/** Registers a webhook, in the database alone. */
async function webhook(): Promise<{ webhookId: string }> {
  const { rows } = await sql(
    `insert into webhooks (name, url, secret, created_by) values ($1, 'https://events.example.com/', '', $2) returning id`,
    [`webhook ${(webhooks += 1)}`, admin.id],
  )
  return { webhookId: rows[0]?.id ?? '' }
}

async function commentBy(author: TestUser): Promise<{ commentId: string; noticeId: string }> {
  const { noticeId } = await noticeBy(author)
  const { rows } = await sql(
    `insert into notice_comments (notice_id, author_id, body) values ($1, $2, '글') returning id`,
    [noticeId, author.id],
  )
  return { commentId: rows[0]?.id ?? '', noticeId }
}

/** Returns the text and the ID of a mention. */
async function mention(): Promise<{ text: string; mentionIds: string[] }> {
  const { id } = await maru.createUser({ name: '언급될이' })
  return { text: '@언급될이', mentionIds: [id] }
}

/** Creates an upload that waits for its notice. */
const sent = async () => ({ uploadId: await sendUpload(maru, admin, '자료.txt', '내용') })

async function noticeBy(author: TestUser, mustRead = true): Promise<{ noticeId: string }> {
  const noticeId = await writeNotice(maru, author)
  await sql('update notices set must_read = $2 where id = $1', [noticeId, mustRead])
  return { noticeId }
}

/** Creates a user for a bulk action, with the version of its preview. */
async function chosen(
  { bulkAction, ...asked }: Omit<InputOf<typeof previewBulk>, 'userIds'>,
  user: NewUser | 'suspended_at' | 'withdrawn_at' | 'invited' = {},
): Promise<Asked> {
  const { id, userId } = await maru.createUser(typeof user === 'string' ? {} : user)
  if (user === 'invited') await linkOf(id, 'INVITATION')
  else if (typeof user === 'string') await sql(`update users set ${user} = now() where id = $1`, [id])
  const input = { userIds: [userId], ...asked }
  const { data } = await maru.call(previewBulk, { bulkAction, ...input }, admin)
  return { input: { ...input, found: undefined, version: data.version } }
}

async function affiliation(closed = false): Promise<{ affiliationCode: string; version: string }> {
  await sql(`update codes set closed_at = case when $1 then now() end where code = 'BEL001'`, [closed])
  const { data } = await maru.call(listAffiliations, {}, admin)
  const version = data.affiliations.find(({ affiliationCode }) => affiliationCode === 'BEL001')?.version
  return { affiliationCode: 'BEL001', version: version ?? '' }
}

/** Creates a team, and returns what its edit needs. */
async function team(): Promise<{ teamId: string; version: string }> {
  const { data: made } = await maru.call(createTeam, { affiliationCode: 'BEL001', name: '팀' }, admin)
  const { data } = await maru.call(listTeams, {}, admin)
  const version = data.teams.find(({ teamId }) => teamId === made.teamId)?.version
  return { teamId: made.teamId, version: version ?? '' }
}

/** Creates a user with a partner, a password re-entry and the token of a program. */
async function withProgram(): Promise<Required<Omit<Asked, 'from'>>> {
  const by = await holderOf(maru, await partnerWith(maru))
  await sql('update sessions set password_checked_at = now() where user_id = $1', [by.id])
  const { data } = await maru.call(createProgram, { programName: '설치 1' }, by)
  return { by, input: { programId: data.programId } }
}

let accounts = 0
/** Registers a program account. */
async function programAccount() {
  const form = {
    programName: `account ${(accounts += 1)}`,
    roleCode: 'AUT003',
    affiliationCode: 'BEL001',
    scopes: ['colleagues:read' as const],
  }
  return { accountId: (await maru.call(createProgramAccount, form, admin)).data.accountId }
}
/** Registers a program account with a token. */
async function accountToken() {
  const input = { ...(await programAccount()), tokenName: 'token' }
  return { input: { tokenId: (await maru.call(createAccountToken, input, admin)).data.tokenId } }
}

/** Creates a user whose app shows its first code. */
async function enrolment() {
  const by = await checked()
  const { data } = await maru.call(beginTotp, {}, by)
  return { by, input: { enrolment: data.enrolment, code: codeAt(data.secret, new Date()) } }
}

/** Creates a user with an authenticator app. */
async function withApp() {
  const { by, input } = await enrolment()
  const { recoveryCodes: codes } = (await maru.call(confirmTotp, input, by)).data
  await gaveFactor(by)
  return { by, codes }
}

const gaveFactor = ({ id }: TestUser) =>
  sql(
    `update sessions set factor_checked_at = now(), factor_checked_by = 'TOTP', factor_made_at = now() - interval '4 days' where user_id = $1`,
    [id],
  )

/** Creates a user whose device has made a passkey. */
async function passkeyEnrolment() {
  await sql(`update settings set portal_url = 'https://portal.maru.kr'`)
  await maru.services.settings.fresh()
  const by = await checked()
  const { data } = await maru.call(beginPasskey, {}, by)
  const proof = createAuthenticator('https://portal.maru.kr').make(data.passkeyOptions)
  return { by, input: { passkeyName: '휴대전화', proof } }
}

/** Creates a user with a passkey. */
async function withPasskey() {
  const { by, input } = await passkeyEnrolment()
  await maru.call(confirmPasskey, input, by)
  await gaveFactor(by)
  const { rows } = await sql('select id::text from passkeys where user_id = $1', [by.id])
  return { by, input: { passkeyId: String(rows[0]?.id) } }
}

/** Creates a past month of the access log, in which an inspection marks the failed logins of an ID. */
async function overMonth(month: string): Promise<{ month: string }> {
  const day = `${month}-01`
  await maru.owner.query('select access_log_open($1)', [day])
  await maru.owner.query(
    `insert into access_log select $1::date, n, $1::date::timestamp at time zone 'Asia/Seoul', 'login', '/stm/v1/login', null, 'tried.id', '10.0.0.1', 'r', 'LOGIN_FAILED', '', '{}', '{}', ''
      from generate_series(1, 20) as n`,
    [day],
  )
  await maru.owner.query(`insert into access_log_heads values ($1, 20, now(), '\\xabcd')`, [day])
  return { month }
}

async function inspected(month: string): Promise<{ month: string; findingIds: string[] }> {
  await overMonth(month)
  await maru.call(searchMonth, { month }, admin)
  const { data } = await maru.call(getInspection, { month }, admin)
  return { month, findingIds: data.findings.map(({ findingId }) => findingId) }
}

async function incident() {
  const input = { title: '사고', knownAt: '2026-01-01 09:00' }
  const { incidentId } = (await maru.call(createIncident, input, admin)).data
  return (await maru.call(getIncident, { incidentId }, admin)).data
}

/** No review has been signed, which no call and no table would undo. */
async function unreviewed(): Promise<void> {
  await maru.owner.query(
    `do $$ begin set local session_replication_role = replica; delete from rights_review_items; delete from rights_reviews; end $$`,
  )
}

async function presentQuarter(): Promise<string> {
  const { rows } = await sql(`select to_char(now() at time zone 'Asia/Seoul', 'YYYY-"Q"Q') as id`)
  return rows[0]?.id ?? ''
}

/** The review of this quarter, with the rights as they are. */
async function reviewed() {
  await unreviewed()
  const quarter = await presentQuarter()
  await maru.call(takeRights, { quarter }, admin)
  return (await maru.call(getReview, { quarter }, admin)).data
}

const card = { approvalCode: 'MEMAP001', validFrom: '2026-01-01', validTo: '2099-12-31' }

/** Every call that changes something, but for those that carry a file either way. */
const SCENES: Record<string, () => Promise<Asked>> = {
  async login() {
    const { userId } = await maru.createUser()
    return { input: { loginId: userId, ssoTicket: undefined } }
  },
  finishLogin: async () => {
    const { by, codes } = await withApp()
    const from = { address: '10.9.8.7' }
    const refused = await maru.call(login, { loginId: by.userId, password: PASSWORD }, from)
    const { ticket } = JSON.parse(refused.raw) as { ticket: string }
    return { input: { ticket, factor: 'RECOVERY', proof: codes[0], ssoTicket: undefined }, from }
  },
  confirmTotp: enrolment,
  removeTotp: withApp,
  renewRecoveryCodes: withApp,
  confirmPasskey: passkeyEnrolment,
  renamePasskey: withPasskey,
  removePasskey: withPasskey,
  async removeDevice() {
    const by = await checked()
    const { rows } = await sql(
      `insert into trusted_devices (user_id, token_hash, user_agent, address) values ($1, '\\x01', '', '') returning id::text`,
      [by.id],
    )
    return { by, input: { deviceId: String(rows[0]?.id) } }
  },
  logout: async () => ({ by: await maru.createUser() }),
  checkPassword: async () => ({}),
  checkFactor: async () => {
    const { by, codes } = await withApp()
    return { by, input: { factor: 'RECOVERY', proof: codes[0] } }
  },
  setPassword: async () => ({ by: await maru.createUser() }),
  endOtherSessions: async () => ({ by: await checked() }),
  changeSharing: async () => ({ by: await checked() }),
  // Without a ticket of a first login (server/domains/sso/sso.test.ts).
  signUp: async () => ({
    input: { ...(await certified('signUp', 'new.one@example.com', 'new.one')), ssoTicket: undefined },
  }),
  async resetPassword() {
    const { userId, email } = await maru.createUser()
    return { input: await certified('resetPassword', email, userId) }
  },
  async approveRequests() {
    const people = [
      await maru.createUser({ asked: true }),
      await maru.createUser({ asked: true, affiliation: 'BEL002' }),
    ]
    const partners = await Promise.all(
      ['BEL001', 'BEL002'].map(async (affiliationCode) => ({
        affiliationCode,
        partnerCode: await maru.createPartner({ affiliation: affiliationCode }),
      })),
    )
    return { input: { requests: await Promise.all(people.map(requestOf)), partners } }
  },
  async approveAffiliationChanges() {
    const requests = [await changeOf(await checked())]
    const partnerCode = await maru.createPartner({ affiliation: 'BEL002' })
    return { input: { requests, partners: [{ affiliationCode: 'BEL002', partnerCode }] } }
  },
  refuseAffiliationChanges: async () => ({ input: { requests: [await changeOf(await checked())] } }),
  async cancelAffiliationChange() {
    const by = await checked()
    await changeOf(by)
    return { by }
  },
  async refuseRequests() {
    const person = await maru.createUser({ asked: true })
    return { input: { requests: [await requestOf(person)] } }
  },
  createNotice: async () => ({ input: await sent() }),
  updateNotice: async () => ({
    input: { ...(await noticeBy(admin)), ...(await sent()), version: '1', publishAt: undefined },
  }),
  deleteNotice: async () => ({ input: await noticeBy(admin) }),
  confirmNotice: async () => ({ input: await noticeBy(admin) }),
  listUnread: async () => ({ input: await noticeBy(admin) }),
  remindUnread: async () => ({ input: await noticeBy(admin) }),
  createComment: async () => {
    const { noticeId, commentId: answeredId } = await commentBy(await checked())
    return { input: { noticeId, answeredId, ...(await mention()) } }
  },
  updateComment: async () => ({
    input: { commentId: (await commentBy(admin)).commentId, ...(await mention()) },
  }),
  deleteComment: async () => ({ input: { commentId: (await commentBy(admin)).commentId } }),
  createPartner: async () => ({}),
  updatePartner: async () => ({
    input: { partnerCode: await maru.createPartner(), partnerType: 'pa', version: undefined },
  }),
  async importPartners() {
    const row = {
      partnerType: 'pa',
      affiliationCode: 'BEL001',
      provinceName: '서울특별시',
      districtName: '종로구',
    }
    return { input: { rows: Array.from({ length: 1000 }, (_, n) => ({ ...row, partnerCode: `MANY-${n}` })) } }
  },
  deletePartner: async () => ({ input: { partnerCode: await maru.createPartner() } }),
  createAffiliation: async () => ({ input: { name: '첫 지사', nameEn: '', partnerCode: 'AFF-0' } }),
  createTeam: async () => ({ input: { name: '첫 팀', nameEn: '' } }),
  updateTeam: async () => ({ input: { ...(await team()), name: '다른 팀' } }),
  deleteTeam: async () => ({ input: await team() }),
  async createAffiliations() {
    const place = { provinceName: '서울특별시', districtName: '종로구' }
    return {
      input: {
        rows: [
          { name: '새 지사', parentName: '다른 지사' },
          { name: '다른 지사', parentName: 'BEL002' },
        ],
        ...place,
      },
    }
  },
  renameAffiliation: async () => ({ input: await affiliation() }),
  changeParentAffiliation: async () => ({ input: { ...(await affiliation()), parentCode: 'BEL002' } }),
  async orderAffiliations() {
    const { data } = await maru.call(listAffiliations, {}, admin)
    const affiliationCodes = data.affiliations.map(({ affiliationCode }) => affiliationCode)
    return { input: { affiliationCodes, version: data.version } }
  },
  closeAffiliation: async () => ({ input: await affiliation() }),
  closeAffiliations: async () => ({ input: { affiliations: [await affiliation()] } }),
  reopenAffiliation: async () => ({ input: await affiliation(true) }),
  createAffiliationPartner: async () => ({ input: { partnerCode: 'AFF-1' } }),
  async chooseDefaultPartner() {
    const partnerCode = await maru.createPartner()
    return { input: { ...(await affiliation()), partnerCode } }
  },
  stopPartner: async () => ({ input: { partnerCode: await maru.createPartner() } }),
  async changeLimits() {
    const asked = {
      partnerCodes: [await maru.createPartner()],
      limitChange: 'set' as const,
      maxKeysPerDay: 5,
    }
    const { data } = await maru.call(previewLimits, asked, admin)
    const rest = { maxKeysPerWeek: undefined, maxKeysPerMonth: undefined, maxKeysTotal: undefined }
    return { input: { ...asked, ...rest, found: undefined, except: [], version: data.version } }
  },
  async resumePartner() {
    const partnerCode = await maru.createPartner()
    await sql('update partners set stopped_at = now() where code = $1', [partnerCode])
    return { input: { partnerCode } }
  },
  createRole: async () => ({}),
  async renameRole() {
    await newRole()
    return { input: { roleCode, roleName: '감사원', roleNameEn: 'Auditors' } }
  },
  async grantFunction() {
    await newRole()
    return { input: { roleCode } }
  },
  async revokeFunction() {
    await newRole()
    await sql(`insert into role_functions (role_code, function_name) values ($1, 'autho_partner_search')`, [
      roleCode,
    ])
    return { input: { roleCode } }
  },
  async removeRole() {
    await newRole()
    return { input: { roleCode } }
  },
  async updateMailServer() {
    await maru.database.pool.query(`update settings set mail_url = 'smtp://mail.example.com:587'`)
    const { data } = await maru.call(getSettings, {}, admin)
    // Removes the server: other calls of this file send mail.
    return { input: { version: data.mailVersion, mailHost: '' } }
  },
  async updateSettings() {
    const { data } = await maru.call(getSettings, {}, admin)
    return { input: { version: data.version, logoImage: undefined } }
  },
  async updateSecurity() {
    const { data } = await maru.call(getSecurity, {}, admin)
    return { input: { version: data.version, sessionLimit: 5, ssoRoles: [], emergencyAccounts: [] } }
  },
  sendTestMail: async () => ({}),
  async updateMailTemplate() {
    const { templates } = (await maru.call(listMailTemplates, {}, admin)).data
    return { input: { version: templates[0]?.version } }
  },
  sendMailTemplate: async () => ({}),
  updateSetup: async () => ({}),
  registerUser: async () => ({ input: { ...card, partnerCode: await maru.createPartner() } }),
  async updateUser() {
    const { userId, email } = await maru.createUser()
    const partnerCode = await maru.createPartner()
    return { input: { ...card, userId, originalUserId: userId, email, partnerCode, version: undefined } }
  },
  async withdrawUser() {
    const { userId } = await maru.createUser()
    return { input: { userId } }
  },
  extendUsers: () => chosen({ bulkAction: 'extend', validTo: '2099-12-31' }, { validTo: '2087-01-01' }),
  changeRoles: () => chosen({ bulkAction: 'role', roleCode: 'AUT002' }),
  async moveUsers() {
    const partnerCode = await maru.createPartner({ affiliation: 'BEL002' })
    return chosen({ bulkAction: 'move', affiliationCode: 'BEL002', partnerCode })
  },
  changeMainTeams: async () => chosen({ bulkAction: 'team', teamId: (await team()).teamId }),
  suspendUsers: () => chosen({ bulkAction: 'suspend' }),
  liftUsers: () => chosen({ bulkAction: 'lift' }, 'suspended_at'),
  withdrawUsers: () => chosen({ bulkAction: 'withdraw' }),
  inviteUsers: () => chosen({ bulkAction: 'invite' }, 'invited'),
  restoreUsers: () => chosen({ bulkAction: 'restore' }, 'withdrawn_at'),
  async undoBulk() {
    const people = [
      await maru.createUser({ validTo: '2087-01-01' }),
      await maru.createUser({ validTo: '2087-01-01' }),
    ]
    const asked = { userIds: people.map(({ userId }) => userId), validTo: '' }
    const { version } = (await maru.call(previewBulk, { ...asked, bulkAction: 'extend' }, admin)).data
    await maru.call(extendUsers, { ...asked, version }, admin)
    const { rows } = await sql(`select max(id)::text as id from audit_log where action = 'user.extend'`)
    const auditId = rows[0]?.id ?? ''
    const { data } = await maru.call(previewBulk, { bulkAction: 'undo', auditId }, admin)
    return { input: { auditId, version: data.version } }
  },
  async restoreUser() {
    const { id, userId } = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [id])
    return { input: { userId } }
  },
  async importUsers() {
    const row = { userId: 'imported.one', email: 'imported.one@example.com', validFrom: '2026-01-01' }
    const { rows } = sampleOf(callOf('importUsers')) as { rows: object[] }
    const codes = { affiliationCode: 'BEL001', roleCode: 'AUT003', partnerCode: await maru.createPartner() }
    const words = { name: '김구름', position: '대리', phoneNumber: '01012345678', validTo: '2099-12-31' }
    return { input: { rows: [{ ...rows[0], ...row, ...codes, ...words }] } }
  },
  async updateByImport() {
    const { userId } = await maru.createUser()
    const affiliationCode = 'BEL002'
    const partnerCode = await maru.createPartner({ affiliation: affiliationCode })
    const rows = [{ userId, affiliationCode, partnerCode, roleCode: 'AUT002', validTo: '2099-12-30' }]
    const { data } = await maru.call(checkUpdates, { rows }, admin)
    return { input: { rows, version: data.version } }
  },
  async extendUser() {
    const { userId } = await maru.createUser({ validTo: '2087-01-01' })
    return { input: { userId, validTo: '2087-01-01' } }
  },
  async suspendUser() {
    const { userId } = await maru.createUser()
    return { input: { userId } }
  },
  async unlockUser() {
    const { userId } = await maru.createUser()
    await sql('insert into login_failures (login_id, failures) values ($1, 5)', [userId])
    return { input: { userId } }
  },
  async resetUser() {
    const { userId } = await maru.createUser()
    return { input: { userId } }
  },
  async endUserSession() {
    const { id, userId } = await maru.createUser()
    const { rows } = await sql('select id from sessions where user_id = $1', [id])
    return { input: { userId, sessionId: rows[0]?.id } }
  },
  async askFactorReset() {
    await eye()
    return { by: await eye(), input: { userId: (await withFactor()).userId, reason: '분실' } }
  },
  async withdrawFactorReset() {
    return resetOf(admin)
  },
  async confirmFactorReset() {
    return { ...(await resetOf(await eye())), by: await eye() }
  },
  async refuseFactorReset() {
    const { input } = await resetOf(await maru.createUser({ role: 'admin' }))
    return { input: { ...input, reason: '본인이 아님' } }
  },
  async endUserSessions() {
    const { userId } = await maru.createUser()
    return { input: { userId } }
  },
  async inviteUser() {
    const { userId, id } = await maru.createUser()
    await linkOf(id, 'INVITATION')
    return { input: { userId } }
  },
  async requestEmail() {
    const { userId } = await maru.createUser()
    return { input: { userId, email: `other.${userId}@example.com` } }
  },
  async removeUser() {
    const { userId } = await maru.createUser({ approved: false })
    return { input: { userId } }
  },
  async changeEmail() {
    const by = await checked()
    const email = `new.${by.userId}@example.com`
    const certificationCode = await maru.database.db
      .transaction()
      .execute((tx) => makeCode(tx, { type: 'TYP004', email, loginId: by.userId }, 'test'))
    return { by, input: { email, certificationCode } }
  },
  async acceptInvitation() {
    const { id } = await maru.createUser()
    return { input: { token: await linkOf(id, 'INVITATION'), password: 'another-Maru-2026!' } }
  },
  async confirmEmail() {
    const { id } = await maru.createUser()
    return { input: { token: await linkOf(id, 'EMAIL') } }
  },
  async liftSuspension() {
    const { id, userId } = await maru.createUser()
    await sql('update users set suspended_at = now() where id = $1', [id])
    return { input: { userId } }
  },
  async issueKey() {
    const holder = await holderOf(maru, await partnerWith(maru))
    // The first key of a server binds its secret to the database, once.
    await maru.call(issueKey, { requestKey: 'first' }, holder)
    return { by: holder }
  },
  async revokeKey() {
    const holder = await holderOf(maru, await partnerWith(maru))
    const { data } = await maru.call(issueKey, { requestKey: 'to be revoked' }, holder)
    return { input: { keyId: data.keyId } }
  },
  async revokeKeys() {
    const holder = await holderOf(maru, await partnerWith(maru))
    const { data } = await maru.call(issueKey, { requestKey: 'to be revoked' }, holder)
    return { input: { keyIds: [data.keyId] } }
  },
  async createProgram() {
    const { by } = await withProgram()
    return { by }
  },
  rollProgram: withProgram,
  revokeProgram: withProgram,
  async endProgram() {
    const { input } = await withProgram()
    return { input }
  },
  async createProvider() {
    await sql('delete from identity_providers')
    return { input: { clientSecret: 'secret' } }
  },
  updateProvider: async () => ({ input: { ...(await provider()), clientSecret: 'secret' } }),
  enableProvider: async () => ({ input: { ...(await provider()), enabled: true } }),
  removeProvider: async () => ({ input: await provider() }),
  updateScim: async () => ({
    input: { providerId: (await provider()).providerId, affiliationCode: 'BEL002' },
  }),
  createScimToken: async () => ({ input: { providerId: await managing() } }),
  async endScimToken() {
    const providerId = await managing()
    const { rows } = await sql(
      `insert into scim_tokens (provider_id, token_hash, created_by) values ($1, sha256(random()::text::bytea), $2) returning id::text`,
      [providerId, admin.id],
    )
    return { input: { providerId, tokenId: rows[0]?.id } }
  },
  async releaseScim() {
    const providerId = await managing()
    await sql('update identity_providers set scim_stopped_at = now() where id = $1', [providerId])
    return { input: { providerId } }
  },
  async adoptAccounts() {
    const [providerId, { id }] = [await managing(), await maru.createUser()]
    await sql('insert into scim_candidates (provider_id, user_id, user_name) values ($1, $2, $3)', [
      providerId,
      id,
      '홍길동@gana.kr',
    ])
    return { input: { providerId, candidateIds: [id] } }
  },
  async removeLink() {
    const { providerId } = await provider()
    await sql('insert into identities (provider_id, subject, user_id) values ($1, $2, $3)', [
      providerId,
      'subject',
      admin.id,
    ])
    return { input: { providerId } }
  },
  createProgramAccount: async () => ({}),
  async updateProgramAccount() {
    const { accountId } = await programAccount()
    const { data } = await maru.call(listProgramAccounts, {}, admin)
    const { version } = data.accounts.find((each) => each.accountId === accountId) ?? {}
    return { input: { accountId, version, programName: `account ${(accounts += 1)}` } }
  },
  deleteProgramAccount: async () => ({ input: await programAccount() }),
  createAccountToken: async () => ({ input: await programAccount() }),
  rollAccountToken: accountToken,
  revokeAccountToken: accountToken,
  createWebhook: async () => ({}),
  async updateWebhook() {
    const { webhookId } = await webhook()
    const { data } = await maru.call(listWebhooks, {}, admin)
    const { version } = data.webhooks.find((each) => each.webhookId === webhookId) ?? {}
    return { input: { webhookId, version, webhookName: 'another webhook' } }
  },
  deleteWebhook: async () => ({ input: await webhook() }),
  rollWebhook: async () => ({ input: await webhook() }),
  async resendDeliveries() {
    const { webhookId } = await webhook()
    await sql(`insert into event_deliveries (webhook_id, audit_id, state) values ($1, 1, 'dead')`, [
      webhookId,
    ])
    return { input: { webhookId } }
  },
  createService: async () => ({}),
  async rollService() {
    const { id } = await maru.createService()
    return { input: { serviceId: id } }
  },
  async revokeService() {
    const { id } = await maru.createService()
    return { input: { serviceId: id } }
  },
  async createIncident() {
    return { input: { knownAt: '2026-01-01 09:00' } }
  },
  async updateIncident() {
    const { incidentId, version } = await incident()
    return { input: { incidentId, version } }
  },
  async recordIncident() {
    const { incidentId, version } = await incident()
    return { input: { incidentId, version, incidentRecord: 'NO_REPORT', remark: '회수함' } }
  },
  async searchLeak() {
    const { incidentId } = await incident()
    return { input: { incidentId, originValue: admin.userId } }
  },
  searchMonth: async () => ({ input: await overMonth('2025-01') }),
  remarkFindings: async () => ({ input: await inspected('2025-02') }),
  async signInspection() {
    const { month, findingIds } = await inspected('2025-03')
    await sql(`update inspection_findings set verdict = 'EXPLAINED' where month = $1`, [`${month}-01`])
    return { input: { month, findingCount: findingIds.length } }
  },
  async takeRights() {
    await unreviewed()
    return { input: { quarter: await presentQuarter() } }
  },
  async confirmRights() {
    const { quarter, roles } = await reviewed()
    return { input: { quarter, itemIds: roles.map(({ itemId }) => itemId) } }
  },
  async withdrawRights() {
    const { id } = await maru.createUser({ role: 'hr' })
    const { quarter, people } = await reviewed()
    const { rows } = await sql('select login_id as id from users where id = $1', [id])
    return {
      input: {
        quarter,
        itemIds: people.filter(({ userId }) => userId === rows[0]?.id).map(({ itemId }) => itemId),
      },
    }
  },
  async withdrawRole() {
    await newRole()
    const { quarter, roles } = await reviewed()
    return { input: { quarter, itemId: roles.find(({ roleName }) => roleName === '감사')?.itemId } }
  },
  async signReview() {
    const { quarter, itemCount } = await reviewed()
    await sql(`update rights_review_items set decision = 'CONFIRMED'`)
    return { input: { quarter, itemCount } }
  },
  async updateInspectionRules() {
    const { data } = await maru.call(getInspectionRules, {}, admin)
    return { input: { version: data.version } }
  },
  async updateLawNote() {
    const { data } = await maru.call(getPolicy, {}, { session: admin.session, address: '127.0.0.1' })
    return { input: { law: data.lawNotes[0]?.law, version: data.lawNotes[0]?.version } }
  },
  async acceptPrivacyNotice() {
    const privacyVersion = await publishedVersion()
    return { by: await maru.createUser(), input: { privacyVersion } }
  },
  async publishPrivacyNotice() {
    await publishedVersion()
    const { data } = await maru.call(getPrivacyNotice, {}, admin)
    return { input: { version: data.version, isMaterial: false } }
  },
  async updateRetention() {
    const { data } = await maru.call(getRetention, {}, admin)
    return { input: { version: data.version } }
  },
}

/** Those that take more, and why (design/lists-and-counts#database-round-trips-of-a-write). */
const MORE: Record<string, number> = {
  // Limits by address and by wrong passwords, and a password to prove.
  login: 9,
  // The same, and a ticket and a code to use up, of which a mail tells.
  finishLogin: 17,
  // Two accounts, one of them locked, and a mail.
  askFactorReset: 8,
  // The reset deletes from several tables and checks that two accounts are independent.
  confirmFactorReset: 16,
  // The role is locked, and checked afterwards; the limits are read under a lock.
  createProgramAccount: 11,
  updateProgramAccount: 10,
  deleteProgramAccount: 9,
  createAccountToken: 11,
  rollAccountToken: 10,
  checkPassword: 9,
  // A code to use up as well, of which a mail tells.
  checkFactor: 14,
  // The tree is locked and read, and the branch roles above it.
  createAffiliations: 10,
  // The links that end with the password.
  setPassword: 17,
  // The key of the digests of erased IDs is read, too.
  registerUser: 13,
  importUsers: 22,
  // In addition, all affected users are locked before any check. Access of former controllers ends.
  updateByImport: 20,
  // A reply with a mention: the limit, the answered comment, and two reads of who may be notified.
  createComment: 11,
  updateComment: 10,
  // A rate limit by address; and the session is checked before the body, one of the largest, is read.
  importPartners: 10,
  // A certification to use up, and the key of the digests of erased IDs; the version of the privacy notice.
  signUp: 11,
  resetPassword: 10,
  // The account is locked, its links and sessions end, and a mail.
  changeEmail: 10,
  // A mailed link to use up.
  acceptInvitation: 10,
  confirmEmail: 10,
  // The settings are locked before the roles are read that belong to them, and read again for the audit log.
  updateSecurity: 11,
  // A limit by address, recovery codes beside the app, and sessions from before that end.
  confirmTotp: 10,
  // A challenge to use up, recovery codes, and a mail.
  confirmPasskey: 13,
  // Several rows that are locked and looked at again, and a mail.
  approveRequests: 12,
  approveAffiliationChanges: 11,
  refuseRequests: 9,
  remindUnread: 9,
  removeRole: 9,
  // A limit by address, and the partner's lock before whatever is decided.
  issueKey: 9,
  // A limit by address, and what was found before is compared; the search itself has a connection of its own.
  searchMonth: 12,
  searchLeak: 11,
  // The earlier snapshot is compared. A decision is locked, and then done by the rules of the page that usually does
  // it.
  takeRights: 12,
  withdrawRights: 11,
  withdrawRole: 12,
  // The role is compared before and after, and access of former controllers ends.
  grantFunction: 10,
  revokeFunction: 9,
  // Every administrator gets a mail about a new address.
  updateSettings: 9,
  // The row of the settings orders concurrent changes, and the settings are read again.
  updateMailTemplate: 9,
  // A rate limit, and a notification for every administrator.
  updateMailServer: 10,
  // The granted roles are locked and checked, then all affected users are locked. Access of former controllers ends.
  changeRoles: 9,
  moveUsers: 9,
  // The rights of everybody are compared before and after, and a 관리자 must remain.
  changeParentAffiliation: 11,
  // The team is locked, and the users leave their teams before they join it.
  changeMainTeams: 9,
  // The rows of the change, later ones, and the affiliations, roles, partner codes and teams that they name.
  undoBulk: 13,
}

/** Publishes a version of the privacy notice that nobody has to accept. @returns its number */
async function publishedVersion(): Promise<number> {
  const { id } = await maru.createUser({ role: 'admin' })
  const { rows } = await maru.owner.query<{ version: number }>(
    `insert into privacy_notices (version, text_ko, text_en, is_material, published_by)
      select coalesce(max(version), 0) + 1, '처리방침', '', false, $1 from privacy_notices returning version`,
    [id],
  )
  return rows[0]?.version ?? 0
}

function callOf(name: string) {
  const entry = endpoints.find((one) => one.name === name)
  if (entry === undefined) throw new Error(`No call is named ${name}`)
  return entry
}

let admin: TestUser

/** Calls with the answer of an identity provider (server/domains/sso/sso.test.ts). */
const WITH_ANSWER = ['finishSso', 'finishLink', 'finishTry', 'finishConfirmation']

test('covers every call that changes something, except those that carry a file or the answer of a provider', () => {
  const changing = endpoints.filter(
    ({ name, endpoint: { audit, answer } }) =>
      audit !== 'none' && !audit.startsWith('file.') && answer !== 'file' && !WITH_ANSWER.includes(name),
  )
  expect(Object.keys(SCENES).toSorted()).toEqual(changing.map(({ name }) => name).toSorted())
})

test.each(Object.keys(SCENES))(
  '%s uses at most 8 database round trips, or its listed number',
  async (name) => {
    admin ??= await checked('admin')
    const { input, by = admin, from = {} } = (await SCENES[name]?.()) ?? {}
    const entry = callOf(name)
    const who = entry.endpoint.access === 'public' ? from : by
    const statements = await roundTrips(maru.database.pool, async () => {
      const { status, code } = await maru.callRaw(entry.endpoint.path, { ...sampleOf(entry), ...input }, who)
      expect([status, code]).toEqual([200, undefined])
    })
    const most = MORE[name]
    if (most === undefined) expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(8)
    else expect(statements, statements.join('\n')).toHaveLength(most)
  },
)
