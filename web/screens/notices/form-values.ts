import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import { date, line, moment, multiline } from '../../../contract/fields.ts'
import { BULLET, noticeFields } from '../../../contract/notices.ts'
import { today } from '../../forms/today.ts'
import type { Notice } from './notice-card.tsx'

/** What the form edits: the notice's fields, and its settings as a person chooses them. */
const formSchema = z
  .object({
    BULLET_CODE: noticeFields.BULLET_CODE,
    TITLE: line(200),
    MEMO: multiline(100_000),
    PUBLISH: z.enum(['now', 'later']),
    PUBLISH_DATE: z.string(),
    PUBLISH_TIME: z.string(),
    IS_PINNED: z.boolean(),
    PINNED_UNTIL: z.string(),
    MUST_READ: z.boolean(),
  })
  .check(
    z.superRefine((values, context) => {
      const wrong = (field: string, schema: z.ZodMiniType, value: string) => {
        const message = schema.safeParse(value).error?.issues[0]?.message
        if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message })
      }
      if (values.PUBLISH === 'later') {
        wrong('PUBLISH_DATE', date, values.PUBLISH_DATE)
        wrong('PUBLISH_TIME', moment, `2026-01-01 ${values.PUBLISH_TIME}`)
      }
      if (values.IS_PINNED) wrong('PINNED_UNTIL', date, values.PINNED_UNTIL)
    }),
  )

export type NoticeFormValues = z.input<typeof formSchema>

/** The contract's rules for what is shown. */
export const resolver: Resolver<NoticeFormValues> = standardSchemaResolver(formSchema)

const DAY_MS = 86_400_000
/** The calendar day so many days from now in Asia/Seoul. */
const dayFromNow = (days: number) => new Date(Date.parse(today()) + days * DAY_MS).toISOString().slice(0, 10)

/** An empty form; the times that it offers are those that most people want. */
export function emptyValues(): NoticeFormValues {
  return {
    BULLET_CODE: BULLET.notice,
    TITLE: '',
    MEMO: '',
    PUBLISH: 'now',
    PUBLISH_DATE: dayFromNow(1),
    PUBLISH_TIME: '09:00',
    IS_PINNED: false,
    PINNED_UNTIL: dayFromNow(7),
    MUST_READ: false,
  }
}

/** A notice as the form edits it. */
export function valuesOf(notice: Notice): NoticeFormValues {
  const isScheduled = notice.SCHEDULED === 'Y'
  const empty = emptyValues()
  return {
    BULLET_CODE: notice.BULLET_CODE as NoticeFormValues['BULLET_CODE'],
    TITLE: notice.TITLE,
    MEMO: notice.MEMO ?? '',
    PUBLISH: isScheduled ? 'later' : 'now',
    PUBLISH_DATE: isScheduled ? notice.REGSTER_DATETIME.slice(0, 10) : empty.PUBLISH_DATE,
    PUBLISH_TIME: isScheduled ? notice.REGSTER_DATETIME.slice(11, 16) : empty.PUBLISH_TIME,
    // A pin whose day has passed holds nothing any more.
    IS_PINNED: notice.PINNED_UNTIL >= today(),
    PINNED_UNTIL: notice.PINNED_UNTIL >= today() ? notice.PINNED_UNTIL : empty.PINNED_UNTIL,
    MUST_READ: notice.MUST_READ === 'Y',
  }
}

/** What the calls take of it. */
export function inputOf(values: NoticeFormValues) {
  const { BULLET_CODE, TITLE, MEMO } = values
  return {
    BULLET_CODE,
    TITLE,
    MEMO,
    PUBLISH_DATETIME: values.PUBLISH === 'later' ? `${values.PUBLISH_DATE} ${values.PUBLISH_TIME}` : '',
    PINNED_UNTIL: values.IS_PINNED ? values.PINNED_UNTIL : '',
    MUST_READ: values.MUST_READ ? ('Y' as const) : ('N' as const),
  }
}
