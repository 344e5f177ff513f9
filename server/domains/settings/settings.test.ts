import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listAudit, listHistory } from '../../../contract/audit.ts'
import { getAuthority } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  getSettings,
  getSetup,
  MAX_LOGO_BYTES,
  sendTestMail,
  SETUP_STEPS,
  updateSettings,
  updateSetup,
} from '../../../contract/settings.ts'
import { defaultsOf } from '../../../contract/settings/declared.ts'
import { getSecurity, SECURITY_SETTINGS, updateSecurity } from '../../../contract/settings/security.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'

const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const fixed = useMaru({ PORTAL_URL: 'https://fixed.kr' })

const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '김관리' })
})
beforeEach(async () => {
  await sql(`update settings set company_name = null, logo_text = null, portal_url = null, offices = null, logo = null,
    logo_type = null, logo_digest = null, changed_at = null, changed_by = null, setup_state = 'open',
    profile_editors_decided = false`)
  await maru.services.settings.fresh()
})
afterEach(() => sql('delete from rate_limits'))

type Settings = OutputOf<typeof getSettings>
const read = async () => (await maru.call(getSettings, {}, admin)).data
const inputOf = ({ companyName, logoText, portalUrl, offices, version }: Settings) => ({
  companyName,
  logoText,
  portalUrl,
  offices,
  version,
})
async function save(changes: Record<string, unknown>, by = admin) {
  const input = { ...inputOf(await read()), ...changes }
  return maru.call(updateSettings, input, by)
}
const trail = async (action: string) =>
  (await sql('select target, detail from audit_log where action = $1 order by id desc', [action])).rows
const config = async () => (await maru.app.inject('/config.json')).json()

const send = (by = admin, input = {}) => maru.call(sendTestMail, input, by)
const stepsOf = async (by: TestUser) => (await maru.call(getSetup, {}, by)).data.steps
const steps = async (by = admin) =>
  Object.fromEntries((await stepsOf(by)).map(({ step, done }) => [step, done]))
const lacks = async (by: TestUser) => (await stepsOf(by)).flatMap((step) => step.lacks)

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('pixels')])
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

describe('the settings (rules/settings#settings)', () => {
  test('show placeholders and mail settings, without a password', async () => {
    expect(await read()).toMatchObject({
      companyName: '주식회사 마루',
      logoText: '마루',
      portalUrl: '',
      logo: '',
      fixed: [{ field: 'mailServer', variable: 'SMTP_URL' }],
      mailFrom: '마루 <no-reply@maru.example>',
      mailServer: new URL(smtp.url).host,
      changedAt: '',
      userId: '',
    })
    expect((await read()).offices).toHaveLength(4)
  })

  test('are for those alone who may change them', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    for (const endpoint of [getSettings, getSetup, sendTestMail])
      expect((await maru.call(endpoint, {}, hr)).code).toBe('FORBIDDEN')
    expect((await save({ companyName: '남의 회사' }, hr)).code).toBe('FORBIDDEN')
    expect((await maru.call(updateSetup, { state: 'finished' }, hr)).code).toBe('FORBIDDEN')
  })
})

describe('saving (rules/settings#save-settings)', () => {
  const offices = [{ name: '본사', address: '서울 종로구 1', phone: '02-123-4567', fax: '' }]

  test('changes every page immediately and logs old and new values', async () => {
    const { status } = await save({
      companyName: '  나라상사 ',
      portalUrl: 'https://Portal.nara.kr/',
      offices,
    })
    expect(status).toBe(200)
    expect(await config()).toMatchObject({ company: '나라상사', logoText: '마루', offices })
    expect(maru.services.settings.link('/login')).toBe('https://portal.nara.kr/login')
    expect(await read()).toMatchObject({
      companyName: '나라상사',
      userId: admin.userId,
      name: '김관리',
      changedAt: expect.stringMatching(/^\d{4}-/),
    })
    const [row] = await trail('setting.update')
    expect(Object.keys(row.detail).toSorted()).toEqual(['companyName', 'offices', 'portalUrl'])
    expect(row.detail.companyName).toEqual({ before: '주식회사 마루', after: '나라상사' })
    expect(row.detail.portalUrl).toEqual({ before: '', after: 'https://portal.nara.kr' })
  })

  test('refuses a portal address from users who cannot reach administrators (rules/settings#settings-of-administrators)', async () => {
    await sql('delete from mails')
    const manager = await maru.createUser()
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT920', '설정 담당', 'Settings', 9)`,
    )
    await sql(`insert into role_functions values ('AUT920', 'autho_setting_manage')`)
    await sql(`update users set role_code = 'AUT920' where id = $1`, [manager.id])
    const refused = await save({ companyName: '다른 회사', portalUrl: 'https://portal.evil.kr' }, manager)
    expect(refused.code).toBe('ADMIN_REACH_REQUIRED')
    expect(await read()).toMatchObject({ companyName: '주식회사 마루', portalUrl: '' })
    expect((await sql('select from mails')).rows).toEqual([])
    expect((await save({ companyName: '나라상사' }, manager)).status).toBe(200)
    expect((await sql('select from mails')).rows).toEqual([])
  })

  test('mails a new portal address to all active administrators, with the old link (rules/settings#portal-address)', async () => {
    await maru.services.jobs.stop()
    await sql(`update users set withdrawn_at = now() where role_code = 'AUT001' and id <> $1`, [admin.id])
    const other = await maru.createUser({ role: 'admin' })
    await sql(`update users set language = 'en' where id = $1`, [other.id])
    await maru.createUser({ role: 'admin', approved: false })
    await maru.createUser({ role: 'hr' })
    await maru.createUser({ role: 'admin', affiliation: 'BEL006' })
    await save({ portalUrl: 'https://one.kr' })
    await sql('delete from mails')
    await sql(`update codes set is_external = true where code = 'BEL006'`)
    await save({ portalUrl: 'https://two.kr' })
    const { rows } = await sql('select recipient, text from mails')
    expect(new Set(rows.map(({ recipient }) => recipient))).toEqual(new Set([admin.email, other.email]))
    expect(rows).toHaveLength(2)
    await sql(`update codes set is_external = false where code = 'BEL006'`)
    const textFor = (email: string) => rows.find(({ recipient }) => recipient === email)?.text
    expect(textFor(admin.email)).toContain(`김관리(${admin.userId})`)
    expect(textFor(other.email)).toContain('New address: https://two.kr')
    expect(textFor(other.email)).toContain('https://one.kr/setting/manage')
    expect(textFor(other.email)).not.toContain('https://two.kr/')
    await sql('delete from mails')
    await save({ companyName: '이름만' })
    expect((await sql('select from mails')).rows).toEqual([])
  })

  test('tells the second of two editors and changes nothing', async () => {
    const { version } = await read()
    expect((await save({ companyName: '하나' })).status).toBe(200)
    expect((await save({ companyName: '둘', version })).code).toBe('RECORD_CHANGED')
    const now = (await read()).version
    const answers = await Promise.all(
      ['셋', '넷', '다섯'].map((companyName) => save({ companyName, version: now })),
    )
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      'RECORD_CHANGED',
      'RECORD_CHANGED',
    ])
  })

  test('refuses another value for what a variable fixes (rules/settings#variables)', async () => {
    const who = await fixed.createUser({ role: 'admin' })
    const { data } = await fixed.call(getSettings, {}, who)
    expect(data).toMatchObject({
      portalUrl: 'https://fixed.kr',
      fixed: [{ field: 'portalUrl', variable: 'PORTAL_URL' }],
    })
    const [companyName, { version }] = ['다라상사', data]
    const refused = await fixed.call(updateSettings, { companyName, portalUrl: 'https://a.kr', version }, who)
    expect(refused.code).toBe('SETTING_FIXED')
    expect(refused.msg).toContain('PORTAL_URL')
    expect((await fixed.call(getSettings, {}, who)).data.companyName).toBe('주식회사 마루')
    // A client that leaves the field out does not clear it.
    expect((await fixed.call(updateSettings, { companyName, version }, who)).status).toBe(200)
    expect((await fixed.call(getSettings, {}, who)).data.companyName).toBe(companyName)
  })

  test('leaves a placeholder that nobody touched what it is', async () => {
    await save({ portalUrl: 'https://a.kr' })
    const { rows } = await sql('select company_name, offices, portal_url from settings')
    expect(rows).toEqual([{ company_name: null, offices: null, portal_url: 'https://a.kr' }])
  })

  test.each([
    ['companyName', '', '필수 입력 항목입니다.'],
    ['logoText', '가'.repeat(21), '20자까지'],
    ['portalUrl', 'portal.company.kr', 'https://portal.company.kr'],
    ['portalUrl', 'javascript:alert(1)', 'https://portal.company.kr'],
    ['offices', [{ name: '', address: '서울', phone: '', fax: '' }], '필수 입력 항목입니다.'],
    ['offices', [], '한 곳 이상'],
    ['offices', Array.from({ length: 31 }, () => offices[0]), '30곳까지'],
    ['logoImage', 'no base64!', '이미지를 다시 선택해주세요.'],
    ['logoImage', base64(Buffer.alloc(MAX_LOGO_BYTES + 3)), '100KB까지'],
  ])('refuses a wrong %s (%j) in words', async (field, value, words) => {
    const answer = await save({ [field]: value })
    expect(answer.code).toBe('INPUT_INVALID')
    expect(answer.msg).toContain(words)
  })
})

describe('the logo (rules/settings#logo)', () => {
  test.each([
    ['image/png', PNG],
    ['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['image/webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
  ])('is an image of type %s, at a URL that changes with it and is cached forever', async (type, bytes) => {
    expect((await save({ logoImage: base64(bytes) })).status).toBe(200)
    const { logo } = await config()
    expect((await read()).logo).toBe(logo)
    const image = await maru.app.inject(logo)
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, type])
    expect(image.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(image.headers['x-content-type-options']).toBe('nosniff')
    expect(image.rawPayload).toEqual(bytes)
    // Another save leaves it alone.
    await save({ companyName: '가나' })
    expect((await config()).logo).toBe(logo)
  })

  test('is nothing else, whatever the file was called: SVG, HTML and GIF are refused', async () => {
    for (const bytes of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<!doctype html>',
      'GIF89a',
      'RIFFxxxxWAVE',
    ])
      expect((await save({ logoImage: base64(bytes) })).code).toBe('LOGO_INVALID')
    expect(await config()).not.toHaveProperty('logo')
  })

  test('can be taken away, and an older address is no page', async () => {
    await save({ logoImage: base64(PNG) })
    const { logo } = await config()
    await save({ logoImage: '' })
    expect(await config()).not.toHaveProperty('logo')
    const twin = await maru.startTwin()
    expect((await twin.app.inject(logo)).statusCode).toBe(404)
    expect((await maru.app.inject('/logo/nothing')).statusCode).toBe(404)
    const [row] = await trail('setting.update')
    expect(row.detail.logo).toEqual({ before: logo.replace('/logo/', ''), after: '' })
  })
})

describe('a test mail (rules/settings#test-mail)', () => {
  test('goes to the caller now, and says so; until one has left, mail is not set up', async () => {
    expect((await steps())['mail']).toBe(false)
    expect((await send()).data).toEqual({ email: admin.email, state: 'sent', path: '', detail: '' })
    // Mails about portal addresses of other tests may come between.
    const subjects = () =>
      smtp.mails.filter(({ to }) => to.includes(admin.email)).map(({ subject }) => subject)
    await expect.poll(subjects).toContain('[주식회사 마루] 테스트 메일')
    expect((await steps())['mail']).toBe(true)
    expect((await trail('setting.test-mail'))[0]).toMatchObject({
      target: admin.userId,
      detail: { state: 'sent' },
    })
  })

  test('is sent to the given address; one to the placeholder does not count as a test', async () => {
    await sql('update settings set mail_tested = null')
    const first = await maru.createUser({ role: 'admin' })
    expect((await maru.call(getSettings, {}, first)).data.ownEmail).toBe(first.email)
    await sql(`update users set email = 'admin@maru.example' where id = $1`, [first.id])
    expect((await maru.call(getSettings, {}, first)).data.ownEmail).toBe('')
    expect((await send(first)).data).toMatchObject({ email: 'admin@maru.example', state: 'sent' })
    expect((await steps(first))['mail']).toBe(false)
    expect((await send(first, { email: 'Me@nara.kr ' })).data).toMatchObject({ email: 'me@nara.kr' })
    expect(await smtp.mailTo('me@nara.kr')).toMatchObject({ subject: '[주식회사 마루] 테스트 메일' })
    expect((await steps(first))['mail']).toBe(true)
    expect((await trail('setting.test-mail'))[0].detail).toMatchObject({ email: 'me@nara.kr', state: 'sent' })
    expect((await send(first, { email: 'me' })).code).toBe('INPUT_INVALID')
    await sql('update users set email = $2 where id = $1', [first.id, first.email])
  })

  test('reports why it failed, including the response of the mail server', async () => {
    smtp.onRecipient = () => 550
    expect((await send()).data).toMatchObject({
      state: 'failed',
      problem: 'recipient',
      detail: expect.stringContaining('no such mailbox'),
    })
    smtp.onRecipient = () => undefined
    await smtp.down()
    const { data } = await send()
    expect(data).toMatchObject({ state: 'failed', problem: 'refused' })
    expect(data.detail).toContain('ECONNREFUSED')
    expect(data.detail).not.toContain('p@ss')
    await smtp.up()
  })

  test('is sent one at a time: a mail server that does not answer holds up nobody else', async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    const sendNow = vi.spyOn(maru.services.mail, 'sendNow').mockReturnValueOnce(promise)
    const first = send()
    await expect.poll(() => sendNow.mock.calls.length).toBe(1)
    expect(await send()).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
    resolve(null)
    expect((await first).status).toBe(200)
    sendNow.mockRestore()
    expect((await send()).status).toBe(200)
  })

  test('is sent 5 times in ten minutes by one person, who keeps nobody else from it', async () => {
    const states = []
    for (let i = 0; i < 6; i += 1) states.push((await send()).status)
    expect(states).toEqual([200, 200, 200, 200, 200, 429])
    expect((await send(await maru.createUser({ role: 'admin' }))).status).toBe(200)
  })
})

describe('the guide (rules/settings#guide)', () => {
  test('derives the state of every step from the existing data', async () => {
    const first = await maru.createUser({ role: 'admin' })
    await sql(`update users set email = 'admin@maru.example' where id = $1`, [first.id])
    // Nobody else may administer users, no affiliation has a partner, no mail has left.
    await sql(`update users set withdrawn_at = now() where id <> $1`, [first.id])
    await sql('update settings set mail_tested = null')
    expect(Object.keys(await steps(first))).toEqual([...SETUP_STEPS])
    expect(new Set(Object.values(await steps(first)))).toEqual(new Set([false]))
    expect(await lacks(first)).toEqual(['ownEmail'])

    await sql(`update users set email = 'me@nara.kr' where id = $1`, [first.id])
    expect(await steps(first)).toMatchObject({ ownAccount: true, company: false })
    await sql('update users set withdrawn_at = null where id = $1', [admin.id])
    await save({
      companyName: '나라상사',
      portalUrl: 'https://nara.kr',
      offices: [{ name: '본사', address: '서울', phone: '', fax: '' }],
    })
    const { rows } = await sql(`select code from codes where group_code = 'COMBEL001'`)
    for (const { code } of rows) {
      const partner = await maru.createPartner({ affiliation: code })
      await sql(
        'update codes set default_partner_id = (select id from partners where code = $2) where code = $1',
        [code, partner],
      )
    }
    await maru.call(sendTestMail, {}, admin)
    expect((await steps(first))['profiles']).toBe(false)
    const { version } = (await maru.call(getSecurity, {}, admin)).data
    const unchanged = {
      factorRoles: [],
      trustRoles: [],
      ...defaultsOf(SECURITY_SETTINGS),
      adminNetworks: [],
      version,
    }
    expect((await maru.call(updateSecurity, unchanged, admin)).status).toBe(200)
    expect(await steps(first)).toEqual(Object.fromEntries(SETUP_STEPS.map((step) => [step, true])))
  })

  test('guides users who may change settings until paused or done, and can be resumed (rules/settings#start-of-the-guide)', async () => {
    const setup = async (by = admin) => (await maru.call(getAuthority, {}, by)).data.setup
    const hr = await maru.createUser({ role: 'hr' })
    expect([await setup(), await setup(hr)]).toEqual(['open', undefined])
    const states = []
    for (const state of ['later', 'finished', 'later'] as const) {
      await maru.call(updateSetup, { state }, admin)
      states.push([(await maru.call(getSetup, {}, admin)).data.state, await setup()])
    }
    expect(states).toEqual([
      ['later', 'later'],
      ['finished', undefined],
      ['later', 'later'],
    ])
    expect((await trail('setting.setup')).map(({ detail }) => detail.state)).toEqual([
      'later',
      'finished',
      'later',
    ])
  })
})

test('renders changed settings in the history and logs sent or deferred mail (rules/audit#history)', async () => {
  const office = { name: '본사', address: '서울시 중구 세종대로 1', phone: '02-100-1000', fax: '' }
  await save({
    offices: [office, { ...office, name: '부산지사' }, { ...office, name: '대전지사' }],
    logoImage: base64(PNG),
  })
  await save({
    companyName: '주식회사 나라',
    portalUrl: 'https://portal.nara.kr',
    offices: [
      { ...office, name: '제주지사' },
      { ...office, name: '대전지사' },
      { ...office, phone: '02-200-2000' },
    ],
    logoImage: '',
  })
  await send()
  await maru.call(updateSetup, { state: 'later' }, admin)

  const asked = { recordKind: 'setting' } as const
  const told = async (language: string) => {
    const { data } = await maru.call(listHistory, asked, { session: admin.session, language })
    const [row] = data.rows
    const { rows } = (await maru.call(listAudit, { action: 'setting' }, { session: admin.session, language }))
      .data
    return {
      last: row?.changes.map(({ item, before, after }) => `${item}: ${before} → ${after}`),
      beside: rows.slice(0, 2).map(({ action, target, changes }) => [action, target, changes]),
    }
  }
  const { last, beside } = await told('ko')
  expect(last?.toSorted()).toEqual([
    '로고 이미지: 이전 이미지 → ',
    '사업장 본사: 서울시 중구 세종대로 1 · 02-100-1000 → 서울시 중구 세종대로 1 · 02-200-2000',
    '사업장 부산지사: 서울시 중구 세종대로 1 · 02-100-1000 → ',
    '사업장 제주지사:  → 서울시 중구 세종대로 1 · 02-100-1000',
    '순서: 본사, 대전지사 → 대전지사, 본사',
    '포털 주소:  → https://portal.nara.kr',
    '회사 이름: 주식회사 마루 → 주식회사 나라',
  ])
  expect(beside).toEqual([
    ['설정 안내 상태 변경', '', [{ item: '상태', before: '', after: '나중에 하기' }]],
    ['테스트 메일 발송', admin.userId, [{ item: '상태', before: '', after: '발송됨' }]],
  ])
  const english = JSON.stringify(await told('en'))
  expect(english).toContain('Logo image: earlier image → ')
  expect(english).not.toMatch(/순서|로고|사업장|[a-z][A-Z]/)
  const hr = await maru.createUser({ role: 'hr' })
  expect((await maru.call(listHistory, asked, hr)).code).toBe('FORBIDDEN')
})
