import { beforeAll, describe, expect, test } from 'vitest'
import {
  checkAffiliations,
  chooseDefaultPartner,
  closeAffiliation,
  closeAffiliations,
  createAffiliation,
  createAffiliationPartner,
  createAffiliations,
  listAffiliations,
  orderAffiliations,
  renameAffiliation,
  reopenAffiliation,
} from '../../../contract/affiliations.ts'
import { listAudit, listHistory } from '../../../contract/audit.ts'
import { listCodes } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { createPartner, deletePartner, listPartnersOfAffiliation } from '../../../contract/partners.ts'
import { registerUser, updateUser } from '../../../contract/users.ts'
import { seedAll } from '../../db/seed/seed.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let count = 0

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

type Input = InputOf<typeof createAffiliation>
const office = { provinceName: '부산광역시', districtName: '해운대구' }
const noLimits = { maxKeysPerDay: null, maxKeysPerWeek: null, maxKeysPerMonth: null, maxKeysTotal: null }
const fields = (more: Partial<Input> = {}): Input => {
  count += 1
  const names = { name: `지사 ${count}`, nameEn: `Branch ${count}` }
  return { ...names, partnerCode: `OFFICE-${count}`, partnerType: 'pa', ...office, ...noLimits, ...more }
}
const add = (more: Partial<Input> = {}) => maru.call(createAffiliation, fields(more), admin)
const list = async () => (await maru.call(listAffiliations, {}, admin)).data
const find = async (code: string) => {
  const found = (await list()).affiliations.find(({ affiliationCode }) => affiliationCode === code)
  if (found === undefined) throw new Error(`There is no ${code}`)
  return found
}
const added = async (more: Partial<Input> = {}) => find((await add(more)).data.affiliationCode)
const close = async (affiliationCode: string) =>
  maru.call(closeAffiliation, { affiliationCode, version: (await find(affiliationCode)).version }, admin)
const stillOpen = async () => (await list()).affiliations.filter(({ closed }) => !closed)
const closeAll = (affiliations: { affiliationCode: string; version: string }[]) =>
  maru.call(
    closeAffiliations,
    { affiliations: affiliations.map(({ affiliationCode, version }) => ({ affiliationCode, version })) },
    admin,
  )
const codesOf = async (includeAll = false) =>
  (await maru.call(listCodes, { codeGroup: 'COMBEL001', includeAll })).data
const lastAudit = async () =>
  (await sql('select action, target, detail from audit_log order by id desc limit 1')).rows[0]

const many = (rows: InputOf<typeof createAffiliations>['rows']) => ({
  rows,
  partnerType: 'fa' as const,
  ...office,
})
const partnersOf = async (affiliationCode: string) =>
  (await maru.call(listPartnersOfAffiliation, { affiliationCode }, admin)).data
const makePartner = (partnerCode: string) =>
  maru.call(
    createAffiliationPartner,
    { affiliationCode: 'BEL007', partnerCode, partnerType: 'pa', ...office, ...noLimits },
    admin,
  )

describe('the managed list (rules/affiliations#list)', () => {
  test('says how many people, partner codes and keys each has', async () => {
    const { affiliationCode } = await added()
    const { id } = await maru.createUser({ affiliation: affiliationCode })
    const gone = await maru.createUser({ affiliation: affiliationCode })
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    await maru.createPartner({ affiliation: affiliationCode })
    await sql(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
       select $1, 'k' || n, (select max(id) from partners), $2, '부산광역시', '해운대구' from generate_series(1, 3) as n`,
      [id, affiliationCode],
    )
    expect(await find(affiliationCode)).toMatchObject({ userCount: 1, partnerCount: 2, keyCount: 3 })
  })

  test('is for those who manage the settings', async () => {
    expect((await maru.call(listAffiliations, {}, await maru.createUser({ role: 'hr' }))).code).toBe(
      'FORBIDDEN',
    )
  })
})

describe('adding (rules/affiliations#add)', () => {
  test('draws the next code, appends it and creates its default partner code', async () => {
    const { affiliations: before } = await list()
    const input = fields({ maxKeysPerDay: 7 })
    const { data } = await maru.call(createAffiliation, input, admin)
    expect(data.affiliationCode).toMatch(/^BEL\d{3}$/)
    const { affiliations } = await list()
    expect(affiliations.length).toBe(before.length + 1)
    expect(affiliations.at(-1)).toMatchObject({
      affiliationCode: data.affiliationCode,
      name: input.name,
      nameEn: input.nameEn,
      closed: false,
      partnerCode: input.partnerCode,
      ...office,
      partnerCount: 1,
    })
    const { rows } = await sql('select * from partners where code = $1', [input.partnerCode])
    expect(rows[0]).toMatchObject({ limit_day: 7, limit_week: null, valid_from: null, valid_to: null })
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.create',
      target: data.affiliationCode,
      detail: { before: null, after: { name: input.name, partner: { code: input.partnerCode } } },
    })
    expect((await codesOf()).at(-1)).toEqual({ code: data.affiliationCode, codeName: input.name })
  })

  test('uses the Korean name for both if the English one is missing', async () => {
    const { name, nameEn } = await added({ nameEn: '' })
    expect(nameEn).toBe(name)
  })

  test('refuses a name in use, in any language and case, and writes nothing', async () => {
    const { name } = await added({ name: 'Twin', nameEn: 'TWIN EN' })
    const { affiliations: before } = await list()
    for (const taken of [{ name: 'twin' }, { nameEn: name }, { name: 'twin en' }, { name: 'head office' }]) {
      expect((await add(taken)).code).toBe('AFFILIATION_NAME_TAKEN')
    }
    expect((await add({ partnerCode: (await added()).partnerCode })).code).toBe('PARTNER_CODE_TAKEN')
    expect((await add({ districtName: '없는구' })).code).toBe('REGION_NOT_FOUND')
    expect((await list()).affiliations.length).toBe(before.length + 1)
  })

  test('gives concurrent additions different codes and no duplicate name', async () => {
    const answers = await Promise.all([add({ name: '동시' }), add({ name: '동시' }), add(), add()])
    const codes = answers.flatMap(({ status, data }) => (status === 200 ? [data.affiliationCode] : []))
    expect(new Set(codes).size).toBe(3)
    expect(answers.filter(({ code }) => code === 'AFFILIATION_NAME_TAKEN')).toHaveLength(1)
  })
})

describe('several at once (rules/affiliations#several-at-once)', () => {
  test('are all added, with a partner code and a place of their own or drawn ones', async () => {
    await maru.createPartner({ code: 'BEL777' })
    const { name } = await added()
    const rows = [
      { name: '서울지사' },
      {
        name: '세종지사',
        nameEn: 'Sejong',
        partnerCode: 'sejong-1',
        provinceName: '세종특별자치시',
        districtName: '세종특별자치시',
      },
    ]
    const { data: checked } = await maru.call(checkAffiliations, many(rows), admin)
    expect(checked).toMatchObject({ rowCount: 2, errors: [] })
    expect(checked.preview).toEqual([
      { name: '서울지사', nameEn: '서울지사', partnerCode: '', ...office, parentName: '', depth: 0 },
      { ...rows[1], partnerCode: 'SEJONG-1', parentName: '', depth: 0 },
    ])
    expect((await maru.call(createAffiliations, many(rows), admin)).data).toEqual({ rowCount: 2 })
    const { affiliations } = await list()
    const [seoul, sejong] = affiliations.slice(-2)
    expect(seoul).toMatchObject({
      name: '서울지사',
      nameEn: '서울지사',
      partnerCode: seoul?.affiliationCode,
      ...office,
    })
    expect(sejong).toMatchObject({
      nameEn: 'Sejong',
      partnerCode: 'SEJONG-1',
      provinceName: '세종특별자치시',
    })
    expect(name).not.toBe('')
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.import',
      detail: {
        affiliations: [
          [seoul?.affiliationCode, '서울지사', '서울지사', seoul?.partnerCode],
          expect.anything(),
        ],
      },
    })
  })

  test('are refused whole, each wrong cell by its row', async () => {
    const { affiliations: before } = await list()
    const rows = [
      { name: '' },
      { name: '본사', partnerCode: 'A' },
      { name: '새 지사', provinceName: '서울특별시' },
      { name: '다른 지사', nameEn: '새 지사', partnerCode: 'SAME-1' },
      { name: '또 다른 지사', partnerCode: 'same-1' },
      { name: '인천지사', provinceName: '인촌', districtName: '남동구' },
    ]
    const { data } = await maru.call(checkAffiliations, many(rows), admin)
    expect(data.errors.map(({ row, field }) => [row, field])).toEqual([
      [1, 'name'],
      [2, 'name'],
      [2, 'partnerCode'],
      [3, 'districtName'],
      [4, 'nameEn'],
      [5, 'partnerCode'],
      [6, 'provinceName'],
    ])
    expect((await maru.call(createAffiliations, many(rows), admin)).code).toBe('IMPORT_INVALID')
    expect((await list()).affiliations).toEqual(before)
  })

  test('need no place for all where each row names its own', async () => {
    const nowhere = { provinceName: '', districtName: '' }
    const rows = [{ name: '한 곳', ...office }, { name: '어딘가' }]
    const { data } = await maru.call(checkAffiliations, { ...many(rows), ...nowhere }, admin)
    expect(data.errors.map(({ row, field }) => [row, field])).toEqual([
      [2, 'provinceName'],
      [2, 'districtName'],
    ])
    const one = { ...many(rows.slice(0, 1)), ...nowhere }
    expect((await maru.call(checkAffiliations, one, admin)).data.errors).toEqual([])
    expect((await maru.call(createAffiliations, one, admin)).data).toEqual({ rowCount: 1 })
  })
})

describe('renaming (rules/affiliations#rename)', () => {
  test('logs both names before and after a rename and refuses the second of two (rules/affiliations#affiliation-editors)', async () => {
    const { affiliationCode, version, name } = await added()
    const rename = (more: object = {}) =>
      maru.call(
        renameAffiliation,
        { affiliationCode, version, name: `새 ${name}`, nameEn: `New ${name}`, ...more },
        admin,
      )
    expect((await rename()).status).toBe(200)
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.rename',
      target: affiliationCode,
      detail: { name: { before: name, after: `새 ${name}` } },
    })
    expect((await rename()).code).toBe('RECORD_CHANGED')
    const now = await find(affiliationCode)
    expect((await rename({ version: now.version, name: '본사' })).code).toBe('AFFILIATION_NAME_TAKEN')
    expect((await rename({ version: now.version, name: now.name })).status).toBe(200)
    expect((await rename({ affiliationCode: 'BEL99999' })).code).toBe('AFFILIATION_NOT_FOUND')
  })

  test('survives the next start: the seed writes affiliations only where there are none (rules/affiliations#seed)', async () => {
    await sql(`update codes set name_ko = '서울 본사' where code = 'BEL001' and group_code = 'COMBEL001'`)
    await maru.database.db.transaction().execute(seedAll)
    expect((await codesOf())[0]).toEqual({ code: 'BEL001', codeName: '서울 본사' })
    await sql(`update codes set name_ko = '본사' where code = 'BEL001' and group_code = 'COMBEL001'`)
  })
})

describe('the order (rules/affiliations#order)', () => {
  test('applies the order to every list and refuses the second of two changes', async () => {
    const { affiliations, version } = await list()
    const before = affiliations.map(({ affiliationCode }) => affiliationCode)
    const after = [...before.slice(1), before[0] ?? '']
    const order = (affiliationCodes: string[]) =>
      maru.call(orderAffiliations, { affiliationCodes, version }, admin)
    expect((await order(after.slice(1))).code).toBe('RECORD_CHANGED')
    expect((await order(after)).status).toBe(200)
    expect(await lastAudit()).toMatchObject({ action: 'affiliation.order', detail: { before, after } })
    expect((await codesOf()).map(({ code }) => code)).toEqual(after)
    expect((await order(before)).code).toBe('RECORD_CHANGED')
    const now = await list()
    await maru.call(orderAffiliations, { affiliationCodes: before, version: now.version }, admin)
  })
})

describe('a closed affiliation (rules/affiliations#close)', () => {
  test('is offered to filters alone, marked, and can be reopened', async () => {
    const { affiliationCode, name } = await added()
    expect((await close(affiliationCode)).status).toBe(200)
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.close',
      detail: { closed: { before: false, after: true } },
    })
    expect((await codesOf()).map(({ code }) => code)).not.toContain(affiliationCode)
    expect((await codesOf(true)).at(-1)).toEqual({ code: affiliationCode, codeName: `${name} (종료)` })
    expect((await close(affiliationCode)).code).toBe('RECORD_CHANGED')
    const { version } = await find(affiliationCode)
    expect((await maru.call(reopenAffiliation, { affiliationCode, version }, admin)).status).toBe(200)
    expect((await codesOf()).at(-1)?.code).toBe(affiliationCode)
  })

  test('is closed with others, all of them or none', async () => {
    const one = await added()
    const two = await added()
    const open = await stillOpen()
    expect((await closeAll([one, { ...two, version: one.version }])).code).toBe('RECORD_CHANGED')
    expect((await closeAll([one, { affiliationCode: 'BEL99999', version: one.version }])).code).toBe(
      'AFFILIATION_NOT_FOUND',
    )
    expect((await closeAll(open)).code).toBe('AFFILIATION_LAST')
    expect((await closeAll([])).code).toBe('INPUT_INVALID')
    expect(await stillOpen()).toHaveLength(open.length)
    expect((await closeAll([two, one])).status).toBe(200)
    expect((await stillOpen()).length).toBe(open.length - 2)
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.close',
      target: `${one.affiliationCode}, ${two.affiliationCode}`,
      detail: { closed: { before: false, after: true } },
    })
    expect((await closeAll([one])).code).toBe('RECORD_CHANGED')
  })

  test('takes nobody and no partner code any more; who is in it may be saved unchanged', async () => {
    const { affiliationCode, partnerCode } = await added()
    const inside = await maru.createUser({ affiliation: affiliationCode })
    const outside = await maru.createUser()
    await close(affiliationCode)
    const person = {
      affiliationCode,
      position: '대리',
      name: '김새로',
      phoneNumber: '01012345678',
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode,
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001' as const,
    }
    const save = ({ userId, email }: TestUser) =>
      maru.call(updateUser, { ...person, userId, originalUserId: userId, email }, admin)
    expect((await save(outside)).code).toBe('AFFILIATION_CLOSED')
    expect((await save(inside)).status).toBe(200)
    await sql(`update users set approval_code = 'MEMAP002' where id = $1`, [inside.id])
    expect((await save(inside)).code).toBe('AFFILIATION_CLOSED')
    const registered = { ...person, userId: 'new.closed', email: 'new.closed@example.com' }
    const passwords = { password: 'another-Maru-2026!', managerPassword: PASSWORD }
    expect((await maru.call(registerUser, { ...registered, ...passwords }, admin)).code).toBe(
      'AFFILIATION_CLOSED',
    )
    const partner = { partnerCode: 'INTO-CLOSED', partnerType: 'pa' as const, ...office, ...noLimits }
    const at = { longitude: 0, latitude: 0 }
    expect((await maru.call(createPartner, { ...partner, ...at, affiliationCode }, admin)).code).toBe(
      'AFFILIATION_CLOSED',
    )
    expect((await maru.call(createAffiliationPartner, { ...partner, affiliationCode }, admin)).code).toBe(
      'AFFILIATION_CLOSED',
    )
  })

  test('is never the last one', async () => {
    const { affiliations } = await list()
    const [kept, ...others] = affiliations.filter(({ closed }) => !closed)
    const codes = others.map(({ affiliationCode }) => affiliationCode)
    await sql('update codes set closed_at = now() where code = any($1)', [codes])
    expect((await close(kept?.affiliationCode ?? '')).code).toBe('AFFILIATION_LAST')
    await sql('update codes set closed_at = null where code = any($1)', [codes])
  })
})

describe('the default partner code (rules/affiliations#default-partner)', () => {
  test('is marked among its affiliation’s partner codes and cannot be deleted meanwhile', async () => {
    const { affiliationCode, partnerCode, version } = await added()
    const other = await maru.createPartner({ affiliation: affiliationCode, code: `ZZ-${count}` })
    expect(await partnersOf(affiliationCode)).toEqual([
      { partnerCode, isDefault: true },
      { partnerCode: other },
    ])
    const remove = () => maru.call(deletePartner, { partnerCode }, admin)
    expect(await remove()).toMatchObject({ status: 400, code: 'PARTNER_IS_DEFAULT' })
    const choose = (code: string) =>
      maru.call(chooseDefaultPartner, { affiliationCode, version, partnerCode: code }, admin)
    expect((await choose((await added()).partnerCode)).code).toBe('PARTNER_NOT_FOUND')
    expect((await choose(other)).status).toBe(200)
    expect(await lastAudit()).toMatchObject({
      action: 'affiliation.default',
      detail: { partnerCode: { before: partnerCode, after: other } },
    })
    expect((await choose(partnerCode)).code).toBe('RECORD_CHANGED')
    expect((await remove()).status).toBe(200)
  })

  test('creates a missing one, also by partner managers, and no second one', async () => {
    expect((await find('BEL007')).partnerCode).toBe('')
    expect((await makePartner('FAMILY-1')).data).toEqual({ partnerCode: 'FAMILY-1', isDefault: true })
    expect((await makePartner('FAMILY-2')).data).toEqual({ partnerCode: 'FAMILY-2', isDefault: false })
    expect((await makePartner('FAMILY-2')).code).toBe('PARTNER_CODE_TAKEN')
    expect((await find('BEL007')).partnerCode).toBe('FAMILY-1')
  })
})

test('describes in the history what was done with which affiliation (rules/audit#history, rules/audit#words)', async () => {
  const { affiliationCode, ...made } = await added({ maxKeysPerDay: 7 })
  const [first, second] = [count + 1, count + 2]
  await maru.call(
    createAffiliations,
    many([first, second].map((n) => ({ name: `여럿 ${n}`, nameEn: `Many ${n}`, partnerCode: `MANY-${n}` }))),
    admin,
  )
  const { affiliations: before, version } = await list()
  const codes = before.map((one) => one.affiliationCode)
  const order = [...codes.slice(0, -2), ...codes.slice(-2).toReversed()]
  await maru.call(orderAffiliations, { affiliationCodes: order, version }, admin)
  const names = { name: `새 ${made.name}`, nameEn: `New ${made.nameEn}` }
  await maru.call(renameAffiliation, { affiliationCode, version: made.version, ...names }, admin)
  const input = { affiliationCode, partnerCode: `SECOND-${count}`, partnerType: 'pa', ...office, ...noLimits }
  await maru.call(createAffiliationPartner, input as InputOf<typeof createAffiliationPartner>, admin)
  await maru.call(
    chooseDefaultPartner,
    { affiliationCode, partnerCode: `SECOND-${count}`, version: (await find(affiliationCode)).version },
    admin,
  )
  await close(affiliationCode)

  const told = async (language: string, of = admin) => {
    const asked = { recordKind: 'affiliation', perPage: 20 } as const
    const { data } = await maru.call(listHistory, asked, { session: of.session, language })
    return data.rows
      .slice(0, 7)
      .map(({ action, target, changes }) => [
        action,
        target,
        changes.map(({ item, before: was, after }) => `${item}: ${was === '' ? '' : `${was} → `}${after}`),
      ])
  }
  expect(await told('ko')).toEqual([
    ['소속 사용 종료', names.name, ['사용 종료: 아니오 → 예']],
    ['소속 기본 파트너 코드 변경', names.name, [`파트너 코드: ${made.partnerCode} → SECOND-${count}`]],
    [
      '소속 파트너 코드 만들기',
      names.name,
      expect.arrayContaining([
        `파트너 코드: SECOND-${count}`,
        '파트너 유형: 파트너',
        '기본 파트너 코드: 아니오',
        '시/도: 부산광역시',
        '시/군/구: 해운대구',
      ]),
    ],
    [
      '소속 이름 변경',
      names.name,
      expect.arrayContaining([
        `한글 이름: ${made.name} → ${names.name}`,
        `영문 이름: ${made.nameEn} → ${names.nameEn}`,
      ]),
    ],
    ['소속 순서 변경', '', [`순서: 여럿 ${first}, 여럿 ${second} → 여럿 ${second}, 여럿 ${first}`]],
    ['소속 여러 개 추가', `여럿 ${first}, 여럿 ${second}`, [`소속: 여럿 ${first}, 여럿 ${second}`]],
    [
      '소속 추가',
      names.name,
      expect.arrayContaining([
        `한글 이름: ${made.name}`,
        `영문 이름: ${made.nameEn}`,
        `파트너 코드: ${made.partnerCode}`,
        '파트너 유형: 파트너',
        '일 최대 발급 수: 7',
        '시/도: 부산광역시',
        '시/군/구: 해운대구',
      ]),
    ],
  ])
  // No code of ours is left in either language.
  for (const language of ['ko', 'en'])
    expect(JSON.stringify(await told(language))).not.toMatch(/BEL\d|_|\b(fa|pa|true|false)\b|[a-z][A-Z]/)

  // The trail finds them by either name and by the code (rules/audit#audit-search).
  for (const target of [names.name, names.nameEn, affiliationCode])
    expect((await maru.call(listAudit, { target }, admin)).data.totalCount).toBe(5)

  const hr = await maru.createUser({ role: 'hr' })
  expect((await maru.call(listHistory, { recordKind: 'affiliation' }, hr)).code).toBe('FORBIDDEN')
})
