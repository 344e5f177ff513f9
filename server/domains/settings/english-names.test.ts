import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listHistory } from '../../../contract/audit.ts'
import { getSettings, updateSettings } from '../../../contract/settings.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
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

    // A client that does not send the field leaves it unchanged; emptied, it is Korean again.
    await save({ companyName: '다라상사' })
    expect((await config()).english.company).toBe('Nara Trading')
    await save({ companyNameEn: '', logoText: '다라', offices: [busan] })
    expect(await config()).not.toHaveProperty('english')
  })

  test('shows four offices, with the head office in Seoul, until somebody sets others (rules/running#company)', async () => {
    const { offices } = (await config()) as { offices: Record<string, string>[] }
    expect(offices.map(({ name }) => name)).toEqual(['본사', '부산지사', '대전지사', '광주지사'])
    expect(offices[0]?.['address']).toContain('서울')
    expect(offices.every(({ phone, fax }) => phone !== '' && fax !== '')).toBe(true)
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
    // The English placeholders were never saved, so they do not stay when the Korean text changes.
    expect((await read()).offices[0]).toMatchObject({ nameEn: '', addressEn: '' })
    const { rows } = await maru.database.pool.query('select company_name_en, logo_text_en from settings')
    expect(rows).toEqual([{ company_name_en: null, logo_text_en: null }])
  })

  test('is Korean for offices that were saved before they had English names', async () => {
    await maru.database.pool.query('update settings set offices = $1', [JSON.stringify([busan])])
    expect((await config()).english).not.toHaveProperty('offices')
    expect((await read()).offices).toEqual([{ ...busan, nameEn: '', addressEn: '' }])
  })

  test('shows changed English names in the history, those of an office with the office', async () => {
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
