import { beforeEach, describe, expect, test } from 'vitest'
import { certifyEmail } from '../../contract/account.ts'
import { readConfig } from '../config.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { keepFirstUrl, openSettings } from './settings.ts'

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

describe('a setting holds at once (rules/settings#effect)', () => {
  test('applies to the next page of every server, and to its jobs', async () => {
    const twin = await maru.startTwin()
    expect(await Promise.all([companyAt(maru), companyAt(twin)])).toEqual(['주식회사 마루', '주식회사 마루'])
    await set(`company_name = '나라상사'`)
    expect(await Promise.all([companyAt(maru), companyAt(twin)])).toEqual(['나라상사', '나라상사'])
    expect(twin.services.settings.now().company).toBe('나라상사')
  })

  test('returns a changed setting to all later callers, even during an older read', async () => {
    const { settings } = maru.services
    const before = settings.fresh()
    const changed = set(`company_name = '다라상사'`)
    await changed
    const after = await Promise.all(Array.from({ length: 50 }, () => settings.fresh()))
    await before
    expect(new Set(after.map(({ company }) => company))).toEqual(new Set(['다라상사']))
    expect(settings.now().company).toBe('다라상사')
  })

  test('keeps the last known value while the database is unavailable', async () => {
    const { pool } = maru.database
    const settings = await openSettings(pool, maru.services.config, maru.services.keySecret)
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

const urlWith = async (config = readConfig({})) =>
  (await openSettings(maru.database.pool, config, maru.services.keySecret)).now().portalUrl

describe('PORTAL_URL (rules/settings#variables)', () => {
  const given = readConfig({ PORTAL_URL: 'https://portal.gana.kr/' })

  test('overrides the setting', async () => {
    await set(`portal_url = 'https://rama.kr'`)
    expect(await urlWith(given)).toBe('https://portal.gana.kr')
    await keepFirstUrl(maru.database.pool, given)
    expect(await urlWith()).toBe('https://rama.kr')
  })

  test('gives the first value, which stays when the variable goes', async () => {
    await keepFirstUrl(maru.database.pool, given)
    expect(await urlWith()).toBe('https://portal.gana.kr')
  })
})

describe("the portal's own address (rules/settings#portal-address)", () => {
  test.each(['portal.company.kr', 'ftp://a.kr', 'https://a.kr/portal', 'https://a.kr?x', 'https://u:p@a.kr'])(
    'is not %s',
    (PORTAL_URL) => {
      expect(() => readConfig({ PORTAL_URL })).toThrow(/^PORTAL_URL must look like https:/)
    },
  )

  test('adds a link to its page to every mail, in text and HTML, if it is set', async () => {
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
