import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkId, login } from '../../../../contract/account.ts'
import { getAuthority } from '../../../../contract/common.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { checkUpdates } from '../../../../contract/users/import-update.ts'
import { getUser, previewBulk, updateUser, withdrawUser } from '../../../../contract/users.ts'
import { untilBlocked } from '../../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let user: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  user = await maru.createUser()
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
})

type Edit = InputOf<typeof updateUser>

const basic = ({ userId, email }: TestUser): Edit => ({
  originalUserId: userId,
  userId,
  affiliationCode: 'BEL001',
  position: '과장',
  name: '김하늘',
  phoneNumber: '01098765432',
  email,
})
const card = {
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'HEAD-1',
  roleCode: 'AUT003',
  approvalCode: 'MEMAP001',
} as const

const edit = (by: TestUser, input: Edit) => maru.call(updateUser, input, by)
const rowOf = async ({ id }: TestUser) => (await sql('select * from users where id = $1', [id])).rows[0]
const auditOf = async (target: string) =>
  (
    await sql(
      `select action, actor_id, detail, address, request_id from audit_log
       where target = $1 and action not like 'refusal.%' order by id`,
      [target],
    )
  ).rows
const own = async (by: TestUser) => (await maru.call(getUser, { userId: '' }, by)).data
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
/** Returns the edit that saves a user's own record unchanged. */
async function ownEdit(person: TestUser): Promise<Edit> {
  const { affiliationCode, position, name, phoneNumber } = await own(person)
  return { ...basic(person), affiliationCode, position, name, phoneNumber }
}
async function passGate({ id }: TestUser) {
  await sql('update sessions set password_checked_at = now() where user_id = $1', [id])
}
/** The edit is refused with the code and leaves neither a changed row nor an audit row behind. */
async function expectRefused(by: TestUser, of: TestUser, input: Edit, code: string, status = 400) {
  const before = await rowOf(of)
  expect(await edit(by, input)).toMatchObject({ status, code })
  expect(await rowOf(of)).toEqual(before)
  expect(await auditOf(of.userId)).toEqual([])
}

const withdraw = (by: TestUser, userId: string) => maru.call(withdrawUser, { userId }, by)
const dates = (START: string, END: string) => ({ validFrom: START, validTo: END })

/** From now on these are all the 관리자 there are. */
async function onlyAdmins(...people: NewUser[]): Promise<TestUser[]> {
  await sql(`update users set withdrawn_at = now() where role_code = 'AUT001' and withdrawn_at is null`)
  const made = []
  for (const person of people) made.push(await maru.createUser({ ...person, role: 'admin' }))
  return made
}

describe('editing a user (rules/users#save, rules/users#admin-card)', () => {
  let target: TestUser
  beforeEach(async () => {
    target = await maru.createUser({ approved: false })
  })

  test.each(['관리자', '인사 관리자'])('as %s saves both cards and answers the ID', async (role) => {
    const by = role === '관리자' ? admin : hr
    const answer = await edit(by, { ...basic(target), ...card })
    expect(answer.data).toEqual({ userId: target.userId })
    expect((await maru.call(getUser, { userId: target.userId }, by)).data).toMatchObject({
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      ...card,
    })
  })

  test('writes an audit row with before and after in the same transaction', async () => {
    const before = await rowOf(target)
    const answer = await edit(hr, { ...basic(target), ...card })
    expect(await auditOf(target.userId)).toEqual([
      {
        action: 'user.update',
        actor_id: hr.id,
        address: expect.stringMatching(/^10\./),
        request_id: answer.headers['x-request-id'],
        detail: {
          position: { before: '대리', after: '과장' },
          name: { before: before.name, after: '김하늘' },
          phoneNumber: { before: before.phone_number, after: '01098765432' },
          approvalCode: { before: 'MEMAP002', after: 'MEMAP001' },
          validFrom: { before: null, after: '2026-01-01' },
          validTo: { before: null, after: '2099-12-31' },
          partnerId: { before: null, after: expect.any(String) },
        },
      },
    ])
  })

  test('keeps role, approval, validity and partner with the basic card alone', async () => {
    await edit(admin, { ...basic(target), ...card })
    expect((await edit(admin, { ...basic(target), position: '부장' })).status).toBe(200)
    expect((await maru.call(getUser, { userId: target.userId }, admin)).data).toMatchObject({
      position: '부장',
      ...card,
    })
  })

  test('lets the user log in once approved', async () => {
    expect((await maru.call(login, { loginId: target.userId, password: PASSWORD })).code).toBe(
      'ACCOUNT_NOT_APPROVED',
    )
    await edit(hr, { ...basic(target), ...card })
    expect((await maru.call(login, { loginId: target.userId, password: PASSWORD })).status).toBe(200)
  })

  test('ends every session immediately and for good if no longer approved (rules/account#session-end)', async () => {
    const person = await maru.createUser()
    expect(await isAlive(person.session)).toBe(true)
    await edit(hr, { ...basic(person), ...card, approvalCode: 'MEMAP002' })
    expect(await isAlive(person.session)).toBe(false)
    await edit(hr, { ...basic(person), ...card })
    expect(await isAlive(person.session)).toBe(false)
  })

  test('applies another role to the user’s next call', async () => {
    const person = await maru.createUser({ role: 'hr' })
    await edit(admin, { ...basic(person), ...card, roleCode: 'AUT003' })
    expect((await maru.call(getAuthority, {}, person)).data.groupName).toBe('일반 사용자')
    expect((await maru.call(getUser, { userId: user.userId }, person)).code).toBe('FORBIDDEN')
  })

  test('answers EMAIL_READ_ONLY for another email; another case is the same email (rules/users#e-mail)', async () => {
    await expectRefused(admin, target, { ...basic(target), email: 'other@example.com' }, 'EMAIL_READ_ONLY')
    expect((await edit(admin, { ...basic(target), email: target.email.toUpperCase() })).status).toBe(200)
  })

  test('keeps the previous ID for its owner only, named by originalUserId (rules/users#user-id)', async () => {
    const person = await maru.createUser()
    const userId = `new.${person.userId}`
    expect((await edit(admin, { ...basic(person), userId: userId.toUpperCase() })).data).toEqual({
      userId,
    })
    expect(await isAlive(person.session)).toBe(true)
    expect((await maru.call(login, { loginId: userId, password: PASSWORD })).status).toBe(200)
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).code).toBe('LOGIN_FAILED')
    expect((await edit(admin, basic(person))).code).toBe('USER_NOT_FOUND')
    expect((await auditOf(userId))[0].detail.loginId).toEqual({ before: person.userId, after: userId })
    // Another user with this ID would get what is meant for its previous owner.
    const another = await maru.createUser()
    await expectRefused(admin, another, { ...basic(another), userId: person.userId }, 'USER_ID_TAKEN')
    expect((await maru.call(checkId, { userId: person.userId })).code).toBe('USER_ID_TAKEN')
    expect((await maru.call(checkId, { userId: person.userId }, person)).status).toBe(200)
    expect((await maru.call(checkId, { userId: person.userId }, another)).code).toBe('USER_ID_TAKEN')
    const back = { ...basic(person), originalUserId: userId, userId: person.userId }
    expect((await edit(admin, back)).status).toBe(200)
    await expectRefused(admin, another, { ...basic(another), userId }, 'USER_ID_TAKEN')
  })

  test('answers USER_ID_TAKEN for any ID, even withdrawn, in upper or lower case', async () => {
    const gone = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    for (const userId of [hr.userId, hr.userId.toUpperCase(), gone.userId]) {
      await expectRefused(admin, target, { ...basic(target), userId }, 'USER_ID_TAKEN')
    }
  })

  test('gives an ID to only one of two who are given it at once', async () => {
    const people = [await maru.createUser(), await maru.createUser()]
    const answers = await Promise.all(
      people.map((person) => edit(admin, { ...basic(person), userId: 'the.same.id' })),
    )
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['OK', 'USER_ID_TAKEN'])
  })

  test('needs a partner that exists and belongs to the affiliation', async () => {
    for (const partnerCode of ['BUSAN-1', 'NO-SUCH']) {
      await expectRefused(admin, target, { ...basic(target), ...card, partnerCode }, 'PARTNER_NOT_FOUND')
    }
    const moved = { ...basic(target), ...card, affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }
    expect((await edit(admin, moved)).status).toBe(200)
  })

  test('gives nobody a stopped partner code, and leaves it to who has it (rules/partners#stop-partner)', async () => {
    const partnerCode = await maru.createPartner({ affiliation: 'BEL001' })
    await sql('update partners set stopped_at = now() where code = $1', [partnerCode])
    const stopped = { ...basic(target), ...card, partnerCode }
    await expectRefused(admin, target, stopped, 'PARTNER_STOPPED')
    await sql('update users set partner_id = (select id from partners where code = $2) where id = $1', [
      target.id,
      partnerCode,
    ])
    expect((await edit(admin, { ...stopped, position: '부장' })).status).toBe(200)
    expect(await rowOf(target)).toMatchObject({ position: '부장' })
  })

  test('keeps the partner code on a change of affiliation without the admin card (rules/users#affiliation-change)', async () => {
    await edit(admin, { ...basic(target), ...card })
    const { partner_id } = await rowOf(target)
    expect((await edit(admin, { ...basic(target), affiliationCode: 'BEL002' })).code).toBe(
      'PARTNER_CHOICE_MISSING',
    )
    expect((await rowOf(target)).partner_id).toBe(partner_id)
    await sql('update users set partner_id = null where id = $1', [target.id])
    expect((await edit(admin, { ...basic(target), affiliationCode: 'BEL002' })).status).toBe(200)
    expect(await rowOf(target)).toMatchObject({ affiliation_code: 'BEL002', partner_id: null })
  })

  test('needs an affiliation and a role from their lists', async () => {
    await expectRefused(admin, target, { ...basic(target), affiliationCode: 'BEL999' }, 'CODE_NOT_FOUND')
    // A code of another list is not in this one.
    await expectRefused(admin, target, { ...basic(target), affiliationCode: 'MEMAP001' }, 'CODE_NOT_FOUND')
    await expectRefused(admin, target, { ...basic(target), ...card, roleCode: 'AUT999' }, 'CODE_NOT_FOUND')
  })

  test.each(Object.keys(card))('refuses the admin card without %s', async (field) => {
    const { [field as keyof typeof card]: _, ...rest } = card
    await expectRefused(admin, target, { ...basic(target), ...rest }, 'INPUT_INVALID')
  })

  test('needs an end on or after the start', async () => {
    await expectRefused(
      admin,
      target,
      { ...basic(target), ...card, ...dates('2026-05-02', '2026-05-01') },
      'INPUT_INVALID',
    )
    expect(
      (await edit(admin, { ...basic(target), ...card, ...dates('2026-05-01', '2026-05-01') })).status,
    ).toBe(200)
  })

  test('answers USER_NOT_FOUND for an unknown or withdrawn user', async () => {
    await sql('update users set withdrawn_at = now() where id = $1', [target.id])
    await expectRefused(admin, target, basic(target), 'USER_NOT_FOUND')
    await expectRefused(
      admin,
      target,
      { ...basic(target), originalUserId: 'nobody.at.all' },
      'USER_NOT_FOUND',
    )
  })

  test('as 인사 관리자 cannot touch or create a 관리자', async () => {
    const boss = await maru.createUser({ role: 'admin' })
    await expectRefused(hr, boss, basic(boss), 'FORBIDDEN', 403)
    await expectRefused(hr, boss, { ...basic(boss), ...card }, 'FORBIDDEN', 403)
    await expectRefused(hr, target, { ...basic(target), ...card, roleCode: 'AUT001' }, 'FORBIDDEN', 403)
    expect((await edit(admin, { ...basic(target), ...card, roleCode: 'AUT001' })).status).toBe(200)
  })

  test('as 일반 사용자 is refused for anybody else and does not reveal which IDs exist', async () => {
    const by = await maru.createUser()
    await passGate(by)
    await expectRefused(by, target, basic(target), 'FORBIDDEN', 403)
    await expectRefused(by, target, { ...basic(target), ...card }, 'FORBIDDEN', 403)
    const unknown = await edit(by, { ...basic(target), originalUserId: 'nobody.at.all' })
    expect([unknown.status, unknown.code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('one’s own page (rules/users#own-page, rules/roles#own-account)', () => {
  test.each(['admin', 'hr', 'user'] as const)(
    'lets %s edit their own basic fields behind the password gate only',
    async (role) => {
      const by = await maru.createUser({ role })
      await expectRefused(by, by, basic(by), 'PASSWORD_CHECK_REQUIRED')
      await passGate(by)
      expect((await edit(by, basic(by))).status).toBe(200)
      expect(await rowOf(by)).toMatchObject({ name: '김하늘', position: '과장' })
    },
  )

  test.each(['admin', 'hr', 'user'] as const)(
    'does not let %s change their own role, approval or validity',
    async (role) => {
      const by = await maru.createUser({ role })
      await passGate(by)
      await expectRefused(by, by, { ...basic(by), ...card }, 'FORBIDDEN', 403)
      await expectRefused(
        by,
        by,
        { ...basic(by), ...card, originalUserId: by.userId.toUpperCase() },
        'FORBIDDEN',
        403,
      )
    },
  )

  test('refuses an ID in use', async () => {
    await passGate(hr)
    await expectRefused(hr, hr, { ...basic(hr), userId: user.userId }, 'USER_ID_TAKEN')
  })
})

/** Makes a call of `by`; once it is known who makes it, `by` and `other` swap their IDs. */
async function whileSwapping<T>(by: TestUser, other: TestUser, call: () => Promise<T>): Promise<T> {
  // A session unused for a while is written when it is used: there the call waits for this lock.
  await sql(`update sessions set last_used_at = now() - interval '1 minute' where user_id = $1`, [by.id])
  const locker = await maru.owner.connect()
  await locker.query('begin')
  // By hand alone: an ID stays with its account.
  await locker.query('set local session_replication_role = replica')
  await locker.query('select from sessions where user_id = $1 for update', [by.id])
  const waiting = call()
  await untilBlocked(locker)
  const rename = 'update users set login_id = $2 where id = $1'
  await locker.query(rename, [by.id, 'swapping'])
  await locker.query(rename, [other.id, by.userId])
  await locker.query(rename, [by.id, other.userId])
  await locker.query('commit')
  locker.release()
  return waiting
}

const rename = (by: TestUser, of: TestUser, from: string, to: string) =>
  edit(by, { ...basic(of), originalUserId: from, userId: to })

describe('one’s own ID (rules/users#user-id)', () => {
  test('takes its wrong passwords along, in place of those under the new ID (rules/account#disabled-password)', async () => {
    const person = await maru.createUser({ loginId: 'moved.0' })
    await sql(`insert into login_failures (login_id, network, failures, total) values
      ('moved.0', '', 0, 7), ('moved.1', '', 0, 45), ('moved.1', '10.0.0.0', 0, 45)`)
    expect((await rename(hr, person, 'moved.0', 'moved.1')).status).toBe(200)
    const { rows } = await sql(
      `select login_id, network, total from login_failures where login_id like 'moved.%'`,
    )
    expect(rows).toEqual([{ login_id: 'moved.1', network: '', total: 7 }])
  })

  test('can be changed by its user three times in 30 days, by administrators any time', async () => {
    const person = await maru.createUser({ loginId: 'renamed.0' })
    await passGate(person)
    // Somebody else's changes are not the user's own.
    expect((await rename(hr, person, 'renamed.0', 'renamed.1')).status).toBe(200)
    for (const [from, to] of [
      ['renamed.1', 'renamed.2'],
      ['renamed.2', 'renamed.3'],
      ['renamed.3', 'renamed.2'],
    ] as const)
      expect((await rename(person, person, from, to)).status).toBe(200)
    expect(await rename(person, person, 'renamed.2', 'renamed.4')).toMatchObject({
      status: 400,
      code: 'RENAMES_USED',
    })
    expect((await rowOf(person)).login_id).toBe('renamed.2')
    expect((await sql(`select from login_ids where login_id = 'renamed.4'`)).rowCount).toBe(0)
    // Everything else can still be changed.
    expect((await rename(person, person, 'renamed.2', 'renamed.2')).status).toBe(200)
    await maru.owner.query(
      `update audit_log set at = at - interval '30 days 1 minute' where id = (select min(id) from audit_log
        where actor_id = $1 and detail -> 'loginId' ->> 'before' = 'renamed.1')`,
      [person.id],
    )
    expect((await rename(person, person, 'renamed.2', 'renamed.4')).status).toBe(200)
    expect((await rename(hr, person, 'renamed.4', 'renamed.5')).status).toBe(200)
  })
})

describe('an ID that changes hands during a call (rules/users#identity-change)', () => {
  const calls: Record<'edits' | 'withdraws', (by: TestUser, input: Edit) => Promise<unknown>> = {
    edits: edit,
    withdraws: (by, { originalUserId }) => withdraw(by, originalUserId),
  }
  test.each(['edits', 'withdraws'] as const)(
    'lets nobody %s their own account as an administrator through a previous ID',
    async (name) => {
      const by = await maru.createUser({ role: 'admin' })
      const other = await maru.createUser({ role: 'admin' })
      const input = { ...basic({ ...by, userId: other.userId }), ...card, roleCode: 'AUT001' }
      const answer = await whileSwapping(by, other, () => calls[name](by, input))
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      expect(await rowOf(by)).toMatchObject({ valid_to: null, withdrawn_at: null })
    },
  )

  test.each(['edits', 'withdraws'] as const)(
    'lets nobody %s another account as their own through their own previous ID',
    async (name) => {
      const by = await maru.createUser()
      await passGate(by)
      const boss = await maru.createUser({ role: 'admin' })
      const input = { ...basic(by), email: boss.email }
      const answer = await whileSwapping(by, boss, () => calls[name](by, input))
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      expect(await rowOf(boss)).toMatchObject({ position: '대리', withdrawn_at: null })
    },
  )
})

describe('the last active 관리자 (rules/roles#last-administrator)', () => {
  test('cannot withdraw until there is another administrator', async () => {
    const [last] = await onlyAdmins({})
    if (last === undefined) throw new Error('no admin')
    await passGate(last)
    // Neither of these could take over.
    await maru.createUser({ role: 'admin', approved: false })
    await maru.createUser({ role: 'admin', validFrom: '2020-01-01', validTo: '2020-12-31' })
    expect(await withdraw(last, last.userId)).toMatchObject({ status: 400, code: 'LAST_ADMIN' })
    expect((await rowOf(last)).withdrawn_at).toBeNull()
    expect(await isAlive(last.session)).toBe(true)
    expect(await auditOf(last.userId)).toEqual([])
    await maru.createUser({ role: 'admin' })
    expect((await withdraw(last, last.userId)).status).toBe(200)
  })

  test('ignores administrators only invited, or with an unused temporary password', async () => {
    const [last] = await onlyAdmins({})
    if (last === undefined) throw new Error('no admin')
    await passGate(last)
    const invited = await maru.createUser({ role: 'admin' })
    await sql(
      `insert into account_links (user_id, kind, token_hash, expires_at) values ($1, 'INVITATION', '\\x01', now() + interval '7 days')`,
      [invited.id],
    )
    const fresh = await maru.createUser({ role: 'admin', temporary: true })
    const boss = await maru.createUser()
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT990', '전권', 'Everything', 9)`,
    )
    await sql(
      `insert into role_functions select 'AUT990', function_name from role_functions where role_code = 'AUT001'`,
    )
    await sql(`update users set role_code = 'AUT990' where id = $1`, [boss.id])
    expect(await withdraw(last, last.userId)).toMatchObject({ code: 'LAST_ADMIN' })
    const withMany = { userIds: [last.userId], bulkAction: 'suspend' as const }
    expect((await maru.call(previewBulk, withMany, boss)).data.obstacles).toMatchObject([
      { userId: last.userId, obstacle: 'LAST_ADMIN' },
    ])
    const rows = [{ userId: last.userId, roleCode: 'AUT003' }]
    expect((await maru.call(checkUpdates, { rows }, boss)).data.errors).toMatchObject([{ field: 'roleCode' }])
    // Once the temporary password was used, its user can take over.
    await sql('update users set last_login_at = now() where id = $1', [fresh.id])
    expect((await maru.call(checkUpdates, { rows }, boss)).data.errors).toEqual([])
    expect((await maru.call(previewBulk, withMany, boss)).data.obstacles).toEqual([])
    expect((await withdraw(last, last.userId)).status).toBe(200)
  })

  test.each([
    ['role', { roleCode: 'AUT003' }],
    ['approval', { approvalCode: 'MEMAP002' }],
    ['validity', { validFrom: '2020-01-01', validTo: '2020-12-31' }],
  ] as const)('remains when two demote each other by %s at once', async (_, change) => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = await onlyAdmins({}, {})
      if (a === undefined || b === undefined) throw new Error('no admins')
      const answers = await Promise.all([
        edit(a, { ...basic(b), ...card, roleCode: 'AUT001', ...change }),
        edit(b, { ...basic(a), ...card, roleCode: 'AUT001', ...change }),
      ])
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      // The other is refused as the last one, or was no administrator any more when the call came.
      expect(answers.find(({ status }) => status !== 200)?.code).toMatch(
        /^(LAST_ADMIN|FORBIDDEN|SESSION_REQUIRED)$/,
      )
    }
  })

  test('remains when two withdraw at once', async () => {
    const [a, b] = await onlyAdmins({}, {})
    if (a === undefined || b === undefined) throw new Error('no admins')
    await passGate(a)
    await passGate(b)
    const answers = await Promise.all(
      [a, b].map((person) => maru.call(withdrawUser, { userId: person.userId }, person)),
    )
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['LAST_ADMIN', 'OK'])
    admin = await maru.createUser({ role: 'admin' })
  })
})

describe('withdrawal (rules/users#withdrawal)', () => {
  test('ends access at once, keeps the row and frees the ID for nobody', async () => {
    const person = await maru.createUser()
    const notice = await sql(
      `insert into notices (bullet_code, title, author_id) values ('BE0001', '남는 글', $1) returning id`,
      [person.id],
    )
    expect((await withdraw(hr, person.userId)).data).toEqual({})
    expect(await isAlive(person.session)).toBe(false)
    expect((await sql('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).code).toBe(
      'ACCOUNT_WITHDRAWN',
    )
    expect(await rowOf(person)).toMatchObject({ login_id: person.userId, withdrawn_at: expect.any(Date) })
    const author = await sql(
      'select u.login_id from notices n join users u on u.id = n.author_id where n.id = $1',
      [notice.rows[0].id],
    )
    expect(author.rows[0].login_id).toBe(person.userId)
    expect(await auditOf(person.userId)).toMatchObject([{ action: 'user.withdraw', actor_id: hr.id }])
    expect((await withdraw(hr, person.userId)).code).toBe('USER_NOT_FOUND')
  })

  test('requires the password again for the caller’s own account', async () => {
    const person = await maru.createUser()
    expect((await withdraw(person, person.userId)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect(await isAlive(person.session)).toBe(true)
    await passGate(person)
    expect((await withdraw(person, person.userId.toUpperCase())).status).toBe(200)
    expect(await isAlive(person.session)).toBe(false)
  })

  test('is for approved users only', async () => {
    const person = await maru.createUser({ approved: false })
    expect(await withdraw(admin, person.userId)).toMatchObject({ status: 400, code: 'USER_NOT_APPROVED' })
    expect((await rowOf(person)).withdrawn_at).toBeNull()
  })

  test('refuses 관리자 to 인사 관리자, and any other user to 일반 사용자', async () => {
    await passGate(hr)
    await passGate(user)
    const boss = await maru.createUser({ role: 'admin' })
    for (const [by, of] of [
      [hr, boss],
      [user, hr],
    ] as const) {
      expect(await withdraw(by, of.userId)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      expect((await rowOf(of)).withdrawn_at).toBeNull()
      expect(await isAlive(of.session)).toBe(true)
    }
    expect((await withdraw(user, 'nobody.at.all')).code).toBe('FORBIDDEN')
    expect((await withdraw(hr, 'nobody.at.all')).code).toBe('USER_NOT_FOUND')
  })
})

test('saves in at most 8 round trips, the transaction included', async () => {
  const person = await maru.createUser()
  await edit(hr, { ...basic(person), ...card })
  const { data } = await maru.call(getUser, { userId: person.userId }, hr)
  const statements = await roundTrips(maru.database.pool, async () => {
    const { status } = await edit(hr, {
      ...basic(person),
      ...card,
      name: '김구름',
      version: data.version,
    })
    expect(status).toBe(200)
  })
  expect(statements, statements.join('\n')).toHaveLength(8)
})

test('refuses HR a role that becomes privileged while an edit waits for it (rules/roles#reach)', async () => {
  const person = await maru.createUser()
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '감사', 'Audit', 950)`,
  )
  const granting = await maru.database.pool.connect()
  await granting.query('begin')
  await granting.query(`select from roles where code = 'AUT950' for update`)
  const waiting = edit(hr, { ...basic(person), ...card, roleCode: 'AUT950' })
  await untilBlocked(granting)
  await granting.query(
    `insert into role_functions (role_code, function_name) values ('AUT950', 'autho_admin_manage')`,
  )
  await granting.query('commit')
  granting.release()
  expect(await waiting).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect((await rowOf(person)).role_code).toBe('AUT003')
})

describe('names and positions that HR maintains (rules/users#name-and-position, rules/settings#profile-editors)', () => {
  beforeEach(async () => {
    await sql(`update settings set profile_editors = 'hr'`)
    await maru.services.settings.fresh()
  })
  afterEach(async () => {
    await sql('update settings set profile_editors = default')
    await maru.services.settings.fresh()
  })

  test('refuses another name or position of the caller and keeps everything else', async () => {
    const person = await maru.createUser()
    await passGate(person)
    expect((await own(person)).profileReadOnly).toBe(true)
    const edited = { ...(await ownEdit(person)), phoneNumber: '01011112222' }
    for (const change of [
      { name: '다른 이름' },
      { position: '사장' },
      { name: '다른 이름', originalUserId: person.userId.toUpperCase() },
      { name: '다른 이름', userId: `${person.userId}.x` },
    ])
      await expectRefused(person, person, { ...edited, ...change }, 'PROFILE_READ_ONLY')
    expect((await edit(person, edited)).status).toBe(200)
    expect((await own(person)).phoneNumber).toBe('01011112222')
  })

  test('lets HR change them, their own included', async () => {
    const person = await maru.createUser()
    const change = { ...(await ownEdit(person)), name: '새 이름', position: '차장' }
    expect((await edit(hr, change)).status).toBe(200)
    expect(await own(person)).toMatchObject({ name: '새 이름', position: '차장' })
    const other = await maru.createUser({ role: 'hr' })
    await passGate(other)
    expect((await own(other)).profileReadOnly).toBeUndefined()
    expect((await edit(other, { ...(await ownEdit(other)), name: '인사 담당' })).status).toBe(200)
  })

  test('leaves them to the users by default', async () => {
    await sql('update settings set profile_editors = default')
    await maru.services.settings.fresh()
    const person = await maru.createUser()
    await passGate(person)
    expect((await own(person)).profileReadOnly).toBeUndefined()
    expect((await edit(person, { ...(await ownEdit(person)), name: '새 이름' })).status).toBe(200)
  })
})
