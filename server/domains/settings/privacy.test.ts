import { beforeEach, describe, expect, test } from 'vitest'
import { login, readPrivacyNotice } from '../../../contract/account.ts'
import { PRIVACY_TEMPLATE } from '../../../contract/messages/ko/privacy-template.ts'
import { getPrivacyNotice, publishPrivacyNotice } from '../../../contract/settings/privacy.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.owner.query<Record<string, unknown>>(text, values)).rows
let admin: TestUser

beforeEach(async () => {
  await sql('truncate privacy_notices, privacy_acceptances')
  await maru.services.settings.fresh()
  admin = await maru.createUser({ role: 'admin' })
})

const present = async () => (await maru.call(getPrivacyNotice, {}, admin)).data
const publish = async (noticeText: string, noticeTextEn = '') =>
  maru.call(
    publishPrivacyNotice,
    { noticeText, noticeTextEn, isMaterial: false, version: (await present()).version },
    admin,
  )

describe('the privacy notice (rules/settings#privacy-notice, rules/settings#privacy-versions)', () => {
  test('does not exist at first', async () => {
    expect(await present()).toMatchObject({ noticeText: '', versions: [] })
    expect((await maru.call(readPrivacyNotice, { privacyVersion: 0 })).code).toBe('PRIVACY_NOTICE_MISSING')
    expect((await maru.call(login, { loginId: admin.userId, password: PASSWORD })).data).toMatchObject({
      mustAcceptPrivacy: false,
    })
    expect(maru.services.settings.privacyVersion()).toBe(0)
  })

  test('is read by everyone in the language of the page, former versions too', async () => {
    await publish('# 첫 번째', '# First')
    await publish('# 두 번째')
    const read = async (language: string, privacyVersion = 0) =>
      (await maru.call(readPrivacyNotice, { privacyVersion }, { headers: { 'accept-language': language } }))
        .data
    expect(await read('ko')).toMatchObject({ privacyVersion: 2, noticeText: '# 두 번째' })
    expect((await read('ko')).versions.map((each) => each.privacyVersion)).toEqual([2, 1])
    expect(await read('en')).toMatchObject({ privacyVersion: 2, noticeText: '# 두 번째' })
    expect(await read('en', 1)).toMatchObject({ privacyVersion: 1, noticeText: '# First' })
    expect((await maru.call(readPrivacyNotice, { privacyVersion: 3 })).code).toBe('PRIVACY_NOTICE_MISSING')
    expect(maru.services.settings.privacyVersion()).toBe(2)
  })

  test('is published with an audit row, the first version always as material', async () => {
    expect((await publish('처리방침')).data).toEqual({ privacyVersion: 1 })
    await publish('처리방침, 고침')
    const rows = await sql(
      `select detail from audit_log where action = 'setting.privacy' and actor_id = $1`,
      [admin.id],
    )
    expect(rows.map(({ detail }) => detail)).toEqual([
      { privacyVersion: 1, isMaterial: true },
      { privacyVersion: 2, isMaterial: false },
    ])
    expect((await present()).versions).toMatchObject([
      { privacyVersion: 2, isMaterial: false, userId: admin.userId, acceptedCount: 0 },
      { privacyVersion: 1, isMaterial: true },
    ])
  })

  test('is published once if two administrators publish concurrently', async () => {
    const { version } = await present()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        maru.call(
          publishPrivacyNotice,
          { noticeText: `처리방침 ${n}`, noticeTextEn: '', isMaterial: true, version },
          admin,
        ),
      ),
    )
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual([
      'RECORD_CHANGED',
      'RECORD_CHANGED',
      'RECORD_CHANGED',
      'done',
    ])
    expect((await present()).versions).toHaveLength(1)
  })

  test('cannot be changed or deleted by the portal', async () => {
    await publish('처리방침')
    for (const change of [`update privacy_notices set text_ko = ''`, 'delete from privacy_notices'])
      await expect(maru.database.pool.query(change)).rejects.toThrow(/permission denied/)
  })

  test('needs the permission and a text of at most 50,000 characters', async () => {
    const form = { noticeTextEn: '', isMaterial: true, version: (await present()).version }
    const { session } = await maru.createUser({ role: 'hr' })
    expect((await maru.call(publishPrivacyNotice, { noticeText: '가', ...form }, { session })).code).toBe(
      'FORBIDDEN',
    )
    for (const noticeText of ['', ' \n ', '가'.repeat(50_001)])
      expect(await maru.callRaw(publishPrivacyNotice.path, { noticeText, ...form }, admin)).toMatchObject({
        code: 'INPUT_INVALID',
      })
    expect((await publish('가'.repeat(50_000))).status).toBe(200)
  })

  test('cannot be the template with its gaps (rules/settings#privacy-template)', async () => {
    expect((await publish(PRIVACY_TEMPLATE)).code).toBe('INPUT_INVALID')
    expect((await publish(PRIVACY_TEMPLATE.replaceAll(/[【】]/g, ''))).status).toBe(200)
  })
})
