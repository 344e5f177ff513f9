import readXlsxFile from 'read-excel-file/node'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listHistory } from '../../../../contract/audit.ts'
import type { CustomField } from '../../../../contract/custom-fields.ts'
import { getSettings, updateSettings } from '../../../../contract/settings.ts'
import {
  exportOwnData,
  exportUsers,
  getColleague,
  getUser,
  listColleagues,
  listCustomFields,
  listUsers,
  registerUser,
  restoreUser,
  updateUser,
} from '../../../../contract/users.ts'
import { checkImport, importUsers } from '../../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../../contract/users/import-update.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const FIELDS: CustomField[] = [
  {
    slot: 'custom1',
    name: '내선',
    nameEn: 'Extension',
    kind: 'text',
    choices: [],
    seenBy: 'colleagues',
    editedBy: 'person',
  },
  {
    slot: 'custom2',
    name: '고용 형태',
    nameEn: '',
    kind: 'choice',
    choices: ['정규직', '계약직'],
    seenBy: 'person',
    editedBy: 'managers',
  },
  {
    slot: 'custom3',
    name: '면담일',
    nameEn: '',
    kind: 'date',
    choices: [],
    seenBy: 'managers',
    editedBy: 'managers',
  },
]

let admin: TestUser
let hr: TestUser
let person: TestUser
let other: TestUser

async function define(customFields: CustomField[]) {
  const { version } = (await maru.call(getSettings, {}, admin)).data
  return maru.call(updateSettings, { customFields, version }, admin)
}
const rowOf = async ({ id }: TestUser) =>
  (await sql('select employee_number, custom_values from users where id = $1', [id]))[0]
const recordOf = async (of: TestUser, by = hr) => (await maru.call(getUser, { userId: of.userId }, by)).data
/** Saves a user with changed details, as the form does. */
async function save(of: TestUser, details: Record<string, string>, by = hr) {
  const { affiliationCode, position, name, phoneNumber, email, version } = await recordOf(of, by)
  const basic = { userId: of.userId, affiliationCode, position, name, phoneNumber, email }
  return maru.call(updateUser, { originalUserId: of.userId, ...basic, ...details, version }, by)
}
const passGate = ({ id }: TestUser) =>
  sql('update sessions set password_checked_at = now() where user_id = $1', [id])

const free = (userId: string, more: Record<string, string>) => ({
  userId,
  affiliationCode: 'BEL001',
  position: '사원',
  name: '이신규',
  phoneNumber: '01011112222',
  email: `${userId}@example.com`,
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: 'HEAD-1',
  roleCode: 'AUT003',
  approvalCode: 'MEMAP001' as const,
  password: 'Another-2026!',
  managerPassword: PASSWORD,
  ...more,
})

const importRow = (userId: string, more: Record<string, string>) => ({
  userId,
  name: '박파일',
  affiliationCode: 'BEL001',
  position: '사원',
  phoneNumber: '01011112222',
  email: `${userId}@example.com`,
  roleCode: 'AUT003',
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  ...more,
})

const slotsOf = async (by: TestUser) =>
  (await maru.call(listCustomFields, {}, by)).data.customFields.map(({ slot, editable }) => [slot, editable])

beforeAll(async () => {
  await maru.services.jobs.stop()
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  await sql(
    `update codes set default_partner_id = (select id from partners where code = 'HEAD-1') where code = 'BEL001'`,
  )
})
beforeEach(async () => {
  await sql(`update users set employee_number = null, custom_values = '{}'`)
  await sql(`update settings set custom_fields = '[]'`)
  await maru.services.settings.fresh()
  expect((await define(FIELDS)).status).toBe(200)
  person = await maru.createUser({ affiliation: 'BEL001', name: '김사번' })
  other = await maru.createUser({ affiliation: 'BEL001' })
  await passGate(person)
})

describe('definitions (rules/users#custom-fields)', () => {
  test('lists fields for those who see them (rules/users#custom-fields)', async () => {
    expect(await slotsOf(hr)).toEqual([
      ['custom1', true],
      ['custom2', true],
      ['custom3', true],
    ])
    expect(await slotsOf(person)).toEqual([
      ['custom1', true],
      ['custom2', false],
    ])
  })

  test.each([
    ['a choice without choices', { ...FIELDS[1]!, choices: [] }],
    ['a hidden field that its user edits', { ...FIELDS[2]!, editedBy: 'person' as const }],
    ['a place twice', { ...FIELDS[2]!, slot: 'custom1' as const }],
    ['a name twice', { ...FIELDS[2]!, name: '내선' }],
  ])('refuses %s', async (_what, field) => {
    expect(await define([FIELDS[0]!, field])).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
  })

  test('deletes the values of a removed field, but of no other (rules/users#custom-fields)', async () => {
    await save(person, { custom1: '1234', custom2: '정규직' })
    await define([FIELDS[1]!, FIELDS[2]!])
    await define(FIELDS)
    expect(await rowOf(person)).toMatchObject({ custom_values: { custom2: '정규직' } })
  })

  test('shows no value of an earlier field that another server saved after its removal (rules/users#custom-fields)', async () => {
    await define(FIELDS.slice(1))
    await sql(`update users set custom_values = '{"custom1": "옛 값", "custom2": "정규직"}' where id = $1`, [
      person.id,
    ])
    await define([{ ...FIELDS[0]!, name: '새 항목' }, ...FIELDS.slice(1)])
    expect(await rowOf(person)).toMatchObject({ custom_values: { custom2: '정규직' } })
    expect(await recordOf(person)).toMatchObject({ custom1: '', custom2: '정규직' })
  })

  test('shows changed definitions in the history of the settings (rules/users#custom-fields)', async () => {
    await define([{ ...FIELDS[0]!, seenBy: 'person' }, ...FIELDS.slice(1)])
    const { rows } = (
      await maru.call(listHistory, { recordKind: 'setting', page: 1, perPage: 5 } as never, admin)
    ).data
    expect(rows[0]?.changes).toEqual([
      {
        item: '추가 항목 내선',
        before: 'Extension · 글자 · 모든 임직원 (임직원 조회) · 본인도',
        after: 'Extension · 글자 · 본인도 · 본인도',
      },
    ])
  })
})

describe('values (rules/users#custom-fields)', () => {
  test('saves values, returns them by visibility and records old and new ones (rules/users#custom-fields)', async () => {
    expect(
      (
        await save(person, {
          employeeNumber: 'e-001',
          custom1: '1234',
          custom2: '정규직',
          custom3: '2026-01-02',
        })
      ).status,
    ).toBe(200)
    expect(await rowOf(person)).toEqual({
      employee_number: 'E-001',
      custom_values: { custom1: '1234', custom2: '정규직', custom3: '2026-01-02' },
    })
    await save(person, { custom1: '', custom2: '계약직' })
    const seen = await recordOf(person)
    expect(seen).toMatchObject({
      employeeNumber: 'E-001',
      custom1: '',
      custom2: '계약직',
      custom3: '2026-01-02',
    })
    const own = (await maru.call(getUser, { userId: '' }, person)).data
    expect(own).toMatchObject({ employeeNumber: 'E-001', custom1: '', custom2: '계약직' })
    expect(own).not.toHaveProperty('custom3')
    const { rows } = (
      await maru.call(
        listHistory,
        { recordKind: 'user', recordId: person.userId, page: 1, perPage: 5 } as never,
        admin,
      )
    ).data
    expect(rows[0]?.changes).toEqual([
      { item: '내선', before: '1234', after: '' },
      { item: '고용 형태', before: '정규직', after: '계약직' },
    ])
  })

  test('checks values by kind and keeps a choice that was removed later (rules/users#custom-fields)', async () => {
    for (const wrong of [
      { custom2: '임시직' },
      { custom3: '2026-02-30' },
      { custom4: 'x' },
      { employeeNumber: 'a b' },
    ])
      expect(await save(person, wrong)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    await save(person, { custom2: '계약직' })
    await define([FIELDS[0]!, { ...FIELDS[1]!, choices: ['정규직'] }, FIELDS[2]!])
    expect((await save(person, { custom2: '계약직', custom1: '9' })).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ custom_values: { custom1: '9', custom2: '계약직' } })
  })

  test('lets users change some of their values and guess no hidden one (rules/users#custom-fields)', async () => {
    await save(person, { employeeNumber: 'E-1', custom2: '정규직', custom3: '2026-01-02' })
    expect(
      (await save(person, { custom1: '77', custom2: '정규직', employeeNumber: 'E-1' }, person)).status,
    ).toBe(200)
    expect(await save(person, { custom2: '계약직' }, person)).toMatchObject({ status: 403 })
    expect(await save(person, { employeeNumber: 'E-2' }, person)).toMatchObject({ status: 403 })
    // The saved value of a hidden field has the same answer as any other.
    const answers = await Promise.all(
      ['2026-01-02', '2026-01-03'].map((custom3) => save(person, { custom3 }, person)),
    )
    expect(answers.map(({ status, code, msg }) => [status, code, msg])).toEqual(
      answers.map(() => [400, 'INPUT_INVALID', expect.any(String)]),
    )
    expect(answers[0]?.msg).toBe(answers[1]?.msg)
    const version = async () => (await maru.call(getUser, { userId: '' }, person)).data.version
    const before = await version()
    await save(person, { custom3: '2026-05-05' })
    expect(await version()).toBe(before)
    await save(person, { custom2: '계약직' })
    expect(await version()).not.toBe(before)
  })

  test('refuses an edit of other details than the form has read (rules/users#concurrent-edits)', async () => {
    const { version } = await recordOf(person)
    await save(person, { custom1: '1' })
    const { affiliationCode, position, name, phoneNumber, email } = await recordOf(person)
    const input = {
      originalUserId: person.userId,
      userId: person.userId,
      affiliationCode,
      position,
      name,
      phoneNumber,
      email,
    }
    expect(await maru.call(updateUser, { ...input, custom1: '2', version }, hr)).toMatchObject({
      code: 'RECORD_CHANGED',
    })
    // A program that does not know the fields leaves them.
    expect((await maru.call(updateUser, input, hr)).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ custom_values: { custom1: '1' } })
  })

  test('shows colleagues only the values of fields for them (rules/colleagues#profile-card)', async () => {
    await save(person, { employeeNumber: 'E-9', custom1: '1234', custom2: '정규직', custom3: '2026-01-02' })
    const card = await maru.call(
      getColleague,
      { userId: person.userId },
      { session: other.session, language: 'en' },
    )
    expect(card.data.details).toEqual([{ name: 'Extension', value: '1234' }])
    const list = await maru.call(listColleagues, { keyword: '김사번', perPage: 100 }, other)
    expect(list.data.colleagues.find(({ details }) => details.length > 0)?.details).toEqual([
      { name: '내선', value: '1234' },
    ])
    expect(JSON.stringify([card.data, list.data])).not.toMatch(/E-9|정규직|2026-01-02/)
    expect((await maru.call(listColleagues, { keyword: 'E-9' }, other)).data.totalCount).toBe(0)
  })

  test('lists, finds and exports details (rules/users#more-user-columns)', async () => {
    await save(person, { employeeNumber: 'SA-77', custom2: '정규직' })
    const found = (await maru.call(listUsers, { keyword: 'sa-77' }, hr)).data
    expect(found.users).toMatchObject([
      { userId: person.userId, employeeNumber: 'SA-77', custom2: '정규직', custom1: '' },
    ])
    const { raw } = await maru.call(
      exportUsers,
      { keyword: 'SA-77', format: 'csv', reason: '시험', password: '' },
      admin,
    )
    const [header, row] = raw.replace('\uFEFF', '').split('\r\n')
    expect(header).toMatch(/사번"?,"?내선"?,"?고용 형태"?,"?면담일"?$/)
    expect(row).toMatch(/SA-77"?,"?"?,"?정규직"?,"?"?$/)
  })

  test('exports values that are no days as text, in a field that became a date (rules/lists#formulas)', async () => {
    const text = { ...FIELDS[0]!, kind: 'text' as const }
    for (const value of ['2026-99-99', '2026-02-31', '1899-12-31', '0000-00-00']) {
      await define([text])
      await save(person, { custom1: value })
      await define([{ ...text, kind: 'date' }])
      const filter = { keyword: person.userId, format: 'xlsx' as const, reason: '시험' }
      const { bytes } = await maru.call(exportUsers, filter, admin)
      const [sheet] = await readXlsxFile(bytes)
      expect(sheet?.data[1]?.at(-1)).toBe(value)
    }
  })

  test('keeps fields and choices that have names of prototypes (rules/users#custom-fields)', async () => {
    const named = ['__proto__', 'constructor', '아이디'].map((name, at) => ({
      ...FIELDS[1]!,
      slot: `custom${at + 1}` as CustomField['slot'],
      name,
      choices: ['__proto__', 'toString'],
    }))
    await define(named)
    const values = { custom1: 'toString', custom2: '__proto__', custom3: '__proto__' }
    expect((await save(person, values)).status).toBe(200)
    expect(await recordOf(person)).toMatchObject(values)
    const history = { recordKind: 'user' as const, recordId: person.userId, page: 1, perPage: 5 }
    const { rows } = (await maru.call(listHistory, history, admin)).data
    expect(new Set(rows[0]?.changes)).toEqual(
      new Set([
        { item: '__proto__', before: '', after: 'toString' },
        { item: 'constructor', before: '', after: '__proto__' },
        { item: '아이디', before: '', after: '__proto__' },
      ]),
    )
    const own = JSON.parse((await maru.call(exportOwnData, {}, person)).raw).account[0].details
    expect(new Map(Object.entries(own))).toEqual(
      new Map([
        ['__proto__', 'toString'],
        ['constructor', '__proto__'],
        ['아이디', '__proto__'],
      ]),
    )
  })

  test('exports own data without hidden values (rules/retention#own-data)', async () => {
    await save(person, { employeeNumber: 'E-5', custom1: '1', custom3: '2026-01-02' })
    const data = JSON.parse((await maru.call(exportOwnData, {}, person)).raw)
    expect(data.account[0]).toMatchObject({ employeeNumber: 'E-5', details: { 내선: '1' } })
    expect(JSON.stringify(data.account)).not.toContain('면담일')
  })
})

describe('employee numbers (rules/users#employee-number)', () => {
  test('gives a number to one account, whatever its case (rules/users#employee-number)', async () => {
    expect(
      (await maru.call(registerUser, free('number.one', { employeeNumber: 'n-1', custom1: '55' }), hr))
        .status,
    ).toBe(200)
    expect((await sql(`select custom_values from users where login_id = 'number.one'`))[0]).toEqual({
      custom_values: { custom1: '55' },
    })
    expect(await maru.call(registerUser, free('number.two', { employeeNumber: 'N-1' }), hr)).toMatchObject({
      status: 400,
      code: 'EMPLOYEE_NUMBER_TAKEN',
    })
    expect(await save(person, { employeeNumber: 'N-1' })).toMatchObject({ code: 'EMPLOYEE_NUMBER_TAKEN' })
    const both = await Promise.all([
      save(person, { employeeNumber: 'N-2' }),
      save(other, { employeeNumber: 'N-2' }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('frees the number of a withdrawn account (rules/users#employee-number)', async () => {
    await save(person, { employeeNumber: 'W-1' })
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await save(other, { employeeNumber: 'W-1' })).status).toBe(200)
    expect((await maru.call(restoreUser, { userId: person.userId }, admin)).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ employee_number: null })
    await sql('update users set withdrawn_at = now() where id = $1', [other.id])
    await maru.call(restoreUser, { userId: other.userId }, admin)
    expect(await rowOf(other)).toMatchObject({ employee_number: 'W-1' })
  })
})

describe('files (rules/users#import)', () => {
  test('registers users with their details from a file (rules/users#import)', async () => {
    await save(person, { employeeNumber: 'F-1' })
    const check = async (...rows: Record<string, string>[]) =>
      (await maru.call(checkImport, { rows }, hr)).data.errors.map(({ row: number, field }) => [
        number,
        field,
      ])
    expect(
      await check(
        importRow('file.one', { employeeNumber: 'f-1' }),
        importRow('file.two', { employeeNumber: 'F-2' }),
        importRow('file.three', { employeeNumber: 'f-2' }),
        importRow('file.four', {
          custom2: '임시직',
          custom3: '2026-13-01',
          custom9: 'x',
          employeeNumber: '사번',
        }),
      ),
    ).toEqual([
      [1, 'employeeNumber'],
      [3, 'employeeNumber'],
      [4, 'employeeNumber'],
      [4, 'custom2'],
      [4, 'custom3'],
      [4, 'custom9'],
    ])
    const rows = [importRow('file.one', { employeeNumber: 'f-9', custom1: '12', custom2: '정규직' })]
    expect((await maru.call(importUsers, { rows, managerPassword: PASSWORD }, hr)).status).toBe(200)
    expect(
      (await sql(`select employee_number, custom_values from users where login_id = 'file.one'`))[0],
    ).toEqual({
      employee_number: 'F-9',
      custom_values: { custom1: '12', custom2: '정규직' },
    })
  })

  test('updates details by a file and keeps those of empty cells (rules/users#update)', async () => {
    await save(person, { employeeNumber: 'U-1', custom1: '1', custom2: '계약직' })
    const rows = [
      { userId: person.userId, employeeNumber: '', custom1: '2', custom2: '', custom3: '2026-03-04' },
    ]
    const { version, users, errors } = (await maru.call(checkUpdates, { rows }, hr)).data
    expect(errors).toEqual([])
    expect(users[0]?.cells).toEqual([
      { field: 'custom1', present: '1', wanted: '2' },
      { field: 'custom3', present: '', wanted: '2026-03-04' },
    ])
    const input = { rows, version, managerPassword: PASSWORD }
    await save(other, { employeeNumber: 'U-2' })
    expect((await maru.call(updateByImport, input, hr)).status).toBe(200)
    expect(await rowOf(person)).toEqual({
      employee_number: 'U-1',
      custom_values: { custom1: '2', custom2: '계약직', custom3: '2026-03-04' },
    })
    expect(
      (
        await sql(`select detail from audit_log where target = $1 order by id desc limit 1`, [person.userId])
      )[0].detail,
    ).toEqual({
      customValues: { before: { 내선: '1', 면담일: '' }, after: { 내선: '2', 면담일: '2026-03-04' } },
    })
    const taken = await maru.call(
      checkUpdates,
      { rows: [{ userId: person.userId, employeeNumber: 'u-2' }] },
      hr,
    )
    expect(taken.data.errors).toMatchObject([{ row: 1, field: 'employeeNumber' }])
  })
})
