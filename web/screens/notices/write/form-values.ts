import * as z from 'zod/mini'
import { date, line, moment, multiline } from '../../../../contract/fields.ts'
import { BULLET, MEMO_FORMAT, noticeFields } from '../../../../contract/notices.ts'
import { today } from '../../../forms/today.ts'
import type { Notice } from '../read/notice-card.tsx'

/** Unvalidated values of the form: the notice's fields, and its settings as the form shows them. */
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
  /** Codes with spaces between them. */
  audienceAffiliations: z.string(),
  audienceRoles: z.string(),
  allowComments: z.boolean(),
  allowAcknowledgements: z.boolean(),
  /** The upload that it will be saved with, so that a draft names it; '' for none. */
  uploadId: z.string(),
})

/** The rules of the form. */
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

export type NoticeFormValues = z.output<typeof typedNotice>

const DAY_MS = 86_400_000
/** The calendar day this many days from now in Asia/Seoul. */
const dayFromNow = (days: number) => new Date(Date.parse(today()) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the values of an empty form. The suggested times suit most users. */
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

/** A notice as the form edits it. */
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
    audienceAffiliations: joined(notice.audienceAffiliations),
    audienceRoles: joined(notice.audienceRoles),
    allowComments: notice.allowComments,
    allowAcknowledgements: notice.allowAcknowledgements,
    uploadId: '',
  }
}

const joined = (chosen: readonly { code: string }[]) => chosen.map(({ code }) => code).join(' ')

/** The codes that a field of the audience holds. */
export const codesIn = (text: string) => text.split(' ').filter((code) => code !== '')

/**
 * Converts the form's values to the input of the calls.
 * @param mayManage whether the user may pin a notice and make it required reading; otherwise both stay unchanged
 */
export function inputOf(values: NoticeFormValues, mayManage: boolean) {
  const { bulletCode, title, memo, memoFormat } = values
  return {
    bulletCode,
    title,
    memo,
    memoFormat,
    publishAt: values.publish === 'later' ? `${values.publishDate} ${values.publishTime}` : '',
    audienceAffiliations: codesIn(values.audienceAffiliations),
    audienceRoles: codesIn(values.audienceRoles),
    allowComments: values.allowComments,
    allowAcknowledgements: values.allowAcknowledgements,
    uploadId: values.uploadId,
    ...(mayManage && {
      pinnedUntil: values.isPinned ? values.pinnedUntil : '',
      mustRead: values.mustRead,
    }),
  }
}
