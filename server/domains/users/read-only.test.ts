import { beforeAll, describe, expect, test } from 'vitest'
import { listHistory } from '../../../contract/audit.ts'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import {
  endUserSessions,
  exportUsers,
  getUser,
  getWithdrawn,
  listUsers,
  listUserSessions,
  restoreUser,
  updateUser,
  withdrawUser,
} from '../../../contract/users.ts'
import { endpoints } from '../../../contract/index.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let viewer: TestUser
let person: TestUser
let hr: TestUser
let admin: TestUser

beforeAll(async () => {
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT778', '조회 담당', 'Viewer', 778)`,
  )
  await sql(`insert into role_functions values ('AUT778', 'autho_user_search')`)
  viewer = await maru.createUser({ name: '조회자' })
  await sql(`update users set role_code = 'AUT778' where id = $1`, [viewer.id])
  person = await maru.createUser({ name: '하늘직원' })
  hr = await maru.createUser({ role: 'hr', name: '하늘인사' })
  admin = await maru.createUser({ role: 'admin', name: '하늘관리' })
})

describe('a user with autho_user_search alone (rules/users#read-only)', () => {
  test('searches, opens and exports ordinary users, and finds no user above', async () => {
    const { users, totalCount } = (await maru.call(listUsers, { name: '하늘', perPage: 100 }, viewer)).data
    expect([totalCount, ...users.map(({ userId }) => userId)]).toEqual([1, person.userId])
    const { data } = await maru.call(getUser, { userId: person.userId }, viewer)
    expect(data).toMatchObject({ userId: person.userId, name: '하늘직원', isOwn: false })
    expect(
      (await maru.call(listHistory, { recordKind: 'user', recordId: person.userId }, viewer)).status,
    ).toBe(200)
    for (const above of [hr, admin])
      expect(await maru.call(getUser, { userId: above.userId }, viewer)).toMatchObject({ status: 403 })
    const file = await maru.call(exportUsers, { reason: '확인', format: 'csv', name: '하늘' }, viewer)
    expect(file.raw).toContain(person.userId)
    expect(file.raw).not.toContain(hr.userId)
    expect(file.raw).not.toContain(person.email)
  })

  test('opens withdrawn accounts, and restores none', async () => {
    const gone = await maru.createUser({ name: '떠난이' })
    await maru.call(withdrawUser, { userId: gone.userId }, { ...admin })
    expect((await maru.call(getWithdrawn, { userId: gone.userId }, viewer)).data.name).toBe('떠난이')
    expect(await maru.call(restoreUser, { userId: gone.userId }, viewer)).toMatchObject({ status: 403 })
    expect(
      (await sql('select withdrawn_at from users where id = $1', [gone.id]))[0].withdrawn_at,
    ).not.toBeNull()
  })

  test('changes nothing: edits, withdrawals and ended sessions are refused', async () => {
    const before = await sql('select * from users where id = $1', [person.id])
    const { data } = await maru.call(getUser, { userId: person.userId }, viewer)
    const { userId, affiliationCode, name, phoneNumber, email } = data
    for (const answer of [
      await maru.call(
        updateUser,
        { originalUserId: userId, userId, affiliationCode, position: '부장', name, phoneNumber, email },
        viewer,
      ),
      await maru.call(withdrawUser, { userId }, viewer),
      await maru.call(endUserSessions, { userId }, viewer),
      await maru.call(listUserSessions, { userId }, viewer),
    ])
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await sql('select * from users where id = $1', [person.id])).toEqual(before)
  })

  test('is let into no call that changes users', () => {
    const calls = endpoints.filter(({ endpoint: { access, others, audit } }) => {
      const names = typeof access === 'object' ? access.function : []
      return audit !== 'none' && [...names, ...(others ?? [])].includes('autho_user_search')
    })
    expect(calls.map(({ endpoint }) => endpoint.path)).toEqual([exportUsers.path])
  })

  test('sees the user search in the menu, and no other page of user management', async () => {
    expect((await maru.call(getAuthority, {}, viewer)).data.functions).toEqual(['autho_user_search'])
    const groups = (await maru.call(listMenus, {}, viewer)).data
    const urls = groups.flatMap(({ items }) => items.map(({ url }) => url))
    expect(urls.filter((url) => url.startsWith('/user/'))).toEqual(['/user/search'])
  })
})
