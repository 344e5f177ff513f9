import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, paging, recordId, totalCount } from '../fields.ts'

/** The list of users who have not read a notice shows 10 rows a page. */
export const UNREAD_PER_PAGE = 10

/** Hours between two reminders to the readers of a required notice, at least (rules/notices#reminder). */
export const REMIND_EVERY_HOURS = 24

/** The most reminders that one user gets on a day, for all notices (rules/notices#reminder). */
export const REMINDERS_A_DAY = 3

/** Confirms that the caller has read a required notice; a repeated call changes nothing. */
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
 * Lists the users who have not confirmed a required notice, of all who could log in today and are not its author. Requires
 * `autho_notice_manage`; an author without it gets only the number.
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

/** Sends an email to every user who has not confirmed a required notice, at most once a day. Requires `autho_notice_manage`. */
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
