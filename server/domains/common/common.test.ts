import { describe, expect, test } from 'vitest'
import { checkFunction, getAuthority, listCodes, listMenus } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { menuFor } from '../../../contract/pages.ts'
import { FUNCTIONS, ROLE } from '../../../contract/permissions.ts'
import { roles as seeded } from '../../db/seed/roles.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

const maru = useMaru()
type Role = 'admin' | 'hr' | 'user'
const ROLES: Role[] = ['admin', 'hr', 'user']
const as = (role: Role) => maru.createUser({ role })

describe('code lists (rules/wire#code-lists, rules/wire#bare-lists)', () => {
  test('are public for affiliations, ordered and in the language of the request', async () => {
    const korean = await maru.call(listCodes, { codeGroup: 'COMBEL001' })
    expect(korean.data).toHaveLength(8)
    expect(korean.data[0]).toEqual({ code: 'BEL001', codeName: '본사' })
    const english = await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { language: 'en' })
    expect(english.data[0]).toEqual({ code: 'BEL001', codeName: 'Head office' })
    expect(english.data.map(({ code }) => code)).toEqual(korean.data.map(({ code }) => code))
  })

  test('require a session for approval statuses', async () => {
    expect(await maru.call(listCodes, { codeGroup: 'KAMEMTY001' })).toMatchObject({
      status: 401,
      code: 'SESSION_REQUIRED',
    })
    expect((await maru.call(listCodes, { codeGroup: 'KAMEMTY001' }, await as('user'))).data).toEqual([
      { code: 'MEMAP001', codeName: '승인' },
      { code: 'MEMAP002', codeName: '미승인' },
    ])
  })

  test('return only the public affiliations to an expired session', async () => {
    const session = 'A'.repeat(43)
    expect((await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { session })).status).toBe(200)
    expect((await maru.call(listCodes, { codeGroup: 'KAMEMTY001' }, { session })).status).toBe(401)
  })

  test.each([true] as const)('includeAll %j puts 전체 first', async (includeAll) => {
    const { data } = await maru.call(listCodes, { codeGroup: 'COMBEL001', includeAll })
    expect(data).toHaveLength(9)
    expect(data[0]).toEqual({ code: 'ALL', codeName: '전체' })
    const english = await maru.call(listCodes, { codeGroup: 'COMBEL001', includeAll }, { language: 'en' })
    expect(english.data[0]).toEqual({ code: 'ALL', codeName: 'All' })
  })

  test.each([false, undefined] as const)('includeAll %j does not add 전체', async (includeAll) => {
    const { data } = await maru.call(listCodes, { codeGroup: 'COMBEL001', includeAll })
    expect(data.some(({ code }) => code === 'ALL')).toBe(false)
  })

  test.each(['BULLET', 'NO_SUCH', 'combel001', ''])(
    'refuse %j, which is not a code group',
    async (codeGroup) => {
      expect(await maru.callRaw(listCodes.path, { codeGroup }, await as('admin'))).toMatchObject({
        status: 400,
        code: 'INPUT_INVALID',
        field: 'codeGroup',
      })
    },
  )
})

const held = {
  admin: [
    'autho_admin_manage',
    'autho_audit_manage',
    'autho_audit_search',
    'autho_export_personal',
    'autho_key_own',
    'autho_key_search',
    'autho_notice_insert',
    'autho_notice_manage',
    'autho_partner_search',
    'autho_role_manage',
    'autho_service_manage',
    'autho_setting_manage',
    'autho_user_insert',
    'autho_user_manage',
    'autho_user_search',
  ],
  hr: [
    'autho_key_own',
    'autho_key_search',
    'autho_notice_insert',
    'autho_notice_manage',
    'autho_user_insert',
    'autho_user_manage',
    'autho_user_search',
  ],
  user: ['autho_key_own', 'autho_key_search', 'autho_notice_insert'],
}

const urlsOf = (groups: OutputOf<typeof listMenus>) => groups.map(({ items }) => items.map(({ url }) => url))

describe('the menu of the header (rules/frame#header)', () => {
  const notices = ['/notice/search', '/notice/insert']
  const people = ['/user/search', '/user/approval', '/user/insert', '/user/import', '/user/validity']
  const keys = ['/key/search', '/key/statistics']
  /** Menus that the rules fix, in this order; a new page gets its place from `contract/pages.ts` alone. */
  const fixed = {
    admin: [
      notices,
      people,
      [...keys, '/key/services', '/key/programs', '/key/secrets'],
      ['/partner/search', '/partner/insert'],
      ['/role/manage'],
    ],
    hr: [notices, people, keys],
    user: [notices, keys],
  }
  const isFixed = (url: string) => fixed.admin.flat().includes(url)
  const fixedUrlsOf = (groups: OutputOf<typeof listMenus>) =>
    urlsOf(groups)
      .map((urls) => urls.filter(isFixed))
      .filter((urls) => urls.length > 0)

  test.each(ROLES)('holds for %s only what the role may open', async (role) => {
    const { data } = await maru.call(listMenus, {}, await as(role))
    expect(fixedUrlsOf(data)).toEqual(fixed[role])
    const { functions } = seeded.find(({ code }) => code === ROLE[role])!
    expect(urlsOf(data)).toEqual(menuFor(functions).map(({ items }) => items.map(({ path }) => path)))
  })

  test('is in the language of the request', async () => {
    const { session } = await as('user')
    const korean = await maru.call(listMenus, {}, { session })
    expect(korean.data[0]?.groupTitle).toBe('공지사항')
    expect(korean.data[0]?.items.slice(0, 2)).toEqual([
      { itemTitle: '공지사항 조회', url: '/notice/search' },
      { itemTitle: '공지사항 등록', url: '/notice/insert' },
    ])
    const english = await maru.call(listMenus, {}, { session, language: 'en' })
    expect(english.data[0]?.groupTitle).toBe('Notices')
  })

  test('gains items with the first call after a function is granted', async () => {
    const { session } = await as('user')
    await maru.database.pool.query(`insert into role_functions values ('AUT003', 'autho_partner_search')`)
    const { data } = await maru.call(listMenus, {}, { session })
    await maru.database.pool.query(
      `delete from role_functions where role_code = 'AUT003' and function_name = 'autho_partner_search'`,
    )
    expect(data.flatMap(({ items }) => items.map(({ url }) => url))).toContain('/partner/search')
  })

  test('still holds the notices for a role without functions', async () => {
    await maru.database.pool.query(`delete from role_functions where role_code = 'AUT003'`)
    const { data } = await maru.call(listMenus, {}, await as('user'))
    await maru.database.pool.query(`insert into role_functions select 'AUT003', unnest($1::text[])`, [
      held.user,
    ])
    expect(fixedUrlsOf(data)).toEqual([['/notice/search']])
    expect(urlsOf(data)).toEqual(menuFor([]).map(({ items }) => items.map(({ path }) => path)))
  })
})

describe('the caller’s role and functions', () => {
  const english = { admin: 'Administrator', hr: 'HR administrator', user: 'Ordinary user' }
  const names = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' }

  test.each(ROLES)('returns %s the Korean role name in every language, and the permissions', async (role) => {
    const { session, userId } = await as(role)
    for (const language of ['ko', 'en']) {
      const { data } = await maru.call(getAuthority, {}, { session, language })
      expect({ ...data, functions: data.functions.toSorted() }).toEqual({
        userId,
        name: expect.stringMatching(/^홍길동/),
        groupName: names[role],
        groupLabel: language === 'ko' ? names[role] : english[role],
        functions: held[role],
        // Without a mail server nobody whom they register is invited (rules/users#import).
        ...(role !== 'user' && { mailMissing: true }),
      })
    }
  })

  test.each(ROLES)(
    'answers chk/authority 200 for each permission that %s holds and 400 for others (rules/roles#function-check)',
    async (role) => {
      const by = await as(role)
      for (const functionName of FUNCTIONS) {
        const answer = await maru.call(checkFunction, { functionName }, by)
        if (held[role].includes(functionName)) expect.soft(answer.data).toEqual({})
        else
          expect.soft(answer).toMatchObject({ status: 400, code: 'FUNCTION_DENIED', msg: '권한이 없습니다.' })
      }
    },
  )

  test.each(['no_such_function', 'AUTHO_USER_INSERT', '', 'constructor'])(
    'refuses %j, which is not a permission',
    async (functionName) => {
      expect(await maru.callRaw(checkFunction.path, { functionName }, await as('admin'))).toMatchObject({
        status: 400,
        code: 'INPUT_INVALID',
      })
    },
  )
})
