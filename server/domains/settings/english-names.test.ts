import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listHistory } from '../../../contract/audit.ts'
import { getSettings, updateSettings } from '../../../contract/settings.ts'
import { readConfig } from '../../config.ts'
import { inEnglish, keepFirstSettings, openSettings } from '../../services/settings.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const fixed = useMaru({ COMPANY_NAME_EN: 'Gana', OFFICES_EN: '[]' })
const busan = { name: '부산지사', address: '부산광역시 연제구 1', phone: '051-1', fax: '' }
let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})
beforeEach(async () => {
  await maru.database.pool
    .query(`update settings set company_name = null, logo_text = null, company_name_en = null,
    logo_text_en = null, offices = null`)
  await maru.services.settings.fresh()
})

const config = async () => (await maru.app.inject('/config.json')).json()
const read = async () => (await maru.call(getSettings, {}, admin)).data
async function save(changes: Record<string, unknown>) {
  return maru.call(updateSettings, { ...changes, version: (await read()).version }, admin)
}

describe('what English screens say (rules/settings#english-names)', () => {
  test('is what somebody typed, and Korean where they left it empty', async () => {
    const seoul = { name: '본사', address: '서울특별시 중구 1', phone: '02-1', fax: '02-2' }
    const { status } = await save({
      companyName: '나라상사',
      companyNameEn: ' Nara Trading ',
      offices: [{ ...seoul, nameEn: 'Head office', addressEn: '1 Jung-gu, Seoul' }, busan],
    })
    expect(status).toBe(200)
    const { company, english, offices } = await config()
    expect(company).toBe('나라상사')
    // No English word among what Korean screens show.
    expect(offices).toEqual([seoul, busan])
    expect(english).toEqual({
      company: 'Nara Trading',
      // Nobody touched it.
      logoText: 'Maru',
      offices: [{ ...seoul, name: 'Head office', address: '1 Jung-gu, Seoul' }, busan],
    })
    expect(await read()).toMatchObject({ companyNameEn: 'Nara Trading', logoTextEn: '' })

    // A program that does not know of it leaves it as it is; emptied, it is Korean again.
    await save({ companyName: '다라상사' })
    expect((await config()).english.company).toBe('Nara Trading')
    await save({ companyNameEn: '', logoText: '다라', offices: [busan] })
    expect(await config()).not.toHaveProperty('english')
  })

  test('is that of placeholders until somebody says something, office by office', async () => {
    const { english, offices } = await config()
    expect(english).toMatchObject({ company: 'Maru Corporation', logoText: 'Maru' })
    expect(english.offices).toHaveLength(4)
    await save({ offices: [...offices.slice(0, 1), busan] })
    expect((await config()).english.offices).toEqual([
      expect.objectContaining({ name: 'Head office' }),
      busan,
    ])
    // The placeholders' English is nobody's word: it does not stay when the Korean one goes.
    expect((await read()).offices[0]).toMatchObject({ nameEn: '', addressEn: '' })
    const { rows } = await maru.database.pool.query('select company_name_en, logo_text_en from settings')
    expect(rows).toEqual([{ company_name_en: null, logo_text_en: null }])
  })

  test('of offices that were saved before they had any is Korean', async () => {
    await maru.database.pool.query('update settings set offices = $1', [JSON.stringify([busan])])
    expect((await config()).english).not.toHaveProperty('offices')
    expect((await read()).offices).toEqual([{ ...busan, nameEn: '', addressEn: '' }])
  })

  test('stands in the history in words, of an office with the office', async () => {
    await save({ companyNameEn: 'Nara', offices: [{ ...busan, nameEn: 'Busan', addressEn: '' }] })
    const { data } = await maru.call(listHistory, { recordKind: 'setting' }, admin)
    const told = data.rows[0]?.changes.map(({ item, after }) => `${item}: ${after}`)
    expect(told).toEqual(
      expect.arrayContaining(['영문 회사명: Nara', '사업장 부산지사: 부산광역시 연제구 1 · 051-1 · Busan']),
    )
  })

  test.each([
    ['companyNameEn', 'x'.repeat(101), '100자까지'],
    ['logoTextEn', 'x'.repeat(21), '20자까지'],
    ['offices', [{ ...busan, nameEn: 'x'.repeat(51) }], '50자까지'],
    ['offices', [{ ...busan, addressEn: 'a\nb' }], ''],
  ])('refuses a wrong %s in words and changes nothing', async (field, value, words) => {
    const answer = await save({ companyName: '가나', [field]: value })
    expect(answer.code).toBe('INPUT_INVALID')
    expect(answer.msg).toContain(words)
    expect((await read()).companyName).toBe('주식회사 마루')
  })
})

describe('variables (rules/settings#variables)', () => {
  const given = readConfig({
    COMPANY_NAME_EN: 'Gana',
    OFFICES_EN: JSON.stringify([{ name: 'Only', address: 'Seoul', phone: '', fax: '' }]),
  })

  test('win over what was typed, and what they said of company and logo stays when they go', async () => {
    await save({ logoTextEn: 'Typed', offices: [{ ...busan, nameEn: 'Busan', addressEn: '' }] })
    const { pool } = maru.database
    const known = (await openSettings(pool, given)).now()
    expect(inEnglish(given, known)).toEqual({
      company: 'Gana',
      logoText: 'Typed',
      offices: [expect.objectContaining({ name: 'Only' })],
    })
    await keepFirstSettings(pool, given)
    const without = readConfig({})
    const left = (await openSettings(pool, without)).now()
    expect(inEnglish(without, left)).toMatchObject({
      company: 'Gana',
      offices: [expect.objectContaining({ name: 'Busan' })],
    })
  })

  test('are refused another value, while the rest is saved', async () => {
    const who = await fixed.createUser({ role: 'admin' })
    const call = async (changes: Record<string, unknown>) => {
      const { version } = (await fixed.call(getSettings, {}, who)).data
      return fixed.call(updateSettings, { ...changes, version }, who)
    }
    expect((await fixed.call(getSettings, {}, who)).data).toMatchObject({
      companyNameEn: 'Gana',
      fixed: [
        { field: 'companyNameEn', variable: 'COMPANY_NAME_EN' },
        { field: 'officesEn', variable: 'OFFICES_EN' },
      ],
    })
    for (const [changes, variable] of [
      [{ companyNameEn: 'Dara' }, 'COMPANY_NAME_EN'],
      [{ offices: [{ ...busan, nameEn: 'Busan' }] }, 'OFFICES_EN'],
    ] as const) {
      const answer = await call(changes)
      expect(answer.code).toBe('SETTING_FIXED')
      expect(answer.msg).toContain(variable)
    }
    expect((await call({ offices: [busan] })).status).toBe(200)
  })
})
