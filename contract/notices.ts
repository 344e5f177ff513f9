import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { audienceCodes, audienceNames } from './notices/audience.ts'
import { ATTACH_ERRORS, attachedUpload, PUBLISHERS } from './notices/files.ts'
import { noticePicture, PICTURE_ERRORS } from './notices/pictures.ts'
import {
  date,
  filter,
  line,
  moment,
  multiline,
  paging,
  recordId,
  timestamp,
  totalCount,
  flag,
} from './fields.ts'

export * from './notices/audience.ts'
export * from './notices/readers.ts'

export * from './notices/responses.ts'

export * from './notices/files.ts'

export * from './notices/pictures.ts'

/** Codes of the bullet, the type that a notice shows before its title (rules/notices#notice-form). */
export const BULLET = { notice: 'BE0001', keyIssue: 'BE0002' } as const

/** Code group with the names of the bullets. */
export const BULLET_GROUP = 'BULLET'

/**
 * Search types of the notice list: title, author, text, or title and author together. The values are Korean words in
 * every language (rules/notices#notice-search).
 */
export const SEARCH_TYPE = { all: '통합검색', title: '제목', author: '작성자', memo: '내용' } as const

/**
 * Which of the found notices a list shows: all, those that the caller has not opened, those that the caller must
 * confirm, or those with a file (rules/notices#notice-filter).
 */
export const SHOW = { all: 'ALL', unread: 'UNREAD', toConfirm: 'TO_CONFIRM', file: 'FILE' } as const

/** A value of `SHOW`. */
export type Show = (typeof SHOW)[keyof typeof SHOW]

/** The formats of a notice body (rules/notices#text-of-a-notice). */
export const MEMO_FORMAT = { plain: 'plain', markdown: 'markdown' } as const

/** A value of `MEMO_FORMAT`. */
export type MemoFormat = (typeof MEMO_FORMAT)[keyof typeof MEMO_FORMAT]

/** Notice search shows 9 rows a page (rules/notices#notice-board). */
export const NOTICES_PER_PAGE = 9

/** Home shows the 4 newest notices (rules/home#notice-panel). */
export const HOME_NOTICES = 4

/** Days after its publication for which a notice is marked as new. */
export const NEW_DAYS = 3

/** Schema of a bullet. */
const bullet = z.enum(Object.values(BULLET), 'codeFormat')

/** Schema of the format of a notice body. */
const memoFormat = z.enum(Object.values(MEMO_FORMAT), 'codeFormat')

/**
 * Schema of an attached file. Its stored name and path are opaque: the server looks them up instead of using them
 * (rules/files#opaque-names).
 */
const noticeFile = z.object({
  fileId: z.string(),
  storedName: z.string(),
  storedPath: z.string(),
  fileName: z.string(),
  /** In bytes. */
  fileSize: z.number(),
  /** Number of downloads. */
  downloadCount: z.number(),
})

/** Schema of a row of the notice list, with the badges of the board. */
const noticeRow = z.object({
  rowNumber: z.number(),
  noticeId: z.string(),
  bulletCode: z.string(),
  bulletName: z.string(),
  title: z.string(),
  userId: z.string(),
  name: z.string(),
  /** Time of publication, by which the board is sorted. */
  registeredAt: timestamp,
  files: z.array(noticeFile),
  /** True while it is pinned to the top. */
  pinned: flag,
  /** True if it is not published yet: only its author and users who manage notices see it. */
  scheduled: flag,
  /** True if it was published in the last `NEW_DAYS` days. */
  isNew: flag,
  mustRead: flag,
  /** True if it has an audience. The caller belongs to the audience or may edit the notice (rules/notices#audience). */
  restricted: flag,
  /** Number of users other than the author who have opened it. */
  viewCount: z.number(),
  /** True if the caller has opened or written it. */
  viewed: flag,
  /** True if the caller has confirmed reading it. */
  confirmed: flag,
  /** True if the caller must confirm reading it and has not. */
  toConfirm: flag,
})

/**
 * Lists a page of the notices that the caller may see. A search by 통합검색 sends the text as title and as author, and
 * either may match (rules/notices#notice-search).
 */
export const listNotices = endpoint({
  path: '/bmt/v1/get/noticeList',
  summary: 'Search notices',
  title: { ko: '공지사항 목록 조회', en: 'Searched notices' },
  access: 'signed-in',
  scope: 'notices:read',
  input: z.strictObject({
    searchType: z._default(z.enum(Object.values(SEARCH_TYPE), 'codeFormat'), SEARCH_TYPE.all),
    title: filter(200),
    author: filter(200),
    /** Text to find in the body, without its markup, or in the name of a file. */
    memo: filter(200),
    /** The notices to list, of those that the search finds. */
    show: z._default(z.enum(Object.values(SHOW), 'codeFormat'), SHOW.all),
    /** True to list pinned notices first, as the board does; otherwise newest first. */
    pinnedFirst: z._default(flag, false),
    /** False to leave out unpublished notices, even for callers who may see them (home). */
    scheduled: z._default(flag, true),
    ...paging(NOTICES_PER_PAGE),
  }),
  output: z.object({ notices: z.array(noticeRow), totalCount }),
  audit: 'none',
  personal: 'none',
  leavesSessionIdle: 'in-background',
})

/** Schema of the previous or next notice on the board. */
const neighbour = z.object({ noticeId: z.string(), title: z.string(), userId: z.string() })

/**
 * Returns a notice with its body, files and neighbors. The first call of each user other than the author counts as a
 * view of a published notice. NOTICE_NOT_FOUND also if the caller may not see it.
 */
export const getNotice = endpoint({
  path: '/bmt/v1/get/noticeInfo',
  summary: 'Read a notice',
  title: { ko: '공지사항 조회', en: 'Read a notice' },
  access: 'signed-in',
  scope: 'notices:read',
  input: z.strictObject({ noticeId: recordId }),
  output: z.object({
    ...z.omit(noticeRow, { rowNumber: true }).shape,
    memo: z.nullable(z.string()),
    memoFormat,
    /** The images of its body. */
    pictures: z.array(noticePicture),
    /** The last day on which it is pinned; empty if it is not. */
    pinnedUntil: z.string(),
    /** True if the caller may edit and delete it (rules/notices#who-edits-notices). */
    editable: flag,
    /** The author's settings for comments and reactions, and the number of each that is enabled here and in the portal. */
    allowComments: flag,
    allowAcknowledgements: flag,
    commentCount: z.optional(z.number()),
    acknowledgementCount: z.optional(z.number()),
    /** True if the caller's reaction is among them. */
    acknowledged: flag,
    /** The audience of the notice; an empty list of a kind means no restriction of that kind. */
    ...audienceNames,
    /** Version of the notice, for `updateNotice`. */
    version: z.string(),
    /** The next older and the next newer notice that the caller may see. */
    previous: z.nullable(neighbour),
    next: z.nullable(neighbour),
  }),
  errors: ['NOTICE_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
})

/** Fields of a notice that a user always writes; the form uses the same schema. */
export const noticeFields = {
  bulletCode: bullet,
  title: line(200),
  /** null counts as empty (rules/notices#notice-form). */
  memo: z.nullable(multiline(100_000)),
}

/**
 * Input fields that a caller may leave out (rules/notices#two-writers): a new notice gets the defaults, an edited one
 * keeps its values.
 */
const noticeSettings = {
  /** If left out, a new notice is plain text. */
  memoFormat: z.optional(memoFormat),
  /**
   * Time of publication, before which only the author and users who manage notices see it. Empty or in the past: published
   * immediately.
   */
  publishAt: z.optional(z.union([z.literal(''), moment], { error: 'momentFormat' })),
  /** The last day on which it is pinned; empty to unpin it. This field and `mustRead` need `autho_notice_manage`. */
  pinnedUntil: z.optional(z.union([z.literal(''), date], { error: 'dateFormat' })),
  /** True if readers must confirm reading it. */
  mustRead: z.optional(flag),
  ...audienceCodes,
  /** Whether readers may comment, and react; on by default. */
  allowComments: z.optional(flag),
  allowAcknowledgements: z.optional(flag),
}

/**
 * The most notices that a user may write in an hour: without `autho_notice_manage`, and with it
 * (rules/notices#notices-an-hour).
 */
export const NOTICES_AN_HOUR = { author: 30, manager: 300 } as const

/**
 * Creates a notice with the caller as its author, and attaches the caller's upload and the images that the text names.
 * FORBIDDEN to pin or require reading without `autho_notice_manage`; NOTICES_TOO_MANY beyond `NOTICES_AN_HOUR`.
 */
export const createNotice = endpoint({
  path: '/bmt/v1/ins/noticeInfo',
  summary: 'Write a notice',
  title: { ko: '공지사항 등록', en: 'Wrote a notice' },
  access: { function: ['autho_notice_insert'] },
  scope: 'notices:write',
  input: z.strictObject({ ...noticeFields, ...noticeSettings, uploadId: attachedUpload.uploadId }),
  output: z.object({ noticeId: z.string(), userId: z.string() }),
  errors: [
    'FORBIDDEN',
    'NOTICES_TOO_MANY',
    'CODE_NOT_FOUND',
    'ROLE_NOT_FOUND',
    'UPLOAD_NOT_FOUND',
    'UPLOAD_INCOMPLETE',
    ...PICTURE_ERRORS,
  ],
  audit: 'notice.create',
  personal: 'none',
})

/**
 * Edits a notice (rules/notices#who-edits-notices). RECORD_CHANGED if the notice has changed since the version that was
 * read; without a version it is overwritten. NOTICE_PUBLISHED for a future publishing time of a published notice.
 * NOTICE_MARKED for an author's own notice that a manager has pinned or made must-read.
 */
export const updateNotice = endpoint({
  path: '/bmt/v1/upd/noticeInfo',
  summary: 'Edit a notice',
  title: { ko: '공지사항 수정', en: 'Edited a notice' },
  access: PUBLISHERS,
  scope: 'notices:write',
  others: ['autho_notice_manage'],
  input: z.strictObject({
    ...noticeFields,
    ...noticeSettings,
    ...attachedUpload,
    noticeId: recordId,
    version: z.optional(z.string({ error: 'notText' }).check(z.regex(/^[0-9]{1,10}$/, 'codeFormat'))),
  }),
  errors: [
    'FORBIDDEN',
    'NOTICE_MARKED',
    'NOTICE_NOT_FOUND',
    'RECORD_CHANGED',
    'NOTICE_PUBLISHED',
    'CODE_NOT_FOUND',
    'ROLE_NOT_FOUND',
    ...ATTACH_ERRORS,
    ...PICTURE_ERRORS,
  ],
  audit: 'notice.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Deletes a notice with its files and comments, forever; allowed for its author and with `autho_notice_manage`
 * (rules/notices#delete-notice). NOTICE_MARKED for an author's own notice that a manager has pinned or made must-read.
 */
export const deleteNotice = endpoint({
  path: '/bmt/v1/del/noticeInfo',
  summary: 'Delete a notice',
  title: { ko: '공지사항 삭제', en: 'Deleted a notice' },
  access: PUBLISHERS,
  scope: 'notices:write',
  others: ['autho_notice_manage'],
  input: z.strictObject({ noticeId: recordId }),
  errors: ['FORBIDDEN', 'NOTICE_MARKED', 'NOTICE_NOT_FOUND'],
  audit: 'notice.delete',
  personal: 'none',
})
