import { beforeAll, expect, test } from 'vitest'
import { listAffiliations } from '../../contract/affiliations.ts'
import { createIncident, getIncident, getInspectionRules, getPolicy } from '../../contract/audit.ts'
import { listWebhooks } from '../../contract/events.ts'
import { endpoints } from '../../contract/index.ts'
import { listProviders } from '../../contract/sso.ts'
import { createProgramAccount, listProgramAccounts } from '../../contract/keys.ts'
import { listMailTemplates } from '../../contract/settings/mail-templates.ts'
import { getRetention } from '../../contract/settings/retention.ts'
import { getSecurity } from '../../contract/settings/security.ts'
import { listTeams } from '../../contract/teams.ts'
import { getSettings } from '../../contract/settings.ts'
import { writeNotice } from '../../dev/test-kit/files.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { sampleOf } from '../../dev/test-kit/samples.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let user: TestUser
let partnerCode: string
let noticeId: string

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  user = await maru.createUser({ validTo: '2087-01-01' })
  partnerCode = await maru.createPartner({ affiliation: 'BEL001' })
  noticeId = await writeNotice(maru, admin)
  await sql('update notices set must_read = true where id = $1', [noticeId])
  await sql(
    `insert into webhooks (id, name, url, secret, created_by) overriding system value
      values (1, '웹훅', 'https://old.example.com/', '', $1)`,
    [admin.id],
  )
  await sql(
    `insert into identity_providers (id, name, issuer, client_id, client_secret, tried_version)
      overriding system value values (1, '로그인', 'https://login.example.com', 'maru', '', 1),
        (2, '다른 로그인', 'https://login.example.com', 'maru', '', 1)`,
  )
  const account = { roleCode: 'AUT003', affiliationCode: 'BEL001', scopes: ['users:read' as const] }
  await maru.call(createProgramAccount, { programName: '인사 연동', ...account }, admin)
  await maru.owner.query(
    `insert into privacy_notices (version, text_ko, text_en, is_material, published_by) values (1, '처리방침', '', false, $1)`,
    [admin.id],
  )
  await sql(`insert into teams (affiliation_code, name) values ('BEL001', '개발팀')`)
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '감사', 'Audit', 950)`,
  )
})

async function provider(providerId: string) {
  const { providers } = (await maru.call(listProviders, {}, admin)).data
  const { providerVersion } = providers.find((each) => each.providerId === providerId) ?? {}
  return { providerId, providerVersion }
}

async function affiliation() {
  const { affiliations } = (await maru.call(listAffiliations, {}, admin)).data
  const { version } = affiliations.find(({ affiliationCode }) => affiliationCode === 'BEL001') ?? {}
  return { affiliationCode: 'BEL001', version }
}

/** Inputs in addition to the sample of a call. The version is read before each save. */
const INPUTS: Record<string, () => object | Promise<object>> = {
  updatePartner: () => ({ partnerCode, affiliationCode: 'BEL001', partnerType: 'pa', version: undefined }),
  updateUser: () => ({
    userId: user.userId,
    originalUserId: user.userId,
    email: user.email,
    name: '김구름',
    position: '과장',
    phoneNumber: '01012345678',
    affiliationCode: 'BEL001',
    partnerCode,
    roleCode: 'AUT003',
    approvalCode: 'MEMAP001',
    validFrom: '2026-01-01',
    validTo: '2087-01-01',
    version: undefined,
  }),
  updateNotice: () => ({
    noticeId,
    mustRead: true,
    uploadId: undefined,
    version: undefined,
    publishAt: undefined,
  }),
  confirmNotice: () => ({ noticeId }),
  renameRole: () => ({ roleCode: 'AUT950', roleName: '감사원', roleNameEn: 'Auditors' }),
  renameAffiliation: async () => ({ ...(await affiliation()), name: '새 본사', nameEn: 'New HQ' }),
  changeParentAffiliation: async () => ({ ...(await affiliation()), parentCode: '' }),
  async updateTeam() {
    const { teams } = (await maru.call(listTeams, {}, admin)).data
    return { teamId: teams[0]?.teamId, version: teams[0]?.version }
  },
  updateProvider: async () => ({ ...(await provider('1')), clientId: 'maru', clientSecret: undefined }),
  enableProvider: async () => ({ ...(await provider('2')), enabled: true }),
  updateScim: () => ({ providerId: '1', affiliationCode: 'BEL001' }),
  async updateWebhook() {
    const { webhooks } = (await maru.call(listWebhooks, {}, admin)).data
    return { webhookId: webhooks[0]?.webhookId, version: webhooks[0]?.version }
  },
  async updateProgramAccount() {
    const { accounts } = (await maru.call(listProgramAccounts, {}, admin)).data
    return { accountId: accounts[0]?.accountId, version: accounts[0]?.version, roleCode: 'AUT003' }
  },
  chooseDefaultPartner: async () => ({ ...(await affiliation()), partnerCode }),
  async orderAffiliations() {
    const { affiliations, version } = (await maru.call(listAffiliations, {}, admin)).data
    const codes = affiliations.map(({ affiliationCode }) => affiliationCode)
    return { affiliationCodes: codes.toSorted().toReversed(), version }
  },
  async updateSettings() {
    const { version } = (await maru.call(getSettings, {}, admin)).data
    return { version, logoImage: undefined, companyName: '새 회사' }
  },
  async updateMailServer() {
    const { mailVersion: version } = (await maru.call(getSettings, {}, admin)).data
    // A password is never compared, so each one is a change.
    return { version, mailHost: '', mailUser: '', mailPassword: undefined, mailFrom: '나라 <mail@nara.kr>' }
  },
  async updateMailTemplate() {
    const [first] = (await maru.call(listMailTemplates, {}, admin)).data.templates
    return { mailKind: first?.mailKind, language: first?.language, version: first?.version }
  },
  async updateSecurity() {
    const { version } = (await maru.call(getSecurity, {}, admin)).data
    return { version, sessionLimit: 5, ssoRoles: [], emergencyAccounts: [] }
  },
  async updateRetention() {
    const { version } = (await maru.call(getRetention, {}, admin)).data
    return { version, officerName: '김담당' }
  },
  async updateIncident() {
    const given = { title: '사고', knownAt: '2026-01-01 09:00' }
    const [row] = (await sql('select max(id)::text as id from incidents')).rows
    const incidentId = row.id ?? (await maru.call(createIncident, given, admin)).data.incidentId
    const { version } = (await maru.call(getIncident, { incidentId }, admin)).data
    return { incidentId, version, notes: '경위' }
  },
  acceptPrivacyNotice: () => ({ privacyVersion: 1 }),
  async updateLawNote() {
    const { lawNotes } = (await maru.call(getPolicy, {}, { session: admin.session, address: '127.0.0.1' }))
      .data
    return {
      law: 'malware',
      companyBasis: '백신 지침',
      companyRemark: '',
      version: lawNotes.find(({ law }) => law === 'malware')?.version,
    }
  },
  async updateInspectionRules() {
    const { version, rules } = (await maru.call(getInspectionRules, {}, admin)).data
    return { version, rules, hoursFrom: 6, hoursTo: 20 }
  },
}

const calls = endpoints.filter(({ endpoint }) => endpoint.auditsChangeOnly)

test('has inputs for every call that records only changes', () => {
  expect(Object.keys(INPUTS).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
})

test.each(calls)(
  'writes no audit row if $name changes nothing (rules/wire#audit)',
  async ({ name, endpoint }) => {
    const save = async () =>
      maru.call(endpoint, { ...(sampleOf({ endpoint }) as object), ...(await INPUTS[name]?.()) }, admin)
    const rows = async () =>
      (await sql('select from audit_log where action = $1', [endpoint.audit])).rows.length
    expect(await save()).toMatchObject({ status: 200 })
    const before = await rows()
    expect(await save()).toMatchObject({ status: 200 })
    expect(await rows()).toBe(before)
  },
)
