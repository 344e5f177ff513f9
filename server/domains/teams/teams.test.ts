import { beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../../contract/audit.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import {
  createTeam,
  deleteTeam,
  listTeams,
  NO_TEAM,
  OTHER_TEAMS,
  updateTeam,
} from '../../../contract/teams.ts'
import {
  changeMainTeams,
  exportOwnData,
  exportUsers,
  getColleague,
  getUser,
  listColleagues,
  listUsers,
  moveUsers,
  previewBulk,
  registerUser,
  undoBulk,
  updateUser,
} from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const [BUSAN, DAEJEON] = ['BEL002', 'BEL003']
const BRANCH_HR = 'AUT980'
let admin: TestUser
let user: TestUser
/** Manages users of Busan alone. */
let busan: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  user = await maru.createUser({ affiliation: BUSAN })
  await sql(
    `insert into roles (code, group_name, name_en, sort_order, span) values ($1, '지사 인사', 'Branch HR', 9, 'branch')`,
    [BRANCH_HR],
  )
  await sql(
    `insert into role_functions select $1, unnest('{autho_user_manage,autho_user_search,autho_user_insert}'::text[])`,
    [BRANCH_HR],
  )
  busan = await maru.createUser({ affiliation: BUSAN })
  await sql('update users set role_code = $1 where id = $2', [BRANCH_HR, busan.id])
  await maru.createPartner({ code: 'T-BUSAN', affiliation: BUSAN })
  await maru.createPartner({ code: 'T-DAEJEON', affiliation: DAEJEON })
})

const all = async () => (await maru.call(listTeams, {}, user)).data.teams
const teamOf = async (teamId: string) => {
  const team = (await all()).find((row) => row.teamId === teamId)
  if (team === undefined) throw new Error(`There is no team ${teamId}`)
  return team
}

let count = 0
async function makeTeam(input: Partial<InputOf<typeof createTeam>> = {}, by = admin): Promise<string> {
  const { status, data } = await maru.call(
    createTeam,
    { affiliationCode: BUSAN, name: `팀${++count}`, ...input },
    by,
  )
  expect(status).toBe(200)
  return data.teamId
}

async function edit(teamId: string, input: Partial<InputOf<typeof updateTeam>>, by = admin) {
  const { name, nameEn, parentId, version } = await teamOf(teamId)
  return maru.call(updateTeam, { teamId, name, nameEn, parentId, version, ...input }, by)
}

const remove = async (teamId: string, by = admin) =>
  maru.call(deleteTeam, { teamId, version: (await teamOf(teamId)).version }, by)

/** Saves the teams of a user, and whatever else is given. */
async function save(person: TestUser, input: Partial<InputOf<typeof updateUser>>, by = admin) {
  const { data } = await maru.call(getUser, { userId: person.userId }, by)
  const { userId, affiliationCode, position, name, phoneNumber, email } = data
  return maru.call(
    updateUser,
    { originalUserId: userId, userId, affiliationCode, position, name, phoneNumber, email, ...input },
    by,
  )
}

const teamsOf = async ({ userId }: TestUser) => {
  const { teamId, otherTeamIds } = (await maru.call(getUser, { userId }, admin)).data
  return { teamId, otherTeamIds }
}

const lastAudit = async (action: string) =>
  (await sql('select target, detail from audit_log where action = $1 order by id desc limit 1', [action]))[0]

describe('the tree (rules/teams#tree)', () => {
  test('lists teams by name for every user, with the number of main members', async () => {
    const parentId = await makeTeam({ name: '하나 본부', nameEn: 'One' })
    const below = await makeTeam({ name: '가나 팀', parentId })
    const person = await maru.createUser({ affiliation: BUSAN })
    const gone = await maru.createUser({ affiliation: BUSAN })
    const waiting = await maru.createUser({ affiliation: BUSAN })
    for (const one of [person, gone, waiting]) expect((await save(one, { teamId: below })).status).toBe(200)
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    await sql(`update users set approval_code = 'MEMAP002' where id = $1`, [waiting.id])
    const teams = await all()
    const ids = teams.map(({ teamId }) => teamId)
    expect(ids.indexOf(below)).toBeLessThan(ids.indexOf(parentId))
    expect(teams.find(({ teamId }) => teamId === below)).toEqual({
      teamId: below,
      affiliationCode: BUSAN,
      parentId,
      name: '가나 팀',
      nameEn: '',
      userCount: 1,
      version: expect.any(String),
    })
    await sql('update users set withdrawn_at = null where id = $1', [gone.id])
  })

  test('creates, renames and moves a team, each with an audit row', async () => {
    const top = await makeTeam({ name: '본부' })
    const teamId = await makeTeam({ name: '개발' })
    expect((await edit(teamId, { name: '개발팀', nameEn: 'Dev', parentId: top })).status).toBe(200)
    expect(await teamOf(teamId)).toMatchObject({ name: '개발팀', nameEn: 'Dev', parentId: top })
    expect(await lastAudit('team.update')).toEqual({
      target: '개발팀',
      detail: {
        name: { before: '개발', after: '개발팀' },
        nameEn: { before: '', after: 'Dev' },
        parentTeam: { before: '', after: '본부' },
      },
    })
    const { data } = await maru.call(listAudit, { action: 'team.update' }, admin)
    expect(data.rows[0]?.changes).toContainEqual({ item: '상위 팀', before: '', after: '본부' })
  })

  test('writes no audit row for an unchanged team', async () => {
    const teamId = await makeTeam()
    const before = await lastAudit('team.update')
    expect((await edit(teamId, {})).status).toBe(200)
    expect(await lastAudit('team.update')).toEqual(before)
  })

  test('refuses the same name at the same place in any case, and allows it elsewhere', async () => {
    const parentId = await makeTeam({ name: 'Alpha' })
    const again = await maru.call(createTeam, { affiliationCode: BUSAN, name: 'ALPHA' }, admin)
    expect(again.code).toBe('TEAM_NAME_TAKEN')
    await makeTeam({ name: 'Alpha', parentId })
    await makeTeam({ name: 'Alpha', affiliationCode: DAEJEON })
  })

  test('refuses a cycle and a seventh level', async () => {
    const ids: string[] = []
    for (let level = 0; level < 6; level += 1) ids.push(await makeTeam({ parentId: ids.at(-1) ?? '' }))
    const seventh = { affiliationCode: BUSAN, name: '일곱째', parentId: ids[5] ?? '' }
    expect((await maru.call(createTeam, seventh, admin)).code).toBe('TEAM_PARENT')
    expect((await edit(ids[0] ?? '', { parentId: ids[2] ?? '' })).code).toBe('TEAM_PARENT')
    expect((await edit(ids[0] ?? '', { parentId: ids[0] ?? '' })).code).toBe('TEAM_PARENT')
    const above = await makeTeam()
    expect((await edit(ids[0] ?? '', { parentId: above })).code).toBe('TEAM_PARENT')
    expect(await teamOf(ids[0] ?? '')).toMatchObject({ parentId: '' })
  })

  test('refuses a parent of another affiliation, a closed affiliation and an unknown team', async () => {
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    const below = { affiliationCode: BUSAN, name: '남의 팀', parentId: elsewhere }
    expect((await maru.call(createTeam, below, admin)).code).toBe('TEAM_NOT_FOUND')
    const unknown = { teamId: '999999', name: 'x', version: 'A'.repeat(22) }
    expect((await maru.call(updateTeam, unknown, admin)).code).toBe('TEAM_NOT_FOUND')
    await sql(`update codes set closed_at = now() where code = 'BEL008' and group_code = 'COMBEL001'`)
    const closed = { affiliationCode: 'BEL008', name: 'x' }
    expect((await maru.call(createTeam, closed, admin)).code).toBe('AFFILIATION_CLOSED')
  })

  test('refuses an edit of a team that changed meanwhile', async () => {
    const teamId = await makeTeam()
    const { version } = await teamOf(teamId)
    await edit(teamId, { name: '먼저 바꾼 팀' })
    expect((await edit(teamId, { version })).code).toBe('RECORD_CHANGED')
    expect((await maru.call(deleteTeam, { teamId, version }, admin)).code).toBe('RECORD_CHANGED')
  })

  test('deletes only a team without members and teams below it', async () => {
    const parentId = await makeTeam()
    const teamId = await makeTeam({ parentId })
    const person = await maru.createUser({ affiliation: DAEJEON })
    await save(person, { otherTeamIds: [teamId] })
    expect((await remove(parentId)).code).toBe('TEAM_IN_USE')
    expect((await remove(teamId)).code).toBe('TEAM_IN_USE')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await remove(teamId)).status).toBe(200)
    expect((await remove(parentId)).status).toBe(200)
  })
})

describe('who manages teams (rules/teams#managers)', () => {
  test('refuses a user without the permission, and changes nothing', async () => {
    const teamId = await makeTeam()
    const before = await all()
    const input = { affiliationCode: BUSAN, name: '몰래' }
    expect((await maru.call(createTeam, input, user)).code).toBe('FORBIDDEN')
    expect((await edit(teamId, { name: '몰래' }, user)).code).toBe('FORBIDDEN')
    expect((await remove(teamId, user)).code).toBe('FORBIDDEN')
    expect(await all()).toEqual(before)
  })

  test('limits a branch role to the teams of its branch', async () => {
    const teamId = await makeTeam({}, busan)
    expect((await edit(teamId, { name: '부산 팀' }, busan)).status).toBe(200)
    expect((await remove(teamId, busan)).status).toBe(200)
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    const before = await all()
    const input = { affiliationCode: DAEJEON, name: '몰래' }
    expect((await maru.call(createTeam, input, busan)).code).toBe('FORBIDDEN')
    expect((await edit(elsewhere, { name: '몰래' }, busan)).code).toBe('FORBIDDEN')
    expect((await remove(elsewhere, busan)).code).toBe('FORBIDDEN')
    const unknown = { teamId: '999999', name: 'x', version: 'A'.repeat(22) }
    expect((await maru.call(updateTeam, unknown, busan)).code).toBe('FORBIDDEN')
    expect(await all()).toEqual(before)
  })
})

describe('membership (rules/teams#membership)', () => {
  test('saves a main team and additional ones, keeps what is left out, and names them in the audit log', async () => {
    const parentId = await makeTeam({ name: '영업 본부' })
    const teamId = await makeTeam({ name: '영업팀', parentId })
    const other = await makeTeam({ name: '대전 지원팀', affiliationCode: DAEJEON })
    const person = await maru.createUser({ affiliation: BUSAN })
    expect((await save(person, { teamId, otherTeamIds: [other] })).status).toBe(200)
    expect(await teamsOf(person)).toEqual({ teamId, otherTeamIds: [other] })
    expect((await lastAudit('user.update'))?.detail).toEqual({
      teamName: { before: '', after: '영업 본부 > 영업팀' },
      otherTeamNames: { before: [], after: ['대전지사 > 대전 지원팀'] },
    })
    await save(person, { position: '과장' })
    await save(person, { otherTeamIds: [] })
    expect(await teamsOf(person)).toEqual({ teamId, otherTeamIds: [] })
    // The main team is not an additional one as well.
    await save(person, { otherTeamIds: [teamId, other] })
    expect(await teamsOf(person)).toEqual({ teamId, otherTeamIds: [other] })
    await save(person, { teamId: '' })
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [other] })
  })

  test('registers a user in a team', async () => {
    const teamId = await makeTeam({ name: '신입팀' })
    const input = {
      userId: 'new.member',
      affiliationCode: BUSAN,
      position: '사원',
      name: '김신입',
      phoneNumber: '01012340000',
      email: 'new.member@example.com',
      validFrom: '2026-01-01',
      validTo: '2087-01-01',
      partnerCode: 'T-BUSAN',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      password: 'another-Maru-2026!',
      managerPassword: PASSWORD,
    } as const
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    expect((await maru.call(registerUser, { ...input, teamId: elsewhere }, admin)).code).toBe(
      'TEAM_NOT_FOUND',
    )
    expect((await maru.call(registerUser, { ...input, teamId }, admin)).status).toBe(200)
    expect((await maru.call(getUser, { userId: input.userId }, admin)).data.teamId).toBe(teamId)
    expect((await lastAudit('user.register'))?.detail).toMatchObject({
      teamName: { before: '', after: '신입팀' },
    })
  })

  test('refuses a main team of another affiliation, an unknown team and a sixth additional one', async () => {
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    const person = await maru.createUser({ affiliation: BUSAN })
    expect((await save(person, { teamId: elsewhere })).code).toBe('TEAM_NOT_FOUND')
    expect((await save(person, { otherTeamIds: ['999999'] })).code).toBe('TEAM_NOT_FOUND')
    const ids = await Promise.all(Array.from({ length: OTHER_TEAMS + 1 }, () => makeTeam()))
    const answer = await save(person, { otherTeamIds: ids })
    expect([answer.code, answer.field]).toEqual(['INPUT_INVALID', 'otherTeamIds'])
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [] })
  })

  test('ends the main team of a user who moves, and keeps the additional ones', async () => {
    const teamId = await makeTeam({ name: '남는 팀' })
    const other = await makeTeam()
    const next = await makeTeam({ affiliationCode: DAEJEON, name: '새 팀' })
    const person = await maru.createUser({ affiliation: BUSAN })
    await save(person, { teamId, otherTeamIds: [other] })
    await save(person, { affiliationCode: DAEJEON })
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [other] })
    expect((await lastAudit('user.update'))?.detail).toMatchObject({
      teamName: { before: '남는 팀', after: '' },
    })
    await save(person, { affiliationCode: BUSAN, teamId })
    await save(person, { affiliationCode: DAEJEON, teamId: next })
    expect(await teamsOf(person)).toEqual({ teamId: next, otherTeamIds: [other] })
    const found = { userIds: [person.userId] }
    const change = { bulkAction: 'move', affiliationCode: BUSAN, partnerCode: 'T-BUSAN' } as const
    const { version, users, teamEndCount } = (await maru.call(previewBulk, { ...found, ...change }, admin))
      .data
    expect(users[0]?.present).toMatch(new RegExp(` · ‘${(await teamOf(next)).name}’ 팀에서 빠짐$`))
    expect(teamEndCount).toBe(1)
    const moved = await maru.call(
      moveUsers,
      { ...found, affiliationCode: BUSAN, partnerCode: 'T-BUSAN', version },
      admin,
    )
    expect(moved.status).toBe(200)
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [other] })
    expect((await lastAudit('user.update'))?.detail).toMatchObject({
      teamName: { before: (await teamOf(next)).name, after: '' },
    })
  })

  test('are joined in bulk by users of the affiliation, or left, which can be undone (rules/users#bulk-changes)', async () => {
    const [teamId, old] = [await makeTeam({ name: '합류팀' }), await makeTeam({ name: '옛 팀' })]
    const [fresh, moving, extra, member, away] = [
      await maru.createUser({ affiliation: BUSAN }),
      await maru.createUser({ affiliation: BUSAN }),
      await maru.createUser({ affiliation: BUSAN }),
      await maru.createUser({ affiliation: BUSAN }),
      await maru.createUser({ affiliation: DAEJEON }),
    ]
    await save(moving, { teamId: old })
    await save(extra, { otherTeamIds: [teamId, old] })
    await save(member, { teamId })
    const userIds = [fresh, moving, extra, member, away].map(({ userId }) => userId)
    const preview = async (to: string) =>
      (await maru.call(previewBulk, { userIds, bulkAction: 'team', teamId: to }, admin)).data
    const { version, users, obstacles } = await preview(teamId)
    expect(users.map(({ userId, present }) => [userId, present])).toEqual([
      [fresh.userId, ''],
      [moving.userId, '옛 팀'],
      [extra.userId, ''],
    ])
    expect(obstacles.map(({ userId, obstacle }) => [userId, obstacle])).toEqual([
      [member.userId, 'ALREADY'],
      [away.userId, 'OTHER_AFFILIATION'],
    ])
    const joined = await maru.call(changeMainTeams, { userIds, teamId, version }, admin)
    expect(joined.data).toEqual({ userCount: 3 })
    expect(await teamsOf(fresh)).toEqual({ teamId, otherTeamIds: [] })
    expect(await teamsOf(moving)).toEqual({ teamId, otherTeamIds: [] })
    expect(await teamsOf(extra)).toEqual({ teamId, otherTeamIds: [old] })
    expect(await teamsOf(away)).toEqual({ teamId: '', otherTeamIds: [] })
    const [row] = await sql(`select max(id)::text as id from audit_log where action = 'user.update'`)
    expect((await lastAudit('user.update'))?.detail).toEqual({ teamName: { before: '', after: '합류팀' } })

    const undone = await maru.call(previewBulk, { bulkAction: 'undo', userIds: [], auditId: row.id }, admin)
    expect(undone.data).toMatchObject({ userCount: 3, obstacleCount: 0 })
    await maru.call(undoBulk, { auditId: row.id, version: undone.data.version }, admin)
    expect(await teamsOf(fresh)).toEqual({ teamId: '', otherTeamIds: [] })
    expect(await teamsOf(moving)).toEqual({ teamId: old, otherTeamIds: [] })

    const leaving = await preview(NO_TEAM)
    expect(leaving).toMatchObject({ userCount: 2, obstacleCount: 3 })
    const left = await maru.call(
      changeMainTeams,
      { userIds, teamId: NO_TEAM, version: leaving.version },
      admin,
    )
    expect(left.data).toEqual({ userCount: 2 })
    expect(await teamsOf(moving)).toEqual({ teamId: '', otherTeamIds: [] })
    expect(await teamsOf(member)).toEqual({ teamId: '', otherTeamIds: [] })
  })

  test('are not joined in bulk if unknown, or of another branch', async () => {
    const person = await maru.createUser({ affiliation: BUSAN })
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    const ask = async (teamId: string, by: TestUser) =>
      (await maru.call(previewBulk, { userIds: [person.userId], bulkAction: 'team', teamId }, by)).code
    expect(await ask('999999999', admin)).toBe('TEAM_NOT_FOUND')
    expect(await ask('999999999', busan)).toBe('FORBIDDEN')
    expect(await ask(elsewhere, busan)).toBe('FORBIDDEN')
    const { version } = (
      await maru.call(previewBulk, { userIds: [person.userId], bulkAction: 'team', teamId: NO_TEAM }, busan)
    ).data
    const asked = { userIds: [person.userId], teamId: elsewhere, version }
    expect((await maru.call(changeMainTeams, asked, busan)).code).toBe('FORBIDDEN')
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [] })
  })

  test('announces no end of a team for a new partner code of the same affiliation', async () => {
    const person = await maru.createUser({ affiliation: BUSAN })
    await save(person, { teamId: await makeTeam() })
    const change = { bulkAction: 'move', affiliationCode: BUSAN, partnerCode: 'T-BUSAN' } as const
    const { data } = await maru.call(previewBulk, { userIds: [person.userId], ...change }, admin)
    expect(data).toMatchObject({ userCount: 1, teamEndCount: 0 })
    expect(data.users[0]?.present).not.toContain('빠짐')
  })

  test('shows users their own teams, which they cannot change', async () => {
    const teamId = await makeTeam()
    const person = await maru.createUser({ affiliation: BUSAN })
    await save(person, { teamId })
    await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
    expect((await maru.call(getUser, { userId: '' }, person)).data).toMatchObject({
      teamId,
      otherTeamIds: [],
    })
    expect((await save(person, { teamId: '' }, person)).code).toBe('FORBIDDEN')
    expect((await save(person, { otherTeamIds: [teamId] }, person)).code).toBe('FORBIDDEN')
    expect((await save(person, { position: '차장' }, person)).status).toBe(200)
    expect(await teamsOf(person)).toEqual({ teamId, otherTeamIds: [] })
    const { raw } = await maru.call(exportOwnData, {}, person)
    expect(raw).toContain((await teamOf(teamId)).name)
  })

  test('lets a branch role change only memberships in teams of its branch', async () => {
    const teamId = await makeTeam()
    const elsewhere = await makeTeam({ affiliationCode: DAEJEON })
    const person = await maru.createUser({ affiliation: BUSAN })
    expect((await save(person, { teamId }, busan)).status).toBe(200)
    expect((await save(person, { otherTeamIds: [elsewhere] }, busan)).code).toBe('FORBIDDEN')
    expect((await save(person, { teamId: elsewhere }, busan)).code).toBe('FORBIDDEN')
    await save(person, { otherTeamIds: [elsewhere] })
    expect((await save(person, { otherTeamIds: [] }, busan)).code).toBe('FORBIDDEN')
    expect((await save(person, { teamId: '', otherTeamIds: [elsewhere] }, busan)).status).toBe(200)
    expect(await teamsOf(person)).toEqual({ teamId: '', otherTeamIds: [elsewhere] })
  })

  test('refuses an edit of a user whose teams changed meanwhile', async () => {
    const person = await maru.createUser({ affiliation: BUSAN })
    const { version } = (await maru.call(getUser, { userId: person.userId }, admin)).data
    await save(person, { otherTeamIds: [await makeTeam()] })
    expect((await save(person, { version, name: '늦은 이름' })).code).toBe('RECORD_CHANGED')
  })
})

/** Returns the users of a search by a team: their number, and the name and team of each. */
async function find(teamId: string) {
  const { data } = await maru.call(listUsers, { teamId, sort: 'name' }, admin)
  return [data.totalCount, data.users.map(({ name, teamName }) => [name, teamName])]
}

describe('members (rules/teams#members)', () => {
  let top: string
  let below: string
  let lead: TestUser
  let helper: TestUser

  beforeAll(async () => {
    top = await makeTeam({ name: '구성 본부', nameEn: 'Division' })
    below = await makeTeam({ name: '구성팀', parentId: top })
    lead = await maru.createUser({ affiliation: BUSAN, name: '가본부장' })
    helper = await maru.createUser({ affiliation: DAEJEON, name: '나겸직' })
    await save(lead, { teamId: top })
    await save(helper, { otherTeamIds: [below] })
  })

  test('finds the members of a team and of those below it, additional ones too', async () => {
    expect(await find(top)).toEqual([
      2,
      [
        ['가본부장', '구성 본부'],
        ['나겸직', ''],
      ],
    ])
    expect(await find(below)).toEqual([1, [['나겸직', '']]])
    expect(await find('999999')).toEqual([0, []])
  })

  test('finds the users without a main team in list, export, bulk changes and directory', async () => {
    const search = { teamId: NO_TEAM } as const
    const { data } = await maru.call(listUsers, { ...search, name: '나겸직' }, admin)
    expect([data.totalCount, data.users.map(({ name }) => name)]).toEqual([1, ['나겸직']])
    expect((await maru.call(listUsers, { ...search, name: '가본부장' }, admin)).data.totalCount).toBe(0)
    const file = { ...search, format: 'csv', reason: '점검' } as const
    const { raw } = await maru.call(exportUsers, file, admin)
    expect(raw).toContain('나겸직')
    expect(raw).not.toContain('가본부장')
    const suspension = { bulkAction: 'suspend', found: { ...search, name: '나겸직' } } as const
    expect((await maru.call(previewBulk, suspension, admin)).data.userCount).toBe(1)
    const directory = await maru.call(listColleagues, { teamId: NO_TEAM }, user)
    const names = directory.data.colleagues.map(({ name }) => name)
    expect(names).toContain('나겸직')
    expect(names).not.toContain('가본부장')
  })

  test('shows teams in the directory and on the profile card, in the language of the reader', async () => {
    const { data } = await maru.call(listColleagues, { teamId: top }, { ...user, language: 'en' })
    expect(data.colleagues.map(({ name, teamName }) => [name, teamName])).toEqual([
      ['가본부장', 'Division'],
      ['나겸직', ''],
    ])
    const card = await maru.call(getColleague, { userId: helper.userId }, user)
    expect(card.data).toMatchObject({ teamName: '', otherTeamNames: ['부산지사 > 구성 본부 > 구성팀'] })
  })

  test('finds nobody outside the branch of the caller', async () => {
    const { data } = await maru.call(listUsers, { teamId: top }, busan)
    expect(data.users.map(({ name }) => name)).toEqual(['가본부장'])
  })
})
