import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPassword, login } from '../contract/account.ts'
import { approveRequests } from '../contract/approvals.ts'
import { CONFIRMATION_MINUTES } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { ROLE } from '../contract/permissions.ts'
import { getUser, updateUser, withdrawUser } from '../contract/users.ts'
import { PASSWORD, useMaru } from './test-kit/maru.ts'
import type { TestUser } from './test-kit/people.ts'
import { sampleOf } from './test-kit/samples.ts'

/* What is dangerous needs the person, not their session alone (rules/account#confirmation). */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const dangerous = endpoints.filter(({ endpoint }) => endpoint.confirmed === 'always')

let admin: TestUser
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

/** As long after the login, or the last password, as it takes. */
async function wait({ id }: TestUser, minutes = CONFIRMATION_MINUTES): Promise<void> {
  await sql(
    `update sessions set created_at = created_at - make_interval(mins => $2),
      password_checked_at = password_checked_at - make_interval(mins => $2) where user_id = $1`,
    [id, minutes],
  )
}
const confirm = async ({ session }: { session: string }, password = PASSWORD) =>
  maru.call(checkPassword, { password }, { session })
const countTrail = async () => (await sql('select count(*)::int as n from audit_log'))[0].n

const named = (how: 'always' | 'told') =>
  endpoints.filter(({ endpoint }) => endpoint.confirmed === how).map(({ name }) => name)

test('these calls always ask for it, and these where they give power or take people away', () => {
  expect(named('always').toSorted()).toEqual(
    (
      'createRole renameRole removeRole grantFunction revokeFunction changeRoles createService rollService revokeService ' +
      'revokeKey deletePartner withdrawRights withdrawRole withdrawUsers updateSettings updateSecurity updateRetention ' +
      'updateInspectionRules askFactorReset withdrawFactorReset confirmFactorReset refuseFactorReset endProgram'
    )
      .split(' ')
      .toSorted(),
  )
  expect(named('told').toSorted()).toEqual(['approveRequests', 'updateUser', 'withdrawUser'])
})

test('no program and no service is asked: nobody sits before them who could answer', () => {
  const asked = endpoints.filter(({ endpoint }) => endpoint.confirmed !== undefined)
  expect(asked.filter(({ endpoint }) => endpoint.programs || endpoint.access === 'service')).toEqual([])
  expect(asked.filter(({ endpoint }) => endpoint.access === 'public')).toEqual([])
})

describe('ten minutes after the login', () => {
  test.each(dangerous.map((entry) => [entry.name, entry] as const))(
    '%s is refused, changes nothing, and is made once the password is entered',
    async (_name, entry) => {
      const { path } = entry.endpoint
      const input = sampleOf(entry)
      await wait(admin)
      const before = await countTrail()
      expect(await maru.callRaw(path, input, admin)).toMatchObject({
        status: 400,
        code: 'CONFIRMATION_REQUIRED',
      })
      expect(await countTrail()).toBe(before)
      // A body that is no envelope at all is not even looked at.
      expect((await maru.callRaw(path, 'nothing', admin)).code).toBe('CONFIRMATION_REQUIRED')
      // Who may not do it is told so, and is not asked for a password.
      const person = await maru.createUser()
      await wait(person)
      expect((await maru.callRaw(path, input, person)).code).toBe('FORBIDDEN')
      expect((await confirm(admin)).status).toBe(200)
      expect((await maru.callRaw(path, input, admin)).code).not.toBe('CONFIRMATION_REQUIRED')
    },
  )

  const [roles] = dangerous
  const make = async (session: string) =>
    (await maru.callRaw(roles?.endpoint.path ?? '', {}, { session })).code

  test('the password stands for ten minutes, in its session alone', async () => {
    await wait(admin)
    const asked = { loginId: admin.userId, password: PASSWORD }
    const other = (await maru.call(login, asked)).data.sessionUid
    // A login is one, of its own session.
    expect(await make(other)).toBe('INPUT_INVALID')
    expect(await make(admin.session)).toBe('CONFIRMATION_REQUIRED')
    await confirm(admin)
    expect(await make(admin.session)).toBe('INPUT_INVALID')
    await wait(admin, CONFIRMATION_MINUTES - 1)
    expect(await make(admin.session)).toBe('INPUT_INVALID')
    await wait(admin, 1)
    expect(await make(admin.session)).toBe('CONFIRMATION_REQUIRED')
    expect(await make(other)).toBe('CONFIRMATION_REQUIRED')
  })

  test('a wrong password opens nothing, and is counted with those of logins', async () => {
    await wait(admin)
    for (let i = 0; i < 4; i += 1)
      expect((await confirm(admin, 'wrong-Maru-2026!')).code).toBe('PASSWORD_WRONG')
    expect((await confirm(admin, 'wrong-Maru-2026!')).code).toBe('LOGIN_LOCKED')
    expect((await confirm(admin)).code).toBe('LOGIN_LOCKED')
    expect(await make(admin.session)).toBe('CONFIRMATION_REQUIRED')
  })
})

const recordOf = async ({ userId }: TestUser, by = admin) => (await maru.call(getUser, { userId }, by)).data

async function save(of: TestUser, changes: Record<string, unknown>) {
  const record = await recordOf(of)
  const input = {
    originalUserId: of.userId,
    userId: of.userId,
    email: record.email,
    affiliationCode: 'BEL001',
    name: record.name,
    position: record.position,
    phoneNumber: record.phoneNumber,
    validFrom: '2026-01-01',
    validTo: '2099-12-31',
    partnerCode: 'CONFIRM-1',
    roleCode: record.roleCode,
    approvalCode: record.approvalCode,
    ...changes,
  }
  return (await maru.callRaw(updateUser.path, input, admin)).code ?? 'done'
}

describe('of what is dangerous only sometimes', () => {
  beforeAll(() => maru.createPartner({ code: 'CONFIRM-1' }))
  beforeEach(() => wait(admin))

  test('another role is, another name is not', async () => {
    const person = await maru.createUser()
    expect(await save(person, { name: '바뀐이름' })).toBe('done')
    for (const roleCode of [ROLE.admin, ROLE.hr]) {
      expect(await save(person, { roleCode })).toBe('CONFIRMATION_REQUIRED')
      expect((await recordOf(person)).roleCode).toBe(ROLE.user)
    }
    await confirm(admin)
    expect(await save(person, { roleCode: ROLE.hr })).toBe('done')
    expect((await recordOf(person)).roleCode).toBe(ROLE.hr)
    await wait(admin)
    expect(await save(person, { roleCode: ROLE.user })).toBe('CONFIRMATION_REQUIRED')
  })

  test('the approval of an administrator is, that of everybody else is not', async () => {
    const approved = { approvalCode: 'MEMAP001' }
    expect(await save(await maru.createUser({ approved: false }), approved)).toBe('done')
    const boss = await maru.createUser({ approved: false, role: 'hr' })
    expect(await save(boss, approved)).toBe('CONFIRMATION_REQUIRED')
    expect((await recordOf(boss)).approvalCode).toBe('MEMAP002')

    const approve = async (roleCode: string) => {
      const { id } = await maru.createUser({ asked: true })
      const [request] = await sql('select id from approval_requests where user_id = $1', [id])
      const partners = [{ affiliationCode: 'BEL001', partnerCode: 'CONFIRM-1' }]
      const validity = { validFrom: '2026-01-01', validTo: '2099-12-31' }
      const input = { requests: [request.id], roleCode, partners, ...validity }
      return (await maru.callRaw(approveRequests.path, input, admin)).code ?? 'done'
    }
    expect(await approve(ROLE.user)).toBe('done')
    expect(await approve(ROLE.hr)).toBe('CONFIRMATION_REQUIRED')
    expect(await approve(ROLE.admin)).toBe('CONFIRMATION_REQUIRED')
    const waiting = await sql(`select 1 from approval_requests where state = 'waiting'`)
    expect(waiting).toHaveLength(2)
    await confirm(admin)
    expect(await approve(ROLE.hr)).toBe('done')
  })

  test('the withdrawal of somebody else is, with nothing changed before', async () => {
    const person = await maru.createUser()
    const withdraw = () => maru.call(withdrawUser, { userId: person.userId, withdrawnReason: '' }, admin)
    expect((await withdraw()).code).toBe('CONFIRMATION_REQUIRED')
    expect((await recordOf(person)).userId).toBe(person.userId)
    await confirm(admin)
    expect((await withdraw()).status).toBe(200)
  })
})
