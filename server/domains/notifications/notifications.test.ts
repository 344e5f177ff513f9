import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { approveRequests, refuseAffiliationChanges } from '../../../contract/approvals.ts'
import { issueKey, revokeKey } from '../../../contract/keys.ts'
import { confirmNotice, getNotice } from '../../../contract/notices.ts'
import {
  countUnreadNotifications,
  listNotifications,
  readAllNotifications,
  readNotifications,
} from '../../../contract/notifications.ts'
import { getUser, updateUser, withdrawUser } from '../../../contract/users.ts'
import { eraseExpired } from '../../jobs/erasures.ts'
import { sweepRows } from '../../jobs/schedule.ts'
import { NOTIFICATIONS_KEPT, notify } from '../../records/notifications.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9' })
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query<{ id: string }>(text, values)

let admin: TestUser
let hr: TestUser
let person: TestUser
let other: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', loginId: 'the.admin' })
  hr = await maru.createUser({ role: 'hr' })
})
beforeEach(async () => {
  await sql('delete from notifications')
  await sql('update notices set must_read = false')
  await sql(`delete from approval_requests`)
  person = await maru.createUser()
  other = await maru.createUser()
})

const listOf = async (by: { session: string }, unreadOnly = false, language = 'ko') =>
  (await maru.call(listNotifications, { unreadOnly }, { session: by.session, language })).data
const kindsOf = async (by: { session: string }) => (await listOf(by)).notifications.map(({ kind }) => kind)
const countOf = async (by: { session: string }) =>
  (await maru.call(countUnreadNotifications, {}, { session: by.session })).data.unreadCount
const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(200)

/** @param at when it is published, in SQL */
async function mustRead(title: string, at = 'now()', author = hr): Promise<string> {
  const { rows } = await sql(
    `insert into notices (bullet_code, title, author_id, must_read, published_at)
     values ('BE0001', $1, $2, true, ${at}) returning id`,
    [title, author.id],
  )
  return rows[0]?.id ?? ''
}

async function keyOf(holder: TestUser, requestKey: string): Promise<string> {
  return (await maru.call(issueKey, { requestKey }, { session: holder.session })).data.keyId
}

/** Recipients of each kind of notification (rules/notifications#kinds). */
describe('a notification', () => {
  test('notifies all but the author of a must-read notice without storing a row each', async () => {
    const noticeId = await mustRead('보안 교육')
    await mustRead('내일의 공지', `now() + interval '1 day'`)
    await mustRead('작년 공지', `now() - interval '91 days'`)
    const { notifications } = await listOf(person)
    expect(notifications).toMatchObject([{ kind: 'MUST_READ', noticeId, title: '보안 교육', read: false }])
    expect(await countOf(other)).toBe(1)
    expect(await countOf(hr)).toBe(0)
    expect((await sql('select id from notifications')).rows).toEqual([])
  })

  test('notifies the owner of a key revoked by another user, with the reason', async () => {
    const partner = await partnerWith(maru)
    const holder = await holderOf(maru, partner)
    const keyId = await keyOf(holder, 'REQ-7')
    await ok(maru.call(revokeKey, { keyId, reason: '장비 분실' }, admin))
    expect((await listOf(holder)).notifications).toMatchObject([
      { kind: 'KEY_REVOKED', requestKey: 'REQ-7', reason: '장비 분실' },
    ])
    expect(await kindsOf(other)).toEqual([])
    await sql('update users set partner_id = $2 where id = $1', [admin.id, partner.id])
    const own = await keyOf(admin, 'REQ-8')
    await ok(maru.call(revokeKey, { keyId: own, reason: '시험' }, admin))
    expect(await kindsOf(admin)).toEqual([])
  })

  test('notifies partner administrators and members at 80 and 100 % of a limit', async () => {
    const partner = await partnerWith(maru, { limits: { day: 5 } })
    const [holder, colleague] = [await holderOf(maru, partner), await holderOf(maru, partner)]
    for (const number of [1, 2, 3, 4]) await keyOf(holder, `REQ ${number}`)
    const at80 = { kind: 'KEY_LIMIT', partnerCode: partner.code, period: 'day', mark: 80 }
    for (const one of [holder, colleague, admin]) {
      expect((await listOf(one)).notifications).toMatchObject([at80])
    }
    expect(await kindsOf(hr)).toEqual([])
    await keyOf(holder, 'REQ 5')
    expect((await listOf(colleague)).notifications).toMatchObject([{ ...at80, mark: 100 }, at80])
    // A user who leaves the partner no longer sees its notifications.
    await sql('update users set partner_id = null where id = $1', [colleague.id])
    expect(await kindsOf(colleague)).toEqual([])
  })

  test('notifies the applicant of a decision, whichever call makes it', async () => {
    const applicant = await maru.createUser({ asked: true })
    const { rows } = await sql('select id from approval_requests where user_id = $1', [applicant.id])
    const partnerCode = await maru.createPartner()
    const decision = {
      requests: [rows[0]?.id ?? ''],
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      roleCode: 'AUT003',
      partners: [{ affiliationCode: 'BEL001', partnerCode }],
    }
    await ok(maru.call(approveRequests, decision, admin))
    expect(await kindsOf(applicant)).toEqual(['ACCOUNT_APPROVED'])
    // Decided already: the call is rolled back, and notifies nobody again.
    expect(await maru.call(approveRequests, decision, admin)).toMatchObject({ code: 'REQUEST_DECIDED' })
    expect(await kindsOf(applicant)).toEqual(['ACCOUNT_APPROVED'])
  })

  test('names the other affiliation in the reader’s language', async () => {
    const ask = async () => {
      const { rows } = await sql(
        `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
         select id, login_id, name, email, affiliation_code, 'affiliation', 'BEL002' from users where id = $1
         returning id`,
        [person.id],
      )
      return rows[0]?.id ?? ''
    }
    const requests = [await ask()]
    await ok(maru.call(refuseAffiliationChanges, { requests, reason: '정원 초과' }, admin))
    const [refused] = (await listOf(person)).notifications
    const [english] = (await listOf(person, false, 'en')).notifications
    expect(refused).toMatchObject({ kind: 'AFFILIATION_REFUSED', reason: '정원 초과' })
    expect(english?.affiliationName).not.toBe(refused?.affiliationName)

    await ask()
    const partnerCode = await maru.createPartner({ affiliation: 'BEL002' })
    const { data } = await maru.call(getUser, { userId: person.userId }, admin)
    const { name, position, phoneNumber, email, version } = data
    const edit = { originalUserId: person.userId, userId: person.userId, name, position, phoneNumber, email }
    const card = { approvalCode: 'MEMAP001', validFrom: '2026-01-01', validTo: '2099-12-31' } as const
    const more = { affiliationCode: 'BEL002', partnerCode, roleCode: 'AUT003', version }
    await ok(maru.call(updateUser, { ...edit, ...card, ...more }, admin))
    expect(await kindsOf(person)).toEqual(['AFFILIATION_APPROVED', 'AFFILIATION_REFUSED'])
  })

  test('notifies of a login from an unknown network, except the first, with its origin', async () => {
    const from = (address: string, password = PASSWORD) =>
      maru.call(
        login,
        { loginId: person.userId, password },
        { address, headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' } },
      )
    await ok(from('192.0.2.1'))
    await ok(from('192.0.2.1'))
    expect(await kindsOf(person)).toEqual([])
    await from('198.51.100.7', 'not-the-Password-1')
    expect(await kindsOf(person)).toEqual([])
    await ok(from('198.51.100.7'))
    expect((await listOf(person)).notifications).toMatchObject([
      { kind: 'NEW_NETWORK', address: '198.51.100.7', device: 'Chrome · Windows' },
    ])
    await ok(from('198.51.100.7'))
    expect(await countOf(person)).toBe(1)
  })

  test('shows a waiting sign-up to users who may decide it', async () => {
    await maru.createUser({ asked: true, name: '신입사원', loginId: 'new.comer' })
    for (const one of [admin, hr]) {
      expect((await listOf(one)).notifications).toMatchObject([
        { kind: 'SIGN_UP', userId: 'new.comer', name: '신입사원' },
      ])
    }
    expect(await kindsOf(person)).toEqual([])
    await sql(`update approval_requests set state = 'approved', decided_by = $1, decided_at = now()`, [
      admin.id,
    ])
    expect(await kindsOf(admin)).toEqual([])
  })
})

/** With what happened, or not at all (rules/notifications#written-with-it). */
describe('what is not told', () => {
  test('is what was rolled back', async () => {
    const failed = maru.database.db.transaction().execute(async (tx) => {
      await notify(tx, { kind: 'KEY_REVOKED', userId: person.id })
      throw new Error('it did not happen')
    })
    await expect(failed).rejects.toThrow('it did not happen')
    expect(await kindsOf(person)).toEqual([])
  })

  test('is anything at all without a session, or after a withdrawal', async () => {
    await mustRead('공지')
    expect(await maru.call(listNotifications, {})).toMatchObject({ status: 401 })
    await sql('update sessions set password_checked_at = now() where user_id = $1', [admin.id])
    await ok(maru.call(withdrawUser, { userId: person.userId }, admin))
    for (const call of [listNotifications, countUnreadNotifications, readAllNotifications]) {
      expect(await maru.call(call, {}, person)).toMatchObject({ status: 401 })
    }
  })
})

/** Adds two notifications for one user and one for another. */
const three = () =>
  notify(
    maru.database.db,
    { kind: 'ACCOUNT_APPROVED', userId: person.id },
    { kind: 'KEY_REVOKED', userId: person.id },
    { kind: 'KEY_REVOKED', userId: other.id },
  )

/** Read marks (rules/notifications#reading). */
describe('reading', () => {
  test('marks the given notifications of the caller and skips all others', async () => {
    await three()
    const [first] = (await listOf(person)).notifications
    const [foreign] = (await listOf(other)).notifications
    const notificationIds = [first?.notificationId ?? '', foreign?.notificationId ?? '', 'n999999']
    const { data } = await maru.call(readNotifications, { notificationIds }, person)
    expect(data).toEqual({ unreadCount: 1 })
    expect(await countOf(other)).toBe(1)
    expect((await listOf(person)).notifications.map(({ read }) => read)).toEqual([true, false])
    expect(await listOf(person, true)).toMatchObject({ totalCount: 1, unreadCount: 1 })
    // A second time changes nothing.
    await ok(maru.call(readNotifications, { notificationIds }, person))
    expect((await sql('select user_id as id from notification_reads')).rows).toEqual([{ id: person.id }])
  })

  test('marks all existing notifications, and none that come later', async () => {
    await three()
    await mustRead('공지')
    expect(await countOf(person)).toBe(3)
    expect((await maru.call(readAllNotifications, {}, person)).data).toEqual({ unreadCount: 0 })
    expect(await countOf(other)).toBe(2)
    await notify(maru.database.db, { kind: 'KEY_REVOKED', userId: person.id })
    expect(await countOf(person)).toBe(1)
    await ok(maru.call(readAllNotifications, {}, await maru.createUser()))
  })

  test('marks a must-read notice read once opened or confirmed, and ends on deletion', async () => {
    const [opened, confirmed, gone] = [await mustRead('하나'), await mustRead('둘'), await mustRead('셋')]
    await ok(maru.call(getNotice, { noticeId: opened }, person))
    await ok(maru.call(confirmNotice, { noticeId: confirmed }, person))
    expect(await countOf(person)).toBe(1)
    await sql('delete from notices where id = $1', [gone])
    expect(await listOf(person)).toMatchObject({ totalCount: 2, unreadCount: 0 })
  })
})

/** 90 days, 200 of each (rules/notifications#kept). */
describe('what is kept', () => {
  test('is the newest of each person, the last 90 days', async () => {
    await notify(maru.database.db, { kind: 'KEY_REVOKED', userId: other.id })
    for (let i = 0; i < 3; i += 1) {
      const events = Array.from({ length: 70 }, () => ({ kind: 'KEY_REVOKED', userId: person.id }) as const)
      await notify(maru.database.db, ...events)
    }
    // Rows that one statement adds together are only counted with the next.
    await notify(maru.database.db, { kind: 'ACCOUNT_APPROVED', userId: person.id })
    const { rows } = await sql('select id from notifications where user_id = $1', [person.id])
    expect(rows).toHaveLength(NOTIFICATIONS_KEPT)
    expect((await kindsOf(person))[0]).toBe('ACCOUNT_APPROVED')

    await sql(`update notifications set at = now() - interval '91 days' where user_id = $1`, [other.id])
    await sql(`insert into notification_reads values ($1, '1', now() - interval '91 days')`, [other.id])
    expect(await countOf(other)).toBe(0)
    await sweepRows(maru.database.pool, maru.services.settings.session())
    await eraseExpired(maru.database.db, maru.services.keySecret, new AbortController().signal)
    expect((await sql('select id from notifications where user_id = $1', [other.id])).rows).toEqual([])
    const reads = await sql('select user_id from notification_reads where user_id = $1', [other.id])
    expect(reads.rows).toEqual([])
    expect((await sql('select id from notifications')).rows).toHaveLength(NOTIFICATIONS_KEPT)
  })
})
