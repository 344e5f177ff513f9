import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveRequests } from '../../../contract/approvals.ts'
import { listAudit } from '../../../contract/audit.ts'
import { grantFunction, revokeFunction } from '../../../contract/roles.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import { changeRoles, previewBulk, registerUser, updateUser } from '../../../contract/users.ts'
import { checkUpdates, updateByImport } from '../../../contract/users/import-update.ts'
import { importUsers } from '../../../contract/users/import.ts'
import type { GrantRecord } from './index.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query<Record<string, unknown>>(text, values)).rows
const REASON = '인사팀 업무 인수'
const card = {
  affiliationCode: 'BEL001',
  position: '대리',
  phoneNumber: '01098765432',
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'HEAD-1',
}
let admin: TestUser
let kim: TestUser
let made = 0

beforeAll(async () => {
  await maru.createPartner({ code: 'HEAD-1' })
  await sql(`insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '감사', 'Audit', 9)`)
})
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  kim = await maru.createUser({ name: '김하늘', partner: 'HEAD-1' })
})
afterEach(() => require('optional'))

async function require(grantReasons: 'optional' | 'required'): Promise<void> {
  const { data } = await maru.call(getSecurity, {}, admin)
  const { address: _, roles: __, fixed: ___, ...kept } = data
  expect((await maru.call(updateSecurity, { ...kept, grantReasons }, admin)).status).toBe(200)
}

type Given = GrantRecord
const GIVEN = { grantReason: REASON, requestedBy: '박팀장', approvedBy: '최이사' }

const edit = (more: Given, roleCode = 'AUT002') =>
  maru.call(
    updateUser,
    {
      originalUserId: kim.userId,
      userId: kim.userId,
      name: '김하늘',
      email: kim.email,
      ...card,
      roleCode,
      approvalCode: 'MEMAP001',
      ...more,
    },
    admin,
  )

async function changeMany(more: Given, roleCode = 'AUT002') {
  const asked = { userIds: [kim.userId], roleCode }
  const { data } = await maru.call(previewBulk, { bulkAction: 'role', ...asked }, admin)
  return maru.call(changeRoles, { ...asked, version: data.version, ...more }, admin)
}

async function approve(more: Given, roleCode = 'AUT002') {
  const { id } = await maru.createUser({ asked: true })
  const [request] = await sql('select id from approval_requests where user_id = $1', [id])
  const { validFrom, validTo } = card
  const partners = [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }]
  const requests = [String(request?.['id'])]
  return maru.call(approveRequests, { requests, validFrom, validTo, roleCode, partners, ...more }, admin)
}

const fresh = () => {
  made += 1
  return { userId: `grant.${made}`, name: '김하늘', email: `grant.${made}@example.com` }
}
const register = (more: Given, roleCode = 'AUT002') =>
  maru.call(
    registerUser,
    {
      ...fresh(),
      ...card,
      roleCode,
      approvalCode: 'MEMAP001',
      password: '푸른-바다-7고래',
      managerPassword: PASSWORD,
      ...more,
    },
    admin,
  )

const importOne = (more: Given, roleCode = 'AUT002') =>
  maru.call(
    importUsers,
    { rows: [{ ...fresh(), ...card, roleCode }], managerPassword: PASSWORD, ...more },
    admin,
  )

async function updateOne(more: Given, roleCode = 'AUT002') {
  const rows = [{ userId: kim.userId, roleCode }]
  const { data } = await maru.call(checkUpdates, { rows }, admin)
  return maru.call(updateByImport, { rows, version: data.version, managerPassword: PASSWORD, ...more }, admin)
}

async function grant(more: Given) {
  const change = { roleCode: 'AUT950', functionName: 'autho_key_search' as const }
  await maru.call(revokeFunction, change, admin)
  return maru.call(grantFunction, { ...change, ...more }, admin)
}

const GRANTS = { edit, changeMany, approve, register, importOne, updateOne, grant }
const lastDetail = async () =>
  (await sql('select detail from audit_log where actor_id = $1 order by id desc limit 1', [admin.id]))[0]?.[
    'detail'
  ]

describe('the records of grants (rules/roles#grant-records, rules/settings#grant-reasons)', () => {
  test.each(Object.entries(GRANTS))(
    'are refused without a required reason, naming the field, and changed nothing (%s)',
    async (_, give) => {
      await require('required')
      for (const [more, field] of [
        [{}, 'GRANT_REASON'],
        [{ ...GIVEN, grantReason: ' ' }, 'GRANT_REASON'],
        [{ ...GIVEN, requestedBy: '' }, 'REQUESTED_BY'],
        [{ ...GIVEN, approvedBy: ' ' }, 'APPROVED_BY'],
      ] as const) {
        const { status, code, raw } = await give(more)
        expect([status, code, JSON.parse(raw).field]).toEqual([400, 'INPUT_INVALID', field])
      }
      expect((await sql('select role_code from users where id = $1', [kim.id]))[0]).toEqual({
        role_code: 'AUT003',
      })
    },
  )

  test.each(Object.entries(GRANTS))(
    'name the reason, and who requested and approved it (%s)',
    async (_, give) => {
      await require('required')
      const answer = await give(GIVEN)
      expect(answer.status, answer.raw).toBe(200)
      expect(await lastDetail()).toMatchObject(GIVEN)
    },
  )

  test('keep a reason that is not required, of at most 200 characters', async () => {
    expect((await edit({ grantReason: '가'.repeat(201) })).code).toBe('INPUT_INVALID')
    expect((await edit({ grantReason: '가'.repeat(200) })).status).toBe(200)
    expect(await lastDetail()).toMatchObject({ grantReason: '가'.repeat(200) })
    expect((await edit({}, 'AUT950')).status).toBe(200)
    expect(await lastDetail()).not.toHaveProperty('requestedBy')
  })

  test('show the reason in the audit log', async () => {
    await edit(GIVEN)
    const { data } = await maru.call(listAudit, { actor: admin.userId, page: 1, perPage: 10 }, admin)
    const shown = data.rows[0]?.changes.map(({ item, after }) => `${item}: ${after}`)
    expect(shown).toEqual(
      expect.arrayContaining([`권한 부여 사유: ${REASON}`, '요청한 사람: 박팀장', '승인한 사람: 최이사']),
    )
  })

  test('need no reason for 일반 사용자, a revoked function, or an edit without another role', async () => {
    await maru.call(grantFunction, { roleCode: 'AUT950', functionName: 'autho_key_search' }, admin)
    await edit({ grantReason: REASON })
    await require('required')
    const revoke = { roleCode: 'AUT950', functionName: 'autho_key_search' as const }
    expect((await maru.call(revokeFunction, revoke, admin)).status).toBe(200)
    expect((await edit({})).status).toBe(200)
    expect((await edit({}, 'AUT003')).status).toBe(200)
    for (const give of [approve, register, importOne]) expect((await give({}, 'AUT003')).status).toBe(200)
  })
})
