import { beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { listSavedSearches, removeSearch, renameSearch, saveSearch } from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'

/* Searches that people keep: whose they are, how many, what becomes of what they name. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let hr: TestUser
let other: TestUser
beforeEach(async () => {
  hr = await maru.createUser({ role: 'hr' })
  other = await maru.createUser({ role: 'hr' })
})

type Conditions = InputOf<typeof saveSearch>['conditions']
const save = (searchName: string, conditions: Conditions = {}, by = hr) =>
  maru.call(saveSearch, { searchName, conditions }, by)
const searchesOf = async (by: TestUser) => (await maru.call(listSavedSearches, {}, by)).data.searches
const namesOf = async (by: TestUser) => (await searchesOf(by)).map(({ searchName }) => searchName)

describe('saved searches (rules/users#saved-searches)', () => {
  test('keep filters, order and rows a page under a name, listed by name', async () => {
    const conditions = {
      affiliationCode: 'BEL002',
      name: '김',
      lastLogin: 'BEFORE',
      lastLoginDays: 30,
      withdrawn: true,
      sort: 'roleName',
      order: 'DESC',
      perPage: 50,
    } as const
    await save('한 달 쉰 사람', conditions)
    await save('  Busan ', { affiliationCode: 'ALL' })
    const [first, second] = await searchesOf(hr)
    expect(first).toMatchObject({
      searchName: 'Busan',
      conditions: { affiliationCode: '', sort: '', perPage: 5, withdrawn: false },
      missing: [],
    })
    expect(second).toMatchObject({ searchName: '한 달 쉰 사람', conditions, missing: [] })
  })

  test('are refused where the list would refuse them, as is a page or a long name', async () => {
    const wrong = (input: object) =>
      maru.callRaw(saveSearch.path, { SEARCH_NAME: '이름', CONDITIONS: {}, ...input }, hr)
    for (const input of [
      { CONDITIONS: { VALIDITY: 'SOMETIMES' } },
      { CONDITIONS: { PER_PAGE: 101 } },
      { CONDITIONS: { SORT: 'PASSWORD_HASH' } },
      { CONDITIONS: { PAGE: 2 } },
      { SEARCH_NAME: '가'.repeat(41) },
      { SEARCH_NAME: '   ' },
    ]) {
      expect((await wrong(input)).code, JSON.stringify(input)).toBe('INPUT_INVALID')
    }
    expect((await save('가'.repeat(40))).status).toBe(200)
    expect(await searchesOf(hr)).toHaveLength(1)
  })

  test('have names of their own, whatever the case; another person has the same', async () => {
    const { data } = await save('Leavers')
    expect((await save('LEAVERS')).code).toBe('SEARCH_NAME_TAKEN')
    expect((await save('leavers', {}, other)).status).toBe(200)
    await save('Newcomers')
    const rename = (searchName: string) =>
      maru.call(renameSearch, { searchId: data.searchId, searchName }, hr)
    expect((await rename('newcomers')).code).toBe('SEARCH_NAME_TAKEN')
    // The caller's own name in another case is not a duplicate.
    expect((await rename('leavers')).status).toBe(200)
    expect(await namesOf(hr)).toEqual(['leavers', 'Newcomers'])
  })

  test('are at most twenty, even if two are saved concurrently; deleting one makes room', async () => {
    for (let count = 1; count <= 19; count += 1) await save(`${count}`)
    const codes = (await Promise.all([save('하나'), save('둘')])).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['SEARCHES_FULL', undefined]))
    const [{ searchId } = { searchId: '' }] = await searchesOf(hr)
    expect((await maru.call(removeSearch, { searchId }, hr)).status).toBe(200)
    expect((await save('셋')).status).toBe(200)
    expect(await searchesOf(hr)).toHaveLength(20)
  })

  test('are nobody else’s: a guessed ID is one that is not there', async () => {
    const { searchId } = (await save('내 것')).data
    const admin = await maru.createUser({ role: 'admin' })
    for (const by of [other, admin]) {
      expect(await searchesOf(by)).toEqual([])
      expect((await maru.call(renameSearch, { searchId, searchName: '남의 것' }, by)).code).toBe(
        'SEARCH_NOT_FOUND',
      )
      expect((await maru.call(removeSearch, { searchId }, by)).code).toBe('SEARCH_NOT_FOUND')
    }
    expect(await namesOf(hr)).toEqual(['내 것'])
    const user = await maru.createUser()
    expect((await maru.call(listSavedSearches, {}, user)).code).toBe('FORBIDDEN')
  })

  test('report closed, deleted, unreachable or refused conditions in the user’s language', async () => {
    await sql(
      `insert into codes (group_code, code, name_ko, name_en, sort_order) values ('COMBEL001', 'BEL900', '닫을 지사', 'Closing', 900)`,
    )
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT970', '지울 권한', 'Going', 97)`,
    )
    await maru.createPartner({ code: 'GONE-1' })
    await save('가', { affiliationCode: 'BEL900', roleCode: 'AUT970', partnerCode: 'gone' })
    await save('나', { roleCode: 'AUT001' })
    await save('다', { affiliationCode: 'BEL001', roleCode: 'AUT003' })
    const before = await searchesOf(hr)
    expect(before.map(({ missing }) => missing)).toEqual([
      [],
      [{ field: 'roleCode', missingName: 'AUT001' }],
      [],
    ])
    await sql(`update codes set closed_at = now() where code = 'BEL900'`)
    await sql(`delete from roles where code = 'AUT970'`)
    await sql(`delete from partners where code = 'GONE-1'`)
    await sql(
      `update saved_searches set conditions = conditions || '{"validity": "OF_AN_OLDER_RELEASE"}' where user_id = $1 and name = '다'`,
      [hr.id],
    )
    const { data } = await maru.call(listSavedSearches, {}, { ...hr, language: 'en' })
    expect(data.searches.map(({ missing }) => missing)).toEqual([
      expect.arrayContaining([
        { field: 'affiliationCode', missingName: 'Closing' },
        { field: 'roleCode', missingName: 'AUT970' },
        { field: 'partnerCode', missingName: 'gone' },
      ]),
      [{ field: 'roleCode', missingName: 'AUT001' }],
      [{ field: 'validity', missingName: 'OF_AN_OLDER_RELEASE' }],
    ])
    // A condition that no longer exists still narrows the search: none is dropped silently.
    expect(data.searches[0]?.conditions).toMatchObject({ affiliationCode: 'BEL900', roleCode: 'AUT970' })
    expect(data.searches[2]?.conditions).toMatchObject({ affiliationCode: 'BEL001', validity: '' })
  })

  test('go with the account, leave no record, and take few round trips', async () => {
    const { pool } = maru.database
    const records = async () => (await sql('select count(*)::int as n from audit_log')).rows[0].n
    const before = await records()
    let searchId = ''
    const trips = [
      await roundTrips(pool, async () => ({ searchId } = (await save('세어 본 것')).data)),
      await roundTrips(pool, () => maru.call(renameSearch, { searchId, searchName: '다시' }, hr)),
      await roundTrips(pool, () => maru.call(removeSearch, { searchId }, hr)),
    ]
    for (const statements of trips) expect(statements.length).toBeLessThanOrEqual(8)
    expect(await records()).toBe(before)
    await save('남은 것')
    await sql('delete from sessions where user_id = $1', [hr.id])
    await sql('delete from users where id = $1', [hr.id])
    const left = await sql('select from saved_searches where user_id = $1', [hr.id])
    expect(left.rows).toEqual([])
  })
})
