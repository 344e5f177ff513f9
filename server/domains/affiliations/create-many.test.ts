import { beforeAll, describe, expect, it } from 'vitest'
import { checkAffiliations, createAffiliations, listAffiliations } from '../../../contract/affiliations.ts'
import { toTree } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

type Rows = InputOf<typeof createAffiliations>['rows']
const input = (rows: Rows) => ({
  rows,
  partnerType: 'fa' as const,
  provinceName: '부산광역시',
  districtName: '해운대구',
})
/** Returns a row per pair of a name and a parent. */
const pairs = (...given: [name: string, parentName: string][]): Rows =>
  given.map(([name, parentName]) => ({ name, parentName }))
const check = async (rows: Rows) => (await maru.call(checkAffiliations, input(rows), admin)).data
const wrong = async (rows: Rows) =>
  (await check(rows)).errors.map(({ row, field, message }) => `${row} ${field} ${message}`)
const create = (rows: Rows) => maru.call(createAffiliations, input(rows), admin)
const tree = async () => {
  const { data } = await maru.call(listAffiliations, {}, admin)
  return toTree(data.affiliations, ({ affiliationCode }) => affiliationCode)
}

/** Returns the error of a line whose parent would make a cycle or a fifth level. */
const refused = (line: number) =>
  `${line} parentName 소속은 자신의 하위에 둘 수 없으며, 4단계까지만 가능합니다.`

describe('createAffiliations with parents (rules/affiliations#several-at-once)', () => {
  it('adds rows below other rows in any order and below existing affiliations', async () => {
    const rows = [
      ...pairs(
        ['해운대센터', ' 부산영업소 '],
        ['부산영업소', '영남본부'],
        ['영남본부', ''],
        ['창원영업소', 'yeongnam'],
      ),
      { name: '강남센터', parentName: 'BEL001' },
    ]
    const [, , headquarters] = rows
    if (headquarters !== undefined) headquarters.nameEn = 'Yeongnam'
    const { errors, preview } = await check(rows)
    expect(errors).toEqual([])
    expect(preview.map(({ name, parentName, depth }) => [name, parentName, depth])).toEqual([
      ['영남본부', '', 0],
      ['부산영업소', '영남본부', 1],
      ['해운대센터', '부산영업소', 2],
      ['창원영업소', 'yeongnam', 1],
      ['강남센터', 'BEL001', 0],
    ])
    expect((await create(rows)).data).toEqual({ rowCount: 5 })
    const made = await tree()
    const codeOf = (name: string) => made.find((row) => row.name === name)?.affiliationCode
    expect(
      made
        .filter(({ name }) => rows.some((row) => row.name === name))
        .map(({ name, depth }) => [name, depth]),
    ).toEqual([
      ['강남센터', 1],
      ['영남본부', 0],
      ['부산영업소', 1],
      ['해운대센터', 2],
      ['창원영업소', 1],
    ])
    expect(made.find(({ name }) => name === '해운대센터')?.parentCode).toBe(codeOf('부산영업소'))
    const { rows: logged } = await maru.database.pool.query(
      'select detail from audit_log order by id desc limit 1',
    )
    expect(logged[0].detail.affiliations[4]).toEqual([
      codeOf('강남센터'),
      '강남센터',
      '강남센터',
      codeOf('강남센터'),
      'BEL001',
    ])
  })

  it('names the line of an unknown parent and of those below a wrong line', async () => {
    const rows = pairs(['가 지사', '없는 본부'], ['나 지사', '가 지사'], ['다 지사', ''])
    expect(await wrong(rows)).toEqual([
      '1 parentName 이 목록에도, 등록된 소속에도 없는 상위 소속입니다.',
      '2 parentName 상위 소속의 줄에 오류가 있습니다.',
    ])
    expect((await check(rows)).preview.map(({ name }) => name)).toEqual(['다 지사'])
    expect((await create(rows)).code).toBe('IMPORT_INVALID')
  })

  it('refuses cycles and a fifth level, in the list and below existing affiliations (rules/affiliations#tree)', async () => {
    expect(
      await wrong(pairs(['혼자', '혼자'], ['갑', '을'], ['을', '병'], ['병', '갑'], ['정', '갑'])),
    ).toEqual([1, 2, 3, 4, 5].map(refused))
    const levels = pairs(['1단계', ''], ['2단계', '1단계'], ['3단계', '2단계'], ['4단계', '3단계'])
    expect(await wrong(levels)).toEqual([])
    expect(await wrong([...levels, ...pairs(['5단계', '4단계'])])).toEqual([refused(5)])
    expect((await create(levels)).status).toBe(200)
    expect(await wrong(pairs(['5단계', '4단계'], ['옆 4단계', '3단계'], ['더 아래', '옆 4단계']))).toEqual([
      refused(1),
      refused(3),
    ])
  })

  it('needs the code of a parent that has the name of two affiliations', async () => {
    await maru.database.pool.query(
      `insert into codes (group_code, code, name_ko, name_en, sort_order)
       values ('COMBEL001', 'BEL981', 'Twin', 'One', 981), ('COMBEL001', 'BEL982', '둘', 'twin', 982)
       on conflict do nothing`,
    )
    expect(await wrong(pairs(['쌍둥이 아래', 'Twin'], ['둘 아래', 'BEL982']))).toEqual([
      expect.stringMatching(/^1 parentName .*코드/),
    ])
  })
})
