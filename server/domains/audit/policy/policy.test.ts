import { describe, expect, test } from 'vitest'
import {
  getPolicy,
  listAudit,
  updateLawNote,
  REQUIREMENTS,
  type Requirement,
  STANDINGS,
} from '../../../../contract/audit.ts'
import { policy as en } from '../../../../contract/messages/en/policy.ts'
import { policy as ko } from '../../../../contract/messages/ko/policy.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { readConfig } from '../../../config.ts'
import { checkLog } from '../../../operator/check.ts'

const maru = useMaru()
const owner = (text: string, values: unknown[] = []) => maru.owner.query(text, values)

async function look() {
  const { data } = await maru.call(
    getPolicy,
    {},
    { ...(await maru.createUser({ role: 'admin' })), address: '127.0.0.1' },
  )
  return data
}

async function of(requirement: Requirement) {
  const { requirements } = await look()
  const found = requirements.find((one) => one.requirement === requirement)
  return [found?.standing, ...(found?.values ?? [])]
}

describe('the policy (rules/audit#policy)', () => {
  test('shows the state of each requirement in both languages, only with the permission', async () => {
    const { requirements, portalName, version, madeAt } = await look()
    expect(requirements.map(({ requirement }) => requirement)).toEqual(REQUIREMENTS)
    expect([portalName !== '', version]).toEqual([true, expect.stringMatching(/^\d+\.\d+\.\d+/)])
    expect(madeAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    for (const { requirement, standing, values } of requirements) {
      expect(STANDINGS).toContain(standing)
      for (const words of [ko, en])
        expect(words.requirements[requirement].value(...values)).not.toMatch(/undefined|NaN|^$/)
    }
    for (const role of ['hr', 'user'] as const)
      expect((await maru.call(getPolicy, {}, await maru.createUser({ role }))).status).toBe(403)
    expect((await maru.call(getPolicy, {})).status).toBe(401)
  })

  test('reads what is built in and configured from where it holds', async () => {
    const { config } = maru.services
    expect(await of('passwordLook')).toEqual(['MET', '8', '10'])
    expect(await of('passwordHash')).toEqual(['MET', '19', '2'])
    expect(await of('loginLock')).toEqual(['MET', '5', '15'])
    expect(await of('sessionIdle')).toEqual(['MET', '30'])
    expect(await of('sessionEnd')).toEqual(['MET', String(config.session.absoluteSeconds / 3600)])
    expect(await of('accessLog')).toEqual(['MET', '24'])
    expect(await of('rightsRecords')).toEqual(['MET', '60'])
    expect(await of('confirmation')).toEqual(['MET', '10'])
    // A log of a year is enough for some.
    await owner('update settings set access_log_months = 12, session_idle_minutes = 60')
    await maru.services.settings.fresh()
    expect(await of('accessLog')).toEqual(['UNKNOWN', '12'])
    expect(await of('sessionIdle')).toEqual(['UNMET', '60'])
    await owner('update settings set access_log_months = default, session_idle_minutes = default')
    await maru.services.settings.fresh()
  })

  test('admits what the portal does not do', async () => {
    expect(await of('rightsGrants')).toEqual(['UNMET', 'optional'])
    expect(await of('erasureRequest')).toEqual(['UNMET'])
  })

  test('follows what is set in the portal', async () => {
    expect(await of('sessionLimit')).toEqual(['UNMET', '0'])
    expect(await of('adminNetworks')).toEqual(['UNMET', '0'])
    expect(await of('sessionBinding')).toEqual(['UNKNOWN', 'off'])
    expect(await of('factorRequired')).toEqual(['UNMET', '0', '2', '14', '0', '3'])
    await owner(`update roles set factor_required_since = now() where code = 'AUT001'`)
    expect(await of('factorRequired')).toEqual(['UNMET', '1', '2', '14', '1', '3'])
    await owner(`update roles set factor_required_since = now() where code = 'AUT002'`)
    expect(await of('factorRequired')).toEqual(['UNKNOWN', '2', '2', '14', '2', '3'])
    await owner(`update roles set factor_required_since = now()`)
    expect(await of('factorRequired')).toEqual(['MET', '2', '2', '14', '3', '3'])
    await owner('update roles set factor_required_since = null')
    await owner(
      `update settings set session_limit = 3, session_binding = 'network', admin_networks = '{127.0.0.0/8,::1}', portal_url = 'http://portal.example'`,
    )
    await maru.services.settings.fresh()
    expect(await of('sessionLimit')).toEqual(['MET', '3'])
    expect(await of('adminNetworks')).toEqual(['MET', '2'])
    expect(await of('sessionBinding')).toEqual(['MET', 'network'])
    // A high limit, and a network with half of all addresses, restrict little.
    await owner(`update settings set session_limit = 6, admin_networks = '{127.0.0.1,0.0.0.0/1}'`)
    await maru.services.settings.fresh()
    expect(await of('sessionLimit')).toEqual(['UNKNOWN', '6'])
    expect(await of('adminNetworks')).toEqual(['UNMET', '2'])
    expect(await of('portalTls')).toEqual(['UNMET', 'http://portal.example'])
    await owner(
      `update settings set session_limit = 0, session_binding = 'off', admin_networks = '{}', portal_url = 'https://portal.example'`,
    )
    await maru.services.settings.fresh()
    expect(await of('portalTls')).toEqual(['UNKNOWN', 'https://portal.example'])
    await owner('update settings set portal_url = null')
    await maru.services.settings.fresh()
  })

  test('is not met while a month, a quarter or the clock waits for somebody', async () => {
    await owner(`update settings set inspection_rules = '{"inspectionMethod": "기준", "followUp": "소명"}'`)
    // Nothing was inspected yet.
    expect(await of('inspection')).toEqual(['UNKNOWN', '0', '0', '', '1', 'Y'])
    await owner(`insert into access_log_heads values ('2025-03-01', 5, now(), '')`)
    expect(await of('inspection')).toEqual(['UNMET', '1', '0', '', '1', 'Y'])
    await owner(`insert into inspections (month, records, chain_end, rules, searcher_name, signed_at)
      values ('2025-03-01', 5, '', '{}', '점검자', '2025-04-02 03:00+00')`)
    expect(await of('inspection')).toEqual(['MET', '0', '0', '2025-04-02', '1', 'Y'])
    // A month that moved into a file unsigned was missed, until it is erased.
    await owner(`insert into access_log_heads values ('2025-02-01', 5, now(), '', now())`)
    expect(await of('inspection')).toEqual(['UNMET', '0', '1', '2025-04-02', '1', 'Y'])
    await owner(`update access_log_heads set erased_at = now() where month = '2025-02-01'`)
    expect(await of('inspection')).toEqual(['MET', '0', '0', '2025-04-02', '1', 'Y'])
    // The internal management plan may state them elsewhere.
    await owner(`update settings set inspection_rules = '{"cycleMonths": 3}'`)
    expect(await of('inspection')).toEqual(['UNKNOWN', '0', '0', '2025-04-02', '3', 'N'])
    await owner(`update settings set inspection_rules = default`)

    expect(await of('rightsReview')).toEqual(['UNKNOWN', '0', '0', ''])
    // The present quarter is due, the one before was missed. Older ones are past their retention of 36 months.
    await owner(`update settings set reviews_from = date_trunc('quarter', now() - interval '3 months')`)
    expect(await of('rightsReview')).toEqual(['UNMET', '1', '1', ''])
    await owner(`update settings set reviews_from = '2010-01-01', retention = '{"privacyRecords": 36}'`)
    expect(await of('rightsReview')).toEqual(['UNMET', '1', '12', ''])
    await owner(`update settings set retention = default`)
    await owner(`update settings set reviews_from = '2099-01-01'`)

    await owner(`update users set withdrawn_at = now()`)
    expect(await of('secondFactor')).toEqual(['UNMET', '0', '1', '0', '1'])
    const give = (role: string) =>
      owner(
        `insert into totp_secrets (user_id, sealed, last_step) select id, '', 0 from users
        where role_code = $1 and withdrawn_at is null`,
        [role],
      )
    await give('AUT001')
    // The administrator who queries is newly created and has no second factor.
    expect(await of('secondFactor')).toEqual(['UNMET', '1', '2', '1', '2'])
    const { session } = await maru.createUser({ role: 'admin' })
    await owner(`delete from totp_secrets`)
    await give('AUT001')
    const secondFactor = async () => {
      const { data } = await maru.call(getPolicy, {}, { session, address: '127.0.0.1' })
      const found = data.requirements.find(({ requirement }) => requirement === 'secondFactor')
      return [found?.standing, ...(found?.values ?? [])]
    }
    expect(await secondFactor()).toEqual(['MET', '3', '3', '3', '3'])
    // Anyone else needs one only from outside, and the portal does not know from where they connect.
    await maru.createUser({ role: 'user' })
    expect(await secondFactor()).toEqual(['UNKNOWN', '3', '4', '3', '3'])
    await give('AUT003')
    expect(await secondFactor()).toEqual(['MET', '4', '4', '3', '3'])

    expect(await of('clock')).toEqual(['MET'])
    await owner(
      `insert into heartbeat (doubted_since) values (now()) on conflict (id) do update set doubted_since = now()`,
    )
    expect(await of('clock')).toEqual(['UNMET'])
    await owner('update heartbeat set doubted_since = null')
  })
})

describe('notes on laws (rules/audit#law-notes)', () => {
  test('are stored, audited and returned, only with the permission and the latest version', async () => {
    const admin = { session: (await maru.createUser({ role: 'admin' })).session, address: '127.0.0.1' }
    const noteOf = async (name: string) =>
      (await maru.call(getPolicy, {}, admin)).data.lawNotes.find(({ law }) => law === name)
    const { version = '' } = (await noteOf('managementPlan')) ?? {}
    const input = {
      law: 'managementPlan' as const,
      companyBasis: '내부 관리계획 3.2',
      companyRemark: '2026년 9월 개정',
      version,
    }
    for (const role of ['hr', 'user'] as const)
      expect((await maru.call(updateLawNote, input, await maru.createUser({ role }))).status).toBe(403)
    expect((await maru.call(updateLawNote, input, admin)).status).toBe(200)
    expect(await noteOf('managementPlan')).toMatchObject({
      companyBasis: '내부 관리계획 3.2',
      companyRemark: '2026년 9월 개정',
    })
    expect(await noteOf('malware')).toMatchObject({ companyBasis: '', companyRemark: '' })
    expect((await maru.call(updateLawNote, input, admin)).code).toBe('RECORD_CHANGED')
    expect((await maru.call(updateLawNote, { ...input, law: 'constructor' }, admin)).code).toBe(
      'LAW_NOT_FOUND',
    )
    const long = { ...input, companyBasis: '가'.repeat(1001) }
    expect((await maru.call(updateLawNote, long, admin)).code).toBe('INPUT_INVALID')
    const { data } = await maru.call(listAudit, { action: 'setting.law' }, admin)
    expect(data.rows[0]?.changes).toContainEqual({
      item: '회사의 근거',
      before: '',
      after: '내부 관리계획 3.2',
    })
  })
})

const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })

describe('guarded records (rules/audit#policy, rules/running#check-log)', () => {
  const bucket = useMaru({ ACCESS_LOG_COPY_URL: '' })
  const guard = async () => {
    const { data } = await bucket.call(
      getPolicy,
      {},
      { ...(await bucket.createUser({ role: 'admin' })), address: '127.0.0.1' },
    )
    const found = data.requirements.find(({ requirement }) => requirement === 'trailGuard')
    return [found?.standing, ...(found?.values ?? [])]
  }
  const copyTo = (kind: 'disk' | 's3' | null) =>
    Object.assign(bucket.services.config, {
      accessLogCopy: kind === null ? null : { kind, root: '/elsewhere' },
    })

  test('need a current check without failures, and signatures outside the machine', async () => {
    copyTo('s3')
    expect(await guard()).toEqual(['UNMET', '', 's3'])
    for await (const { isGood } of checkLog({
      config: readConfig({ DATA_DIR: bucket.dataDir }),
      database: bucket.database,
    }))
      expect(isGood).toBe(true)
    expect(await guard()).toEqual(['MET', today(), 's3'])
    copyTo('disk')
    expect(await guard()).toEqual(['UNKNOWN', today(), 'disk'])
    copyTo(null)
    expect(await guard()).toEqual(['UNMET', today(), 'none'])

    copyTo('s3')
    await bucket.owner.query(`update access_log_checks set checked_at = now() - interval '32 days'`)
    expect((await guard())[0]).toBe('UNMET')
    await bucket.owner.query('update settings set log_check_days = 40')
    expect((await guard())[0]).toBe('MET')
    // Only the last check counts, and the application role cannot change one.
    await bucket.database.pool.query('insert into access_log_checks (months, problems) values (3, 1)')
    expect((await guard())[0]).toBe('UNMET')
    await expect(bucket.database.pool.query('update access_log_checks set problems = 0')).rejects.toThrow(
      /permission denied/,
    )
  })
})
