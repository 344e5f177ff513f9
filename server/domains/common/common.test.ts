import { describe, expect, test } from 'vitest'
import { checkFunction, getAuthority, listCodes, listMenus } from '../../../contract/common.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import { useMaru } from '../../test-kit/maru.ts'

const maru = useMaru()
type Role = 'admin' | 'hr' | 'user'
const ROLES: Role[] = ['admin', 'hr', 'user']
const as = (role: Role) => maru.createUser({ role })

describe('code lists (spec §3, decisions §2, §5)', () => {
  test('affiliations are public, in order and in the language of the request', async () => {
    const korean = await maru.call(listCodes, { HIGH_CODE: 'COMBEL001' })
    expect(korean.data).toHaveLength(8)
    expect(korean.data[0]).toEqual({ CODE: 'BEL001', CODE_NAME: '본사' })
    const english = await maru.call(listCodes, { HIGH_CODE: 'COMBEL001' }, { language: 'en' })
    expect(english.data[0]).toEqual({ CODE: 'BEL001', CODE_NAME: 'Head office' })
    expect(english.data.map(({ CODE }) => CODE)).toEqual(korean.data.map(({ CODE }) => CODE))
  })

  test('approval statuses need a session', async () => {
    expect(await maru.call(listCodes, { HIGH_CODE: 'KAMEMTY001' })).toMatchObject({
      status: 401,
      code: 'SESSION_REQUIRED',
    })
    expect((await maru.call(listCodes, { HIGH_CODE: 'KAMEMTY001' }, await as('user'))).data).toEqual([
      { CODE: 'MEMAP001', CODE_NAME: '승인' },
      { CODE: 'MEMAP002', CODE_NAME: '미승인' },
    ])
  })

  test('a dead session reads what nobody reads: affiliations, and no more', async () => {
    const session = 'A'.repeat(43)
    expect((await maru.call(listCodes, { HIGH_CODE: 'COMBEL001' }, { session })).status).toBe(200)
    expect((await maru.call(listCodes, { HIGH_CODE: 'KAMEMTY001' }, { session })).status).toBe(401)
  })

  test.each([true, 'Y'] as const)('IS_ALL %j puts 전체 first', async (IS_ALL) => {
    const { data } = await maru.call(listCodes, { HIGH_CODE: 'COMBEL001', IS_ALL })
    expect(data).toHaveLength(9)
    expect(data[0]).toEqual({ CODE: 'ALL', CODE_NAME: '전체' })
    const english = await maru.call(listCodes, { HIGH_CODE: 'COMBEL001', IS_ALL }, { language: 'en' })
    expect(english.data[0]).toEqual({ CODE: 'ALL', CODE_NAME: 'All' })
  })

  test.each([false, 'N', undefined] as const)('IS_ALL %j does not', async (IS_ALL) => {
    const { data } = await maru.call(listCodes, { HIGH_CODE: 'COMBEL001', IS_ALL })
    expect(data.some(({ CODE }) => CODE === 'ALL')).toBe(false)
  })

  test.each(['BULLET', 'NO_SUCH', 'combel001', ''])('the group %j is none', async (HIGH_CODE) => {
    expect(await maru.callRaw(listCodes.path, { HIGH_CODE }, await as('admin'))).toMatchObject({
      status: 400,
      code: 'INPUT_INVALID',
      field: 'HIGH_CODE',
    })
  })
})

describe('the menu of the header (decisions §5)', () => {
  const menu = {
    notices: ['/notice/search', '/notice/insert'],
    users: ['/user/search', '/user/approval', '/user/insert', '/user/import', '/user/validity'],
    roles: ['/role/manage'],
    keys: ['/key/search', '/key/statistics'],
    services: ['/key/services'],
    partners: ['/partner/search', '/partner/insert'],
  }

  test.each([
    [
      'admin',
      [menu.notices, [...menu.users, ...menu.roles], [...menu.keys, ...menu.services], menu.partners],
    ],
    ['hr', [menu.notices, menu.users, menu.keys]],
    ['user', [menu.notices, menu.keys]],
  ] as const)('%s gets only what the role may open', async (role, groups) => {
    const { data } = await maru.call(listMenus, {}, await as(role))
    expect(data.map(({ DATA }) => DATA.map(({ URL }) => URL))).toEqual(groups)
  })

  test('in the language of the request', async () => {
    const { session } = await as('user')
    const korean = await maru.call(listMenus, {}, { session })
    expect(korean.data[0]).toEqual({
      HIGH_MENU: '공지사항',
      DATA: [
        { LOW_MENU: '공지사항 조회', URL: '/notice/search' },
        { LOW_MENU: '공지사항 등록', URL: '/notice/insert' },
      ],
    })
    const english = await maru.call(listMenus, {}, { session, language: 'en' })
    expect(english.data[0]?.HIGH_MENU).toBe('Notices')
  })

  test('a function granted to the role brings its items with the next call', async () => {
    const { session } = await as('user')
    await maru.database.pool.query(`insert into role_functions values ('AUT003', 'autho_partner_search')`)
    const { data } = await maru.call(listMenus, {}, { session })
    await maru.database.pool.query(
      `delete from role_functions where role_code = 'AUT003' and function_name = 'autho_partner_search'`,
    )
    expect(data.flatMap(({ DATA }) => DATA.map(({ URL }) => URL))).toContain('/partner/search')
  })

  test('a role without any function still has the notices', async () => {
    await maru.database.pool.query(`delete from role_functions where role_code = 'AUT003'`)
    const { data } = await maru.call(listMenus, {}, await as('user'))
    await maru.database.pool.query(`insert into role_functions values ('AUT003', 'autho_key_search')`)
    expect(data.map(({ DATA }) => DATA.map(({ URL }) => URL))).toEqual([menu.notices])
  })
})

describe('who I am and what I may do (spec §6)', () => {
  const held = {
    admin: [
      'autho_admin_manage',
      'autho_key_search',
      'autho_notice_manage',
      'autho_partner_search',
      'autho_role_manage',
      'autho_service_manage',
      'autho_user_insert',
      'autho_user_manage',
    ],
    hr: ['autho_key_search', 'autho_notice_manage', 'autho_user_insert', 'autho_user_manage'],
    user: ['autho_key_search'],
  }
  const english = { admin: 'Administrator', hr: 'HR administrator', user: 'Ordinary user' }
  const names = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' }

  test.each(ROLES)(
    'get/authority tells %s its group in Korean, whatever the language, and its functions',
    async (role) => {
      const { session, userId } = await as(role)
      for (const language of ['ko', 'en']) {
        const { data } = await maru.call(getAuthority, {}, { session, language })
        expect({ ...data, FUNCTIONS: data.FUNCTIONS.toSorted() }).toEqual({
          USER_ID: userId,
          NAME: expect.stringMatching(/^홍길동/),
          GROUP_NAME: names[role],
          GROUP_LABEL: language === 'ko' ? names[role] : english[role],
          FUNCTIONS: held[role],
        })
      }
    },
  )

  test.each(ROLES)(
    'chk/authority is 200 for each function that %s holds, 400 for every other (decisions §2)',
    async (role) => {
      const by = await as(role)
      for (const FUNCTION_NAME of FUNCTIONS) {
        const answer = await maru.call(checkFunction, { FUNCTION_NAME }, by)
        if (held[role].includes(FUNCTION_NAME)) expect.soft(answer.data).toEqual({})
        else
          expect.soft(answer).toMatchObject({ status: 400, code: 'FUNCTION_DENIED', msg: '권한이 없습니다.' })
      }
    },
  )

  test.each(['no_such_function', 'AUTHO_USER_INSERT', '', 'constructor'])(
    '%j is no function',
    async (FUNCTION_NAME) => {
      expect(await maru.callRaw(checkFunction.path, { FUNCTION_NAME }, await as('admin'))).toMatchObject({
        status: 400,
        code: 'INPUT_INVALID',
      })
    },
  )
})
