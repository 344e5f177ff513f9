import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, paging, recordId, totalCount } from '../fields.ts'

/** The list of who has not read a notice yet shows 10 rows a page. */
export const UNREAD_PER_PAGE = 10

/** Readers of a must-read notice are reminded at most once in this many hours (rules/notices#reminder). */
export const REMIND_EVERY_HOURS = 24

/** So many reminders one person is sent on a day at most, of whatever notices (rules/notices#reminder). */
export const REMINDERS_A_DAY = 3

/** Confirms having read a must-read notice; once more changes nothing. */
export const confirmNotice = endpoint({
  path: '/bmt/v1/ins/noticeRead',
  summary: 'Confirm having read a notice',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId }),
  output: z.object({}),
  errors: ['NOTICE_NOT_FOUND'],
  audit: 'notice.confirm',
  personal: 'none',
  perPerson: 'write',
})

/**
 * Who has not confirmed a must-read notice yet, of all who could log in today and are not its author: for
 * `autho_notice_manage`; an author without it is told how many.
 */
export const listUnread = endpoint({
  path: '/bmt/v1/get/noticeUnread',
  summary: 'Who has not read a notice yet',
  title: { ko: '공지사항 미확인 명단 조회', en: 'Looked at who has not read a notice' },
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ noticeId: recordId, ...paging(UNREAD_PER_PAGE) }),
  output: z.object({
    /** None for an author without `autho_notice_manage`. */
    unread: z.array(
      z.object({
        rowNumber: z.number(),
        userId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        position: z.string(),
        /** Opened, but not confirmed. */
        viewed: flag,
      }),
    ),
    totalCount,
    /** How many have confirmed. */
    readCount: z.number(),
    /** Seconds until a reminder may be sent again; 0: now. */
    remindAfter: z.number(),
  }),
  errors: ['FORBIDDEN', 'NOTICE_NOT_FOUND', 'NOTICE_NOT_PUBLISHED'],
  audit: 'notice.unread',
  personal: ['search', 'out.unread[].userId'],
  perPerson: 'read',
})

/**
 * Mails everyone who has not confirmed a must-read notice, once a day at most. Requires `autho_notice_manage`.
 */
export const remindUnread = endpoint({
  path: '/bmt/v1/ins/noticeReminder',
  summary: 'Remind those who have not read a notice',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ noticeId: recordId }),
  output: z.object({ sentCount: z.number() }),
  errors: ['FORBIDDEN', 'NOTICE_MARKED', 'NOTICE_NOT_FOUND', 'NOTICE_NOT_PUBLISHED', 'REMINDED_ALREADY'],
  audit: 'notice.remind',
  personal: 'none',
  mails: 'mailWritten',
  perPerson: 'mail',
})
