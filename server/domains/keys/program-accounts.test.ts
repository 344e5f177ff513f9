import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { listAudit } from '../../../contract/audit.ts'
import {
  createAccountToken,
  createProgram,
  createProgramAccount,
  deleteProgramAccount,
  endProgram,
  listAllPrograms,
  listProgramAccounts,
  PROGRAM_ACCOUNTS_MAX,
  PROGRAMS_MAX,
  revokeAccountToken,
  rollAccountToken,
} from '../../../contract/keys.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { getColleague, listColleagues, listUsers } from '../../../contract/users.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { partnerWith } from '../../../dev/test-kit/keys.ts'
import { type AccountForm, programAccountsOf } from '../../../dev/test-kit/program-accounts.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'
import { eraseWithdrawn, mergeUserCounts, runDaily } from '../users/index.ts'
import { notifyExpiringTokens } from './tokens.ts'

const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9' })
const { sql, count, passGate } = programsOf(maru)
const { formOf, register, tokenOf, plain, statusOf, listed, change } = programAccountsOf(maru, () => admin)

let admin: TestUser
/** Holds `autho_service_manage` alone. */
let operator: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await sql(`insert into roles (code, group_name, name_en, sort_order, span) values
    ('AUT980', '운영', 'Operations', 980, 'all'), ('AUT981', '지점', 'Branch', 981, 'branch')`)
  await sql(
    `insert into role_functions values ('AUT980', 'autho_service_manage'), ('AUT981', 'autho_user_search')`,
  )
  operator = await maru.createUser()
  await sql(`update users set role_code = 'AUT980' where id = $1`, [operator.id])
})
beforeEach(async () => {
  await sql('delete from program_tokens')
  await sql(`update users set withdrawn_at = now() where approval_code = 'PROGRAM' and withdrawn_at is null`)
  await sql('delete from notifications')
})

describe('a program account (rules/keys#program-accounts)', () => {
  test('makes the calls of its scopes with any of its tokens, and the audit log names it', async () => {
    const accountId = await register({ scopes: ['users:read', 'users:write'] })
    const [first, second] = [await tokenOf(accountId), await tokenOf(accountId, 'B')]
    for (const { programToken } of [first, second]) expect(await statusOf(programToken)).toBe(200)
    const notices = await plain('notices/listNotices', first.programToken)
    expect([notices.status, notices.json.code]).toEqual([403, 'PROGRAM_TOKEN_SCOPE'])
    const rows = [{ userId: 'newhire', name: '박새내', position: '사원', phoneNumber: '01055556666' }]
    const user = { email: 'newhire@example.com', affiliationCode: 'BEL001', roleCode: 'AUT003' }
    const cells = rows.map((row) => ({ ...row, ...user, validFrom: '2026-01-01', validTo: '2030-01-01' }))
    const imported = await plain('users/checkImport', first.programToken, { rows: cells })
    expect(imported.status, imported.raw).toBe(200)
    const { data } = await maru.call(listAudit, { action: 'program.network' }, admin)
    const { programName } = (await listed(accountId)) ?? {}
    expect(data.rows[0]).toMatchObject({ name: programName })
    const row = await listed(accountId)
    expect(row?.tokens.map(({ tokenName, state }) => [tokenName, state])).toEqual([
      ['B', 'live'],
      ['A', 'live'],
    ])
    expect(row?.lastUsedAt).toMatch(/^\d{4}-/)
  })

  test('is no user: nobody finds it, it has no login, no card and no mail', async () => {
    const before = (await maru.call(listUsers, {}, admin)).data.totalCount
    const validTo = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const accountId = await register({ programName: '숨은 프로그램', validTo })
    const { programToken } = await tokenOf(accountId)
    const [{ login_id: loginId }] = await sql('select login_id from users where id = $1', [accountId])
    await mergeUserCounts(maru.database.pool)
    for (const filter of [{}, { keyword: '숨은' }, { validity: 'ENDING' as const }, { name: '숨은' }]) {
      const { data } = await maru.call(listUsers, filter, admin)
      expect(JSON.stringify(data.users)).not.toContain('숨은')
      if (Object.keys(filter).length === 0) expect(data.totalCount).toBe(before)
    }
    const { data: colleagues } = await maru.call(listColleagues, { keyword: '숨은' }, admin)
    expect(colleagues.totalCount).toBe(0)
    expect((await maru.call(getColleague, { userId: loginId }, admin)).code).toBe('INPUT_INVALID')
    expect((await maru.call(login, { loginId, password: '' }, admin)).status).not.toBe(200)
    expect((await maru.call(login, { loginId, password: 'any-Password-1' }, admin)).status).not.toBe(200)
    await sql(`delete from daily_runs`)
    await runDaily(maru.database.db, maru.services)
    expect(await count(`mails where recipient = $1`, [loginId])).toBe(0)
    expect(await count(`account_notices where user_id = $1`, [accountId])).toBe(0)
    const all = (await maru.call(listAllPrograms, { keyword: '숨은' }, admin)).data
    expect(all.totalCount).toBe(0)
    expect(await statusOf(programToken)).toBe(200)
  })

  test('is refused outside its networks, while disabled and after its end, and accepted again afterwards', async () => {
    const accountId = await register({ allowedNetworks: ['10.1.0.0/16'] })
    const { programToken } = await tokenOf(accountId)
    expect([await statusOf(programToken), await statusOf(programToken, '10.1.2.3')]).toEqual([401, 200])
    expect((await change(accountId, { allowedNetworks: [], isEnabled: false })).status).toBe(200)
    expect([await statusOf(programToken), (await listed(accountId))?.state]).toEqual([401, 'off'])
    expect((await change(accountId, { isEnabled: true, validTo: '2020-01-01' })).status).toBe(200)
    expect([await statusOf(programToken), (await listed(accountId))?.state]).toEqual([401, 'expired'])
    expect((await change(accountId, { validTo: '' })).status).toBe(200)
    expect([await statusOf(programToken), (await listed(accountId))?.state]).toEqual([200, 'live'])
  })

  test('loses its tokens with its deletion, and keeps its name and row for its records', async () => {
    const accountId = await register({ programName: '지울 프로그램' })
    const { programToken } = await tokenOf(accountId)
    expect((await maru.call(deleteProgramAccount, { accountId }, admin)).status).toBe(200)
    expect(await statusOf(programToken)).toBe(401)
    const again = await maru.call(deleteProgramAccount, { accountId }, admin)
    expect(again.code).toBe('PROGRAM_ACCOUNT_NOT_FOUND')
    await sql(`update users set withdrawn_at = now() - interval '9 years' where id = $1`, [accountId])
    await eraseWithdrawn(maru.database.db, 1, 100, maru.services.keySecret)
    expect(await sql('select name from users where id = $1', [accountId])).toEqual([
      { name: '지울 프로그램' },
    ])
    const withdrawn = (await maru.call(listUsers, { withdrawn: true }, admin)).data
    expect(JSON.stringify(withdrawn)).not.toContain('지울 프로그램')
    await register({ programName: '지울 프로그램' })
  })

  test('has a unique name, refuses a second editor, and has limits', async () => {
    const accountId = await register({ programName: 'Feed' })
    const taken = await maru.call(createProgramAccount, formOf({ programName: 'FEED' }), admin)
    expect(taken.code).toBe('PROGRAM_NAME_TAKEN')
    const old = (await listed(accountId))?.version
    expect((await change(accountId, { programName: 'Feed 2' })).status).toBe(200)
    expect((await change(accountId, { version: old })).code).toBe('RECORD_CHANGED')
    for (let i = 0; i < PROGRAMS_MAX; i += 1) await tokenOf(accountId, `t${i}`)
    const full = await maru.call(createAccountToken, { accountId, tokenName: 'more' }, admin)
    expect(full.code).toBe('PROGRAMS_FULL')
    const n = PROGRAM_ACCOUNTS_MAX - 1
    await sql(`with made as (insert into users (login_id, email, password_hash, name, position, phone_number, affiliation_code,
        role_code, approval_code) select 'program:' || i, 'program:' || i, '', 'p' || i, '', '', 'BEL001', 'AUT003', 'PROGRAM'
        from generate_series(1, ${n}) i returning id)
      insert into program_accounts (user_id, scopes) select id, '{users:read}' from made`)
    const over = await maru.call(createProgramAccount, formOf(), admin)
    expect(over.code).toBe('PROGRAM_ACCOUNTS_FULL')
  })

  test('rotates and ends single tokens', async () => {
    const accountId = await register()
    const { tokenId, programToken: first } = await tokenOf(accountId)
    const rolled = await maru.call(rollAccountToken, { tokenId, overlapDays: 1 }, admin)
    const second = rolled.data.programToken
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
    // The calls for the tokens of users and of accounts do not mix.
    expect((await maru.call(endProgram, { programId: tokenId, reason: '-' }, admin)).code).toBe(
      'PROGRAM_NOT_FOUND',
    )
    await passGate(admin)
    const mine = await maru.call(createProgram, { programName: 'own', scopes: ['users:read'] }, admin)
    const foreign = await maru.call(revokeAccountToken, { tokenId: mine.data.programId }, admin)
    expect(foreign.code).toBe('PROGRAM_NOT_FOUND')
    expect((await maru.call(revokeAccountToken, { tokenId }, admin)).status).toBe(200)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401])
    expect((await maru.call(rollAccountToken, { tokenId }, admin)).code).toBe('PROGRAM_NOT_FOUND')
  })
})

describe('what a program may be given (rules/keys#program-reach)', () => {
  test('is never more than the user who gives it has, nor the role 관리자', async () => {
    const tries: [by: TestUser, more: Partial<AccountForm>, code: string | undefined][] = [
      [admin, { roleCode: 'AUT001' }, 'FORBIDDEN'],
      [operator, { roleCode: 'AUT002' }, 'FORBIDDEN'],
      [operator, { roleCode: 'AUT981' }, 'FORBIDDEN'],
      [operator, { roleCode: 'AUT003', scopes: ['users:read'] }, 'FORBIDDEN'],
      [operator, { roleCode: 'AUT003', scopes: ['audit:read'] }, 'FORBIDDEN'],
      [operator, { roleCode: 'AUT003', scopes: [] }, 'INPUT_INVALID'],
      [admin, { affiliationCode: 'BEL999' }, 'CODE_NOT_FOUND'],
      [operator, { roleCode: 'AUT003', scopes: ['colleagues:read', 'keys:verify'] }, undefined],
      [operator, { roleCode: 'AUT980', scopes: ['events:read'] }, undefined],
    ]
    for (const [by, more, code] of tries)
      expect([more, (await maru.call(createProgramAccount, formOf(more), by)).code]).toEqual([more, code])
    const { roles, grantableScopes } = (await maru.call(listProgramAccounts, {}, operator)).data
    expect(roles.map(({ code }) => code)).toEqual(['AUT003', 'AUT980'])
    expect(grantableScopes).not.toContain('users:read')
    const hr = await maru.createUser({ role: 'hr' })
    expect((await maru.call(listProgramAccounts, {}, hr)).status).toBe(403)
  })

  test('keeps programs above the caller: they only end its tokens', async () => {
    const accountId = await register()
    const { tokenId } = await tokenOf(accountId)
    expect((await listed(accountId, operator))?.editable).toBe(false)
    const refused = [
      await change(accountId, { roleCode: 'AUT003', scopes: ['colleagues:read'] }, operator),
      await maru.call(createAccountToken, { accountId, tokenName: 'mine' }, operator),
      await maru.call(rollAccountToken, { tokenId }, operator),
      await maru.call(deleteProgramAccount, { accountId }, operator),
    ]
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('FORBIDDEN'))
    expect((await maru.call(revokeAccountToken, { tokenId }, operator)).status).toBe(200)
  })

  test('ends at the branch of its affiliation with a branch role (rules/roles#branch-roles)', async () => {
    const other = await maru.createUser({
      affiliation: 'BEL002',
      partner: await maru.createPartner({ affiliation: 'BEL002' }),
    })
    const { programToken } = await tokenOf(await register({ roleCode: 'AUT981' }))
    const list = await plain('users/listUsers', programToken, { perPage: 100 })
    expect(list.status).toBe(200)
    expect(list.raw).toContain(operator.userId)
    expect(list.raw).not.toContain(other.userId)
  })

  test('ends the tokens if a controller could not grant the new role, also in another company (rules/roles#former-controllers)', async () => {
    await maru.createPartner({ affiliation: 'BEL006' })
    await sql(`update codes set is_external = true where code = 'BEL006'`)
    const program = { roleCode: 'AUT003', affiliationCode: 'BEL006', scopes: ['notices:read' as const] }
    const id = await register(program, operator)
    await tokenOf(id, 'A', operator)
    expect(await count('program_tokens where ended_at is null')).toBe(1)
    expect((await change(id, { roleCode: 'AUT002' })).status).toBe(200)
    expect(await count('program_tokens where ended_at is null')).toBe(0)
    await sql(`update codes set is_external = false where code = 'BEL006'`)
  })

  test('needs no second factor where people do (rules/account#required-factor)', async () => {
    const { programToken } = await tokenOf(await register())
    await sql(`update roles set factor_required_since = now() - interval '1 year' where code = 'AUT002'`)
    await sql(`update users set duties_since = now() - interval '1 year' where approval_code = 'PROGRAM'`)
    expect(await statusOf(programToken)).toBe(200)
    await sql(`update roles set factor_required_since = null where code = 'AUT002'`)
  })
})

describe('keys of a program (rules/keys#program-keys)', () => {
  test('are issued for the default partner of its affiliation, and valid while it is enabled', async () => {
    const partner = await partnerWith(maru)
    await sql(`update codes set default_partner_id = $1 where group_code = 'COMBEL001' and code = 'BEL001'`, [
      partner.id,
    ])
    const accountId = await register({ roleCode: 'AUT003', scopes: ['keys:issue', 'keys:verify'] })
    const { programToken } = await tokenOf(accountId)
    const { status, json } = await plain('keys/issueKey', programToken, { requestKey: 'device 1' })
    expect(status).toBe(200)
    const stateOf = async (token: string) =>
      (await plain('keys/verifyKey', token, { issuedKey: json.issuedKey })).json.state
    expect(await stateOf(programToken)).toBe('valid')
    const verifier = await register({ roleCode: 'AUT003', scopes: ['keys:verify'] }, operator)
    const { programToken: verifies } = await tokenOf(verifier, 'A', operator)
    expect((await plain('keys/issueKey', verifies, { requestKey: 'x' })).json.code).toBe(
      'PROGRAM_TOKEN_SCOPE',
    )
    await change(accountId, { isEnabled: false })
    expect(await stateOf(verifies)).toBe('expired')
  })

  test('are verified by the token of a user only with the permission for services', async () => {
    const scopes = ['keys:verify' as const]
    const codes: unknown[] = []
    for (const person of [operator, await maru.createUser()]) {
      await passGate(person)
      const { data } = await maru.call(createProgram, { programName: 'own', scopes }, person)
      codes.push((await plain('keys/verifyKey', data.programToken, { issuedKey: 'x' })).json.code)
    }
    expect(codes).toEqual([undefined, 'FORBIDDEN'])
  })
})

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('notifies those who manage programs of an end, of the token or of the account (rules/keys#token-end-told)', async () => {
  const early = await register({ validTo: day(5) })
  const disabled = await register({ validTo: day(5) })
  const token = await register()
  for (const accountId of [early, disabled, token]) await tokenOf(accountId, '야간 작업')
  await change(disabled, { isEnabled: false })
  await sql(`update program_tokens set expires_at = now() + interval '6 days' where user_id = $1`, [token])
  await sql(`update program_tokens set told_at = now() - interval '1 year'`)
  for (const _ of [1, 2]) await notifyExpiringTokens(maru.database.db)
  const names = await Promise.all([early, token].map(async (id) => (await listed(id))?.programName))
  for (const manager of [admin, operator]) {
    const { notifications } = (await maru.call(listNotifications, {}, manager)).data
    const told = notifications.map(({ kind, programName, name }) => [kind, programName, name])
    expect(told).toHaveLength(2)
    expect(told).toEqual(
      expect.arrayContaining(names.map((name) => ['PROGRAM_ACCOUNT_ENDING', name, '야간 작업'])),
    )
  }
  const hr = await maru.createUser({ role: 'hr' })
  expect((await maru.call(listNotifications, {}, hr)).data.notifications).toEqual([])
})
