import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { approveRequests } from '../../../../contract/approvals.ts'
import { checkSession } from '../../../../contract/common.ts'
import { listAudit } from '../../../../contract/audit.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  changeRoles,
  extendUsers,
  getUser,
  listOwnChanges,
  moveUsers,
  previewBulk,
  resetUser,
  suspendUsers,
  undoBulk,
  updateUser,
} from '../../../../contract/users.ts'
import { checkUpdates, updateByImport } from '../../../../contract/users/import-update.ts'
import { createTeam } from '../../../../contract/teams.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'

/* Undo of a bulk change: who is restored, who is not and why, by whom, and logged as a bulk change. */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const BRANCH_HR = 'AUT981'
let admin: TestUser
let hr: TestUser
beforeAll(async () => {
  await maru.services.jobs.stop()
  await maru.createPartner({ code: 'HEAD-1' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
  await sql(
    `insert into roles (code, group_name, name_en, sort_order, span) values ($1, '지사 인사', 'Branch HR', 9, 'branch')`,
    [BRANCH_HR],
  )
  await sql(`insert into role_functions values ($1, 'autho_user_manage')`, [BRANCH_HR])
})
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
})

async function people(count: number, user: NewUser = {}): Promise<TestUser[]> {
  const made = []
  for (let i = 0; i < count; i += 1) made.push(await maru.createUser(user))
  return made
}
const idsOf = (users: readonly TestUser[]) => users.map(({ userId }) => userId)
const BUSAN = { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }

type Fields = Omit<InputOf<typeof previewBulk>, 'userIds' | 'bulkAction'>
/** Changes users in bulk and returns the ID that the audit log gives for its undo. */
async function change(
  call: typeof moveUsers | typeof extendUsers | typeof changeRoles,
  bulkAction: 'move' | 'extend' | 'role',
  users: readonly TestUser[],
  fields: Fields,
  by = admin,
): Promise<string> {
  const asked = { userIds: idsOf(users), ...fields }
  const { version } = (await maru.call(previewBulk, { ...asked, bulkAction }, by)).data
  const done = await maru.call<typeof moveUsers>(call as typeof moveUsers, { ...asked, version } as never, by)
  expect([done.status, done.data]).toEqual([200, { userCount: users.length }])
  return undoIdOf(users[0]!)
}
const rowsOf = async ({ userId }: TestUser) =>
  (await maru.call(listAudit, { target: userId }, admin)).data.rows
const undoIdOf = async (user: TestUser) => (await rowsOf(user))[0]?.undoId ?? ''
const preview = async (auditId: string, by = admin) =>
  (await maru.call(previewBulk, { bulkAction: 'undo', auditId }, by)).data
async function undo(auditId: string, by = admin) {
  const { version } = await preview(auditId, by)
  return maru.call(undoBulk, { auditId, version }, by)
}
const obstaclesOf = (data: Awaited<ReturnType<typeof preview>>) =>
  Object.fromEntries(data.obstacles.map(({ userId, obstacle }) => [userId, obstacle]))
const stateOf = async (users: readonly TestUser[]) =>
  (
    await sql(
      `select concat_ws(' ', u.role_code, u.affiliation_code, p.code, u.valid_to) as state
       from users u left join partners p on p.id = u.partner_id where u.id = any ($1) order by u.id`,
      [users.map(({ id }) => id)],
    )
  ).map(({ state }) => state)
const detailOf = async ({ userId }: TestUser) =>
  (await sql('select action, detail from audit_log where target = $1 order by id desc limit 1', [userId]))[0]

const ownChangesOf = async (by: TestUser) => (await maru.call(listOwnChanges, {}, by)).data.bulkChanges

describe('own bulk changes (rules/users#undo-a-bulk-change)', () => {
  test('lists the caller’s own undoable changes, newest first, each until it is undone', async () => {
    const [one, two] = await people(2, { validTo: '2087-01-01' })
    expect(await ownChangesOf(hr)).toEqual([])
    const moved = await change(moveUsers, 'move', [one!, two!], BUSAN, hr)
    await change(extendUsers, 'extend', [one!, two!], { validTo: '2090-01-01' }, hr)
    await change(extendUsers, 'extend', [one!, two!], { validTo: '2091-01-01' })
    const found = await ownChangesOf(hr)
    expect(found).toMatchObject([
      { changeSummary: '유효기간 종료일 → 2090-01-01', userCount: 2 },
      { changeSummary: expect.stringMatching(/^소속, 파트너 코드 → \S+$/), userCount: 2 },
    ])
    // The audit log names another row of the same change.
    expect((await preview(found[1]!.undoId, hr)).users).toEqual((await preview(moved, hr)).users)
    expect(await preview(found[0]!.undoId, hr)).toMatchObject({ userCount: 0, obstacleCount: 2 })
    expect((await undo(found[1]!.undoId, hr)).data).toEqual({ userCount: 2 })
    expect(await ownChangesOf(hr)).toMatchObject([
      { undoId: expect.stringMatching(/^\d+$/), changeSummary: '유효기간 종료일 → 2090-01-01' },
    ])
  })

  test('lists neither changes of single users, nor of others, nor of earlier weeks', async () => {
    const [one, two] = await people(2, { validTo: '2087-01-01' })
    await change(extendUsers, 'extend', [one!], { validTo: '2088-01-01' }, hr)
    await change(extendUsers, 'extend', [one!, two!], { validTo: '2089-01-01' }, admin)
    expect(await ownChangesOf(hr)).toEqual([])
    expect(await ownChangesOf(admin)).toHaveLength(1)
    const asOf = (age: string) =>
      sql(
        `insert into audit_log (at, action, actor_id, target, address, request_id, records, detail)
         select now() - $2::interval, action, actor_id, target, address, 'again', records, detail
         from audit_log where actor_id = $1 and request_id <> 'again'`,
        [admin.id, age],
      )
    await asOf('8 days')
    expect(await ownChangesOf(admin)).toHaveLength(1)
    await asOf('6 days')
    expect(await ownChangesOf(admin)).toHaveLength(2)
  })

  test('is closed to users who manage nobody', async () => {
    const reader = await maru.createUser()
    expect((await maru.call(listOwnChanges, {}, reader)).code).toBe('FORBIDDEN')
  })
})

describe('undo of a bulk change (rules/users#undo-a-bulk-change)', () => {
  test('restores the users of a move who are unchanged, and names the others', async () => {
    const [one, two, changed, back, gone] = await people(5)
    const all = [one!, two!, changed!, back!, gone!]
    const before = await stateOf([one!, two!])
    const auditId = await change(moveUsers, 'move', all, BUSAN)
    await sql(`update users set affiliation_code = 'BEL001', partner_id = null where id = $1`, [changed!.id])
    // Moved away and back again: the values are those of the bulk change, but someone decided on them since.
    await change(moveUsers, 'move', [back!], { affiliationCode: 'BEL001', partnerCode: 'HEAD-1' })
    await change(moveUsers, 'move', [back!], BUSAN)
    await sql('update users set withdrawn_at = now() where id = $1', [gone!.id])
    const data = await preview(auditId)
    expect(data).toMatchObject({ userCount: 2, obstacleCount: 3 })
    expect(data.users[0]?.present).toMatch(/^부산.* · BUSAN-1 → 본사/)
    expect(obstaclesOf(data)).toEqual({
      [changed!.userId]: 'CHANGED_SINCE',
      [back!.userId]: 'CHANGED_SINCE',
      [gone!.userId]: 'GONE',
    })
    const asMoved = await stateOf([changed!, back!])
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    expect(await stateOf([one!, two!])).toEqual(before)
    expect(await stateOf([changed!, back!])).toEqual(asMoved)
    expect(await detailOf(one!)).toEqual({
      action: 'user.update',
      detail: {
        affiliationCode: { before: 'BEL002', after: 'BEL001' },
        partnerId: expect.anything(),
        undone: expect.stringMatching(/^\d{4}-\d{2}-\d{2} /),
      },
    })
  })

  test('offers an undo for rows of bulk changes of these fields only', async () => {
    const [one, two] = await people(2)
    const { version } = (
      await maru.call(previewBulk, { userIds: idsOf([one!, two!]), bulkAction: 'suspend' }, admin)
    ).data
    await maru.call(
      suspendUsers,
      { userIds: idsOf([one!, two!]), suspendedFor: 'LEAVE', reason: '휴가', version },
      admin,
    )
    expect(await undoIdOf(one!)).toBe('')
    const [alone] = await people(1)
    expect(await change(moveUsers, 'move', [alone!], BUSAN)).toBe('')
    // A row without an undo, or none at all, names no user.
    const [{ id }] = await sql(`select id from audit_log where target = $1 order by id desc limit 1`, [
      alone!.userId,
    ])
    for (const auditId of [id, '999999999']) {
      expect(await preview(auditId)).toMatchObject({ userCount: 0, obstacleCount: 0 })
      expect((await undo(auditId)).code).toBe('BULK_NOBODY')
    }
  })

  test('undoes an extension to each former end, and can itself be undone once', async () => {
    const [one, two] = [
      ...(await people(1, { validTo: '2087-01-01' })),
      ...(await people(1, { validTo: '2088-02-29' })),
    ]
    const auditId = await change(extendUsers, 'extend', [one!, two!], { validTo: '' })
    const extended = await stateOf([one!, two!])
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    expect((await stateOf([one!, two!])).map((state) => state.slice(-10))).toEqual([
      '2087-01-01',
      '2088-02-29',
    ])
    // The extension was undone already.
    expect(await preview(auditId)).toMatchObject({ userCount: 0, obstacleCount: 2 })
    const again = await undoIdOf(one!)
    expect((await undo(again)).data).toEqual({ userCount: 2 })
    expect(await stateOf([one!, two!])).toEqual(extended)
  })

  test('restores a main team, which a move names in its audit row', async () => {
    const [one, two] = await people(2)
    const name = '되돌릴 팀'
    const { teamId } = (
      await maru.call(createTeam, { affiliationCode: 'BEL001', parentId: '', name, nameEn: '' }, admin)
    ).data
    await sql('insert into user_teams values ($1, $2, true)', [one!.id, teamId])
    const auditId = await change(moveUsers, 'move', [one!, two!], BUSAN)
    expect((await detailOf(one!)).detail).toMatchObject({ teamName: { before: name, after: '' } })
    expect((await detailOf(two!)).detail).not.toHaveProperty('teamName')
    expect(await sql('select from user_teams where user_id = $1', [one!.id])).toEqual([])
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    expect(await sql('select team_id from user_teams where user_id = $1 and is_main', [one!.id])).toEqual([
      { team_id: teamId },
    ])
    expect((await detailOf(one!)).detail).toMatchObject({ teamName: { before: '', after: name } })
  })

  test('leaves users whose former affiliation or partner code is closed', async () => {
    const users = await people(2)
    const partner = await maru.createPartner({ code: 'GONE-1' })
    await sql(`update users set partner_id = (select id from partners where code = $2) where id = $1`, [
      users[0]!.id,
      partner,
    ])
    const auditId = await change(moveUsers, 'move', users, BUSAN)
    await sql(`update partners set stopped_at = now() where code = $1`, [partner])
    expect(obstaclesOf(await preview(auditId))).toEqual({ [users[0]!.userId]: 'FORMER_GONE' })
    await sql(`update codes set closed_at = now() where code = 'BEL001'`)
    expect(await preview(auditId)).toMatchObject({ userCount: 0, obstacleCount: 2 })
    await sql(`update codes set closed_at = null where code = 'BEL001'`)
  })

  test('gives nobody back a role that the caller may not grant, and refuses the caller', async () => {
    const bosses = await people(2, { role: 'admin' })
    const auditId = await change(changeRoles, 'role', bosses, { roleCode: 'AUT003' })
    expect(obstaclesOf(await preview(auditId, hr))).toEqual({
      [bosses[0]!.userId]: 'ADMIN_NEEDED',
      [bosses[1]!.userId]: 'ADMIN_NEEDED',
    })
    expect((await undo(auditId, hr)).code).toBe('BULK_NOBODY')
    expect((await maru.call(previewBulk, { bulkAction: 'undo', auditId }, bosses[0])).status).not.toBe(200)
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    expect((await stateOf(bosses)).every((state) => state.startsWith('AUT001'))).toBe(true)
  })

  test('leaves the account of the caller unchanged', async () => {
    const [person] = await people(1)
    const auditId = await change(moveUsers, 'move', [hr, person!], BUSAN)
    expect(obstaclesOf(await preview(auditId, hr))).toEqual({ [hr.userId]: 'OWN' })
    expect((await undo(auditId, hr)).data).toEqual({ userCount: 1 })
    expect(await stateOf([hr])).toEqual(['AUT002 BEL002 BUSAN-1'])
  })

  test('shows an actor of one branch no user of another (rules/roles#branch-roles)', async () => {
    const branch = await maru.createUser({ affiliation: 'BEL002' })
    await sql(`update users set role_code = $2 where id = $1`, [branch.id, BRANCH_HR])
    const users = await people(2)
    const away = await change(extendUsers, 'extend', await people(2, { validTo: '2087-01-01' }), {
      validTo: '',
    })
    const unknown = await preview('999999999', branch)
    expect({ ...(await preview(away, branch)), version: '' }).toEqual({ ...unknown, version: '' })
    // Now in the branch, but from elsewhere: only the whole company moves them back.
    const moved = await change(moveUsers, 'move', users, BUSAN)
    expect(Object.values(obstaclesOf(await preview(moved, branch)))).toEqual(['OUT_OF_REACH', 'OUT_OF_REACH'])
    expect((await undo(moved, branch)).code).toBe('BULK_NOBODY')
    const inside = await people(2, { affiliation: 'BEL002', validTo: '2087-01-01' })
    const outside = await people(1, { validTo: '2087-01-01' })
    const mixed = await change(extendUsers, 'extend', [...outside, ...inside], { validTo: '' })
    expect(await preview(mixed, branch)).toMatchObject({ userCount: 2, obstacleCount: 0 })
    expect((await undo(mixed, branch)).data).toEqual({ userCount: 2 })
    expect((await stateOf(outside))[0]).toMatch(/2088-01-01$/)
  })

  test('is refused without the permission, and if a user has changed since the preview', async () => {
    const users = await people(2)
    const auditId = await change(moveUsers, 'move', users, BUSAN)
    const { version } = await preview(auditId)
    expect((await maru.call(previewBulk, { bulkAction: 'undo', auditId }, users[0])).code).toBe('FORBIDDEN')
    expect((await maru.call(undoBulk, { auditId, version }, users[0])).code).toBe('FORBIDDEN')
    await sql(`update users set position = '부장' where id = $1`, [users[0]!.id])
    expect((await maru.call(undoBulk, { auditId, version }, admin)).code).toBe('RECORD_CHANGED')
  })

  test('leaves the last administrator (rules/roles#last-administrator)', async () => {
    // Somebody who may act on 관리자 and is none.
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT960', '부관리자', 'Deputy', 9)`,
    )
    await sql(`insert into role_functions select 'AUT960', name from functions`)
    const deputy = await maru.createUser()
    await sql(`update users set role_code = 'AUT960' where id = $1`, [deputy.id])
    const [next, other] = await people(2)
    const auditId = await change(changeRoles, 'role', [next!, other!], { roleCode: 'AUT001' })
    const { version } = await preview(auditId, deputy)
    await sql('update users set withdrawn_at = now() where id = any ($1)', [[admin.id, other!.id]])
    expect(obstaclesOf(await preview(auditId, deputy))).toEqual({
      [next!.userId]: 'LAST_ADMIN',
      [other!.userId]: 'GONE',
    })
    expect((await maru.call(undoBulk, { auditId, version }, deputy)).code).toBe('RECORD_CHANGED')
    expect((await undo(auditId, deputy)).code).toBe('BULK_NOBODY')
    expect((await stateOf([next!]))[0]).toMatch(/^AUT001/)
  })

  test('gives nobody back a role with a permission that the caller lacks', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT961', '설정 담당', 'Settings', 9)`,
    )
    await sql(`insert into role_functions values ('AUT961', 'autho_setting_manage')`)
    const users = await people(2)
    await change(changeRoles, 'role', users, { roleCode: 'AUT961' })
    const auditId = await change(changeRoles, 'role', users, { roleCode: 'AUT003' })
    expect(Object.values(obstaclesOf(await preview(auditId, hr)))).toEqual(['ADMIN_NEEDED', 'ADMIN_NEEDED'])
    // Neither with the version of one who may.
    const { version } = await preview(auditId)
    expect((await maru.call(undoBulk, { auditId, version }, hr)).code).toBe('RECORD_CHANGED')
    expect((await undo(auditId, hr)).code).toBe('BULK_NOBODY')
    expect((await stateOf(users)).every((state) => state.startsWith('AUT003'))).toBe(true)
  })

  test('is made once, by two callers at the same time too', async () => {
    const users = await people(2, { validTo: '2087-01-01' })
    const auditId = await change(extendUsers, 'extend', users, { validTo: '' })
    const { version } = await preview(auditId)
    const second = await maru.createUser({ role: 'admin' })
    const theirs = await preview(auditId, second)
    const answers = await Promise.all([
      maru.call(undoBulk, { auditId, version }, admin),
      maru.call(undoBulk, { auditId, version: theirs.version }, second),
    ])
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['RECORD_CHANGED', undefined]))
    expect((await maru.call(undoBulk, { auditId, version }, admin)).code).toBe('RECORD_CHANGED')
    expect((await undo(auditId)).code).toBe('BULK_NOBODY')
    expect(
      await sql(`select from audit_log where target = $1 and detail ? 'undone'`, [users[0]!.userId]),
    ).toHaveLength(1)
  })

  test('takes the same number of queries for many users, and about the time of the change', async () => {
    const [model] = await people(1)
    await sql(
      `insert into users overriding system value select (jsonb_populate_record(u, jsonb_build_object(
          'id', 1000000 + n, 'login_id', 'many' || n, 'email', 'many' || n || '@example.com'))).*
        from users u, generate_series(1, 1000) n where u.id = $1`,
      [model!.id],
    )
    const rows = await sql(`select id::text, login_id as "userId" from users where id > 1000000 order by id`)
    const users = rows as TestUser[]
    const startedAt = performance.now()
    const auditId = await change(moveUsers, 'move', users, BUSAN)
    const movedAt = performance.now()
    const { version } = await preview(auditId)
    const trips = await roundTrips(maru.database.pool, async () => {
      expect((await maru.call(undoBulk, { auditId, version }, admin)).data).toEqual({ userCount: 1000 })
    })
    expect(trips.length).toBeLessThanOrEqual(19)
    // A query for each user takes a hundred times as long.
    expect(performance.now() - movedAt).toBeLessThan(10 * (movedAt - startedAt))
    expect(new Set(await stateOf(users))).toEqual(new Set(['AUT003 BEL001']))
  })

  test.each(['the approval', 'the edit'])('takes nothing back that was approved since: by %s', async (by) => {
    const users = await people(2, { asked: true })
    const auditId = await change(moveUsers, 'move', users, BUSAN)
    const granted = { roleCode: 'AUT003', validFrom: '2026-01-01', validTo: '2087-01-01' }
    if (by === 'the approval') {
      const rows = await sql('select id::text from approval_requests where user_id = $1', [users[0]!.id])
      const asked = { requests: rows.map(({ id }) => id as string), ...granted, partners: [BUSAN] }
      expect((await maru.call(approveRequests, asked, hr)).status).toBe(200)
    } else {
      const { data } = await maru.call(getUser, { userId: users[0]!.userId }, hr)
      const { userId, position, name, phoneNumber, email, teamId, otherTeamIds, version } = data
      const kept = { userId, position, name, phoneNumber, email, teamId, otherTeamIds, version }
      const asked = {
        ...kept,
        ...BUSAN,
        ...granted,
        originalUserId: userId,
        approvalCode: 'MEMAP001' as const,
      }
      expect((await maru.call(updateUser, asked, hr)).status).toBe(200)
    }
    // Approved users without a partner code would change their affiliation by themselves.
    expect(obstaclesOf(await preview(auditId))).toEqual({ [users[0]!.userId]: 'CHANGED_SINCE' })
    expect((await undo(auditId)).data).toEqual({ userCount: 1 })
    expect((await stateOf([users[0]!]))[0]).toMatch(/BEL002 BUSAN-1/)
  })

  test('leaves no account open-ended while the setting requires an end (rules/users#open-end)', async () => {
    const set = async (end: string) => {
      await sql('update settings set validity_end = $1', [end])
      await maru.services.settings.fresh()
    }
    const users = await people(2, { validTo: null })
    const rows = users.map(({ userId }) => ({ userId, validTo: '2087-01-01' }))
    const { version } = (await maru.call(checkUpdates, { rows }, admin)).data
    const done = await maru.call(updateByImport, { rows, version, managerPassword: PASSWORD }, admin)
    expect(done.status).toBe(200)
    const auditId = await undoIdOf(users[0]!)
    expect(Object.values(obstaclesOf(await preview(auditId)))).toEqual(['FORMER_GONE', 'FORMER_GONE'])
    await set('optional')
    try {
      expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    } finally {
      await set('required')
    }
  })

  test('ends the sessions of an account that it closes, also for the time after an undo of the undo', async () => {
    const users = await people(2, { validTo: '2026-01-01' })
    const auditId = await change(extendUsers, 'extend', users, { validTo: '2087-01-01' })
    const { sessionUid } = (await maru.call(login, { loginId: users[0]!.userId, password: PASSWORD })).data
    const isAlive = async () => (await maru.call(checkSession, {}, { session: sessionUid })).status === 200
    expect(await isAlive()).toBe(true)
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    expect(await isAlive()).toBe(false)
    expect((await undo(await undoIdOf(users[0]!))).data).toEqual({ userCount: 2 })
    expect(await isAlive()).toBe(false)
  })

  test('ends the access of those who had a way into an account before it got its role back (rules/roles#former-controllers)', async () => {
    const users = await people(2, { role: 'admin' })
    const auditId = await change(changeRoles, 'role', users, { roleCode: 'AUT003' })
    // Meanwhile HR, who reaches ordinary users, gets a way in.
    await maru.call(resetUser, { userId: users[0]!.userId, reason: '' }, hr)
    expect((await undo(auditId)).data).toEqual({ userCount: 2 })
    const [{ own, open }] = await sql(
      `select password_own_from is not null as own, (select count(*)::int from sessions where user_id = u.id) as open
       from users u where id = $1`,
      [users[0]!.id],
    )
    expect({ own, open }).toEqual({ own: false, open: 0 })
  })

  test('joins no changes of single users into one', async () => {
    const [one, two] = await people(2)
    await change(changeRoles, 'role', [one!], { roleCode: 'AUT002' })
    await change(changeRoles, 'role', [two!], { roleCode: 'AUT002' })
    const ids = await sql(`select id::text from audit_log where target = any ($1)`, [idsOf([one!, two!])])
    for (const { id } of ids) expect(await preview(id)).toMatchObject({ userCount: 0, obstacleCount: 0 })
  })
})
