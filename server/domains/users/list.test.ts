import { beforeAll, describe, expect, test } from 'vitest'
import { getUser, listPartnersOfAffiliation, listRoles, listUsers } from '../../../contract/users.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { TestUser } from '../../test-kit/people.ts'
import { useMaru } from '../../test-kit/maru.ts'

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
  (await list({ PER_PAGE: 100, ...input }, by)).data.DATA.map((row) => row.USER_ID)

const read = (by: TestUser, USER_ID = '') => maru.call(getUser, { USER_ID }, by)

describe('user search (spec §2)', () => {
  test('a row holds the columns of spec §3 and those that may be added, times in Asia/Seoul (decisions §2)', async () => {
    const { data } = await list({ BELONGTO_CODE: BUSAN, NAME: '부산사람11' })
    expect(data).toEqual({
      TOTAL_COUNT: 1,
      DATA: [
        {
          NO: 1,
          USER_ID: 'busan.11',
          NAME: '부산사람11',
          BELONGTO: '부산지사',
          PHONE_NUMBER: '01050000011',
          REGSTER_DATETIME: '2026-03-01 09:11:00',
          APPROVA: '승인',
          RANK: '대리',
          E_MAIL: 'busan.11@example.com',
          AUTHORITYS: '일반 사용자',
          PARTNER_CODE: '',
          EXPIRY_DATETIME_START: '',
          EXPIRY_DATETIME_END: '',
          LAST_LOGIN_DATETIME: '',
        },
      ],
    })
  })

  test('affiliation and approval in the language of the person', async () => {
    const { data } = await list({ NAME: '부산사람3' }, admin, 'en')
    expect(data.DATA[0]).toMatchObject({ BELONGTO: 'Busan branch', APPROVA: 'Not approved' })
  })

  test('5 rows a page unless the call says another number (spec §9)', async () => {
    expect((await list({ BELONGTO_CODE: BUSAN })).data.DATA).toHaveLength(5)
    expect((await list({ BELONGTO_CODE: BUSAN, PER_PAGE: 7 })).data.DATA).toHaveLength(7)
  })

  test('newest first, NO counts down from TOTAL_COUNT, pages fit together without gap or double (decisions §2)', async () => {
    const rows = []
    for (const PAGE of [1, 2, 3]) {
      const { data } = await list({ BELONGTO_CODE: BUSAN, PAGE, PER_PAGE: 5 })
      expect(data.TOTAL_COUNT).toBe(12)
      rows.push(...data.DATA)
    }
    expect(rows.map((row) => row.NO)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(rows.map((row) => row.USER_ID)).toEqual(
      Array.from({ length: 12 }, (_, i) => `busan.${String(12 - i).padStart(2, '0')}`),
    )
  })

  test('people of the same moment keep one order: the later row first (decisions §2)', async () => {
    // By the query alone, not by grace of an index that happens to be used.
    await sql('drop index users_newest')
    const made = []
    for (let i = 0; i < 6; i += 1) {
      made.push((await maru.createUser({ affiliation: 'BEL003', createdAt: minute(0) })).userId)
    }
    const pages = [1, 2, 3].map((PAGE) => list({ BELONGTO_CODE: 'BEL003', PAGE, PER_PAGE: 2 }))
    const rows = (await Promise.all(pages)).flatMap(({ data }) => data.DATA)
    expect(rows.map((row) => row.USER_ID)).toEqual(made.toReversed())
  })

  test('a page past the end is empty with the right TOTAL_COUNT (decisions §2)', async () => {
    for (const PAGE of [4, 1_000_000_000]) {
      expect((await list({ BELONGTO_CODE: BUSAN, PAGE, PER_PAGE: 5 })).data).toEqual({
        TOTAL_COUNT: 12,
        DATA: [],
      })
    }
  })

  test.each([
    ['PER_PAGE', 0],
    ['PER_PAGE', 101],
    ['PER_PAGE', 1.5],
    ['PAGE', 0],
    ['PAGE', -1],
  ])('%s %d is refused (decisions §2: 1 to 100, from 1)', async (field, value) => {
    expect(await list({ [field]: value })).toMatchObject({ status: 400, code: 'INPUT_INVALID', field })
  })

  test('ALL, empty and left out mean no filter (decisions §2)', async () => {
    const all = await idsOf({})
    expect(await idsOf({ BELONGTO_CODE: 'ALL', APPROVA_CODE: 'ALL', NAME: '', PHONE_NUMBER: '' })).toEqual(
      all,
    )
    expect(await idsOf({ BELONGTO_CODE: '', APPROVA_CODE: '' })).toEqual(all)
  })

  test('filters narrow together: affiliation, name, phone, approval', async () => {
    expect(await idsOf({ BELONGTO_CODE: BUSAN, APPROVA_CODE: 'MEMAP002' })).toEqual([
      'busan.12',
      'busan.09',
      'busan.06',
      'busan.03',
    ])
    expect(await idsOf({ BELONGTO_CODE: BUSAN, PHONE_NUMBER: '0000007' })).toEqual(['busan.07'])
    expect(await idsOf({ BELONGTO_CODE: BUSAN, NAME: '사람1', APPROVA_CODE: 'MEMAP001' })).toEqual([
      'busan.11',
      'busan.10',
      'busan.01',
    ])
    expect(await idsOf({ BELONGTO_CODE: 'BEL004', NAME: '부산' })).toEqual([])
    expect(await idsOf({ BELONGTO_CODE: 'NO_SUCH' })).toEqual([])
  })

  test('names match any part, in any case, composed or not (decisions §2)', async () => {
    const { userId } = await maru.createUser({ name: 'Kim McDonald 김' })
    for (const NAME of ['mcdon', 'KIM MC', 'd 김', ' McDonald ', '김'.normalize('NFD')]) {
      expect(await idsOf({ NAME })).toContain(userId)
    }
  })

  test.each(['%', '_', '\\', '%%', '\\%'])(
    '%s is an ordinary character (decisions §2)',
    async (character) => {
      expect(await idsOf({ NAME: character })).toEqual([])
      const { userId, id } = await maru.createUser({ name: `앞${character}뒤` })
      expect(await idsOf({ NAME: character })).toEqual([userId])
      await sql('update users set withdrawn_at = now() where id = $1', [id])
    },
  )

  test('withdrawn people are out, and out of the count (decisions §5)', async () => {
    const { id } = await maru.createUser({ name: '나간사람' })
    expect((await list({ NAME: '나간사람' })).data.TOTAL_COUNT).toBe(1)
    await sql('update users set withdrawn_at = now() where id = $1', [id])
    expect((await list({ NAME: '나간사람' })).data).toEqual({ TOTAL_COUNT: 0, DATA: [] })
  })

  test('인사 관리자 never sees a 관리자, nor counts one (decisions §5)', async () => {
    const { userId } = await maru.createUser({ role: 'admin', name: '숨은관리자' })
    expect(await idsOf({ NAME: '숨은관리자' })).toEqual([userId])
    expect((await list({ NAME: '숨은관리자' }, hr)).data).toEqual({ TOTAL_COUNT: 0, DATA: [] })
    expect(await idsOf({ BELONGTO_CODE: BUSAN }, hr)).toHaveLength(12)
  })

  test('일반 사용자 may not search (decisions §5)', async () => {
    const answer = await list({}, user)
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(answer.raw).not.toContain('busan')
  })
})

describe('a user record (spec §3)', () => {
  test.each(['admin', 'hr', 'user'] as const)(
    'the own one of %s by an empty ID or the own: MY_PAGE Y, no admin card (decisions §5)',
    async (role) => {
      const by = await maru.createUser({ role })
      for (const answer of [await read(by), await read(by, by.userId.toUpperCase())]) {
        expect(Object.keys(answer.data).toSorted()).toEqual(
          [
            'BELONGTO_CODE',
            'E_MAIL',
            'MY_PAGE',
            'NAME',
            'PHONE_NUMBER',
            'RANK',
            'USER_ID',
            'VERSION',
          ].toSorted(),
        )
        expect(answer.data).toMatchObject({ MY_PAGE: 'Y', USER_ID: by.userId, E_MAIL: by.email })
      }
    },
  )

  test("another's has MY_PAGE N and the admin card", async () => {
    const code = await maru.createPartner()
    const of = await maru.createUser({ validFrom: '2026-01-01', validTo: '2026-12-31' })
    await sql('update users set partner_id = (select id from partners where code = $2) where id = $1', [
      of.id,
      code,
    ])
    for (const by of [admin, hr]) {
      expect((await read(by, of.userId)).data).toMatchObject({
        MY_PAGE: 'N',
        USER_ID: of.userId,
        EXPIRY_DATETIME_START: '2026-01-01',
        EXPIRY_DATETIME_END: '2026-12-31',
        PARTNER_CODE: code,
        AUTHORITYS_CODE: 'AUT003',
        APPROVA_CODE: 'MEMAP001',
        APPROVA: '승인',
      })
    }
  })

  test('what nobody has set yet is empty', async () => {
    const { userId } = await maru.createUser({ approved: false })
    expect((await read(admin, userId)).data).toMatchObject({
      EXPIRY_DATETIME_START: '',
      EXPIRY_DATETIME_END: '',
      PARTNER_CODE: '',
      APPROVA: '미승인',
    })
  })

  test('인사 관리자 may not read a 관리자 (decisions §5)', async () => {
    expect(await read(hr, admin.userId)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })

  test('일반 사용자 may read nobody else and does not learn which IDs exist (decisions §5)', async () => {
    const known = await read(user, hr.userId)
    const unknown = await read(user, 'nobody.at.all')
    expect(known).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(unknown.raw).toBe(known.raw)
  })

  test('somebody unknown or withdrawn is USER_NOT_FOUND', async () => {
    const gone = await maru.createUser()
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    for (const id of ['nobody.at.all', gone.userId]) {
      expect(await read(admin, id)).toMatchObject({ status: 400, code: 'USER_NOT_FOUND' })
    }
  })

  test('no record holds a hash, a number of the database or a session', async () => {
    const { raw, data } = await read(admin, user.userId)
    expect(JSON.stringify(data) + raw).not.toMatch(/argon2|password|token/i)
    expect(Object.values(data)).not.toContain(user.id)
  })
})

describe('what the admin card chooses from', () => {
  test('관리자 may grant every role, 인사 관리자 all but 관리자, 일반 사용자 none (decisions §5)', async () => {
    const roles = async (by: TestUser, language = 'ko') =>
      (await maru.call(listRoles, {}, { session: by.session, language })).data
    expect(await roles(admin)).toEqual([
      { CODE: 'AUT001', CODE_NAME: '관리자' },
      { CODE: 'AUT002', CODE_NAME: '인사 관리자' },
      { CODE: 'AUT003', CODE_NAME: '일반 사용자' },
    ])
    expect((await roles(hr)).map(({ CODE }) => CODE)).toEqual(['AUT002', 'AUT003'])
    expect((await roles(admin, 'en'))[0]).toEqual({ CODE: 'AUT001', CODE_NAME: 'Administrator' })
    expect((await maru.call(listRoles, {}, user)).code).toBe('FORBIDDEN')
  })

  test('the partner codes of an affiliation, by code, and of no other', async () => {
    for (const code of ['PT-B', 'PT-A', 'PT-C']) await maru.createPartner({ code, affiliation: 'BEL007' })
    await maru.createPartner({ code: 'PT-D', affiliation: 'BEL008' })
    const of = (BELONGTO_CODE: string) => maru.call(listPartnersOfAffiliation, { BELONGTO_CODE }, hr)
    expect((await of('BEL007')).data).toEqual([
      { PARTNER_CODE: 'PT-A' },
      { PARTNER_CODE: 'PT-B' },
      { PARTNER_CODE: 'PT-C' },
    ])
    expect((await of('BEL006')).data).toEqual([])
    expect((await of('NO_SUCH')).data).toEqual([])
  })
})
