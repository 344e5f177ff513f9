import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { exportKeys, listKeys, revokeKey } from '../../../contract/keys.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
let person: TestUser
let admin: TestUser

beforeAll(async () => {
  person = await maru.createUser({ role: 'user' })
  admin = await maru.createUser({ role: 'admin' })
  const places = [
    ['BEL001', '서울특별시', '종로구', '=HYPERLINK("http://x")', '01012345678'],
    ['BEL008', '부산광역시', '중구', '김하늘', '01087654321'],
  ] as const
  for (const [index, [affiliation, province, district, name, phoneNumber]] of places.entries()) {
    const partner = await partnerWith(maru, { affiliation, province, district })
    const { id } = await holderOf(maru, partner, { name, affiliation, phoneNumber })
    // A key every 8 hours across the ends of days and of a month; two of them at the same moment.
    await sql(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
       select $1, '+device ' || n, $2, $3, $4, $5, timestamptz '2026-02-27 00:00:00+09' + n / 2 * interval '8 hours'
       from generate_series(0, 11) n where n % 2 = $6 or n > 8`,
      [id, partner.id, affiliation, province, district, index],
    )
  }
})

const input = { format: 'csv', reason: '발급 내역 확인' } as const
type Input = InputOf<typeof exportKeys>
const exporting = (more: Partial<Input> = {}, by = person, language = 'ko') =>
  maru.call(exportKeys, { ...input, ...more }, { session: by.session, language })
const rowsOf = async (more: Partial<Input> = {}, by = person) =>
  parse((await exporting(more, by)).raw, { bom: true, columns: true }) as Record<string, string>[]
const quoted = (line: string) => `"${line.replaceAll(',', '","')}"`
const audits = () =>
  sql(`select actor_id, target, detail from audit_log where action = 'key.export' order by id`)

describe('the export of the key history (rules/keys#key-export)', () => {
  test('has the list’s columns and the revocation, with BOM, in the user’s language', async () => {
    const answer = await exporting()
    expect(answer.raw.slice(0, answer.raw.indexOf('\r\n'))).toBe(
      '\uFEFF' +
        quoted(
          '시/도,시/군/구,소속,아이디,요청자명,전화번호,요청 키,발급 키,발급일,폐기일,폐기 사유,폐기한 사람,파트너 코드,비밀값 버전',
        ),
    )
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toMatch(
      /filename\*=UTF-8''키_발급_이력_\d{4}-\d\d-\d\d\.csv$/,
    )
    expect((await exporting({}, person, 'en')).raw).toContain(quoted('Province,District,Affiliation,User ID'))
  })

  test('has the filters and order of the history, with inclusive dates in Asia/Seoul', async () => {
    const asked: InputOf<typeof listKeys>[] = [
      {},
      { sort: 'issuedAt', order: 'ASC' },
      { sort: 'issuedAt', order: 'DESC', provinceName: '부산광역시', districtName: '중구' },
      { issuedFrom: '2026-02-28', issuedTo: '2026-02-28' },
      { issuedFrom: '2026-02-28', affiliationCode: 'BEL001' },
      { issuedTo: '2026-02-27', requesterName: '하늘' },
      { phoneNumber: '1234' },
      { issuedFrom: '2026-03-02', issuedTo: '2026-03-01' },
      { provinceName: '없는도' },
    ]
    const found: number[] = []
    for (const filter of asked) {
      const { data } = await maru.call(listKeys, { ...filter, perPage: 100 }, admin)
      found.push(data.totalCount)
      expect(
        (await rowsOf(filter, admin)).map((row) => [row['요청 키'], row['아이디'], row['발급일']]),
        JSON.stringify(filter),
      ).toEqual(data.keys.map((row) => [`'${row.requestKey}`, row.userId, row.issuedAt]))
      expect((await audits()).at(-1)?.detail.rows).toBe(data.totalCount)
    }
    // All, and parts of them, and none.
    expect(found).toEqual([15, 15, 7, 9, 5, 3, 8, 0, 0])
  })

  test('masks the issued key for everyone, and phone numbers without the password', async () => {
    const masked = await exporting({ provinceName: '부산광역시' })
    expect(masked.raw).toContain(quoted('010-****-4321'))
    expect(masked.raw).not.toContain('8765')
    const whole = await exporting({ provinceName: '부산광역시', password: PASSWORD }, admin)
    expect(whole.raw).toContain(quoted('010-8765-4321'))
    for (const { raw } of [masked, whole]) {
      const rows = parse(raw, { bom: true, columns: true }) as Record<string, string>[]
      expect(new Set(rows.map((row) => row['발급 키']))).toEqual(new Set(['********']))
    }
  })

  test('says when and why a key was revoked', async () => {
    const { data } = await maru.call(listKeys, {}, person)
    const keyId = data.keys[0]?.keyId ?? ''
    await maru.call(revokeKey, { keyId, reason: '-단말기 분실' }, admin)
    const [revoked, other] = await rowsOf()
    expect(revoked?.['폐기일']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(revoked?.['폐기 사유']).toBe("'-단말기 분실")
    expect(revoked?.['폐기한 사람']).toBe(admin.userId)
    expect([other?.['폐기일'], other?.['폐기 사유']]).toEqual(['', ''])
  })

  test('keeps names and request keys that begin like a formula as text, in CSV and XLSX', async () => {
    const { bytes } = await exporting({ requesterName: 'HYPER', format: 'xlsx' })
    const [sheet] = await readXlsxFile(bytes)
    expect(sheet?.data[1]?.slice(4, 8)).toEqual([
      `'=HYPERLINK("http://x")`,
      '010-****-5678',
      expect.stringMatching(/^'\+device/),
      '********',
    ])
    expect(bytes.includes('<f>')).toBe(false)
    for (const row of await rowsOf())
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('logs user, reason, filters, row count and masking, but never the password', async () => {
    await exporting({ provinceName: '부산광역시', password: PASSWORD }, admin)
    const record = (await audits()).at(-1)
    expect(record).toEqual({
      actor_id: admin.id,
      target: 'keys',
      detail: {
        reason: '발급 내역 확인',
        format: 'csv',
        rows: 7,
        unmasked: true,
        filters: expect.objectContaining({ provinceName: '부산광역시' }),
      },
    })
    expect(JSON.stringify(record)).not.toContain(PASSWORD)
  })

  test('refuses without a record if reason, password or permission is missing', async () => {
    const before = await audits()
    expect(await exporting({ reason: ' ' })).toMatchObject({ code: 'INPUT_INVALID', field: 'reason' })
    expect((await exporting({ password: 'wrong-Maru-2026!' }, admin)).code).toBe('PASSWORD_WRONG')
    expect(await exporting({ password: PASSWORD })).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    await sql(`delete from role_functions where role_code = 'AUT002' and function_name like 'autho_key_%'`)
    const hr = await maru.createUser({ role: 'hr' })
    expect(await exporting({}, hr)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await audits()).toEqual(before)
  })
})

const phonesOf = async (by: TestUser, unmasked = {}) =>
  (await rowsOf({ districtName: '용산구', ...unmasked }, by)).map((row) => row['전화번호'])

describe('the export of keys of people above the reader (rules/keys#phone-numbers)', () => {
  test('masks their phone numbers also where it is unmasked', async () => {
    const partner = await partnerWith(maru, { district: '용산구' })
    const boss = await holderOf(maru, partner, { role: 'admin', phoneNumber: '01055556666' })
    await sql(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
        values ($1, 'above', $2, 'BEL001', '서울특별시', '용산구')`,
      [boss.id, partner.id],
    )
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT930', '내보내기', 'Export', 9)`,
    )
    await sql(`insert into role_functions select 'AUT930', unnest($1::text[])`, [
      ['autho_key_search', 'autho_user_manage', 'autho_export_personal'],
    ])
    const exporter = await maru.createUser()
    await sql(`update users set role_code = 'AUT930' where id = $1`, [exporter.id])
    expect(await phonesOf(exporter, { password: PASSWORD })).toEqual(['010-****-6666'])
    expect(await phonesOf(admin, { password: PASSWORD })).toEqual(['010-5555-6666'])
    expect(await phonesOf(person)).toEqual(['010-****-6666'])
  })
})
