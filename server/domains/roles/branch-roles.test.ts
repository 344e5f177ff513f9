import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAffiliationPartner, createAffiliations } from '../../../contract/affiliations.ts'
import {
  approveAffiliationChanges,
  approveRequests,
  listRequests,
  listRequestsOfUser,
} from '../../../contract/approvals.ts'
import { listAudit, listHistory } from '../../../contract/audit.ts'
import { RIGHTS } from '../../../contract/audit-actions.ts'
import { checkPassword, confirmEmail, login } from '../../../contract/account.ts'
import { listCodes } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { listKeys, revokeKeys } from '../../../contract/keys.ts'
import { createNotice, getNotice, updateNotice } from '../../../contract/notices.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import {
  changeLimits,
  createPartner,
  listPartners,
  listPartnersOfAffiliation,
  previewLimits,
} from '../../../contract/partners.ts'
import { BRANCH_FUNCTIONS, type FunctionName } from '../../../contract/permissions.ts'
import {
  createRole,
  grantFunction,
  revokeFunction,
  listRoles,
  listRolesWithFunctions,
  ROLE_TEMPLATES,
} from '../../../contract/roles.ts'
import { checkImport } from '../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../contract/users/import-update.ts'
import {
  changeRoles,
  countBelongings,
  exportUsers,
  getUser,
  listUsers,
  moveUsers,
  previewBulk,
  registerUser,
  restoreUser,
  updateUser,
  withdrawUser,
} from '../../../contract/users.ts'
import { changeParent } from '../../../dev/test-kit/affiliations.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../dev/test-kit/people.ts'

/* Roles of one branch: what their holders may do, and how their reach cannot be widened. Every call: server/branch.test.ts. */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Busan, with Daejeon below it; Gwangju is another branch. */
const [BUSAN, DAEJEON, GWANGJU] = ['BEL002', 'BEL003', 'BEL004']
const BRANCH_HR = 'AUT970'
const BRANCH_KEYS = 'AUT971'
/** Reached by 인사 관리자, who may not grant it. */
const BRANCH_PARTNERS = 'AUT972'

let admin: TestUser
let hr: TestUser
let busan: TestUser

async function holder(roleCode: string, user: NewUser): Promise<TestUser> {
  const person = await maru.createUser(user)
  await sql('update users set role_code = $1 where id = $2', [roleCode, person.id])
  await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
  return person
}

const setParent = (affiliationCode: string, parentCode: string, by = admin) =>
  changeParent(maru, affiliationCode, { parentCode }, by, admin)

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await setParent(DAEJEON, BUSAN)
  await sql(
    `insert into roles (code, group_name, name_en, sort_order, span)
      values ($1, '지사 인사', 'Branch HR', 9, 'branch'), ($2, '지사 키', 'Branch keys', 10, 'branch'),
        ($3, '지사 파트너', 'Branch partners', 11, 'branch')`,
    [BRANCH_HR, BRANCH_KEYS, BRANCH_PARTNERS],
  )
  await sql(`insert into role_functions select $1, unnest($2::text[])`, [BRANCH_HR, BRANCH_FUNCTIONS])
  await sql(`insert into role_functions values ($1, 'autho_key_search')`, [BRANCH_KEYS])
  await sql(`insert into role_functions values ($1, 'autho_partner_search')`, [BRANCH_PARTNERS])
  for (const [code, affiliation] of Object.entries({
    'HQ-1': 'BEL001',
    'BUSAN-1': BUSAN,
    'DJ-1': DAEJEON,
    'GJ-1': GWANGJU,
  }))
    await maru.createPartner({ code, affiliation })
})
beforeEach(async () => {
  hr = await holder(BRANCH_HR, { affiliation: BUSAN, name: '지사장' })
  busan = await maru.createUser({ affiliation: BUSAN })
})

const form = (
  userId: string,
  more: Partial<InputOf<typeof registerUser>> = {},
): InputOf<typeof registerUser> => ({
  userId,
  password: '푸른-바다-7고래',
  affiliationCode: BUSAN,
  position: '과장',
  name: '김하늘',
  phoneNumber: '01098765432',
  email: `${userId}@example.com`,
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'BUSAN-1',
  roleCode: 'AUT003',
  approvalCode: 'MEMAP001',
  managerPassword: PASSWORD,
  ...more,
})
const edit = async (of: TestUser, more: object, by: TestUser) => {
  const { password: _, managerPassword: __, userId, ...rest } = form(of.userId)
  const input = { ...rest, originalUserId: userId, userId, email: of.email, ...more }
  return maru.call(updateUser, input, by)
}
const placeOf = async ({ id }: TestUser) =>
  (await sql('select affiliation_code, role_code from users where id = $1', [id]))[0]

const row = (userId: string, affiliationCode: string, partnerCode: string) => {
  const { position, name, phoneNumber, email, validFrom, validTo } = form(userId)
  const cells = { position, name, phoneNumber, email, validFrom, validTo }
  return { ...cells, userId, affiliationCode, partnerCode, roleCode: '일반 사용자' }
}

const requestOf = async ({ id }: TestUser) =>
  (await sql('select id::text from approval_requests where user_id = $1', [id]))[0]?.id as string

const LIMITS = { maxKeysPerDay: null, maxKeysPerWeek: null, maxKeysPerMonth: null, maxKeysTotal: null }

const partner = (partnerCode: string, affiliationCode: string) => ({
  partnerCode,
  affiliationCode,
  partnerType: 'pa' as const,
  provinceName: '서울특별시',
  districtName: '종로구',
  longitude: 0,
  latitude: 0,
  ...LIMITS,
  validFrom: '',
  validTo: '',
})

const partnersOf = (code: string) => [{ affiliationCode: GWANGJU, partnerCode: code }]

describe('the tree of affiliations (rules/affiliations#tree)', () => {
  test('lists each affiliation after its parent, and leaves COMBEL001 flat unless asked', async () => {
    const tree = (await maru.call(listCodes, { codeGroup: 'COMBEL001', asTree: true })).data
    const place = tree.findIndex(({ code }) => code === BUSAN)
    expect(tree.slice(place, place + 2)).toMatchObject([
      { code: BUSAN, depth: 0 },
      { code: DAEJEON, depth: 1 },
    ])
    for (const entry of (await maru.call(listCodes, { codeGroup: 'COMBEL001' })).data)
      expect(Object.keys(entry)).toEqual(['code', 'codeName'])
  })

  test('has neither a cycle nor a fifth level', async () => {
    for (const [code, parent] of [
      [BUSAN, BUSAN],
      [BUSAN, DAEJEON],
    ] as const)
      expect(await setParent(code, parent)).toMatchObject({ status: 400, code: 'AFFILIATION_PARENT' })
    expect((await setParent(BUSAN, 'BEL99999')).code).toBe('AFFILIATION_NOT_FOUND')
    expect((await setParent('BEL005', DAEJEON)).status).toBe(200)
    expect((await setParent('BEL006', 'BEL005')).status).toBe(200)
    expect((await setParent('BEL007', 'BEL006')).code).toBe('AFFILIATION_PARENT')
    expect((await setParent('BEL005', '')).status).toBe(200)
    // The levels below count too.
    expect((await setParent(BUSAN, 'BEL008')).status).toBe(200)
    expect((await setParent('BEL005', DAEJEON)).code).toBe('AFFILIATION_PARENT')
    expect((await setParent(BUSAN, '')).status).toBe(200)
  })

  test('refuses one of two changes that put two affiliations below each other', async () => {
    const answers = await Promise.all([setParent('BEL007', 'BEL008'), setParent('BEL008', 'BEL007')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    for (const code of ['BEL007', 'BEL008']) await setParent(code, '')
  })

  test('is found with what is below by a filter, and changed by settings managers alone', async () => {
    await maru.createUser({ affiliation: DAEJEON, name: '나무꾼' })
    const found = async (affiliationCode: string) =>
      (await maru.call(listUsers, { affiliationCode, name: '나무꾼' }, admin)).data.totalCount
    expect([await found(BUSAN), await found(DAEJEON), await found(GWANGJU)]).toEqual([1, 1, 0])
    expect((await setParent(GWANGJU, BUSAN, hr)).code).toBe('FORBIDDEN')
    expect((await setParent(GWANGJU, BUSAN, await maru.createUser({ role: 'hr' }))).code).toBe('FORBIDDEN')
  })
})

describe('a role of one branch (rules/roles#branch-roles)', () => {
  test('registers and moves into the branch only', async () => {
    expect((await maru.call(registerUser, form('in.busan'), hr)).status).toBe(200)
    const below = form('in.daejeon', { affiliationCode: DAEJEON, partnerCode: 'DJ-1' })
    expect((await maru.call(registerUser, below, hr)).status).toBe(200)
    const other = form('in.gwangju', { affiliationCode: GWANGJU, partnerCode: 'GJ-1' })
    expect(await maru.call(registerUser, other, hr)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await sql(`select from users where login_id = 'in.gwangju'`)).toEqual([])
    const before = await placeOf(busan)
    const out = { affiliationCode: GWANGJU, partnerCode: 'GJ-1' }
    expect((await edit(busan, out, hr)).status).toBe(403)
    expect(
      (await maru.call(previewBulk, { userIds: [busan.userId], bulkAction: 'move', ...out }, hr)).code,
    ).toBe('FORBIDDEN')
    expect(await placeOf(busan)).toEqual(before)
    expect((await edit(busan, { affiliationCode: DAEJEON, partnerCode: 'DJ-1' }, hr)).status).toBe(200)
  })

  test('imports into the branch only, with another affiliation as a wrong cell', async () => {
    const rows = [row('file.one', '부산지사', 'BUSAN-1'), row('file.two', GWANGJU, 'GJ-1')]
    const { data } = await maru.call(checkImport, { rows }, hr)
    expect(data.errors.map(({ row: line, field }) => [line, field])).toEqual([[2, 'affiliationCode']])
  })

  test('loses an account that the company moves out, and finds no other', async () => {
    expect((await maru.call(getUser, { userId: busan.userId }, hr)).status).toBe(200)
    expect((await edit(busan, { affiliationCode: GWANGJU, partnerCode: 'GJ-1' }, admin)).status).toBe(200)
    for (const userId of [busan.userId, 'nobody.at.all'])
      expect(await maru.call(getUser, { userId }, hr)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await maru.call(listUsers, { keyword: busan.userId }, hr)).data.totalCount).toBe(0)
  })

  test('exports the users of the branch alone', async () => {
    const { raw } = await maru.call(exportUsers, { format: 'csv', reason: '지사 점검' }, hr)
    const people = parse(raw, { bom: true, columns: true }) as Record<string, string>[]
    expect(new Set(people.map((person) => person['소속']))).toEqual(new Set(['부산지사', '대전지사']))
  })

  test('reaches a moved affiliation only by an actor who may grant the roles above it', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT981', '설정 담당', 'Settings', 21)`,
    )
    await sql(`insert into role_functions values ('AUT981', 'autho_setting_manage')`)
    const officer = await holder('AUT981', {})
    await sql(`update sessions set created_at = now() where user_id = $1`, [officer.id])
    expect((await setParent(GWANGJU, DAEJEON, officer)).code).toBe('FORBIDDEN')
    const below = (parentName: string) =>
      maru.call(
        createAffiliations,
        {
          rows: [{ name: `${parentName} 아래`, parentName }],
          partnerType: 'pa',
          provinceName: '부산광역시',
          districtName: '동구',
        },
        officer,
      )
    expect((await below(DAEJEON)).code).toBe('FORBIDDEN')
    expect((await below('BEL005')).status).toBe(200)
    // Nobody with a branch role is above.
    expect((await setParent(GWANGJU, 'BEL005', officer)).status).toBe(200)
    expect((await setParent(GWANGJU, '', officer)).status).toBe(200)
  })

  test('follows a moved affiliation with the next login or call', async () => {
    const person = await maru.createUser({ affiliation: GWANGJU })
    const seen = async () => (await maru.call(getUser, { userId: person.userId }, hr)).status
    expect(await seen()).toBe(403)
    await setParent(GWANGJU, DAEJEON)
    // Gained reach needs a new login.
    expect(await seen()).toBe(401)
    hr = await holder(BRANCH_HR, { affiliation: BUSAN })
    expect(await seen()).toBe(200)
    await setParent(GWANGJU, '')
    expect(await seen()).toBe(403)
  })

  test('grants 일반 사용자 and branch roles within its own, and reaches no role of the company with a power', async () => {
    const codes = async () => (await maru.call(listRoles, {}, hr)).data.map(({ code }) => code)
    expect((await codes()).toSorted()).toEqual(['AUT003', BRANCH_HR, BRANCH_KEYS, BRANCH_PARTNERS])
    expect((await edit(busan, { roleCode: BRANCH_KEYS }, hr)).status).toBe(200)
    expect((await edit(busan, { roleCode: 'AUT002' }, hr)).status).toBe(403)
    const central = await maru.createUser({ affiliation: BUSAN, role: 'hr' })
    expect((await maru.call(getUser, { userId: central.userId }, hr)).status).toBe(403)
    expect((await maru.call(getUser, { userId: hr.userId }, admin)).status).toBe(200)
  })

  test('decides requests whose account and new affiliation are both within', async () => {
    const asked = await maru.createUser({ affiliation: BUSAN, asked: true })
    const elsewhere = await maru.createUser({ affiliation: GWANGJU, asked: true })
    const { requests } = (await maru.call(listRequests, {}, hr)).data
    expect(requests.map(({ userId }) => userId)).toContain(asked.userId)
    expect(requests.map(({ userId }) => userId)).not.toContain(elsewhere.userId)
    const approve = async (of: TestUser, affiliationCode: string, partnerCode: string) =>
      maru.call(
        approveRequests,
        {
          requests: [await requestOf(of)],
          roleCode: 'AUT003',
          validFrom: '2026-01-01',
          validTo: '2099-12-31',
          partners: [{ affiliationCode, partnerCode }],
        },
        hr,
      )
    expect((await approve(elsewhere, GWANGJU, 'GJ-1')).code).toBe('FORBIDDEN')
    expect((await approve(asked, BUSAN, 'BUSAN-1')).status).toBe(200)
    // Into the branch and out of it: the company decides.
    for (const [of, to] of [
      [busan, GWANGJU],
      [await maru.createUser({ affiliation: GWANGJU }), BUSAN],
    ] as const) {
      await sql(
        `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
          select id, login_id, name, email, affiliation_code, 'affiliation', $2 from users where id = $1`,
        [of.id, to],
      )
      const input = {
        requests: [await requestOf(of)],
        partners: [{ affiliationCode: to, partnerCode: to === BUSAN ? 'BUSAN-1' : 'GJ-1' }],
      }
      const before = await placeOf(of)
      expect((await maru.call(approveAffiliationChanges, input, hr)).code).toBe('FORBIDDEN')
      expect(await placeOf(of)).toEqual(before)
      expect((await maru.call(approveAffiliationChanges, input, admin)).status).toBe(200)
    }
  })

  test('keeps partners of the branch', async () => {
    expect(await maru.call(createPartner, partner('DJ-2', DAEJEON), hr)).toMatchObject({ status: 200 })
    expect((await maru.call(createPartner, partner('GJ-2', GWANGJU), hr)).status).toBe(403)
    const { partners } = (await maru.call(listPartners, {}, hr)).data
    expect(partners.map(({ partnerCode }) => partnerCode).toSorted()).toEqual(['BUSAN-1', 'DJ-1', 'DJ-2'])
    expect((await maru.call(listPartnersOfAffiliation, { affiliationCode: GWANGJU }, hr)).data).toEqual([])
  })

  test('changes limits of partners of the branch alone, by code or search', async () => {
    const limits = () => sql(`select code, limit_day from partners where limit_day is not null order by code`)
    const change = { limitChange: 'set', maxKeysPerDay: 7 } as const
    const partnerCodes = ['GJ-1', 'NONE']
    const other = (await maru.call(previewLimits, { partnerCodes, ...change }, hr)).data
    expect(other).toMatchObject({ partnerCount: 0, partners: [], unchangedCount: 2 })
    const input = { partnerCodes, ...change, version: other.version }
    expect((await maru.call(changeLimits, input, hr)).code).toBe('BULK_NOBODY')
    // The version of a preview by the company does not help.
    const { version } = (await maru.call(previewLimits, { partnerCodes, ...change }, admin)).data
    expect((await maru.call(changeLimits, { ...input, version }, hr)).code).toBe('RECORD_CHANGED')
    expect(await limits()).toEqual([])
    const found = { found: { affiliationCode: '' }, except: ['DJ-2'], ...change }
    const all = (await maru.call(previewLimits, found, hr)).data
    expect((await maru.call(changeLimits, { ...found, version: all.version }, hr)).data).toEqual({
      partnerCount: 2,
    })
    expect(await limits()).toEqual(['BUSAN-1', 'DJ-1'].map((code) => ({ code, limit_day: 7 })))
    await sql('update partners set limit_day = null')
  })

  test('revokes many keys of the branch alone, and learns of no other user by ID', async () => {
    const gwangju = await maru.createUser({ affiliation: GWANGJU, loginId: 'many.k' })
    const near = await maru.createUser({ affiliation: BUSAN, loginId: 'many.keys' })
    const keyOf = async ({ id }: TestUser, code: string) =>
      (
        await sql(
          `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
            select $1, 'many', id, affiliation_code, province_name, district_name from partners where code = $2
            returning id::text`,
          [id, code],
        )
      )[0]?.id as string
    const keys = { own: await keyOf(near, 'BUSAN-1'), other: await keyOf(gwangju, 'GJ-1') }
    const { data } = await maru.call(listKeys, { userId: gwangju.userId }, hr)
    expect(data.keys.map(({ userId }) => userId)).toEqual([near.userId])
    const revoke = (keyIds: string[]) => maru.call(revokeKeys, { keyIds, reason: '퇴사' }, hr)
    expect((await revoke([keys.own, keys.other])).code).toBe('KEY_NOT_FOUND')
    expect((await revoke([keys.other])).code).toBe('KEY_NOT_FOUND')
    expect((await revoke([keys.own])).data).toEqual({ keyCount: 1 })
    const revoked = `select id::text from issued_keys where request_key = 'many' and revoked_at is not null`
    expect(await sql(revoked)).toEqual([{ id: keys.own }])
  })

  test('never gets a permission for the whole company', async () => {
    for (const functionName of ['autho_role_manage', 'autho_setting_manage', 'autho_audit_search'] as const)
      expect(await maru.call(grantFunction, { roleCode: BRANCH_KEYS, functionName }, admin)).toMatchObject({
        status: 400,
        code: 'ROLE_OF_BRANCH',
      })
    const lacked = { roleCode: BRANCH_KEYS, functionName: 'autho_setting_manage' } as const
    expect((await maru.call(revokeFunction, lacked, admin)).code).toBe('ROLE_OF_BRANCH')
    const functions: FunctionName[] = ['autho_user_manage', 'autho_service_manage']
    const made = { roleName: '안 되는 권한', roleNameEn: 'Refused', span: 'branch', functions } as const
    expect((await maru.call(createRole, made, admin)).code).toBe('ROLE_OF_BRANCH')
    await expect(sql(`update roles set span = 'branch' where code = 'AUT002'`)).rejects.toThrow(
      'roles_built_in_span',
    )
  })
})

describe('the affiliation of a holder of a branch role (rules/roles#branch-holders)', () => {
  test('becomes a request on the own page, which only the company decides, confirmed', async () => {
    const colleague = await holder(BRANCH_HR, { affiliation: BUSAN })
    await maru.call(checkPassword, { password: PASSWORD }, hr)
    const own = {
      originalUserId: hr.userId,
      userId: hr.userId,
      email: hr.email,
      name: '지사장',
      position: '부장',
      phoneNumber: '01011112222',
      affiliationCode: GWANGJU,
    }
    const { data } = await maru.call(updateUser, own, hr)
    expect(data.requestId).toMatch(/^\d+$/)
    expect(await placeOf(hr)).toMatchObject({ affiliation_code: BUSAN })
    const input = { requests: [data.requestId ?? ''], partners: partnersOf('GJ-1') }
    for (const by of [hr, colleague])
      expect((await maru.call(approveAffiliationChanges, input, by)).code).toBe('FORBIDDEN')
    // 인사 관리자 lacks a permission of the role.
    const central = await maru.createUser({ role: 'hr' })
    expect((await maru.call(approveAffiliationChanges, input, central)).code).toBe('FORBIDDEN')
    const later = await maru.createUser({ role: 'admin' })
    await sql(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [later.id])
    expect((await maru.call(approveAffiliationChanges, input, later)).code).toBe('CONFIRMATION_REQUIRED')
    expect(await placeOf(hr)).toMatchObject({ affiliation_code: BUSAN })
    expect((await maru.call(approveAffiliationChanges, input, admin)).status).toBe(200)
    expect(await placeOf(hr)).toMatchObject({ affiliation_code: GWANGJU })
    const { rows } = (await maru.call(listAudit, { action: RIGHTS }, admin)).data
    expect(rows[0]).toMatchObject({ target: hr.userId })
    expect(rows[0]?.changes.map(({ after }) => after)).toContain(`${hr.userId} (지사 인사)`)
  })

  test('is changed by no other call of the branch or of a manager who may not grant the role', async () => {
    const colleague = await holder(BRANCH_HR, { affiliation: BUSAN })
    const partners = await holder(BRANCH_PARTNERS, { affiliation: BUSAN })
    const central = await maru.createUser({ role: 'hr' })
    const moves = { affiliationCode: DAEJEON, partnerCode: 'DJ-1' }
    for (const [by, of, roleCode] of [
      [colleague, hr, BRANCH_HR],
      [central, partners, BRANCH_PARTNERS],
    ] as const) {
      expect((await edit(of, { ...moves, roleCode }, by)).status, roleCode).toBe(403)
      const chosen = { userIds: [of.userId], bulkAction: 'move' as const, ...moves }
      const { data } = await maru.call(previewBulk, chosen, by)
      expect(data.obstacles, roleCode).toMatchObject([{ userId: of.userId, obstacle: 'OUT_OF_REACH' }])
      // An edit without a move is saved.
      const stays = { affiliationCode: BUSAN, partnerCode: 'BUSAN-1', roleCode }
      expect((await edit(of, stays, by)).status, roleCode).toBe(200)
    }
    expect(await placeOf(partners)).toMatchObject({ affiliation_code: BUSAN })
    expect(await placeOf(hr)).toMatchObject({ affiliation_code: BUSAN })
    const chosen = { userIds: [hr.userId], ...moves }
    const { version } = (await maru.call(previewBulk, { ...chosen, bulkAction: 'move' }, admin)).data
    expect((await maru.call(moveUsers, { ...chosen, version }, admin)).data).toEqual({ userCount: 1 })
    expect(await placeOf(hr)).toMatchObject({ affiliation_code: DAEJEON })
  })

  test('ends what its former controllers know (rules/roles#former-controllers)', async () => {
    const userId = 'made.in.busan'
    await maru.call(registerUser, form(userId), hr)
    const enter = async () =>
      (await maru.call(login, { loginId: userId, password: '푸른-바다-7고래' })).status
    expect(await enter()).toBe(200)
    const [{ id }] = (await sql('select id from users where login_id = $1', [userId])) as [{ id: string }]
    const made = { id, userId, email: `${userId}@example.com`, session: '' }
    // The manager of the first branch, who knows the password, gets no role of another branch with it.
    await edit(made, { affiliationCode: GWANGJU, partnerCode: 'GJ-1' }, admin)
    expect(await enter()).toBe(200)
    await edit(made, { affiliationCode: GWANGJU, partnerCode: 'GJ-1', roleCode: BRANCH_HR }, admin)
    expect(await enter()).toBe(400)
    expect(await sql('select from sessions where user_id = $1', [id])).toEqual([])
  })

  test('ends notifications, drafts and histories of the former branch', async () => {
    const asked: TestUser[] = []
    for (const affiliation of [BUSAN, GWANGJU])
      asked.push(await maru.createUser({ affiliation, asked: true }))
    const { noticeId } = (
      await maru.call(
        createNotice,
        { bulletCode: 'BE0001', title: '초안', memo: '', publishAt: '2099-01-01 00:00:00' },
        busan,
      )
    ).data
    const seen = async (by: TestUser) => {
      const news = JSON.stringify((await maru.call(listNotifications, {}, by)).data)
      const rows = [
        await maru.call(listHistory, { recordKind: 'notice', recordId: noticeId }, by),
        await maru.call(listHistory, { recordKind: 'user', recordId: busan.userId }, by),
      ].map(({ data }) => data.totalCount > 0)
      return [...asked.map(({ userId }) => news.includes(userId)), ...rows]
    }
    await edit(busan, { position: '차장' }, admin)
    expect(await seen(hr)).toEqual([true, false, true, true])
    await sql('update users set affiliation_code = $1 where id = $2', [GWANGJU, hr.id])
    expect(await seen(hr)).toEqual([false, true, false, false])
    expect((await maru.call(getNotice, { noticeId }, hr)).code).toBe('NOTICE_NOT_FOUND')
  })

  test('counts as gained with the first permission of a role, and as kept with a lost one', async () => {
    const [first, ...rest] = BRANCH_FUNCTIONS
    await sql(
      `insert into roles (code, group_name, name_en, sort_order, span) values ('AUT973', '빈 지사', 'Empty', 12, 'branch')`,
    )
    const person = await holder('AUT973', { affiliation: GWANGJU })
    const isAlive = async () => (await sql('select from sessions where user_id = $1', [person.id])).length > 0
    const own = async () => (await maru.call(getUser, { userId: person.userId }, person)).data
    expect(await own()).not.toHaveProperty('affiliationByRequest')
    await sql(`insert into role_functions select 'AUT973', unnest($1::text[])`, [rest])
    expect(await own()).toHaveProperty('affiliationByRequest', true)
    const change = { roleCode: 'AUT973', functionName: rest[0] ?? first }
    expect((await maru.call(revokeFunction, change, admin)).status).toBe(200)
    expect(await isAlive()).toBe(true)
    await sql(`delete from role_functions where role_code = 'AUT973'`)
    expect((await maru.call(grantFunction, change, admin)).status).toBe(200)
    expect(await isAlive()).toBe(false)
  })
})

const isAlive = async ({ id }: TestUser) =>
  (await sql('select from sessions where user_id = $1', [id])).length > 0

describe('an account whose manager left the branch (rules/roles#former-controllers)', () => {
  let userId: string
  let count = 0
  const enter = async () => (await maru.call(login, { loginId: userId, password: '푸른-바다-7고래' })).status
  beforeEach(async () => {
    userId = `left.${(count += 1)}`
    await sql(
      `insert into roles (code, group_name, name_en, sort_order, span)
        values ('AUT974', '지사 공지', 'Branch notices', 13, 'branch') on conflict do nothing`,
    )
    await sql(`delete from role_functions where role_code = 'AUT974'`)
    await sql(`insert into role_functions values ('AUT974', 'autho_notice_insert')`)
    await maru.call(registerUser, form(userId, { roleCode: 'AUT974' }), hr)
    await edit(hr, { affiliationCode: GWANGJU, partnerCode: 'GJ-1', roleCode: BRANCH_HR }, admin)
    expect(await enter()).toBe(200)
  })

  test('is closed to the manager when its branch role grows', async () => {
    const change = { roleCode: 'AUT974', functionName: 'autho_key_search' as const }
    expect((await maru.call(grantFunction, change, admin)).status).toBe(200)
    expect(await enter()).toBe(400)
  })

  test('is closed to the manager when its branch grows, but not by a move within the branch', async () => {
    const inner = await holder(BRANCH_HR, { affiliation: DAEJEON })
    expect((await setParent('BEL007', BUSAN)).status).toBe(200)
    expect(await enter()).toBe(400)
    // The branch of the affiliation below grows, that of the one above does not.
    const above = await holder(BRANCH_HR, { affiliation: BUSAN })
    expect([await isAlive(inner), await isAlive(above)]).toEqual([true, true])
    expect((await setParent('BEL007', DAEJEON)).status).toBe(200)
    expect([await isAlive(inner), await isAlive(above)]).toEqual([false, true])
    expect((await setParent('BEL007', '')).status).toBe(200)
    expect(await isAlive(above)).toBe(true)
  })
})

/** Moves the user of Busan to another branch. @returns what is stored of them from then on */
const leave = async () => {
  const before = await placeOf(busan)
  expect((await edit(busan, { affiliationCode: GWANGJU, partnerCode: 'GJ-1' }, admin)).status).toBe(200)
  return { ...before, affiliation_code: GWANGJU }
}

describe('what a manager prepared before an account left the branch (rules/roles#branch-roles)', () => {
  test.each(['userIds', 'found'] as const)('changes nothing by a preview of before: %s', async (by) => {
    const name = `이사간이 ${by}`
    await sql('update users set name = $1 where id = $2', [name, busan.id])
    const chosen = by === 'found' ? { found: { name } } : { userIds: [busan.userId] }
    const preview = () => maru.call(previewBulk, { ...chosen, bulkAction: 'role', roleCode: BRANCH_KEYS }, hr)
    const change = (version: string) =>
      maru.call(changeRoles, { ...chosen, roleCode: BRANCH_KEYS, version }, hr)
    const { data } = await preview()
    expect(data.userCount).toBe(1)
    const left = await leave()
    expect((await change(data.version)).code).toBe('RECORD_CHANGED')
    expect((await change((await preview()).data.version)).code).toBe('BULK_NOBODY')
    expect(await placeOf(busan)).toEqual(left)
  })

  test('changes nothing by a file that was checked before', async () => {
    const rows = [{ ...row(busan.userId, '', ''), email: '', roleCode: '' }]
    const check = async () => (await maru.call(checkUpdates, { rows }, hr)).data
    const before = await check()
    expect(before.userCount).toBe(1)
    await leave()
    const update = (version: string) =>
      maru.call(updateByImport, { rows, version, managerPassword: PASSWORD }, hr)
    expect((await update(before.version)).code).toBe('RECORD_CHANGED')
    expect((await update((await check()).version)).code).toBe('IMPORT_INVALID')
  })

  test('changes nothing by a call that waits for the move', async () => {
    const client = await maru.database.pool.connect()
    await client.query('begin')
    await client.query('update users set affiliation_code = $1 where id = $2', [GWANGJU, busan.id])
    const call = edit(busan, { roleCode: BRANCH_KEYS }, hr)
    await untilBlocked(client)
    await client.query('commit')
    client.release()
    expect((await call).code).toBe('FORBIDDEN')
    expect(await placeOf(busan)).toEqual({ affiliation_code: GWANGJU, role_code: 'AUT003' })
  })

  test('gives no mailbox to the account by a correction of before', async () => {
    const token = 'B'.repeat(43)
    await sql(
      `insert into account_links (token_hash, user_id, kind, email, requested_by, expires_at)
        values (sha256($1::text::bytea), $2, 'EMAIL', 'other@example.com', $3, now() + interval '1 day')`,
      [token, busan.id, hr.id],
    )
    await leave()
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect(await sql('select email from users where id = $1', [busan.id])).toEqual([{ email: busan.email }])
  })

  test('shows the keys of the branch alone, without the phone number of their user', async () => {
    for (const code of ['BUSAN-1', 'GJ-1'])
      await sql(
        `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
          select $1, 'left ' || code, id, affiliation_code, province_name, district_name from partners where code = $2`,
        [busan.id, code],
      )
    await leave()
    const { keys } = (await maru.call(listKeys, { requesterName: '김하늘' }, hr)).data
    const own = keys.filter(({ userId }) => userId === busan.userId)
    expect(own).toMatchObject([{ requestKey: 'left BUSAN-1', phoneNumber: expect.stringContaining('*') }])
    expect((await maru.call(listKeys, { phoneNumber: '01098765432' }, hr)).data.totalCount).toBe(0)
  })

  test('restores no account of an affiliation that left the branch', async () => {
    const person = await maru.createUser({ affiliation: DAEJEON })
    const { userId } = person
    expect((await maru.call(withdrawUser, { userId, withdrawnReason: '퇴사' }, hr)).status).toBe(200)
    await sql(`update codes set parent_code = null where code = $1`, [DAEJEON])
    expect((await maru.call(restoreUser, { userId }, hr)).code).toBe('FORBIDDEN')
    expect((await maru.call(listUsers, { keyword: userId, withdrawn: true }, hr)).data.totalCount).toBe(0)
    await sql(`update codes set parent_code = $2 where code = $1`, [DAEJEON, BUSAN])
    expect((await maru.call(restoreUser, { userId }, hr)).status).toBe(200)
  })
})

describe('a notice of the branch (rules/roles#branch-roles)', () => {
  const text = { bulletCode: 'BE0001', title: '지사 공지', memo: '' } as const
  test.each([
    { mustRead: true },
    { mustRead: true, audienceAffiliations: [] },
    { mustRead: true, audienceAffiliations: [BUSAN, GWANGJU] },
    { mustRead: true, audienceRoles: ['AUT003'] },
    { pinnedUntil: '2099-01-01', audienceAffiliations: [GWANGJU] },
  ])('is not marked for others by %j', async (marks) => {
    expect((await maru.call(createNotice, { ...text, ...marks }, hr)).code).toBe('FORBIDDEN')
    for (const before of [{}, { mustRead: true, audienceAffiliations: [BUSAN] }]) {
      const { noticeId } = (await maru.call(createNotice, { ...text, ...before }, hr)).data
      // Without an audience, the input keeps that of the branch.
      const input = { audienceAffiliations: [], ...text, ...marks, noticeId }
      expect((await maru.call(updateNotice, input, hr)).code).toBe('FORBIDDEN')
    }
  })
})

const refused = async (of: Pick<TestUser, 'email'>, affiliation: string) =>
  (
    await sql(
      `insert into approval_requests (login_id, name, email, affiliation_code, kind, state, decided_at, decided_by, reason)
        values ('gone.user', '김하늘', $1, $2, 'account', 'refused', now(), $3, '중복') returning id::text`,
      [of.email, affiliation, admin.id],
    )
  )[0]?.id as string

const defaultPartner = (affiliationCode: string, partnerCode: string) => ({
  affiliationCode,
  partnerCode,
  partnerType: 'pa' as const,
  provinceName: '서울특별시',
  districtName: '종로구',
  ...LIMITS,
})

const newAffiliation = (name: string, partnerCode: string) => ({
  name,
  nameEn: partnerCode,
  partnerCode,
  provinceName: '서울특별시',
  districtName: '종로구',
})

describe('a record of several branches (rules/roles#branch-roles)', () => {
  test('gets a default partner code by its branch alone', async () => {
    for (const code of [GWANGJU, 'BEL999'])
      expect((await maru.call(createAffiliationPartner, defaultPartner(code, 'GJ-9'), hr)).code).toBe(
        'FORBIDDEN',
      )
    expect(await sql(`select from partners where code = 'GJ-9'`)).toEqual([])
    expect((await maru.call(createAffiliationPartner, defaultPartner(DAEJEON, 'DJ-9'), hr)).status).toBe(200)
  })

  test('shows earlier requests with the same email in the branch alone', async () => {
    const asked = await maru.createUser({ affiliation: BUSAN, asked: true })
    for (const code of [BUSAN, GWANGJU, GWANGJU]) await refused(asked, code)
    for (const [by, count] of [
      [hr, 1],
      [admin, 3],
    ] as const) {
      const { requests } = (await maru.call(listRequests, {}, by)).data
      expect(requests.find(({ userId }) => userId === asked.userId)?.refusedCount).toBe(count)
      const history = (await maru.call(listRequestsOfUser, { userId: asked.userId }, by)).data.requests
      expect(history).toHaveLength(count + 1)
    }
  })

  test('is refused alike as a request of another branch, whether unknown, open or decided', async () => {
    const open = await maru.createUser({ affiliation: GWANGJU, asked: true })
    const decided = await refused(open, GWANGJU)
    const decision = { roleCode: 'AUT003', validFrom: '2026-01-01', validTo: '2099-12-31' }
    const decide = async (id: string, partners = [{ affiliationCode: BUSAN, partnerCode: 'BUSAN-1' }]) => {
      const { status, code, data } = await maru.call(
        approveRequests,
        { ...decision, requests: [id], partners },
        hr,
      )
      return { status, code, data }
    }
    const unknown = await decide('999999')
    expect(unknown).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    for (const id of [await requestOf(open), decided]) expect(await decide(id)).toEqual(unknown)
    // Nor does a partner that no request needs tell whether it exists.
    const asked = await maru.createUser({ affiliation: BUSAN, asked: true })
    const own = { affiliationCode: BUSAN, partnerCode: 'BUSAN-1' }
    for (const code of ['GJ-1', 'NONE'])
      expect(
        await decide(await requestOf(asked), [own, { affiliationCode: GWANGJU, partnerCode: code }]),
      ).toEqual(unknown)
  })

  test('loses the keys of the branch alone at a withdrawal', async () => {
    for (const code of ['BUSAN-1', 'GJ-1'])
      await sql(
        `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
          select $1, $2 || code, id, affiliation_code, province_name, district_name from partners where code = $2`,
        [busan.id, code],
      )
    const { userId } = busan
    expect((await maru.call(countBelongings, { userId }, hr)).data).toMatchObject({ keyCount: 1 })
    expect((await maru.call(countBelongings, { userId }, admin)).data).toMatchObject({ keyCount: 2 })
    await maru.call(withdrawUser, { userId, withdrawnReason: '퇴사', keysRevoked: true }, hr)
    const revoked = await sql(
      'select affiliation_code from issued_keys where user_id = $1 and revoked_at is not null',
      [busan.id],
    )
    expect(revoked).toEqual([{ affiliation_code: BUSAN }])
  })

  test('shows the history of a partner that was made with those of others without them', async () => {
    const rows = [newAffiliation('울산지사', 'US-1'), newAffiliation('포항지사', 'PH-1')]
    const added = await maru.call(
      createAffiliations,
      { rows, partnerType: 'pa', provinceName: '', districtName: '' },
      admin,
    )
    expect(added.data).toEqual({ rowCount: 2 })
    const [ulsan] = await sql(`select affiliation_code as code from partners where code = 'US-1'`)
    await setParent(String(ulsan?.code), BUSAN)
    hr = await holder(BRANCH_HR, { affiliation: BUSAN })
    const history = async (by: TestUser) => {
      const { data } = await maru.call(listHistory, { recordKind: 'partner', recordId: 'US-1' }, by)
      expect(data.rows).toHaveLength(1)
      return JSON.stringify(data)
    }
    expect(await history(admin)).toContain('포항')
    expect(await history(hr)).not.toMatch(/PH-1|포항/)
  })
})

describe('templates of roles (rules/roles#templates)', () => {
  test.each(Object.entries(ROLE_TEMPLATES))(
    'make %s, and no role beyond the caller’s',
    async (name, template) => {
      const input = {
        roleName: `틀 ${name}`,
        roleNameEn: name,
        ...template,
        functions: [...template.functions],
      }
      const { data } = await maru.call(createRole, input, admin)
      const { roles } = (await maru.call(listRolesWithFunctions, {}, admin)).data
      expect(roles.find(({ roleCode }) => roleCode === data.roleCode)).toMatchObject({
        span: template.span,
        functions: [...template.functions].toSorted(),
        userCount: 0,
      })
      await sql(
        `insert into roles (code, group_name, name_en, sort_order) values ('AUT980', '권한 담당', 'Officer', 20) on conflict do nothing`,
      )
      await sql(`insert into role_functions values ('AUT980', 'autho_role_manage') on conflict do nothing`)
      const officer = await holder('AUT980', {})
      expect((await maru.call(createRole, { ...input, roleName: `또 ${name}` }, officer)).code).toBe(
        'FORBIDDEN',
      )
    },
  )
})
