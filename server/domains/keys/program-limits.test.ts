import { beforeAll, expect, test } from 'vitest'
import { confirmRights, getReview, takeRights, withdrawRights } from '../../../contract/audit.ts'
import { login } from '../../../contract/account.ts'
import { getToDo } from '../../../contract/home.ts'
import { deleteProgramAccount } from '../../../contract/keys.ts'
import { countRecipients } from '../../../contract/notices.ts'
import { deletePartner } from '../../../contract/partners.ts'
import { grantFunction, removeRole, revokeFunction } from '../../../contract/roles.ts'
import { inviteUser, moveUsers, resetUser, suspendUser, withdrawUsers } from '../../../contract/users.ts'
import { changeParent } from '../../../dev/test-kit/affiliations.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { partnerWith } from '../../../dev/test-kit/keys.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { programAccountsOf } from '../../../dev/test-kit/program-accounts.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'
import { resetByOperator } from '../account/index.ts'

const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9' })
const { sql, count } = programsOf(maru)
const { register, tokenOf, plain, statusOf, listed, change } = programAccountsOf(maru, () => admin)

let admin: TestUser
/** Holds `autho_service_manage` alone. */
let operator: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await sql(`insert into roles (code, group_name, name_en, sort_order, span) values ('AUT980', '운영', 'Operations', 980, 'all'),
    ('AUT981', '연동', 'Link', 981, 'all'), ('AUT982', '지점 조회', 'Branch reader', 982, 'branch'),
    ('AUT983', '지점 인사', 'Branch HR', 983, 'branch')`)
  await sql(`insert into role_functions values ('AUT980', 'autho_service_manage'), ('AUT982', 'autho_user_search'),
    ('AUT983', 'autho_user_search'), ('AUT983', 'autho_user_manage')`)
  operator = await maru.createUser()
  await sql(`update users set role_code = 'AUT980' where id = $1`, [operator.id])
})

async function rowOf(accountId: string) {
  const [row] = await sql('select login_id, password_hash from users where id = $1', [accountId])
  return row ?? expect.unreachable()
}

test('refuses every call about a user for a program (rules/keys#program-accounts)', async () => {
  const accountId = await register()
  const { programToken } = await tokenOf(accountId)
  const userId = String((await rowOf(accountId)).login_id)
  const suspension = { suspendedFor: 'OTHER' as const, suspendedReason: '확인' }
  const answers = [
    await maru.call(inviteUser, { userId }, admin),
    await maru.call(resetUser, { userId }, admin),
    await maru.call(suspendUser, { userId, ...suspension }, admin),
    await maru.call(withdrawUsers, { userIds: [userId], version: '1' }, admin),
    await maru.call(
      moveUsers,
      { userIds: [userId], version: '1', affiliationCode: 'BEL002', partnerCode: '' },
      admin,
    ),
    await maru.call(login, { loginId: userId, password: 'x' }, admin),
  ]
  expect(answers.map(({ code }) => code)).toEqual([...Array(5).fill('INPUT_INVALID'), 'LOGIN_FAILED'])
  await expect(resetByOperator(maru.database.db, maru.services, userId)).rejects.toThrow('No account has')
  expect(await listed(accountId)).toMatchObject({ state: 'live', roleCode: 'AUT002' })
  expect(await statusOf(programToken)).toBe(200)
})

async function counts() {
  const { endingCount } = (await maru.call(getToDo, {}, admin)).data
  return [endingCount, (await maru.call(countRecipients, {}, admin)).data.recipientCount]
}

test('counts no program as a user whose account ends, or who gets a notice (rules/keys#program-accounts)', async () => {
  const before = await counts()
  await register({ validTo: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) })
  expect(await counts()).toEqual(before)
})

test('keeps the tokens when their creator leaves, with no more than the role then permits (rules/keys#program-accounts)', async () => {
  const creator = await maru.createUser({ role: 'admin' })
  const accountId = await register({ roleCode: 'AUT982' }, creator)
  const { programToken } = await tokenOf(accountId, 'A', creator)
  await sql(`update users set withdrawn_at = now() where id = $1`, [creator.id])
  expect(await statusOf(programToken)).toBe(200)
  await maru.call(revokeFunction, { roleCode: 'AUT982', functionName: 'autho_user_search' }, admin)
  expect(await statusOf(programToken)).toBe(403)
  await maru.call(grantFunction, { roleCode: 'AUT982', functionName: 'autho_user_search' }, admin)
})

const ended = async (token: string) => (await plain('users/listColleagues', token)).status === 401

test('ends tokens whose creator could not give what the program gains (rules/keys#program-reach)', async () => {
  const accountId = await register({ roleCode: 'AUT981', scopes: ['colleagues:read'] }, operator)
  const first = (await tokenOf(accountId, 'A', operator)).programToken
  expect(await ended(first)).toBe(false)
  expect((await change(accountId, { roleCode: 'AUT003' })).status).toBe(200)
  expect(await ended(first)).toBe(false)
  // The operator may not grant the new role.
  expect((await change(accountId, { roleCode: 'AUT002' })).status).toBe(200)
  expect([await ended(first), (await listed(accountId))?.tokens[0]?.state]).toEqual([true, 'account'])
  expect((await change(accountId, { roleCode: 'AUT981' })).status).toBe(200)
  const second = (await tokenOf(accountId, 'B', operator)).programToken
  const gain = { roleCode: 'AUT981', functionName: 'autho_audit_search' as const }
  expect((await maru.call(grantFunction, gain, admin)).status).toBe(200)
  expect(await ended(second)).toBe(true)
  // A token created afterwards is of someone who may grant it.
  const third = (await tokenOf(accountId, 'C')).programToken
  expect((await change(accountId, { roleCode: 'AUT003' })).status).toBe(200)
  expect(await ended(third)).toBe(false)
})

test('gives a program no password and no invitation when its branch grows (rules/roles#former-controllers)', async () => {
  const accountId = await register({ roleCode: 'AUT982' })
  const before = await rowOf(accountId)
  const answer = await changeParent(maru, 'BEL002', { parentCode: 'BEL001' }, admin)
  expect(answer.status, answer.raw).toBe(200)
  expect(await rowOf(accountId)).toEqual(before)
  expect(await count('mails where recipient = $1', [before.login_id])).toBe(0)
})

test('lets a review take the role of a program (rules/audit#review-decisions)', async () => {
  const accountId = await register({ programName: '검토할 프로그램' })
  const [now] = await sql(`select to_char(now() at time zone 'Asia/Seoul', 'YYYY-"Q"Q') as quarter`)
  const quarter = String(now?.quarter)
  await maru.call(takeRights, { quarter }, admin)
  const { people } = (await maru.call(getReview, { quarter }, admin)).data
  const item = people.find(({ name }) => name === '검토할 프로그램')
  const decided = { quarter, itemIds: [item?.itemId ?? ''], remark: '쓰지 않음' }
  expect((await maru.call(confirmRights, decided, admin)).status).toBe(200)
  const answer = await maru.call(withdrawRights, decided, admin)
  expect(answer.status, answer.raw).toBe(200)
  expect((await listed(accountId))?.roleCode).toBe('AUT003')
})

test('frees role and partner code of a deleted program (rules/keys#program-accounts)', async () => {
  const partner = await partnerWith(maru)
  await sql(`update codes set default_partner_id = $1 where group_code = 'COMBEL001' and code = 'BEL001'`, [
    partner.id,
  ])
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT985', '잠시', 'Briefly', 985)`,
  )
  const accountId = await register({ roleCode: 'AUT985', scopes: ['keys:issue'] })
  await sql(`update codes set default_partner_id = null where group_code = 'COMBEL001' and code = 'BEL001'`)
  const codes = async () => [
    (await maru.call(removeRole, { roleCode: 'AUT985' }, admin)).code,
    (await maru.call(deletePartner, { partnerCode: partner.code }, admin)).code,
  ]
  expect(await codes()).toEqual(['ROLE_IN_USE', 'PARTNER_IN_USE'])
  expect((await maru.call(deleteProgramAccount, { accountId }, admin)).status).toBe(200)
  expect(await codes()).toEqual([undefined, undefined])
})
