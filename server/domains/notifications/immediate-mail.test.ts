import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refuseAffiliationChanges } from '../../../contract/approvals.ts'
import { issueKey } from '../../../contract/keys.ts'
import { createComment } from '../../../contract/notices.ts'
import {
  chooseNotification,
  countUnreadNotifications,
  DERIVED_KINDS,
  type Kind,
  listNotificationChoices,
  listNotifications,
  MAIL,
  type MailChoice,
  readAllNotifications,
} from '../../../contract/notifications.ts'
import { startJobsAt } from '../../../dev/test-kit/jobs.ts'
import { takeDue } from '../../services/mail/queue.ts'
import { queueMail } from '../../services/mail.ts'
import { notify } from '../../records/notifications.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { mailAtOnce, mailDaily } from './index.ts'
import { queueNotificationMails } from './immediate-mail.ts'
import { findRecipients } from './recipients.ts'

const PORTAL = 'https://portal.example.kr'
const CHOICES = `메일로 받을 알림 선택: ${PORTAL}/notification/setting`
// Mails stay in the queue, where the tests read them.
const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9', PORTAL_URL: PORTAL })
const sql = <R = { id: string }>(text: string, values: unknown[] = []) =>
  maru.database.pool.query<R & object>(text, values)

let admin: TestUser
let hr: TestUser
let person: TestUser
let other: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
})
beforeEach(async () => {
  const tables =
    'notifications, notification_states, notification_mails, daily_runs, mails, approval_requests'
  for (const table of tables.split(', ')) await sql(`delete from ${table}`)
  await sql('update notices set must_read = false')
  person = await maru.createUser()
  other = await maru.createUser()
})

const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(200)
const choose = (by: TestUser, kind: Kind, mail: MailChoice, shown = true) =>
  ok(maru.call(chooseNotification, { kind: kind as 'MUST_READ', mail, shown }, by))
const choicesOf = async (by: TestUser) =>
  Object.fromEntries(
    (await maru.call(listNotificationChoices, {}, by)).data.choices.map(
      ({ kind, shown, mail, changeable }) => [kind, [shown, mail, changeable].join()],
    ),
  )
const kindsOf = async (by: TestUser) =>
  (await maru.call(listNotifications, {}, by)).data.notifications.map(({ kind }) => kind)
const mailsTo = async ({ email }: TestUser) =>
  (
    await sql<{ subject: string; text: string }>('select * from mails where recipient = $1 order by id', [
      email,
    ])
  ).rows
const subjectsTo = async (to: TestUser) => (await mailsTo(to)).map(({ subject }) => subject)
const mailCount = async () => (await sql('select id from mails')).rows.length
const atOnce = () => mailAtOnce(maru.database.db, maru.services.settings)
/** Moves everything a few minutes into the past and runs the daily mail of another day. */
async function daily(): Promise<boolean> {
  await sql(`update notifications set at = at - interval '5 minutes'`)
  await sql(`update approval_requests set requested_at = requested_at - interval '5 minutes'`)
  await sql('delete from daily_runs where done_at < (select max(done_at) from daily_runs)')
  await sql('update daily_runs set day = day - 1')
  return mailDaily(maru.database.db, maru.services.settings)
}
const revoked = (whose: TestUser, requestKey = 'REQ-1', reason = '장비 분실') =>
  notify(maru.database.db, { kind: 'KEY_REVOKED', userId: whose.id, detail: { requestKey, reason } })
/** Asks for another affiliation. */
async function askOther({ id }: TestUser): Promise<string> {
  const { rows } = await sql(
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
     select id, login_id, name, email, affiliation_code, 'affiliation', 'BEL002' from users where id = $1 returning id`,
    [id],
  )
  return rows[0]?.id ?? ''
}
async function noticeBy(author: TestUser, mustRead = false): Promise<string> {
  const { rows } = await sql(
    `insert into notices (bullet_code, title, author_id, must_read, published_at)
     values ('BE0001', '보안 교육', $1, $2, now() - interval '2 minutes') returning id`,
    [author.id, mustRead],
  )
  return rows[0]?.id ?? ''
}

/** Notification preferences per kind (rules/notifications#choices). */
describe('a choice', () => {
  test('is offered for possible kinds, except account security, which is always on', async () => {
    const usual = {
      MUST_READ: 'true,NEVER,true',
      NOTICE_COMMENT: 'true,DAILY,true',
      NOTICE_REPLY: 'true,DAILY,true',
      NOTICE_MENTION: 'true,DAILY,true',
      AFFILIATION_APPROVED: 'true,AT_ONCE,true',
      AFFILIATION_REFUSED: 'true,AT_ONCE,true',
      KEY_REVOKED: 'true,AT_ONCE,true',
      NEW_NETWORK: 'true,AT_ONCE,false',
      SESSION_ENDED: 'true,NEVER,true',
    }
    expect(await choicesOf(person)).toEqual(usual)
    expect(await choicesOf(hr)).toEqual({
      ...usual,
      SIGN_UP: 'true,DAILY,true',
      FACTOR_RESET: 'true,AT_ONCE,true',
    })
    expect(await choicesOf(admin)).toMatchObject({
      KEY_LIMIT: 'true,AT_ONCE,true',
      SIGN_UP: 'true,DAILY,true',
    })
    expect(await choicesOf(await holderOf(maru, await partnerWith(maru)))).toMatchObject({
      KEY_LIMIT: 'true,NEVER,true',
    })
    const choice = { kind: 'NEW_NETWORK', mail: MAIL.never, shown: false }
    const refused = await maru.callRaw(chooseNotification.path, choice, person)
    expect(refused).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
  })

  test('is per user and kind, and can hide a kind from bell and page', async () => {
    await choose(person, 'MUST_READ', MAIL.daily)
    await choose(person, 'KEY_REVOKED', MAIL.never, false)
    await choose(person, 'KEY_REVOKED', MAIL.never, false)
    expect(await choicesOf(person)).toMatchObject({
      MUST_READ: 'true,DAILY,true',
      KEY_REVOKED: 'false,NEVER,true',
    })
    expect(await choicesOf(other)).toMatchObject({ KEY_REVOKED: 'true,AT_ONCE,true' })
    await revoked(person)
    await notify(maru.database.db, { kind: 'NEW_NETWORK', userId: person.id })
    expect(await kindsOf(person)).toEqual(['NEW_NETWORK'])
    expect((await maru.call(countUnreadNotifications, {}, person)).data).toEqual({ unreadCount: 1 })
    await choose(person, 'KEY_REVOKED', MAIL.never)
    expect((await kindsOf(person)).toSorted()).toEqual(['KEY_REVOKED', 'NEW_NETWORK'])
  })

  test('holds for the mails that go out with what happened, too', async () => {
    const partner = await partnerWith(maru, { limits: { day: 1 } })
    await choose(admin, 'KEY_LIMIT', MAIL.daily)
    const holder = await holderOf(maru, partner)
    await ok(maru.call(issueKey, { requestKey: 'REQ' }, { session: holder.session }))
    expect(await subjectsTo(admin)).toEqual([])
    expect(await daily()).toBe(true)
    expect((await mailsTo(admin))[0]?.text).toContain(`${PORTAL}/partner/detail?partnerCode=${partner.code}`)

    await choose(person, 'AFFILIATION_REFUSED', MAIL.never)
    const requests = [await askOther(person), await askOther(other)]
    await ok(maru.call(refuseAffiliationChanges, { requests, reason: '정원 초과' }, admin))
    expect(await subjectsTo(person)).toEqual([])
    expect((await mailsTo(other))[0]?.text).toContain(CHOICES)
    expect([await kindsOf(person), await kindsOf(other)]).toEqual([
      ['AFFILIATION_REFUSED'],
      ['AFFILIATION_REFUSED'],
    ])
    // The mail is not sent again by who sends the others.
    await atOnce()
    expect(await subjectsTo(other)).toHaveLength(1)
  })
})

/** Mails at once (rules/notifications#mails). */
describe('a mail at once', () => {
  test('is sent about the security of the account even if everything was read (rules/notifications#mails)', async () => {
    const detail = { address: '198.51.100.7', device: 'Chrome · Windows' }
    await choose(person, 'SESSION_ENDED', MAIL.atOnce)
    await notify(maru.database.db, { kind: 'NEW_NETWORK', userId: person.id, detail })
    await notify(maru.database.db, {
      kind: 'SESSION_ENDED',
      userId: person.id,
      detail: { reason: 'manager' },
    })
    await revoked(person)
    await ok(maru.call(readAllNotifications, {}, person))
    expect(await atOnce()).toBe(true)
    const [mail, ...more] = await mailsTo(person)
    expect(more).toEqual([])
    expect(mail?.text).toContain('198.51.100.7')
    expect(mail?.text).toContain('/mypage')
    expect(mail?.text).not.toContain('REQ-1')
  })

  test('leads to the thing and to the choices, and tells who was not it what to do', async () => {
    const detail = { address: '198.51.100.7', device: 'Chrome · Windows' }
    await notify(maru.database.db, { kind: 'NEW_NETWORK', userId: person.id, detail })
    await revoked(other, 'REQ\n  7')
    expect(await atOnce()).toBe(true)
    const [login] = await mailsTo(person)
    expect(login?.subject).toBe('[주식회사 마루] 새로운 네트워크에서 로그인했습니다.')
    expect(login?.text).toContain('Chrome · Windows · 198.51.100.7')
    expect(login?.text).toContain('본인이 로그인하지 않았다면')
    expect(login?.text).toContain(`바로가기: ${PORTAL}/mypage`)
    expect(login?.text).toContain(CHOICES)
    expect(await subjectsTo(other)).toEqual(['[주식회사 마루] 키 REQ 7이 폐기되었습니다.'])
    expect(await atOnce()).toBe(false)
    expect(await mailCount()).toBe(2)
  })

  test('is sent once by any number of servers, and by the next one after a failure', async () => {
    await maru.owner.query(`create function no_revoked() returns trigger language plpgsql as $$ begin
      if new.subject like '%폐기%' then raise 'the disk is full'; end if; return new; end $$`)
    await maru.owner.query(
      'create trigger no_revoked before insert on mails for each row execute function no_revoked()',
    )
    await revoked(person)
    await expect(atOnce()).rejects.toThrow('the disk is full')
    await expect(mailAtOnce(maru.database.db, maru.services.settings, AbortSignal.abort())).rejects.toThrow()
    await maru.owner.query('drop function no_revoked cascade')
    expect(await mailCount()).toBe(0)
    await Promise.all(Array.from({ length: 6 }, atOnce))
    expect(await subjectsTo(person)).toHaveLength(1)
  })

  test('is not sent to users who cannot log in, read it, opted out or are not concerned', async () => {
    const gone = await Promise.all(
      ['withdrawn_at = now()', 'suspended_at = now()', `valid_to = '2020-01-01'`].map(async (what) => {
        const one = await maru.createUser()
        await sql(`update users set ${what} where id = $1`, [one.id])
        return one
      }),
    )
    await choose(other, 'KEY_REVOKED', MAIL.never)
    for (const one of [...gone, person, other]) await revoked(one)
    await ok(maru.call(readAllNotifications, {}, person))
    await choose(other, 'MUST_READ', MAIL.atOnce)
    await choose(hr, 'MUST_READ', MAIL.atOnce)
    const noticeId = await noticeBy(hr, true)
    await atOnce()
    expect(await mailCount()).toBe(1)
    expect((await mailsTo(other))[0]?.text).toContain(`${PORTAL}/notice/detail?noticeId=${noticeId}`)
    // Events from before yesterday are too old for it.
    await sql(`delete from notification_mails`)
    await sql(`update notifications set at = at - interval '2 days'`)
    await sql(`update notices set published_at = published_at - interval '2 days'`)
    expect(await atOnce()).toBe(false)
  })
})

/** One mail of the day (rules/notifications#mail-of-the-day). */
describe('the mail of a day', () => {
  test('holds the unread events since the last one, hidden or not, each with its link', async () => {
    await choose(person, 'KEY_REVOKED', MAIL.daily, false)
    await choose(person, 'MUST_READ', MAIL.daily)
    await choose(other, 'KEY_REVOKED', MAIL.daily)
    await revoked(other)
    await ok(maru.call(readAllNotifications, {}, other))
    await revoked(person, 'REQ-1')
    await revoked(person, '<b>REQ-2')
    const noticeId = await noticeBy(hr, true)
    // Kinds that come at once are not told again.
    await notify(maru.database.db, { kind: 'NEW_NETWORK', userId: person.id })
    expect(await daily()).toBe(true)
    expect(await mailCount()).toBe(1)
    const [mail] = (await sql<{ subject: string; text: string; html: string }>('select * from mails')).rows
    expect(mail?.subject).toBe('[주식회사 마루] 새 알림 3건')
    for (const part of ['키 REQ-1이', '사유: 장비 분실', '보안 교육']) expect(mail?.text).toContain(part)
    expect(mail?.text).toContain(`${PORTAL}/notice/detail?noticeId=${noticeId}`)
    expect(mail?.text).toContain(`바로가기: ${PORTAL}/notification/search`)
    expect(mail?.text).toContain(CHOICES)
    expect(mail?.html).toContain('&lt;b&gt;REQ-2')

    // The next day has nothing new, and the one after it one thing, in the language of the person.
    await daily()
    expect(await mailCount()).toBe(1)
    await sql('update notices set must_read = false')
    await sql(`update users set language = 'en' where id = $1`, [person.id])
    await revoked(person, 'REQ-3')
    await sql(`update daily_runs set done_at = done_at - interval '10 minutes'`)
    await daily()
    expect((await subjectsTo(person))[1]).toBe('[주식회사 마루] Your key REQ-3 was revoked')
  })

  test('is written by one of eight concurrent runs, and by the next one after a failure', async () => {
    await choose(person, 'KEY_REVOKED', MAIL.daily)
    await choose(other, 'KEY_REVOKED', MAIL.daily)
    await maru.owner.query(`create function no_second() returns trigger language plpgsql as $$ begin
      if new.recipient = '${other.email}' then raise 'the disk is full'; end if; return new; end $$`)
    await maru.owner.query(
      'create trigger no_second before insert on mails for each row execute function no_second()',
    )
    await revoked(person)
    await revoked(other)
    await sql(`update notifications set at = at - interval '5 minutes'`)
    const run = () => mailDaily(maru.database.db, maru.services.settings)
    await expect(run()).rejects.toThrow('the disk is full')
    await maru.owner.query('drop function no_second cascade')
    expect(await mailCount()).toBe(0)
    const did = await Promise.all(Array.from({ length: 8 }, run))
    expect(did.filter(Boolean)).toHaveLength(1)
    expect([await subjectsTo(person), await subjectsTo(other)]).toMatchObject([{ length: 1 }, { length: 1 }])
  })

  test('is sent after eight, only to users who may log in, and after urgent mail', async () => {
    await choose(person, 'KEY_REVOKED', MAIL.daily)
    await choose(other, 'KEY_REVOKED', MAIL.daily)
    await revoked(person)
    await revoked(other)
    await sql(`update notifications set at = at - interval '5 minutes'`)
    await sql('update users set suspended_at = now() where id = $1', [other.id])
    const start = (time: string) => startJobsAt(time, ['daily-notification-mails'], maru)
    await start('07:59')
    expect(await mailCount()).toBe(0)
    await start('08:00')
    expect([await subjectsTo(person), await mailCount()]).toMatchObject([{ length: 1 }, 1])
    const text = mailTexts.ko.signUpCode('마루', '123456')
    const code = {
      to: 'a@example.com',
      language: 'ko',
      text,
      link: null,
      isUrgent: true,
      requester: 'a',
    } as const
    await queueMail(maru.database.db, code)
    expect(await takeDue(maru.database.pool)).toMatchObject({ recipient: 'a@example.com' })
  })
})

/** Users who may decide sign-ups are notified of them (rules/notifications#kinds). */
test('notifies of a waiting sign-up in the bell, and by mail as preferred', async () => {
  await choose(hr, 'SIGN_UP', MAIL.atOnce)
  await choose(person, 'SIGN_UP', MAIL.atOnce)
  await maru.createUser({ asked: true, name: '신입사원', loginId: 'new.one' })
  await maru.createUser({ asked: true, name: '결정됨', loginId: 'new.two' })
  await sql(
    `update approval_requests set state = 'approved', decided_by = $1, decided_at = now() where name = '결정됨'`,
    [admin.id],
  )
  expect([await kindsOf(admin), await kindsOf(hr)]).toEqual([['SIGN_UP'], ['SIGN_UP']])
  await atOnce()
  expect(await mailCount()).toBe(1)
  expect(await subjectsTo(hr)).toEqual(['[주식회사 마루] 신입사원 님이 회원가입을 신청했습니다.'])
  await daily()
  expect(await mailCount()).toBe(2)
  expect((await mailsTo(admin))[0]?.text).toContain(`바로가기: ${PORTAL}/user/detail?userId=new.one`)
})

/** Users who may inspect the access log are reminded of each month (rules/audit#inspection-reminder). */
test('notifies of a month to inspect by daily mail, only with the permission', async () => {
  const { rows } = await maru.owner.query<{ month: string }>(
    `insert into access_log_heads
       select date_trunc('month', now() at time zone 'Asia/Seoul') - interval '1 month', 5, now(), '' returning to_char(month, 'YYYY-MM') as month`,
  )
  const month = rows[0]?.month ?? ''
  expect([await kindsOf(admin), await kindsOf(hr)]).toEqual([['INSPECTION'], []])
  // As the mail of the day does, whenever in a month this runs.
  const { db } = maru.database
  const people = await findRecipients(db, MAIL.daily, [], DERIVED_KINDS)
  await db
    .transaction()
    .execute((tx) =>
      queueNotificationMails(tx, maru.services.settings, people, { since: new Date(0), until: new Date() }),
    )
  expect(await mailCount()).toBe(1)
  expect((await mailsTo(admin))[0]?.text).toContain(`바로가기: ${PORTAL}/access/month?month=${month}`)
  await maru.owner.query('delete from access_log_heads where month = $1', [`${month}-01`])
})

/** The author of a notice is notified of comments (rules/notifications#kinds). */
test('notifies the author of a notice’s newest comment until the notice is deleted', async () => {
  const noticeId = await noticeBy(person)
  const comment = (by: TestUser) => ok(maru.call(createComment, { noticeId, text: '글' }, by))
  await comment(person)
  await comment(other)
  await comment(admin)
  const { notifications } = (await maru.call(listNotifications, {}, person)).data
  expect(notifications).toMatchObject([{ kind: 'NOTICE_COMMENT', noticeId, title: '보안 교육', read: false }])
  expect(notifications[0]?.name).toBe(
    (await sql<{ name: string }>('select name from users where id = $1', [admin.id])).rows[0]?.name,
  )
  expect([await kindsOf(other), await kindsOf(admin)]).toEqual([[], []])
  await sql('delete from notices where id = $1', [noticeId])
  expect(await kindsOf(person)).toEqual([])
})
