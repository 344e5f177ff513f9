import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { approveAffiliationChanges } from '../../../contract/approvals.ts'
import { listServices } from '../../../contract/keys.ts'
import {
  getUser,
  moveUsers,
  previewBulk,
  registerUser,
  updateUser,
  withdrawUser,
} from '../../../contract/users.ts'
import { changeParent } from '../../../dev/test-kit/affiliations.ts'
import { countWaiting } from '../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** An affiliation that is another company. */
const OUTSIDE = 'BEL006'
/** Roles of the whole company: settings alone, services alone, everything; and of a branch: users. */
const [SETTINGS, SERVICES, EVERYTHING, BRANCH_HR] = ['AUT971', 'AUT972', 'AUT973', 'AUT974']

beforeAll(async () => {
  await sql(
    `insert into roles (code, group_name, name_en, sort_order, span) values
      ($1, '설정', 'Settings', 91, 'all'), ($2, '서비스', 'Services', 92, 'all'),
      ($3, '대행', 'Deputy', 93, 'all'), ($4, '지사 인사', 'Branch HR', 94, 'branch')`,
    [SETTINGS, SERVICES, EVERYTHING, BRANCH_HR],
  )
  await sql(
    `insert into role_functions values ($1, 'autho_setting_manage'), ($2, 'autho_service_manage'), ($3, 'autho_user_manage')`,
    [SETTINGS, SERVICES, BRANCH_HR],
  )
  await sql('insert into role_functions select $1, name from functions', [EVERYTHING])
  await maru.createPartner({ code: 'HEAD-1' })
  await maru.createPartner({ code: 'THIRD-1', affiliation: 'BEL003' })
  await maru.createPartner({ code: 'OUT-1', affiliation: OUTSIDE })
})

beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  await sql('update codes set parent_code = null, is_external = code = $1', [OUTSIDE])
})

/** Creates a user of headquarters or of `more`, with a role that `createUser` does not know. */
async function createHolder(roleCode: string, more: NewUser = {}): Promise<TestUser> {
  const user = await maru.createUser({ affiliation: 'BEL001', ...more })
  await sql('update users set role_code = $1 where id = $2', [roleCode, user.id])
  return user
}

const change = (affiliationCode: string, to: Parameters<typeof changeParent>[2], by: TestUser) =>
  changeParent(maru, affiliationCode, to, by)

const statusOf = async (of: TestUser, by: TestUser) =>
  (await maru.call(getUser, { userId: of.userId }, by)).status

const services = async (by: TestUser) => (await maru.call(listServices, {}, by)).status

describe('an affiliation that becomes another company or no longer is (rules/affiliations#tree, rules/affiliations#external)', () => {
  test('needs the right to grant the roles of those who then reach the company, or no longer do', async () => {
    const settings = await createHolder(SETTINGS)
    const deputy = await createHolder(EVERYTHING)
    await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
    const hr = await maru.createUser({ role: 'hr', affiliation: OUTSIDE })
    const [inside, third] = [await maru.createUser(), await maru.createUser({ affiliation: 'BEL003' })]
    expect([await statusOf(inside, hr), await statusOf(third, hr)]).toEqual([403, 403])
    expect((await change(OUTSIDE, { external: false }, settings)).code).toBe('FORBIDDEN')
    expect((await change('BEL003', { parentCode: OUTSIDE }, settings)).code).toBe('FORBIDDEN')
    expect([await statusOf(inside, hr), await statusOf(third, hr)]).toEqual([403, 403])

    await maru.createUser({ role: 'admin', affiliation: 'BEL004' })
    expect((await change('BEL004', { external: true }, settings)).code).toBe('FORBIDDEN')
    expect((await change('BEL004', { external: true }, deputy)).status).toBe(200)
    // Nobody there has a role.
    expect((await change('BEL005', { external: true }, settings)).status).toBe(200)

    expect((await change(OUTSIDE, { external: false }, deputy)).status).toBe(200)
    // The outside HR could not have granted a role of the whole company, so its sessions end.
    expect(await statusOf(inside, hr)).toBe(401)
  })

  test('keeps the last 관리자 who can administer, and their end (rules/roles#last-administrator)', async () => {
    const short = await maru.createUser({ role: 'admin', affiliation: 'BEL001', validTo: '2087-01-31' })
    await maru.createUser({ role: 'admin', affiliation: 'BEL004', validTo: null })
    expect((await change('BEL004', { external: true }, short)).code).toBe('LAST_ADMIN_ENDS')
    const deputy = await createHolder(EVERYTHING)
    await sql('update users set affiliation_code = $1 where id = $2', ['BEL004', short.id])
    expect((await change('BEL004', { external: true }, deputy)).code).toBe('LAST_ADMIN')
  })

  test('and a withdrawal at the same time do not both take a 관리자', async () => {
    const one = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
    const two = await maru.createUser({ role: 'admin', affiliation: 'BEL004' })
    const lock = await maru.owner.connect()
    await lock.query('begin')
    await lock.query('lock table audit_log in share mode')
    const moved = change('BEL004', { external: true }, one)
    await expect.poll(() => countWaiting(maru.owner)).toBe(1)
    const withdrawn = maru.call(withdrawUser, { userId: one.userId }, two)
    await expect.poll(() => countWaiting(maru.owner)).toBe(2)
    await lock.query('rollback')
    lock.release()
    expect([(await moved).status, (await withdrawn).code]).toEqual([200, 'LAST_ADMIN'])
  })
})

test('ends another company while somebody withdraws its 관리자, without a deadlock', async () => {
  const [one, two] = [await maru.createUser({ role: 'admin' }), await maru.createUser({ role: 'admin' })]
  const outside = await maru.createUser({ role: 'admin', affiliation: OUTSIDE })
  await sql('update users set password_own_from = null where id = $1', [outside.id])
  const lock = await maru.owner.connect()
  await lock.query('begin')
  await lock.query('lock table trusted_devices in access exclusive mode')
  const inside = change(OUTSIDE, { external: false }, one)
  await expect.poll(() => countWaiting(maru.owner)).toBe(1)
  const withdrawn = maru.call(withdrawUser, { userId: outside.userId }, two)
  await expect.poll(() => countWaiting(maru.owner)).toBe(2)
  await lock.query('rollback')
  lock.release()
  expect([(await inside).status, (await withdrawn).status]).toEqual([200, 200])
})

describe('a user of another company with a role (rules/roles#branch-holders)', () => {
  test('is moved only by those who may grant the role, by no call otherwise', async () => {
    await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
    const hr = await maru.createUser({ role: 'hr', affiliation: 'BEL001' })
    const branchHr = await createHolder(BRANCH_HR, { affiliation: 'BEL003' })
    const holder = await createHolder(SERVICES, { affiliation: OUTSIDE })
    await sql(`update codes set parent_code = 'BEL003' where code = $1`, [OUTSIDE])
    const userIds = [holder.userId]
    for (const [by, place] of [
      [hr, { affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }],
      [branchHr, { affiliationCode: 'BEL003', partnerCode: 'THIRD-1' }],
    ] as const) {
      const { data } = await maru.call(previewBulk, { userIds, ...place, bulkAction: 'move' }, by)
      expect(data.obstacles.map(({ obstacle }) => obstacle)).toEqual(['OUT_OF_REACH'])
      const asked = { userIds, ...place, version: data.version }
      expect((await maru.call(moveUsers, asked, by)).code).toBe('BULK_NOBODY')
    }
    const { data } = await maru.call(getUser, { userId: holder.userId }, hr)
    const { userId, position, name, phoneNumber, email } = data
    const form = { userId, position, name, phoneNumber, email, affiliationCode: 'BEL001' }
    expect((await maru.call(updateUser, { ...form, originalUserId: userId }, hr)).code).toBe('FORBIDDEN')
    expect(await services(holder)).toBe(403)
  })

  test('logs in again after a move into the company, which the audit log marks (rules/roles#former-controllers)', async () => {
    const admin = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
    const holder = await createHolder(SERVICES, { affiliation: OUTSIDE })
    const asked = { userIds: [holder.userId], affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }
    const { version } = (await maru.call(previewBulk, { ...asked, bulkAction: 'move' }, admin)).data
    expect(await services(holder)).toBe(403)
    expect((await maru.call(moveUsers, { ...asked, version }, admin)).data).toEqual({ userCount: 1 })
    const [row] = await sql(
      `select detail ->> 'branchRole' as role from audit_log where action = 'user.update' order by id desc limit 1`,
    )
    expect(row).toEqual({ role: SERVICES })
    // HR of that company may have started the session.
    expect(await services(holder)).toBe(401)
  })

  test.each([{ isMovedBefore: false }, { isMovedBefore: true }])(
    'has no password that the HR of that company gave, once they have a role of the company: %o',
    async ({ isMovedBefore }) => {
      // A branch role that controls users would end the password anyway.
      await sql('delete from role_functions where role_code = $1', [BRANCH_HR])
      const admin = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
      const hr = await maru.createUser({ role: 'hr', affiliation: OUTSIDE })
      const password = 'known-Pass-2087!x'
      const userId = `raised.${isMovedBefore}`
      const person = {
        userId,
        position: '사원',
        name: '승진',
        phoneNumber: '01099998888',
        validFrom: '2026-01-01',
        validTo: '2087-12-31',
        email: `${userId}@example.com`,
        approvalCode: 'MEMAP001' as const,
      }
      const outside = { affiliationCode: OUTSIDE, partnerCode: 'OUT-1', roleCode: 'AUT003' }
      const registered = await maru.call(
        registerUser,
        { ...person, ...outside, password, managerPassword: PASSWORD },
        hr,
      )
      expect(registered.status).toBe(200)
      const inside = { affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }
      for (const roleCode of isMovedBefore ? ['AUT003', 'AUT002'] : ['AUT002']) {
        const form = { ...person, ...inside, originalUserId: userId, roleCode }
        expect((await maru.call(updateUser, form, admin)).status).toBe(200)
      }
      expect((await maru.call(login, { loginId: userId, password })).code).toBe('LOGIN_FAILED')
    },
  )
})

describe('an approved request for an affiliation of another company', () => {
  test.each([
    { role: 'admin', code: 'LAST_ADMIN_ENDS' },
    { role: 'user', code: 'LAST_ADMIN' },
  ] as const)('keeps the last 관리자: $code (rules/roles#last-administrator)', async ({ role, code }) => {
    const by = await maru.createUser({ role, affiliation: 'BEL001', validTo: '2087-01-31' })
    if (role === 'user') await sql('update users set role_code = $1 where id = $2', [EVERYTHING, by.id])
    const last = await maru.createUser({ role: 'admin', affiliation: 'BEL001', validTo: null })
    const [row] = await sql(
      `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
        values ($1, $2, '-', 'last@example.com', 'BEL001', 'affiliation', $3) returning id::text`,
      [last.id, last.userId, OUTSIDE],
    )
    const partners = [{ affiliationCode: OUTSIDE, partnerCode: 'OUT-1' }]
    const asked = { requests: [String(row.id)], partners }
    expect((await maru.call(approveAffiliationChanges, asked, by)).code).toBe(code)
  })
})
