import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { createPartner } from '../../../contract/partners.ts'
import {
  checkPartnerImport,
  importPartners,
  type PartnerImportColumn,
} from '../../../contract/partners/import.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await maru.createPartner({ code: 'PT-TAKEN' })
  await sql(`update codes set closed_at = now() where code = 'BEL007'`)
})

type Row = InputOf<typeof importPartners>['rows'][number]
const good = (n: number, more: Partial<Row> = {}): Row => ({
  partnerCode: `pi-${n}`,
  partnerType: '파트너',
  affiliationCode: '부산지사',
  provinceName: '서울특별시',
  districtName: '종로구',
  ...more,
})

const thirty = (from: number) => Array.from({ length: 30 }, (_, n) => good(from + n))
const check = async (rows: Row[], language = 'ko') =>
  (await maru.call(checkPartnerImport, { rows }, { session: admin.session, language })).data
const importing = (rows: Row[]) => maru.call(importPartners, { rows }, admin)
const everything = () =>
  sql(`select (select count(*) from partners)::int as partners,
    (select count(*) from audit_log where action like 'partner.%')::int as records`)

describe('the dry run of an import of partner codes (rules/partners#import-check)', () => {
  test.each<[string, Partial<Row>, PartnerImportColumn, RegExp]>([
    ['no code, which nobody draws', { partnerCode: ' ' }, 'partnerCode', /필수/],
    ['a Korean code (rules/partners#code-input)', { partnerCode: '지사01' }, 'partnerCode', /영문 대문자/],
    [
      'a code with a symbol, which is not ignored unseen',
      { partnerCode: 'PI#1' },
      'partnerCode',
      /영문 대문자/,
    ],
    [
      'a code that is taken (rules/partners#code-check)',
      { partnerCode: 'pt-taken' },
      'partnerCode',
      /이미 사용 중/,
    ],
    ['no type', { partnerType: '' }, 'partnerType', /필수/],
    ['an unknown type', { partnerType: '가맹' }, 'partnerType', /목록에 없는/],
    ['no affiliation', { affiliationCode: '' }, 'affiliationCode', /필수/],
    ['an unknown affiliation', { affiliationCode: '제주지사' }, 'affiliationCode', /목록에 없는/],
    ['a closed affiliation', { affiliationCode: 'BEL007' }, 'affiliationCode', /종료된/],
    ['no province', { provinceName: '' }, 'provinceName', /필수/],
    ['an unknown province', { provinceName: '평안도' }, 'provinceName', /존재하지 않는/],
    ['no district', { districtName: '' }, 'districtName', /필수/],
    ['a district of another province', { districtName: '해운대구' }, 'districtName', /존재하지 않는/],
    ['a name of 61 characters', { partnerName: '가'.repeat(61) }, 'partnerName', /60자/],
    ['a contact of 101 characters', { contact: '0'.repeat(101) }, 'contact', /100자/],
    ['a memo of 1,001 characters', { memo: 'a'.repeat(1001) }, 'memo', /1000자/],
    ['a limit that is no number', { maxKeysPerDay: '많이' }, 'maxKeysPerDay', /0부터/],
    ['a limit below none', { maxKeysPerWeek: '-2' }, 'maxKeysPerWeek', /0부터/],
    ['a limit past the largest', { maxKeysTotal: '1,000,000,001' }, 'maxKeysTotal', /0부터/],
    ['a day that does not exist', { validTo: '2026-02-30' }, 'validTo', /존재하는 날짜/],
    ['an end before the start', { validFrom: '2026-02-02', validTo: '2026-02-01' }, 'validTo', /빠를 수 없/],
  ])('tells %s with row and column', async (_what, wrong, field, words) => {
    const { errors, preview } = await check([good(1), good(2, wrong)])
    expect(errors).toEqual([{ row: 2, field, message: expect.stringMatching(words) }])
    expect(preview.map(({ partnerCode }) => partnerCode)).toEqual(['PI-1'])
  })

  test('accepts names that mean one region, and shows the current ones (rules/partners#region-names)', async () => {
    const regions = [
      ['서울', '강남', '서울특별시 강남구'],
      ['광주광역시', '동구', '전남광주통합특별시 동구'],
      ['전라남도', '여수시', '전남광주통합특별시 여수시'],
      ['강원도', '춘천시', '강원특별자치도 춘천시'],
      ['경남', '마산합포구', '경상남도 창원시 마산합포구'],
      ['경기도', '수원시장안구', '경기도 수원시 장안구'],
      ['경기', '광주', '경기도 광주시'],
      ['대구', '중구', '대구광역시 중구'],
      ['세종시', '세종시', '세종특별자치시 세종특별자치시'],
    ] as const
    const rows = regions.map(([provinceName, districtName], index) =>
      good(index, { provinceName, districtName }),
    )
    const { errors, preview } = await check(rows)
    expect(errors).toEqual([])
    expect(preview.map(({ provinceName, districtName }) => `${provinceName} ${districtName}`)).toEqual(
      regions.map(([, , region]) => region),
    )
  })

  test('names the districts of a city without its district (rules/partners#region-names)', async () => {
    const { errors } = await check([good(1, { provinceName: '경기도', districtName: '수원시' })])
    expect(errors).toEqual([
      {
        row: 1,
        field: 'districtName',
        message:
          '하나로 정할 수 없는 지역입니다. 다음 중 하나를 입력해주세요: 수원시 권선구, 수원시 영통구, 수원시 장안구, 수원시 팔달구',
      },
    ])
  })

  test('reports every wrong cell in file order and the user’s language, writing nothing', async () => {
    const before = await everything()
    const wrong = good(1, { partnerType: 'x', affiliationCode: 'BEL007', maxKeysPerDay: 'x', validTo: 'x' })
    const data = await check([wrong, good(2), good(3, { provinceName: 'x' })], 'en')
    expect(data).toMatchObject({ rowCount: 3, errorCount: 5 })
    expect(data.errors.map(({ row, field }) => [row, field])).toEqual([
      [1, 'partnerType'],
      [1, 'affiliationCode'],
      [1, 'maxKeysPerDay'],
      [1, 'validTo'],
      [3, 'provinceName'],
    ])
    for (const { message } of data.errors) expect(message).toMatch(/^[\x20-\x7e]+$/)
    expect(await everything()).toEqual(before)
  })

  test('names the first row with the same code, ignoring case, as shown in the file', async () => {
    const { errors } = await check([
      good(1, { line: 2 }),
      good(2, { partnerCode: ' PI-1', line: 5 }),
      good(3),
      good(4, { partnerCode: 'PI-3' }),
    ])
    expect(errors).toEqual([
      { row: 2, field: 'partnerCode', message: '파일의 2행과 같습니다.' },
      { row: 4, field: 'partnerCode', message: '3번째 파트너 코드와 같습니다.' },
    ])
  })

  test('warns of a limit above that of a longer period, and accepts it (rules/partners#partner-limits)', async () => {
    const { errors, warnings, preview } = await check([
      good(1, {
        maxKeysPerDay: '2,000',
        maxKeysPerWeek: '제한 없음',
        maxKeysPerMonth: '1000',
        maxKeysTotal: '-1',
      }),
    ])
    expect(errors).toEqual([])
    expect(warnings).toEqual([
      { row: 1, field: 'maxKeysPerDay', message: '월 최대 발급 수(1,000개)보다 많이 발급할 수 없습니다.' },
    ])
    expect(preview).toMatchObject([
      { maxKeysPerDay: 2000, maxKeysPerWeek: null, maxKeysPerMonth: 1000, maxKeysTotal: null },
    ])
  })

  test('previews the first twenty, with type and affiliation by code or either language', async () => {
    const names = [
      { partnerType: 'Family', affiliationCode: 'busan branch' },
      { partnerType: '패밀리', affiliationCode: '부산지사' },
      { partnerType: 'FA', affiliationCode: 'bel002' },
    ]
    const rows = Array.from({ length: 30 }, (_, n) => good(n, { partnerName: '가맹점', ...names[n % 3] }))
    const { preview, rowCount } = await check(rows, 'en')
    expect(rowCount).toBe(30)
    expect(preview).toHaveLength(20)
    for (const [n, row] of preview.slice(0, 3).entries())
      expect(row).toMatchObject({
        partnerCode: `PI-${n}`,
        partnerType: 'fa',
        affiliationName: 'Busan branch',
        provinceName: '서울특별시',
        partnerName: '가맹점',
        validTo: '',
      })
  })

  test('refuses an empty file and more than 1,000 rows', async () => {
    for (const rows of [[], Array.from({ length: 1001 }, (_, n) => good(n))]) {
      const answer = await maru.call(checkPartnerImport, { rows }, admin)
      expect(answer).toMatchObject({ code: 'INPUT_INVALID', field: 'rows' })
    }
  })
})

describe('the import of partner codes (rules/partners#import-partners)', () => {
  test('registers and records nothing when one row is wrong', async () => {
    const before = await everything()
    expect((await importing([good(1), good(2, { districtName: '' })])).code).toBe('IMPORT_INVALID')
    expect((await importing([good(1), good(2, { affiliationCode: 'BEL007' })])).code).toBe('IMPORT_INVALID')
    expect(await everything()).toEqual(before)
  })

  test('leaves of each the row and the record that registering it alone leaves', async () => {
    const words = { partnerName: '하나', contact: '02-1', memo: '둘\n셋' }
    const days = { validFrom: '2026-01-01', validTo: '2026-12-31' }
    const one = await maru.call(
      createPartner,
      {
        partnerCode: 'PI-ALONE',
        partnerType: 'pa',
        affiliationCode: 'BEL002',
        provinceName: '서울특별시',
        districtName: '종로구',
        maxKeysPerDay: 10,
        maxKeysPerWeek: null,
        maxKeysPerMonth: null,
        maxKeysTotal: 0,
        longitude: 0,
        latitude: 0,
        ...words,
        ...days,
      },
      admin,
    )
    expect(one.status).toBe(200)
    const many = await importing([
      good(50, { maxKeysPerDay: '10', maxKeysTotal: '0', ...words, ...days }),
      good(51),
    ])
    expect(many.data).toEqual({ rowCount: 2 })
    const [alone, first, second] = await sql(
      `select to_jsonb(p) - '{id,code,created_at,updated_at}'::text[] as row, a.action, a.actor_id,
         a.detail - 'code' as detail, a.detail ->> 'code' = p.code and a.records = array['partner/' || p.id] as its_own
       from partners p left join audit_log a on a.target = p.code
       where p.code in ('PI-ALONE', 'PI-50', 'PI-51') order by p.id`,
    )
    expect(alone).toMatchObject({ action: 'partner.create', actor_id: admin.id, its_own: true })
    expect(first).toEqual(alone)
    expect(second).toMatchObject({ action: 'partner.create', its_own: true })
    expect(second.row).toMatchObject({ name: '', contact: '', memo: null, limit_day: null, valid_to: null })
  })

  test('leaves the default partner code of an affiliation as registering one does (rules/affiliations#default-partner)', async () => {
    await importing([good(60)])
    expect(await sql(`select default_partner_id from codes where code = 'BEL002'`)).toEqual([
      { default_partner_id: null },
    ])
  })

  test('registers no row of an import that loses a race for a code, in any row order', async () => {
    const [one, two] = await Promise.all([importing(thirty(100)), importing(thirty(101).toReversed())])
    expect([one.code, two.code].filter((code) => code !== undefined)).toEqual(['IMPORT_INVALID'])
    expect(await sql(`select count(*)::int as count from partners where code ~ '^PI-1[0-9][0-9]$'`)).toEqual([
      { count: 30 },
    ])
  })
})
