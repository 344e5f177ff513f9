import { beforeAll, describe, expect, test } from 'vitest'
import { listPartnersOfAffiliation } from '../../../../contract/partners.ts'
import { listRoles } from '../../../../contract/roles.ts'
import { getUser, listUsers } from '../../../../contract/users.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let user: TestUser

// Twelve people of 부산지사, made one a minute; the actors are of another affiliation.
const BUSAN = 'BEL002'
const minute = (i: number) => `2026-03-01 09:${String(i).padStart(2, '0')}:00+09`

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
  hr = await maru.createUser({ role: 'hr', affiliation: 'BEL001' })
  user = await maru.createUser({ affiliation: 'BEL001' })
  for (let i = 1; i <= 12; i += 1) {
    await maru.createUser({
      loginId: `busan.${String(i).padStart(2, '0')}`,
      name: `부산사람${i}`,
      affiliation: BUSAN,
      phoneNumber: `0105000${String(i).padStart(4, '0')}`,
      approved: i % 3 !== 0,
      createdAt: minute(i),
    })
  }
})

const list = (input: InputOf<typeof listUsers>, by: TestUser = admin, language = 'ko') =>
  maru.call(listUsers, input, { session: by.session, language })
const idsOf = async (input: InputOf<typeof listUsers>, by: TestUser = admin) =>
  (await list({ perPage: 100, ...input }, by)).data.users.map((row) => row.userId)

const read = (by: TestUser, userId = '') => maru.call(getUser, { userId }, by)

describe('the user search (rules/users#user-search)', () => {
  test('has the usual columns and those that may be added, with times in Asia/Seoul (rules/users#more-user-columns, rules/wire#times)', async () => {
    const { data } = await list({ affiliationCode: BUSAN, name: '부산사람11' })
    expect(data).toEqual({
      totalCount: 1,
      users: [
        {
          rowNumber: 1,
          userId: 'busan.11',
          name: '부산사람11',
          affiliationName: '부산지사',
          phoneNumber: '01050000011',
          registeredAt: '2026-03-01 09:11:00',
          approval: '승인',
          position: '대리',
          email: 'busan.11@example.com',
          roleName: '일반 사용자',
          partnerCode: '',
          teamName: '',
          employeeNumber: '',
          validFrom: '',
          validTo: '',
          lastLoginAt: '',
          suspended: false,
        },
      ],
    })
  })

  test('says who is suspended (rules/users#suspended-in-the-list)', async () => {
    const { id, userId } = await maru.createUser({ name: '쉬고있는이' })
    await maru.database.pool.query('update users set suspended_at = now() where id = $1', [id])
    expect((await list({ name: '쉬고있는이' })).data.users).toMatchObject([{ userId, suspended: true }])
  })

  test('shows affiliation and approval in the language of the person', async () => {
    const { data } = await list({ name: '부산사람3' }, admin, 'en')
    expect(data.users[0]).toMatchObject({ affiliationName: 'Busan branch', approval: 'Not approved' })
  })

  test('has 5 rows a page unless the call asks for another number', async () => {
    expect((await list({ affiliationCode: BUSAN })).data.users).toHaveLength(5)
    expect((await list({ affiliationCode: BUSAN, perPage: 7 })).data.users).toHaveLength(7)
  })

  test('is newest first, with descending row numbers and pages without gaps or repeats (rules/lists#order, rules/lists#row-numbers)', async () => {
    const rows = []
    for (const page of [1, 2, 3]) {
      const { data } = await list({ affiliationCode: BUSAN, page, perPage: 5 })
      expect(data.totalCount).toBe(12)
      rows.push(...data.users)
    }
    expect(rows.map((row) => row.rowNumber)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(rows.map((row) => row.userId)).toEqual(
      Array.from({ length: 12 }, (_, i) => `busan.${String(12 - i).padStart(2, '0')}`),
    )
  })

  test('puts the later row first among people of the same moment', async () => {
    // By the query alone, not by grace of an index that happens to be used.
    await maru.owner.query('drop index users_newest')
    const made = []
    for (let i = 0; i < 6; i += 1) {
      made.push((await maru.createUser({ affiliation: 'BEL003', createdAt: minute(0) })).userId)
    }
    const pages = [1, 2, 3].map((page) => list({ affiliationCode: 'BEL003', page, perPage: 2 }))
    const rows = (await Promise.all(pages)).flatMap(({ data }) => data.users)
    expect(rows.map((row) => row.userId)).toEqual(made.toReversed())
  })

  test('has no rows but the right totalCount past the end (rules/lists#paging)', async () => {
    for (const page of [4, 1_000_000_000]) {
      expect((await list({ affiliationCode: BUSAN, page, perPage: 5 })).data).toEqual({
        totalCount: 12,
        users: [],
      })
    }
  })

  test.each([
    ['perPage', 0],
    ['perPage', 101],
    ['perPage', 1.5],
    ['page', 0],
    ['page', -1],
  ])('rejects %s %d, which is out of range', async (field, value) => {
    expect(await list({ [field]: value })).toMatchObject({ status: 400, code: 'INPUT_INVALID', field })
  })

  test('takes ALL, empty and missing as no filter (rules/lists#filters)', async () => {
    const all = await idsOf({})
    expect(await idsOf({ affiliationCode: 'ALL', approvalCode: 'ALL', name: '', phoneNumber: '' })).toEqual(
      all,
    )
    expect(await idsOf({ affiliationCode: '', approvalCode: '' })).toEqual(all)
  })

  test('narrows by affiliation, name, phone and approval together', async () => {
    expect(await idsOf({ affiliationCode: BUSAN, approvalCode: 'MEMAP002' })).toEqual([
      'busan.12',
      'busan.09',
      'busan.06',
      'busan.03',
    ])
    expect(await idsOf({ affiliationCode: BUSAN, phoneNumber: '0000007' })).toEqual(['busan.07'])
    expect(await idsOf({ affiliationCode: BUSAN, name: '사람1', approvalCode: 'MEMAP001' })).toEqual([
      'busan.11',
      'busan.10',
      'busan.01',
    ])
    expect(await idsOf({ affiliationCode: 'BEL004', name: '부산' })).toEqual([])
    expect(await idsOf({ affiliationCode: 'NO_SUCH' })).toEqual([])
  })

  test('matches any part of a name, in any case, composed or not', async () => {
    const { userId } = await maru.createUser({ name: 'Kim McDonald 김' })
    for (const name of ['mcdon', 'KIM MC', 'd 김', ' McDonald ', '김'.normalize('NFD')]) {
      expect(await idsOf({ name })).toContain(userId)
    }
  })

  test('matches letters of a name in their order, and digits anywhere in a phone number', async () => {
    const { userId } = await maru.createUser({ name: '탁견우', phoneNumber: '01098765432' })
    for (const name of ['탁', '견', '우', '탁견', '견우', '탁견우'])
      expect(await idsOf({ name })).toEqual([userId])
    for (const name of ['견탁', '탁우', '우견탁', '탁탁', '탁견우우'])
      expect(await idsOf({ name })).toEqual([])
    for (const phoneNumber of ['98', '987', '9876', '5432', '01098765432']) {
      expect(await idsOf({ name: '탁', phoneNumber })).toEqual([userId])
    }
    for (const phoneNumber of ['9875', '98798', '98765432010', '%'])
      expect(await idsOf({ name: '탁', phoneNumber })).toEqual([])
  })

  test.each(['%', '_', '\\', '%%', '\\%'])('takes %s as an ordinary character', async (character) => {
    expect(await idsOf({ name: character })).toEqual([])
    const { userId, id } = await maru.createUser({ name: `앞${character}뒤` })
    expect(await idsOf({ name: character })).toEqual([userId])
    await sql('update users set withdrawn_at = now() where id = $1', [id])
  })

  test('neither finds nor counts withdrawn people', async () => {
    const { id } = await maru.createUser({ name: '나간사람' })
    expect((await list({ name: '나간사람' })).data.totalCount).toBe(1)
    await sql('update users set withdrawn_at = now() where id = $1', [id])
    expect((await list({ name: '나간사람' })).data).toEqual({ totalCount: 0, users: [] })
  })

  test('neither shows nor counts 관리자 for 인사 관리자 (rules/roles#reach)', async () => {
    const { userId } = await maru.createUser({ role: 'admin', name: '숨은관리자' })
    expect(await idsOf({ name: '숨은관리자' })).toEqual([userId])
    expect((await list({ name: '숨은관리자' }, hr)).data).toEqual({ totalCount: 0, users: [] })
    expect(await idsOf({ affiliationCode: BUSAN }, hr)).toHaveLength(12)
  })

  test('is closed to 일반 사용자', async () => {
    const answer = await list({}, user)
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(answer.raw).not.toContain('busan')
  })
})

describe('reading a user (rules/users#user-record)', () => {
  test.each(['admin', 'hr', 'user'] as const)(
    '%s reads their own record, by their ID or none, without the admin card (rules/users#admin-card)',
    async (role) => {
      const by = await maru.createUser({ role })
      for (const answer of [await read(by), await read(by, by.userId.toUpperCase())]) {
        expect(Object.keys(answer.data).toSorted()).toEqual(
          [
            'affiliationCode',
            'email',
            'employeeNumber',
            'isOwn',
            'name',
            'otherTeamIds',
            'phoneNumber',
            'position',
            'teamId',
            'userId',
            'version',
          ].toSorted(),
        )
        expect(answer.data).toMatchObject({ isOwn: true, userId: by.userId, email: by.email })
      }
    },
  )

  test('has the admin card for another user’s record, not marked as own', async () => {
    const code = await maru.createPartner()
    const of = await maru.createUser({ validFrom: '2026-01-01', validTo: '2086-12-31' })
    await sql('update users set partner_id = (select id from partners where code = $2) where id = $1', [
      of.id,
      code,
    ])
    for (const by of [admin, hr]) {
      expect((await read(by, of.userId)).data).toMatchObject({
        isOwn: false,
        userId: of.userId,
        validFrom: '2026-01-01',
        validTo: '2086-12-31',
        partnerCode: code,
        roleCode: 'AUT003',
        approvalCode: 'MEMAP001',
        approval: '승인',
      })
    }
  })

  test('returns empty fields that were never set', async () => {
    const { userId } = await maru.createUser({ approved: false })
    expect((await read(admin, userId)).data).toMatchObject({
      validFrom: '',
      validTo: '',
      partnerCode: '',
      approval: '미승인',
    })
  })

  test('refuses 관리자 to 인사 관리자 (rules/roles#reach)', async () => {
    expect(await read(hr, admin.userId)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })

  test('refuses others to 일반 사용자, without a hint of which IDs exist', async () => {
    const known = await read(user, hr.userId)
    const unknown = await read(user, 'nobody.at.all')
    expect(known).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(unknown.raw).toBe(known.raw)
  })

  test('answers USER_NOT_FOUND for an unknown or withdrawn user', async () => {
    const gone = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    for (const id of ['nobody.at.all', gone.userId]) {
      expect(await read(admin, id)).toMatchObject({ status: 400, code: 'USER_NOT_FOUND' })
    }
  })

  test('returns no hash, database number or session in any record', async () => {
    const { raw, data } = await read(admin, user.userId)
    // The record says by yes or no whether a temporary password waits to be changed and whether it is disabled.
    const said = { ...data, temporaryPassword: undefined, passwordDisabled: undefined }
    expect(typeof data.temporaryPassword).toBe('boolean')
    expect(typeof data.passwordDisabled).toBe('boolean')
    expect(JSON.stringify(said) + raw).not.toMatch(/argon2|password|token/i)
    expect(Object.values(data)).not.toContain(user.id)
  })
})

describe('the choices of the admin card', () => {
  test('are every role for 관리자, all but 관리자 for 인사 관리자, and none for 일반 사용자 (rules/roles#reach)', async () => {
    const roles = async (by: TestUser, language = 'ko') =>
      (await maru.call(listRoles, {}, { session: by.session, language })).data
    expect(await roles(admin)).toEqual([
      { code: 'AUT001', codeName: '관리자' },
      { code: 'AUT002', codeName: '인사 관리자' },
      { code: 'AUT003', codeName: '일반 사용자' },
    ])
    expect((await roles(hr)).map(({ code }) => code)).toEqual(['AUT002', 'AUT003'])
    expect((await roles(admin, 'en'))[0]).toEqual({ code: 'AUT001', codeName: 'Administrator' })
    expect((await maru.call(listRoles, {}, user)).code).toBe('FORBIDDEN')
  })

  test('are the partner codes of the affiliation only, valid ones first (rules/partners#partners-of-an-affiliation)', async () => {
    for (const code of ['PT-B', 'PT-A', 'PT-C']) await maru.createPartner({ code, affiliation: 'BEL007' })
    await maru.createPartner({ code: 'PT-D', affiliation: 'BEL008' })
    await maru.createPartner({ code: 'PT-E', affiliation: 'BEL007' })
    await sql(`update partners set stopped_at = now() where code = 'PT-E'`)
    await sql(`update partners set valid_to = current_date - 2 where code = 'PT-A'`)
    await sql(`update partners set valid_from = current_date + 2 where code = 'PT-B'`)
    const of = (affiliationCode: string) => maru.call(listPartnersOfAffiliation, { affiliationCode }, hr)
    expect((await of('BEL007')).data).toEqual([
      { partnerCode: 'PT-C' },
      { partnerCode: 'PT-A', state: 'expired' },
      { partnerCode: 'PT-B', state: 'upcoming' },
    ])
    expect((await of('BEL006')).data).toEqual([])
    expect((await of('NO_SUCH')).data).toEqual([])
  })
})

/** IDs of the busan people whom the newest row of the access log names. */
const logged = async () => {
  const { rows } = await maru.owner.query<{ login_id: string }>(
    `select u.login_id from users u where u.login_id like 'busan.%' and u.id = any((
       select subjects from access_log where actor_id = $1 order by month desc, position desc limit 1)::bigint[])
     order by 1`,
    [hr.id],
  )
  return rows.map(({ login_id }) => login_id)
}

describe('a count of the user search (rules/audit#counted-people)', () => {
  test('is logged for every user found by name or number, also on other pages', async () => {
    for (const filter of [
      { phoneNumber: '01050000007' },
      { keyword: '01050000007' },
      { name: '부산사람7' },
    ]) {
      const { data } = await list({ ...filter, page: 100 }, hr)
      expect(data).toEqual({ totalCount: 1, users: [] })
      expect(await logged()).toEqual(['busan.07'])
    }
    await list({ name: '부산사람1', perPage: 1 }, hr)
    expect(await logged()).toEqual(['busan.01', 'busan.10', 'busan.11', 'busan.12'])
  })

  test('is not logged for other pages without a user filter, or with over 20 results', async () => {
    await list({ affiliationCode: BUSAN, page: 100 }, hr)
    expect(await logged()).toEqual([])
    for (let i = 0; i < 9; i += 1) await maru.createUser({ name: `부산사람 더 ${i}`, affiliation: 'BEL001' })
    await list({ name: '부산사람', page: 100 }, hr)
    expect(await logged()).toEqual([])
    await maru.owner.query(`delete from users where name like '부산사람 더 %'`)
  })
})
