import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveRequests } from '../../../contract/approvals.ts'
import { listRoles } from '../../../contract/roles.ts'
import { checkImport, importUsers } from '../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../contract/users/import-update.ts'
import { requestEmail } from '../../../contract/users/admin-actions.ts'
import { changeRoles, previewBulk, registerUser, updateUser } from '../../../contract/users.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../dev/test-kit/people.ts'

/* Users cannot grant permissions they lack (rules/roles#giving), by any call; users who have them keep them. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
/** Holds the tokens of services and the partners, which HR lacks; and the history of keys, which HR has. */
const CUSTOM = { code: 'AUT950', name: '서비스 담당' }
const PLAIN = { code: 'AUT951', name: '키 담당' }
const DENIED = { status: 403, code: 'FORBIDDEN' }
const card = { validFrom: '2026-01-01', validTo: '2099-12-31', partnerCode: 'HEAD-1' }
let hr: TestUser
let kim: TestUser
let made = 0

beforeAll(async () => {
  await maru.createPartner({ code: 'HEAD-1' })
  for (const { code, name } of [CUSTOM, PLAIN])
    await sql('insert into roles (code, group_name, name_en, sort_order) values ($1, $2, $1, 9)', [
      code,
      name,
    ])
  await sql(`insert into role_functions values ('AUT950', 'autho_service_manage'),
    ('AUT950', 'autho_partner_search'), ('AUT950', 'autho_key_search'), ('AUT951', 'autho_key_search')`)
})
beforeEach(async () => {
  hr = await maru.createUser({ role: 'hr' })
  kim = await maru.createUser()
})

const roleOf = async ({ id }: TestUser) =>
  (await sql('select role_code, approval_code from users where id = $1', [id])).rows[0]
const holders = async () =>
  (await sql('select count(*)::int as n from users where role_code = $1', [CUSTOM.code])).rows[0].n as number
const give = ({ id }: TestUser, role: string) =>
  sql('update users set role_code = $2 where id = $1', [id, role])

function fields(more: object = {}) {
  made += 1
  return {
    userId: `given.${made}`,
    name: '김하늘',
    affiliationCode: 'BEL001',
    position: '대리',
    phoneNumber: '01098765432',
    email: `given.${made}@example.com`,
    ...card,
    ...more,
  }
}
const register = (roleCode: string) =>
  maru.call(
    registerUser,
    {
      ...fields(),
      roleCode,
      approvalCode: 'MEMAP001',
      password: '푸른-바다-7고래',
      managerPassword: PASSWORD,
    },
    hr,
  )
const edit = (of: TestUser, more: object = {}) =>
  maru.call(
    updateUser,
    {
      ...fields(),
      originalUserId: of.userId,
      userId: of.userId,
      email: of.email,
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      ...more,
    },
    hr,
  )

describe('a role with a function that HR lacks', () => {
  test('is not offered, and said of who has it', async () => {
    const names = (await maru.call(listRoles, {}, hr)).data.map(({ codeName }) => codeName)
    expect(names).toEqual(['인사 관리자', '일반 사용자', PLAIN.name])
    const reached = (await maru.call(listRoles, { reached: true }, hr)).data
    expect(reached.map(({ codeName, grantable }) => [codeName, grantable])).toEqual([
      ['인사 관리자', true],
      ['일반 사용자', true],
      [CUSTOM.name, false],
      [PLAIN.name, true],
    ])
    const admin = await maru.createUser({ role: 'admin' })
    expect((await maru.call(listRoles, {}, admin)).data).toContainEqual({
      code: CUSTOM.code,
      codeName: CUSTOM.name,
    })
  })

  test('is granted by no call: register, edit, approve, import, update by file, bulk', async () => {
    const before = await holders()
    expect(await register(CUSTOM.code)).toMatchObject(DENIED)
    expect(await edit(kim, { roleCode: CUSTOM.code })).toMatchObject(DENIED)

    const applicant = await maru.createUser({ asked: true })
    const { rows } = await sql('select id from approval_requests where user_id = $1', [applicant.id])
    const asked = {
      requests: [rows[0].id as string],
      validFrom: card.validFrom,
      validTo: card.validTo,
      roleCode: CUSTOM.code,
      partners: [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }],
    }
    expect(await maru.call(approveRequests, asked, hr)).toMatchObject(DENIED)
    expect(await roleOf(applicant)).toEqual({ role_code: 'AUT003', approval_code: 'MEMAP002' })

    for (const roleCode of [CUSTOM.code, CUSTOM.name]) {
      const row = fields({ roleCode })
      const dry = await maru.call(checkImport, { rows: [row] }, hr)
      expect(dry.data.errors).toMatchObject([{ field: 'roleCode' }])
      const imported = await maru.call(importUsers, { rows: [row], managerPassword: PASSWORD }, hr)
      expect(imported.code).toBe('IMPORT_INVALID')

      const change = { userId: kim.userId, roleCode }
      const { data } = await maru.call(checkUpdates, { rows: [change] }, hr)
      expect(data.errors).toMatchObject([{ field: 'roleCode' }])
      const update = { rows: [change], version: data.version, managerPassword: PASSWORD }
      expect((await maru.call(updateByImport, update, hr)).code).toBe('IMPORT_INVALID')
    }

    const many = { userIds: [kim.userId], roleCode: CUSTOM.code }
    expect(await maru.call(previewBulk, { ...many, bulkAction: 'role' }, hr)).toMatchObject(DENIED)
    const { version } = (
      await maru.call(previewBulk, { ...many, roleCode: PLAIN.code, bulkAction: 'role' }, hr)
    ).data
    expect(await maru.call(changeRoles, { ...many, version }, hr)).toMatchObject(DENIED)

    expect(await holders()).toBe(before)
    // Permissions that HR has can be granted as before.
    expect((await register(PLAIN.code)).status).toBe(200)
    expect((await edit(kim, { roleCode: PLAIN.code })).status).toBe(200)
  })

  test('is not granted by approving, and stays with its users whatever else HR changes', async () => {
    await give(kim, CUSTOM.code)
    const same = { roleCode: CUSTOM.code, position: '과장' }
    expect((await edit(kim, same)).status).toBe(200)
    const row = { userId: kim.userId, roleCode: CUSTOM.name, position: '부장' }
    const { data } = await maru.call(checkUpdates, { rows: [row] }, hr)
    expect(data.errors).toEqual([])
    expect((await edit(kim, { ...same, approvalCode: 'MEMAP002' })).status).toBe(200)
    expect(await edit(kim, same)).toMatchObject(DENIED)
    expect(await roleOf(kim)).toEqual({ role_code: CUSTOM.code, approval_code: 'MEMAP002' })
    // Another role may be given instead, and that one not back.
    expect((await edit(kim)).status).toBe(200)
    expect(await edit(kim, same)).toMatchObject(DENIED)
  })

  test('is not got by leading the mails of who has it to another mailbox', async () => {
    await give(kim, CUSTOM.code)
    const correct = (of: TestUser) =>
      maru.call(requestEmail, { userId: of.userId, email: `taken.over.${of.id}@example.com`, reason: '' }, hr)
    expect(await correct(kim)).toMatchObject(DENIED)
    expect((await correct(await maru.createUser())).status).toBe(200)
  })

  test('is not given either when it gains the function while it is being given', async () => {
    const admin = await maru.database.pool.connect()
    try {
      await admin.query('begin')
      await admin.query(`select from roles where code = 'AUT951' for update`)
      await admin.query(`insert into role_functions values ('AUT951', 'autho_service_manage')`)
      const given = edit(kim, { roleCode: PLAIN.code })
      await untilBlocked(admin)
      await admin.query('commit')
      expect(await given).toMatchObject(DENIED)
    } finally {
      admin.release()
      await sql(
        `delete from role_functions where role_code = 'AUT951' and function_name = 'autho_service_manage'`,
      )
    }
  })
})

test('lets HR give 일반 사용자 ordinary permissions, but not with a privileged one', async () => {
  await sql(`insert into role_functions values ('AUT003', 'autho_partner_search')`)
  expect((await register('AUT003')).status).toBe(200)
  await sql(`insert into role_functions values ('AUT003', 'autho_audit_search')`)
  expect(await register('AUT003')).toMatchObject(DENIED)
  await sql(`delete from role_functions where role_code = 'AUT003' and function_name <> 'autho_key_search'`)
})
