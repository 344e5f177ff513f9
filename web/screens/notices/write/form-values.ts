import * as z from 'zod/mini'
import { date, line, moment, multiline } from '../../../../contract/fields.ts'
import { BULLET, MEMO_FORMAT, noticeFields } from '../../../../contract/notices.ts'
import { today } from '../../../forms/today.ts'
import type { Notice } from '../read/notice-card.tsx'

/**
 * Schema of the values of the notice form as typed, also incomplete ones: the notice's fields, and its settings as
 * the form shows them.
 */
export const typedNotice = z.object({
  bulletCode: noticeFields.bulletCode,
  title: z.string(),
  memo: z.string(),
  memoFormat: z.enum(Object.values(MEMO_FORMAT)),
  publish: z.enum(['now', 'later']),
  publishDate: z.string(),
  publishTime: z.string(),
  isPinned: z.boolean(),
  pinnedUntil: z.string(),
  mustRead: z.boolean(),
  /** Codes, separated by spaces; '' for no restriction. */
  audienceAffiliations: z.string(),
  audienceRoles: z.string(),
  allowComments: z.boolean(),
  allowAcknowledgements: z.boolean(),
  /** ID of the upload to save with the notice, so that a draft keeps it; '' for none. */
  uploadId: z.string(),
})

/**
 * Schema of the notice form when it is saved. Checks the publication time only if it is published later, and the
 * end of the pin only if it is pinned.
 */
export const noticeForm = z.extend(typedNotice, { title: line(200), memo: multiline(100_000) }).check(
  z.superRefine((values, context) => {
    const wrong = (field: string, schema: z.ZodMiniType, value: string) => {
      const message = schema.safeParse(value).error?.issues[0]?.message
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message })
    }
    if (values.publish === 'later') {
      wrong('publishDate', date, values.publishDate)
      wrong('publishTime', moment, `2026-01-01 ${values.publishTime}`)
    }
    if (values.isPinned) wrong('pinnedUntil', date, values.pinnedUntil)
  }),
)

/** Values of the notice form as typed. */
export type NoticeFormValues = z.output<typeof typedNotice>

const DAY_MS = 86_400_000
/** Returns the day this many days from now in Asia/Seoul, YYYY-MM-DD. */
const dayFromNow = (days: number) => new Date(Date.parse(today()) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * Returns the values of an empty form. Suggests to publish tomorrow at 09:00 and to pin for 7 days, if the user chooses
 * either.
 */
export function emptyValues(): NoticeFormValues {
  return {
    bulletCode: BULLET.notice,
    title: '',
    memo: '',
    memoFormat: MEMO_FORMAT.markdown,
    publish: 'now',
    publishDate: dayFromNow(1),
    publishTime: '09:00',
    isPinned: false,
    pinnedUntil: dayFromNow(7),
    mustRead: false,
    audienceAffiliations: '',
    audienceRoles: '',
    allowComments: true,
    allowAcknowledgements: true,
    uploadId: '',
  }
}

/**
 * Returns the values with which the form of a saved notice begins. An expired pin counts as none. The upload is
 * empty: the attached file is no part of the values.
 */
export function valuesOf(notice: Notice): NoticeFormValues {
  const isScheduled = notice.scheduled
  const empty = emptyValues()
  return {
    bulletCode: notice.bulletCode as NoticeFormValues['bulletCode'],
    title: notice.title,
    memo: notice.memo ?? '',
    memoFormat: notice.memoFormat,
    publish: isScheduled ? 'later' : 'now',
    publishDate: isScheduled ? notice.registeredAt.slice(0, 10) : empty.publishDate,
    publishTime: isScheduled ? notice.registeredAt.slice(11, 16) : empty.publishTime,
    // A pin whose last day has passed no longer counts.
    isPinned: notice.pinnedUntil >= today(),
    pinnedUntil: notice.pinnedUntil >= today() ? notice.pinnedUntil : empty.pinnedUntil,
    mustRead: notice.mustRead,
    audienceAffiliations: joinCodes(notice.audienceAffiliations),
    audienceRoles: joinCodes(notice.audienceRoles),
    allowComments: notice.allowComments,
    allowAcknowledgements: notice.allowAcknowledgements,
    uploadId: '',
  }
}

/** Returns the codes of an audience as the form stores them, separated by spaces. */
const joinCodes = (chosen: readonly { code: string }[]) => chosen.map(({ code }) => code).join(' ')

/** Returns the codes in an audience field, which separates them by spaces; none if it is empty. */
export const codesIn = (text: string) => text.split(' ').filter((code) => code !== '')

/**
 * Converts the form's values to the input of the calls that create and edit a notice. An unchosen publication time
 * or pin becomes ''.
 * @param mayManage false leaves out pin and must-read, which then stay unchanged
 */
export function inputOf(values: NoticeFormValues, mayManage: boolean) {
  const { publish, publishDate, publishTime, isPinned, pinnedUntil, mustRead, ...fields } = values
  return {
    ...fields,
    publishAt: publish === 'later' ? `${publishDate} ${publishTime}` : '',
    audienceAffiliations: codesIn(fields.audienceAffiliations),
    audienceRoles: codesIn(fields.audienceRoles),
    ...(mayManage && { pinnedUntil: isPinned ? pinnedUntil : '', mustRead }),
  }
}
