import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { audienceCodes, audienceNames } from './notices/audience.ts'
import { ATTACH_ERRORS, attachedUpload } from './notices/files.ts'
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

/** Bullet codes (rules/notices#notice-form). */
export const BULLET = { notice: 'BE0001', keyIssue: 'BE0002' } as const

/** The code group of the bullets' names. */
export const BULLET_GROUP = 'BULLET'

/** The types of a search: Korean words in every language (rules/notices#notice-search). */
export const SEARCH_TYPE = { all: '통합검색', title: '제목', author: '작성자', memo: '내용' } as const

/** How the text of a notice is written (rules/notices#text-of-a-notice). */
export const MEMO_FORMAT = { plain: 'plain', markdown: 'markdown' } as const

/** A value of `MEMO_FORMAT`. */
export type MemoFormat = (typeof MEMO_FORMAT)[keyof typeof MEMO_FORMAT]

/** How Markdown is read, by the page and by the server: no HTML, and a line ends where its author ended it. */
export const MARKDOWN = { html: false, breaks: true } as const

/** Notice search shows 9 rows a page (rules/notices#notice-board). */
export const NOTICES_PER_PAGE = 9

/** Home shows the 4 newest notices (rules/home#notice-panel). */
export const HOME_NOTICES = 4

/** A notice is marked as new for this many days. */
export const NEW_DAYS = 3

const bullet = z.enum(Object.values(BULLET), 'codeFormat')

const memoFormat = z.enum(Object.values(MEMO_FORMAT), 'codeFormat')

/** An attached file; its stored name and path are opaque, and looked up rather than used (rules/files#opaque-names). */
const noticeFile = z.object({
  fileId: z.string(),
  storedName: z.string(),
  storedPath: z.string(),
  fileName: z.string(),
  /** In bytes. */
  fileSize: z.number(),
  /** How often it was downloaded. */
  downloadCount: z.number(),
})

/** A row of the notice list, and what a board marks. */
const noticeRow = z.object({
  rowNumber: z.number(),
  noticeId: z.string(),
  bulletCode: z.string(),
  bulletName: z.string(),
  title: z.string(),
  userId: z.string(),
  name: z.string(),
  /** When it was published: the board's order. */
  registeredAt: timestamp,
  files: z.array(noticeFile),
  /** Stands on top for now. */
  pinned: flag,
  /** Not published yet: only its author and those who manage notices see it. */
  scheduled: flag,
  /** Published in the last `NEW_DAYS` days. */
  isNew: flag,
  mustRead: flag,
  /** For an audience alone, of which the caller is, or which they look after (rules/notices#audience). */
  restricted: flag,
  /** How many people have opened it; not its author. */
  viewCount: z.number(),
  /** The caller has opened it, or written it. */
  viewed: flag,
  /** The caller has confirmed having read it. */
  confirmed: flag,
  /** The caller is asked to confirm, and has not. */
  toConfirm: flag,
})

/** 통합검색 sends the text as title and as author and matches either (rules/notices#notice-search). */
export const listNotices = endpoint({
  path: '/bmt/v1/get/noticeList',
  summary: 'Search notices',
  access: 'signed-in',
  input: z.strictObject({
    searchType: z._default(z.enum(Object.values(SEARCH_TYPE), 'codeFormat'), SEARCH_TYPE.all),
    title: filter(200),
    author: filter(200),
    /** In the text, without its signs, or in the name of a file. */
    memo: filter(200),
    /** What is pinned stands on top (the board asks for it); otherwise the newest first. */
    pinnedFirst: z._default(flag, false),
    /** False: without what is not published yet, whoever may see it (home). */
    scheduled: z._default(flag, true),
    ...paging(NOTICES_PER_PAGE),
  }),
  output: z.object({ notices: z.array(noticeRow), totalCount }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The notice beside another one on the board. */
const neighbour = z.object({ noticeId: z.string(), title: z.string(), userId: z.string() })

/**
 * A notice with its text, files and neighbours; the author comes from the server (rules/notices#author). The first time
 * that somebody other than its author asks counts as a view.
 */
export const getNotice = endpoint({
  path: '/bmt/v1/get/noticeInfo',
  summary: 'Read a notice',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId }),
  output: z.object({
    ...z.omit(noticeRow, { rowNumber: true }).shape,
    memo: z.nullable(z.string()),
    memoFormat,
    /** Those of its text. */
    pictures: z.array(noticePicture),
    /** The last day on top; empty for none. */
    pinnedUntil: z.string(),
    /** The caller may edit and delete it (rules/notices#who-edits-notices). */
    editable: flag,
    /** What its author lets readers say; of what is on, here and for the portal, how many there are. */
    allowComments: flag,
    allowAcknowledgements: flag,
    commentCount: z.optional(z.number()),
    acknowledgementCount: z.optional(z.number()),
    /** The caller is one of them. */
    acknowledged: flag,
    /** Whom it is for; of each kind none: everybody. */
    ...audienceNames,
    /** For `updateNotice`: which edit this is. */
    version: z.string(),
    /** The next older and the next newer one that the caller may see. */
    previous: z.nullable(neighbour),
    next: z.nullable(neighbour),
  }),
  errors: ['NOTICE_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** What a person writes of a notice; the form runs the same schema. */
export const noticeFields = {
  bulletCode: bullet,
  title: line(200),
  /** null counts as empty (rules/notices#notice-form). */
  memo: z.nullable(multiline(100_000)),
}

/**
 * What a caller may leave out (rules/notices#two-writers): a new notice has none of it and an edited one keeps what it
 * has.
 */
const noticeSettings = {
  /** Left out, a new notice is plain. */
  memoFormat: z.optional(memoFormat),
  /** Published then and seen by nobody else before; empty, or a time that has passed: at once. */
  publishAt: z.optional(z.union([z.literal(''), moment], { error: 'momentFormat' })),
  /** Stands on top to the end of that day; empty: it does not. This and `mustRead` need `autho_notice_manage`. */
  pinnedUntil: z.optional(z.union([z.literal(''), date], { error: 'dateFormat' })),
  /** Readers are asked to confirm that they have read it. */
  mustRead: z.optional(flag),
  ...audienceCodes,
  /** Whether readers may comment, and acknowledge; on unless told. */
  allowComments: z.optional(flag),
  allowAcknowledgements: z.optional(flag),
}

/**
 * So many notices one person writes in an hour at most, and who holds `autho_notice_manage`
 * (rules/notices#notices-an-hour).
 */
export const NOTICES_AN_HOUR = { author: 30, manager: 300 } as const

/** Writes a notice in the caller's name. */
export const createNotice = endpoint({
  path: '/bmt/v1/ins/noticeInfo',
  summary: 'Write a notice',
  access: 'signed-in',
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
  perPerson: 'write',
})

/**
 * Edits a notice (rules/notices#who-edits-notices). With the version that was
 * read, an edit that somebody else made meanwhile is refused as RECORD_CHANGED. One that is published cannot go back.
 */
export const updateNotice = endpoint({
  path: '/bmt/v1/upd/noticeInfo',
  summary: 'Edit a notice',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({
    ...noticeFields,
    ...noticeSettings,
    ...attachedUpload,
    noticeId: recordId,
    version: z.optional(z.string({ error: 'notText' }).check(z.regex(/^[0-9]{1,10}$/, 'codeFormat'))),
  }),
  output: z.object({}),
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
  personal: 'none',
  perPerson: 'write',
})

/** Deletes a notice with its files: its author or `autho_notice_manage` (rules/notices#delete-notice). */
export const deleteNotice = endpoint({
  path: '/bmt/v1/del/noticeInfo',
  summary: 'Delete a notice',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ noticeId: recordId }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'NOTICE_MARKED', 'NOTICE_NOT_FOUND'],
  audit: 'notice.delete',
  personal: 'none',
  perPerson: 'write',
})
