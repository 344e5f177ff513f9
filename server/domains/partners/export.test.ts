import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { exportPartners, listPartners } from '../../../contract/partners.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

const PARTNERS = [
  { code: 'HANBIT-ENG', affiliation: 'BEL008', from: '2026-01-01', to: '2026-06-30', day: 10 },
  // A code may begin with what a spreadsheet takes for a formula.
  { code: '-SEJIN', affiliation: 'BEL007', from: null, to: '2026-12-31', day: null },
  { code: 'MIRAE', affiliation: 'BEL008', from: null, to: null, day: 0 },
  { code: 'SEJIN-SOFT', affiliation: 'BEL001', from: '2026-03-01', to: null, day: 1_000_000 },
]

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  for (const [index, { code, affiliation, from, to, day }] of PARTNERS.entries()) {
    await maru.createPartner({ code, affiliation })
    await maru.database.pool.query(
      'update partners set valid_from = $2, valid_to = $3, limit_day = $4, created_at = $5 where code = $1',
      [code, from, to, day, `2026-03-01 09:0${index}:00+09`],
    )
  }
})

const input = { format: 'csv', reason: '한도 점검' } as const
type Input = InputOf<typeof exportPartners>
const exporting = (more: Partial<Input> = {}, by = admin, language = 'ko') =>
  maru.call(exportPartners, { ...input, ...more }, { session: by.session, language })
const rowsOf = async (more: Partial<Input> = {}) =>
  parse((await exporting(more)).raw, { bom: true, columns: true }) as Record<string, string>[]
const quoted = (line: string) => `"${line.replaceAll(',', '","')}"`
const audits = async () =>
  (
    await maru.database.pool.query(
      `select actor_id, target, detail from audit_log where action = 'partner.export' order by id`,
    )
  ).rows

describe('the export of partners (rules/partners#partner-export)', () => {
  test('exports the list as text, with BOM and a header in the user’s language', async () => {
    const answer = await exporting()
    expect(answer.raw.slice(0, answer.raw.indexOf('\r\n'))).toBe(
      '\uFEFF' +
        quoted(
          '파트너 코드,소속,일 최대 발급 수,주 최대 발급 수,월 최대 발급 수,총 최대 발급 수,유효기간 시작일,유효기간 종료일,파트너 유형,시/도,시/군/구,파트너 이름',
        ),
    )
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toMatch(
      /filename\*=UTF-8''파트너_코드_\d{4}-\d\d-\d\d\.csv$/,
    )
    const [newest, , , oldest] = await rowsOf()
    expect(Object.values(newest ?? {}).join()).toBe(
      'SEJIN-SOFT,본사,1000000,제한 없음,제한 없음,제한 없음,2026-03-01,,파트너,서울특별시,종로구,',
    )
    expect(oldest).toMatchObject({ '유효기간 시작일': '2026-01-01', '유효기간 종료일': '2026-06-30' })
    const [line] = (await exporting({ columns: ['validTo', 'partnerCode'] })).raw.slice(1).split('\r\n')
    expect(line).toBe(quoted('유효기간 종료일,파트너 코드'))
    const english = await exporting({}, admin, 'en')
    expect(english.raw).toContain(quoted('Partner code,Affiliation'))
    expect(english.raw).toContain(quoted('No limit'))
    expect(english.headers['content-disposition']).toContain('partner_codes_')
  })

  test('has exactly the filter and order of the list', async () => {
    const asked: InputOf<typeof listPartners>[] = [
      {},
      { partnerCode: 'sej' },
      { affiliationCode: 'BEL008', sort: 'partnerCode' },
      { sort: 'maxKeysPerDay', order: 'DESC' },
      { sort: 'validTo' },
      { sort: 'affiliationName' },
      { validFrom: '2026-07-01', validTo: '2026-07-31 23:59:59' },
      { partnerCode: 'NOBODY' },
    ]
    for (const filter of asked) {
      const { data } = await maru.call(listPartners, { ...filter, perPage: 100 }, { session: admin.session })
      const codes = (await rowsOf(filter)).map((row) => row['파트너 코드']?.replace(/^'/, ''))
      expect(codes, JSON.stringify(filter)).toEqual(data.partners.map((row) => row.partnerCode))
      expect((await audits()).at(-1)?.detail.rows).toBe(data.totalCount)
    }
  })

  test('keeps a code that begins like a formula as text, in CSV and XLSX', async () => {
    const csv = await rowsOf({ partnerCode: '-SEJIN' })
    expect(csv[0]?.['파트너 코드']).toBe("'-SEJIN")
    const { bytes } = await exporting({ partnerCode: '-SEJIN', format: 'xlsx' })
    const [sheet] = await readXlsxFile(bytes)
    expect(sheet?.sheet).toBe('파트너_코드')
    expect(sheet?.data[1]?.slice(0, 4)).toEqual(["'-SEJIN", '가족사', '제한 없음', '제한 없음'])
  })

  test('holds limits and days of an XLSX as numbers and dates (rules/lists#formulas)', async () => {
    const { bytes } = await exporting({ format: 'xlsx', affiliationCode: 'BEL008', sort: 'partnerCode' })
    const [sheet] = await readXlsxFile(bytes)
    const rows = sheet?.data.slice(1).map((row) => [row[0], row[2], row[6], row[7]])
    expect(rows).toEqual([
      ['HANBIT-ENG', 10, new Date('2026-01-01T00:00:00Z'), new Date('2026-06-30T00:00:00Z')],
      ['MIRAE', 0, null, null],
    ])
  })

  test('logs user, reason, filters and row count', async () => {
    await exporting({ affiliationCode: 'BEL008' })
    expect((await audits()).at(-1)).toEqual({
      actor_id: admin.id,
      target: 'partners',
      detail: {
        reason: '한도 점검',
        format: 'csv',
        rows: 2,
        filters: expect.objectContaining({ affiliationCode: 'BEL008' }),
      },
    })
  })

  test('is refused without a record when the reason is missing or the role not allowed', async () => {
    const before = await audits()
    for (const reason of ['', '   '])
      expect(await exporting({ reason })).toMatchObject({ code: 'INPUT_INVALID', field: 'reason' })
    const hr = await maru.createUser({ role: 'hr' })
    expect(await exporting({}, hr)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await audits()).toEqual(before)
  })
})
