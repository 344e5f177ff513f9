import { beforeEach, describe, expect, test } from 'vitest'
import { certifyEmail } from '../../contract/account.ts'
import { readConfig } from '../config.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { keepFirstSettings, openSettings } from './settings.ts'

const maru = useMaru()

const set = (assignments: string, values: unknown[] = []) =>
  maru.database.pool.query(`update settings set ${assignments}`, values)

beforeEach(async () => {
  await set(`company_name = null, logo_text = null, portal_url = null, offices = null,
    logo = null, logo_type = null, logo_digest = null`)
  await maru.services.settings.fresh()
})

const companyAt = async ({ app }: Pick<typeof maru, 'app'>) =>
  (await app.inject('/config.json')).json().company
const officeNames = async () =>
  (await maru.app.inject('/config.json')).json().offices.map(({ name }: { name: string }) => name)

describe('a setting holds at once (rules/settings#at-once)', () => {
  test('with the next page of every server, and with what it does by itself', async () => {
    const twin = await maru.startTwin()
    expect(await Promise.all([companyAt(maru), companyAt(twin)])).toEqual(['주식회사 마루', '주식회사 마루'])
    await set(`company_name = '나라상사'`)
    expect(await Promise.all([companyAt(maru), companyAt(twin)])).toEqual(['나라상사', '나라상사'])
    expect(twin.services.settings.now().company).toBe('나라상사')
  })

  test('for everybody who asks after the change, however many ask while an older answer is on its way', async () => {
    const { settings } = maru.services
    const before = settings.fresh()
    const changed = set(`company_name = '다라상사'`)
    await changed
    const after = await Promise.all(Array.from({ length: 50 }, () => settings.fresh()))
    await before
    expect(new Set(after.map(({ company }) => company))).toEqual(new Set(['다라상사']))
    expect(settings.now().company).toBe('다라상사')
  })

  test('and what was known holds while the database is away', async () => {
    const { pool } = maru.database
    const settings = await openSettings(pool, maru.services.config)
    await maru.owner.query('alter table settings rename to elsewhere')
    try {
      expect((await settings.soon()).company).toBe('주식회사 마루')
      await expect(settings.fresh()).rejects.toThrow('settings')
      expect(await companyAt(maru)).toBe('주식회사 마루')
    } finally {
      await maru.owner.query('alter table elsewhere rename to settings')
    }
    expect(await companyAt(maru)).toBe('주식회사 마루')
  })
})

describe('variables (rules/settings#variables)', () => {
  const office = { name: '본사', address: '서울', phone: '02-1', fax: '' }
  const given = readConfig({
    COMPANY_NAME: '가나상사',
    PORTAL_URL: 'https://portal.gana.kr/',
    OFFICES: JSON.stringify([office]),
  })

  test('win over what was set, each for itself', async () => {
    await set(`company_name = '라마상사', logo_text = '라마', portal_url = 'https://rama.kr'`)
    const settings = await openSettings(maru.database.pool, given)
    expect(settings.now()).toMatchObject({
      company: '가나상사',
      logoText: '라마',
      portalUrl: 'https://portal.gana.kr',
      offices: [office],
    })
  })

  test('give the first values, which stay when they go, and never replace what was set', async () => {
    await set(`portal_url = 'https://set.kr'`)
    await keepFirstSettings(maru.database.pool, given)
    const without = await openSettings(maru.database.pool, readConfig({}))
    expect(without.now()).toMatchObject({
      company: '가나상사',
      logoText: '마루',
      portalUrl: 'https://set.kr',
      offices: [office],
    })
  })
})

describe("the portal's own address (rules/settings#portal-address)", () => {
  test.each(['portal.company.kr', 'ftp://a.kr', 'https://a.kr/portal', 'https://a.kr?x', 'https://u:p@a.kr'])(
    'is not %s',
    (PORTAL_URL) => {
      expect(() => readConfig({ PORTAL_URL })).toThrow(/^PORTAL_URL must look like https:/)
    },
  )

  test('ends every mail with a link to its page, in text and HTML; without it there is none', async () => {
    const mailTo = async (email: string) => {
      const input = { email, userId: 'new.one', certificationType: 'TYP001' } as const
      expect((await maru.call(certifyEmail, input)).status).toBe(200)
      const { rows } = await maru.database.pool.query<{ text: string; html: string }>(
        'select text, html from mails where recipient = $1',
        [email],
      )
      return rows[0]
    }
    await maru.services.jobs.stop()
    expect((await mailTo('unknown@example.com'))?.html).not.toContain('<a ')
    await set(`portal_url = 'https://portal.company.kr'`)
    await maru.services.settings.fresh()
    const mail = await mailTo('known@example.com')
    expect(mail?.text).toMatch(/\n바로가기: https:\/\/portal\.company\.kr\/signup\n$/)
    expect(mail?.html).toContain('<a href="https://portal.company.kr/signup"')
  })
})

describe('offices (rules/settings#offices)', () => {
  test('are those that were set, in their order, or those of the configuration', async () => {
    expect(await officeNames()).toEqual(['본사', '부산지사', '대전지사', '광주지사'])
    const branch = { name: '제주지사', address: '제주', phone: '', fax: '' }
    await set('offices = $1', [JSON.stringify([branch, { ...branch, name: '본사' }])])
    expect(await officeNames()).toEqual(['제주지사', '본사'])
  })
})
