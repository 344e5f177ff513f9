import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, paging, recordId, totalCount } from '../fields.ts'

/** The list of users who have not read a notice shows 10 rows a page. */
export const UNREAD_PER_PAGE = 10

/** Fewest hours between two reminders to the readers of a must-read notice (rules/notices#reminder). */
export const REMIND_EVERY_HOURS = 24

/** The most reminders that one user gets on a day, for all notices (rules/notices#reminder). */
export const REMINDERS_A_DAY = 3

/**
 * Confirms that the caller has read a must-read notice; a repeated call changes nothing. NOTICE_NOT_FOUND for a notice
 * that is not must-read, not published, or not for the caller.
 */
export const confirmNotice = endpoint({
  path: '/bmt/v1/ins/noticeRead',
  summary: 'Confirm having read a notice',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId }),
  errors: ['NOTICE_NOT_FOUND'],
  audit: 'notice.confirm',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Lists the users who have not confirmed a must-read notice, of all in its audience who could log in today and are not
 * its author. Requires `autho_notice_manage`; an author without it gets only the number. FORBIDDEN for other readers of
 * the notice; NOTICE_NOT_FOUND if it is not must-read.
 */
export const listUnread = endpoint({
  path: '/bmt/v1/get/noticeUnread',
  summary: 'List who has not confirmed a notice',
  title: { ko: '공지사항 미확인 명단 조회', en: 'Viewed who has not read a notice' },
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ noticeId: recordId, ...paging(UNREAD_PER_PAGE) }),
  output: z.object({
    /** Empty for an author without `autho_notice_manage`. */
    unread: z.array(
      z.object({
        rowNumber: z.number(),
        userId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        position: z.string(),
        /** True if the user opened it without confirming. */
        viewed: flag,
      }),
    ),
    totalCount,
    /** Number of users who have confirmed. */
    readCount: z.number(),
    /** Seconds until a reminder may be sent again; 0 if it may be sent now. */
    remindAfter: z.number(),
  }),
  errors: ['FORBIDDEN', 'NOTICE_NOT_FOUND', 'NOTICE_NOT_PUBLISHED'],
  audit: 'notice.unread',
  personal: ['search', 'out.unread[].userId'],
  perPerson: 'read',
})

/**
 * Sends an email to every user who has not confirmed a must-read notice, except those who got `REMINDERS_A_DAY`
 * reminders today. REMINDED_ALREADY within `REMIND_EVERY_HOURS` hours after the last one. Requires
 * `autho_notice_manage`; NOTICE_MARKED for an author without it.
 */
export const remindUnread = endpoint({
  path: '/bmt/v1/ins/noticeReminder',
  summary: 'Mail a reminder to users who have not confirmed a notice',
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
