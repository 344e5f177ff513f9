import { beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import {
  checkPartnerCode,
  createPartner,
  deletePartner,
  getPartner,
  listPartners,
  listPartnerDistricts,
  listPartnerProvinces,
  resumePartner,
  stopPartner,
  updatePartner,
} from '../../../contract/partners.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let count = 0
let CODE: string

beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  CODE = `NEW-${(count += 1)}`
})

type Input = InputOf<typeof createPartner>
const fields = (more: Partial<Input> = {}): Input => ({
  partnerCode: CODE,
  partnerType: 'pa',
  maxKeysPerDay: 10,
  maxKeysPerWeek: 50,
  maxKeysPerMonth: null,
  maxKeysTotal: 1000,
  validFrom: '2026-01-01',
  validTo: '2086-12-31 23:59:59',
  affiliationCode: 'BEL008',
  longitude: 126.9774,
  latitude: 37.5949,
  provinceName: '서울특별시',
  districtName: '종로구',
  ...more,
})
const create = (more: Partial<Input> = {}) => maru.call(createPartner, fields(more), admin)
const update = (more: Partial<InputOf<typeof updatePartner>> = {}, by = admin) =>
  maru.call(updatePartner, { ...fields(), ...more }, by)
const remove = (code = CODE) => maru.call(deletePartner, { partnerCode: code }, admin)
const read = (language = 'ko', code = CODE) =>
  maru.call(getPartner, { partnerCode: code }, { session: admin.session, language })
const rowOf = async (code = CODE) => (await sql('select * from partners where code = $1', [code])).rows[0]
const switched = (call: typeof stopPartner | typeof resumePartner, reason: string) =>
  maru.call(call, { partnerCode: CODE, reason }, admin)
const check = (partnerCode: string) => maru.call(checkPartnerCode, { partnerCode }, admin)

describe('registering a partner code (rules/partners#register-partner)', () => {
  test('answers the code and keeps every field, with the end date as the end of its day', async () => {
    expect((await create()).data).toEqual({ partnerCode: CODE })
    expect((await read()).data).toEqual({
      partnerCode: CODE,
      partnerType: 'pa',
      affiliationCode: 'BEL008',
      affiliationName: '협력사',
      provinceName: '서울특별시',
      districtName: '종로구',
      provinceCode: '11',
      longitude: 126.9774,
      latitude: 37.5949,
      maxKeysPerDay: 10,
      maxKeysPerWeek: 50,
      maxKeysPerMonth: null,
      maxKeysTotal: 1000,
      validFrom: '2026-01-01',
      validTo: '2086-12-31 23:59:59',
      memo: null,
      partnerName: '',
      contact: '',
      state: 'valid',
      stoppedAt: '',
      userCount: 0,
      withdrawnCount: 0,
      version: expect.any(String),
    })
    expect((await read('en')).data.affiliationName).not.toBe('협력사')
  })

  test('requires no dates and answers -1 for empty limits (rules/partners#partner-limits)', async () => {
    const none = { validFrom: '', validTo: '', maxKeysPerDay: null }
    expect((await create(none)).status).toBe(200)
    expect((await read()).data).toMatchObject(none)
    expect(await rowOf()).toMatchObject({ valid_from: null, valid_to: null, limit_day: null })
  })

  test('keeps the code in upper case, 2 to 30 of A-Z 0-9 - _ (rules/partners#partner-code)', async () => {
    expect((await create({ partnerCode: `  low-${count}_x ` })).data).toEqual({
      partnerCode: `LOW-${count}_X`,
    })
    for (const partnerCode of ['', ' ', 'A', 'A'.repeat(31), 'A B', '한글', 'A.B', 'Ａ１', 'É1', 'A\n1']) {
      expect(await create({ partnerCode })).toMatchObject({
        status: 400,
        code: 'INPUT_INVALID',
        field: 'partnerCode',
      })
      expect((await check(partnerCode)).field).toBe('partnerCode')
    }
    expect((await create({ partnerCode: `Z${'9'.repeat(29)}` })).status).toBe(200)
    expect((await remove(`Z${'9'.repeat(29)}`)).status).toBe(200)
  })

  test.each([
    ['an unknown type', { partnerType: 'xx' as never }, 'partnerType'],
    ['a limit below -1', { maxKeysPerDay: -2 }, 'maxKeysPerDay'],
    ['a limit that is no whole number', { maxKeysPerWeek: 1.5 }, 'maxKeysPerWeek'],
    ['a limit past the largest', { maxKeysTotal: 1_000_000_001 }, 'maxKeysTotal'],
    ['a day that does not exist', { validTo: '2026-02-30 23:59:59' }, 'validTo'],
    ['an end before the start', { validTo: '2025-12-31 23:59:59' }, 'validTo'],
    ['no province', { provinceName: '' }, 'provinceName'],
  ])('refuses %s and writes nothing', async (_, wrong, field) => {
    expect(await create(wrong)).toMatchObject({ status: 400, code: 'INPUT_INVALID', field })
    expect(await rowOf()).toBeUndefined()
  })

  test('answers CODE_NOT_FOUND for an unknown affiliation', async () => {
    expect((await create({ affiliationCode: 'BEL999' })).code).toBe('CODE_NOT_FOUND')
    expect(await rowOf()).toBeUndefined()
  })

  test('looks the degrees up and ignores those sent (rules/partners#regions)', async () => {
    expect((await create({ longitude: -77.03, latitude: 38.9 })).status).toBe(200)
    expect(await rowOf()).toMatchObject({ province_code: '11', x: 126.9774, y: 37.5949 })
  })

  test.each([
    ['a province that no longer exists', { provinceName: '광주광역시', districtName: '동구' }],
    ['a district of another province', { provinceName: '서울특별시', districtName: '해운대구' }],
    ['an unknown district', { provinceName: '서울특별시', districtName: '종로' }],
  ])('answers REGION_NOT_FOUND with %s', async (_, region) => {
    expect(await create(region)).toMatchObject({
      status: 400,
      code: 'REGION_NOT_FOUND',
      msg: '존재하지 않는 지역입니다. 다시 선택해주세요.',
    })
    expect(await rowOf()).toBeUndefined()
  })

  test('succeeds for one of ten simultaneous calls with one code', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()))
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      ...Array<string>(9).fill('PARTNER_CODE_TAKEN'),
    ])
  })

  test('agrees with the duplicate check, in upper and lower case', async () => {
    expect((await check(CODE)).status).toBe(200)
    await create()
    expect(await check(CODE.toLowerCase())).toMatchObject({ status: 400, code: 'PARTNER_CODE_TAKEN' })
  })
})

describe('editing a partner (rules/partners#edit-partner, rules/partners#two-partner-editors)', () => {
  test('changes region, limits and dates, with before and after in the audit log', async () => {
    await create()
    const changes = {
      maxKeysPerDay: 3,
      validTo: '',
      provinceName: '부산광역시',
      districtName: '해운대구',
      longitude: 0,
      latitude: 0,
    }
    expect((await update(changes)).data).toEqual({ partnerCode: CODE })
    expect(await rowOf()).toMatchObject({
      limit_day: 3,
      valid_to: null,
      province_code: '26',
      province_name: '부산광역시',
      district_name: '해운대구',
      x: 129.1537,
      y: 35.1937,
    })
    const { rows } = await sql(
      `select detail from audit_log where action = 'partner.update' and target = $1`,
      [CODE],
    )
    expect(rows[0].detail).toMatchObject({
      limitDay: { before: 10, after: 3 },
      districtName: { before: '종로구', after: '해운대구' },
    })
    expect(rows[0].detail).not.toHaveProperty('limitWeek')
  })

  test.each([{ partnerType: 'fa' as const }, { affiliationCode: 'BEL001' }])(
    'answers PARTNER_READ_ONLY for a change to %o',
    async (other) => {
      await create()
      const before = await rowOf()
      expect((await update({ ...other, maxKeysPerDay: 1 })).code).toBe('PARTNER_READ_ONLY')
      expect(await rowOf()).toEqual(before)
    },
  )

  test('keeps a region that no longer exists, which cannot be chosen again (rules/partners#stored-region)', async () => {
    await create()
    await sql(
      `update partners set province_code = '29', province_name = '광주광역시', district_name = '동구', x = 126.9, y = 35.1
       where code = $1`,
      [CODE],
    )
    const old = { provinceName: '광주광역시', districtName: '동구' }
    expect((await update({ ...old, maxKeysPerDay: 4 })).status).toBe(200)
    expect(await rowOf()).toMatchObject({ province_code: '29', x: 126.9, y: 35.1, limit_day: 4 })
    expect((await update({ ...old, districtName: '서구' })).code).toBe('REGION_NOT_FOUND')
    expect((await update()).status).toBe(200)
    expect((await update(old)).code).toBe('REGION_NOT_FOUND')
    expect((await rowOf()).province_code).toBe('11')
  })

  test('allows a limit below what is already issued', async () => {
    await create()
    const { id } = await rowOf()
    for (let i = 0; i < 3; i += 1) await issue(id, `r${i}`)
    expect((await update({ maxKeysTotal: 1 })).status).toBe(200)
    expect((await rowOf()).limit_total).toBe(1)
  })

  test('answers PARTNER_NOT_FOUND for an unknown partner, in all three calls', async () => {
    expect((await read()).code).toBe('PARTNER_NOT_FOUND')
    expect((await update()).code).toBe('PARTNER_NOT_FOUND')
    expect((await remove()).code).toBe('PARTNER_NOT_FOUND')
  })

  test('tells the second of two editors RECORD_CHANGED and loses nothing of the first', async () => {
    await create()
    const other = await maru.createUser({ role: 'admin' })
    const { version } = (await read()).data
    expect((await read('en')).data.version).toBe(version)
    expect((await update({ version, maxKeysPerDay: 7 })).status).toBe(200)
    const before = await rowOf()
    expect(await update({ version, maxKeysPerWeek: 8 }, other)).toMatchObject({
      status: 400,
      code: 'RECORD_CHANGED',
    })
    expect(await rowOf()).toEqual(before)
    // A caller that knows no VERSION saves whatever is there.
    expect((await update({ maxKeysPerWeek: 8 }, other)).status).toBe(200)
  })

  test('succeeds for one of ten simultaneous saves of one version', async () => {
    await create()
    const { version } = (await read()).data
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => update({ version, maxKeysPerDay: 20 + i })),
    )
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      ...Array<string>(9).fill('RECORD_CHANGED'),
    ])
  })
})

describe('deleting a partner (rules/partners#delete-partner)', () => {
  test('deletes an unreferenced partner and logs its values', async () => {
    await create()
    expect((await remove()).data).toEqual({})
    expect(await rowOf()).toBeUndefined()
    const { rows } = await sql(
      `select detail from audit_log where action = 'partner.delete' and target = $1`,
      [CODE],
    )
    expect(rows[0].detail).toMatchObject({ type: 'pa', affiliationCode: 'BEL008', limitDay: 10 })
  })

  test.each(['active', 'withdrawn'])('refuses a partner with a user (%s)', async (state) => {
    await create()
    const user = await maru.createUser({ affiliation: 'BEL008' })
    await sql('update users set partner_id = $2, withdrawn_at = $3 where id = $1', [
      user.id,
      (await rowOf()).id,
      state === 'withdrawn' ? new Date() : null,
    ])
    expect(await remove()).toMatchObject({
      status: 400,
      code: 'PARTNER_IN_USE',
      msg: `사용자나 키 발급 이력이 있는 파트너 코드는 삭제할 수 없습니다. (${state === 'active' ? '사용자' : '탈퇴한 사용자'} 1명)`,
    })
    expect(await rowOf()).toBeDefined()
    expect((await sql('select partner_id from users where id = $1', [user.id])).rows[0].partner_id).not.toBe(
      null,
    )
  })

  test('refuses to delete a partner with issued keys, and keeps the key', async () => {
    await create()
    const { id } = await rowOf()
    await issue(id, 'kept')
    expect(await remove()).toMatchObject({
      code: 'PARTNER_IN_USE',
      msg: expect.stringMatching(/\(발급한 키 1개\)$/),
    })
    const { rows } = await sql('select 1 from issued_keys where partner_id = $1', [id])
    expect(rows).toHaveLength(1)
  })
})

describe('what there is to know of a partner (rules/partners#partner-name, rules/partners#partner-status)', () => {
  test('saves name, contact and note, and keeps those an edit leaves out', async () => {
    await create({ partnerName: '  한빛소프트 ', contact: '김하늘 02-123-4567' })
    expect((await read()).data).toMatchObject({ partnerName: '한빛소프트', contact: '김하늘 02-123-4567' })
    await update({ memo: '첫째 줄\n둘째 줄' })
    expect((await read()).data).toMatchObject({ partnerName: '한빛소프트', memo: '첫째 줄\n둘째 줄' })
    await update({ memo: '', partnerName: '' })
    expect((await read()).data).toMatchObject({ partnerName: '', contact: '김하늘 02-123-4567', memo: null })
    expect((await update({ contact: '가'.repeat(101) })).code).toBe('INPUT_INVALID')
  })

  test('shows state and number of users in list and detail', async () => {
    await create()
    const [person, gone] = [await maru.createUser(), await maru.createUser()]
    await sql('update users set partner_id = $2 where id = any($1)', [
      [person.id, gone.id],
      (await rowOf()).id,
    ])
    await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
    expect((await read()).data).toMatchObject({ userCount: 1, withdrawnCount: 1, stoppedAt: '' })
    for (const [change, state] of [
      [`valid_from = null, valid_to = null`, 'valid'],
      [`valid_from = '2099-01-01'`, 'upcoming'],
      [`valid_from = null, valid_to = '2020-01-01'`, 'expired'],
      ['stopped_at = now()', 'stopped'],
    ] as const) {
      await sql(`update partners set ${change} where code = $1`, [CODE])
      expect((await read()).data.state).toBe(state)
      const { data } = await maru.call(listPartners, { partnerCode: CODE }, admin)
      expect(data.partners[0]?.state).toBe(state)
    }
    await sql('update users set partner_id = null where id = any($1)', [[person.id, gone.id]])
  })

  test('shows the reason of the latest deactivation in the detail (rules/partners#stop-partner)', async () => {
    await create()
    await switched(stopPartner, '점검')
    await switched(resumePartner, '점검 끝')
    expect((await read()).data).not.toHaveProperty('stopReason')
    await switched(stopPartner, '계약 종료')
    expect((await read()).data).toMatchObject({ state: 'stopped', stopReason: '계약 종료' })
  })
})

describe('the lists of regions (rules/partners#regions)', () => {
  test('hold every province once, ordered by code', async () => {
    const { data } = await maru.call(listPartnerProvinces, {}, admin)
    expect(data.provinces).toHaveLength(16)
    expect(data.provinces.slice(0, 2)).toEqual([
      { provinceName: '서울특별시', provinceCode: '11' },
      { provinceName: '전남광주통합특별시', provinceCode: '12' },
    ])
  })

  test('return a province’s districts by its code, alphabetically, with coordinates', async () => {
    const { data } = await maru.call(listPartnerDistricts, { provinceCode: '11' }, admin)
    expect(data.districts).toHaveLength(25)
    expect(data.districts[0]).toEqual({ districtName: '강남구', longitude: 127.0633, latitude: 37.4965 })
    expect(data.districts.at(-1)?.districtName).toBe('중랑구')
  })

  test('hold no district of a province that no longer exists', async () => {
    expect((await maru.call(listPartnerDistricts, { provinceCode: '29' }, admin)).data.districts).toEqual([])
  })
})

/** A key of the partner, as issuing leaves it. */
async function issue(partnerId: string, requestKey: string): Promise<void> {
  await sql(
    `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
     values ($1, $2, $3, 'BEL008', '서울특별시', '종로구')`,
    [admin.id, requestKey, partnerId],
  )
}
