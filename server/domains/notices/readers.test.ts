import { CERTIFY_TYPE, certifyEmail } from '../../../contract/account.ts'
import { takeDue } from '../../services/mail/queue.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  confirmNotice,
  createNotice,
  getNotice,
  listUnread,
  remindUnread,
} from '../../../contract/notices.ts'
import { removeOldReminders } from './index.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/*
 * Read confirmations of must-read notices, and the reminder (rules/notices#read-confirmation,
 * rules/notices#unread-list, rules/notices#reminder).
 */
const maru = useMaru()
let author: TestUser
let reader: TestUser
let english: TestUser
let hr: TestUser

const write = async (mustRead = true, publishAt = '') => {
  const notice = { bulletCode: 'BE0001', title: '보안 서약 <b>필독</b>', memo: '', publishAt } as const
  const { noticeId } = (await maru.call(createNotice, notice, author)).data
  // As those who manage notices may make it.
  await query(`update notices set must_read = ${mustRead} where id = ${noticeId}`)
  return noticeId
}
const confirm = (noticeId: string, by: TestUser) => maru.call(confirmNotice, { noticeId }, by)
const unread = (noticeId: string, by = hr, page = {}) => maru.call(listUnread, { noticeId, ...page }, by)
const remind = (noticeId: string, by = hr) => maru.call(remindUnread, { noticeId }, by)
const mails = async () =>
  (await maru.database.pool.query('select recipient, subject, text, html from mails order by recipient')).rows
const query = (text: string) => maru.owner.query(text)

// Stop the jobs, so that queued mail stays in the table.
beforeAll(() => maru.services.jobs.stop())

beforeEach(async () => {
  await query('truncate users, notices, mails, audit_log cascade')
  author = await maru.createUser({ name: '김작성' })
  reader = await maru.createUser({ name: '나독자', affiliation: 'BEL002' })
  english = await maru.createUser({ name: '다영어' })
  await query(`update users set language = 'en' where name = '다영어'`)
  hr = await maru.createUser({ name: '라인사', role: 'hr' })
})

describe('must-read notices', () => {
  test('record only the first confirmation of a reader (rules/notices#read-confirmation)', async () => {
    const id = await write()
    await confirm(id, reader)
    await confirm(id, reader)
    const { rows } = await query(`select from audit_log where action = 'notice.confirm'`)
    expect(rows).toHaveLength(1)
  })

  test('are unread for everyone but the author, and opening one does not confirm it', async () => {
    await maru.createUser({ name: '미승인', approved: false })
    await maru.createUser({ name: '만료', validTo: '2020-01-01' })
    const gone = await maru.createUser({ name: '탈퇴' })
    await query(`update users set withdrawn_at = now() where id = ${gone.id}`)
    const id = await write()
    await maru.call(getNotice, { noticeId: id }, reader)
    expect((await unread(id)).data).toEqual({
      totalCount: 3,
      readCount: 0,
      remindAfter: 0,
      unread: [
        {
          rowNumber: 3,
          userId: reader.userId,
          name: '나독자',
          affiliationName: '부산지사',
          position: '대리',
          viewed: true,
        },
        {
          rowNumber: 2,
          userId: english.userId,
          name: '다영어',
          affiliationName: '본사',
          position: '대리',
          viewed: false,
        },
        {
          rowNumber: 1,
          userId: hr.userId,
          name: '라인사',
          affiliationName: '본사',
          position: '대리',
          viewed: false,
        },
      ],
    })
    expect((await unread(id, hr, { perPage: 2, page: 2 })).data.unread).toMatchObject([
      { rowNumber: 1, name: '라인사' },
    ])
  })

  test('lose a reader from the unread list at the first confirmation', async () => {
    const id = await write()
    expect((await maru.call(getNotice, { noticeId: id }, reader)).data.confirmed).toBe(false)
    expect((await confirm(id, reader)).status).toBe(200)
    const { rows: first } = await query('select confirmed_at from notice_reads')
    expect((await confirm(id, reader)).status).toBe(200)
    expect((await query('select confirmed_at from notice_reads')).rows).toEqual(first)
    expect((await maru.call(getNotice, { noticeId: id }, reader)).data.confirmed).toBe(true)
    expect((await unread(id)).data).toMatchObject({ totalCount: 2, readCount: 1 })
  })

  test('show the unread list to notice managers and the counts to the author only', async () => {
    const id = await write()
    await confirm(id, reader)
    expect((await unread(id, hr)).data).toMatchObject({ totalCount: 2, readCount: 1, unread: [{}, {}] })
    expect((await unread(id, author)).data).toEqual({
      totalCount: 2,
      readCount: 1,
      remindAfter: 0,
      unread: [],
    })
    for (const answer of [await unread(id, reader), await remind(id, reader)])
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await remind(id, author)).toMatchObject({ status: 403, code: 'NOTICE_MARKED' })
    expect((await unread(id)).data.remindAfter).toBe(0)
    expect(await mails()).toEqual([])
  })

  test('logs reads of the unread list, but not in the history of the notice', async () => {
    const id = await write()
    await unread(id, hr)
    await unread(id, reader)
    const { rows } = await query(
      `select actor_id, target, detail, records from audit_log where action = 'notice.unread'`,
    )
    expect(rows).toEqual([{ actor_id: hr.id, target: id, detail: { count: 3 }, records: null }])
  })

  test('are the only ones that can be confirmed, and only once published', async () => {
    const plain = await write(false)
    for (const answer of [await unread(plain), await remind(plain), await confirm(plain, reader)])
      expect(answer).toMatchObject({ status: 400, code: 'NOTICE_NOT_FOUND' })
    const scheduled = await write(true, '2099-01-01 09:00')
    expect(await confirm(scheduled, reader)).toMatchObject({ code: 'NOTICE_NOT_FOUND' })
    expect(await unread(scheduled, reader)).toMatchObject({ code: 'NOTICE_NOT_FOUND' })
    // Nobody has not read yet what nobody can see: it would be the list of all who work here.
    for (const by of [hr, author])
      expect(await unread(scheduled, by)).toMatchObject({ status: 400, code: 'NOTICE_NOT_PUBLISHED' })
    expect(await remind(scheduled)).toMatchObject({ code: 'NOTICE_NOT_PUBLISHED' })
    expect(await mails()).toEqual([])
  })
})

describe('the reminder', () => {
  test('mails everybody who has not confirmed, in their language, and nobody else', async () => {
    const id = await write()
    await confirm(id, hr)
    expect((await remind(id)).data).toEqual({ sentCount: 2 })
    const sent = await mails()
    expect(sent.map(({ recipient }) => recipient)).toEqual([reader.email, english.email].toSorted())
    const of = (person: TestUser) => sent.find(({ recipient }) => recipient === person.email)
    expect(of(reader).subject).toContain('필독 공지를 확인해주세요: 보안 서약 <b>필독</b>')
    expect(of(english).subject).toContain('Please confirm a must-read notice')
    expect(of(reader).text).toContain('라인사')
    // A title is text, in a mail too.
    expect(of(reader).html).toContain('&lt;b&gt;필독&lt;/b&gt;')
    expect(of(reader).html).not.toContain('<b>')
  })

  test('is refused within a day with the time to wait, even for concurrent clicks', async () => {
    const id = await write()
    const answers = await Promise.all([remind(id), remind(id, hr), remind(id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await mails()).toHaveLength(3)
    const again = await remind(id)
    expect(again).toMatchObject({ status: 429, code: 'REMINDED_ALREADY' })
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(86_000)
    expect((await unread(id)).data.remindAfter).toBeGreaterThan(86_000)
    expect(await mails()).toHaveLength(3)
    await query(`update notices set reminded_at = now() - interval '25 hours'`)
    expect((await remind(id)).status).toBe(200)
    expect(await mails()).toHaveLength(6)
  })

  test('is sent to nobody more than three times a day, of whatever notices', async () => {
    const ids = [await write(), await write(), await write(), await write()]
    // A user who confirmed a notice is reminded only of the others.
    await confirm(ids[0]!, reader)
    for (const [index, id] of ids.entries())
      expect((await remind(id)).data.sentCount).toBe([2, 3, 3, 1][index])
    expect((await mails()).filter(({ recipient }) => recipient === reader.email)).toHaveLength(3)
    // The limit restarts the next day, and the counts of past days are deleted.
    await query(`update notice_reminders set day = day - 1`)
    await removeOldReminders(maru.database.pool)
    expect((await query('select from notice_reminders')).rows).toEqual([])
    expect((await remind(await write())).data.sentCount).toBe(3)
  })

  test('waits behind the mails that carry a code or a password (rules/running#mail-queue)', async () => {
    await remind(await write())
    await maru.call(certifyEmail, { email: reader.email, certificationType: CERTIFY_TYPE.findId })
    expect((await takeDue(maru.database.pool))?.subject).toContain('인증번호')
    expect((await takeDue(maru.database.pool))?.subject).toContain('필독')
  })

  test('queues no mail when its transaction fails', async () => {
    const id = await write()
    await query(`alter table audit_log add constraint no_reminder check (action <> 'notice.remind')`)
    expect((await remind(id)).status).toBe(500)
    await query('alter table audit_log drop constraint no_reminder')
    expect(await mails()).toEqual([])
    expect((await unread(id)).data.remindAfter).toBe(0)
  })

  test('mails 2,500 people by one click', async () => {
    await query(`insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code,
        role_code, approval_code)
      select 'many' || n, 'x', '다수', '사원', '01000000000', 'many' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
      from generate_series(1, 2500) as n`)
    expect((await remind(await write())).data.sentCount).toBe(2503)
    expect(await mails()).toHaveLength(2503)
  })
})
