import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { filter, line, multiline, paging, recordId, timestamp, totalCount } from './fields.ts'

export * from './notices/files.ts'

/** Bullet codes (spec §9). */
export const BULLET = { notice: 'BE0001', keyIssue: 'BE0002' } as const

/** The code group of the bullets' names. */
export const BULLET_GROUP = 'BULLET'

/** SEARCH_TYPE carries the Korean word whatever the language of the screen (decisions §2). */
export const SEARCH_TYPE = { all: '통합검색', title: '제목', author: '작성자' } as const

/** Notice search shows 9 rows a page (spec §9). */
export const NOTICES_PER_PAGE = 9

/** Home shows the 4 newest notices (spec §9). */
export const HOME_NOTICES = 4

const bullet = z.enum(Object.values(BULLET), 'codeFormat')

/** An attached file. SAVE_* are opaque to the client and looked up, never used as a path (decisions §2). */
const noticeFile = z.object({
  FILE_ID: z.string(),
  SAVE_FILE_NAME: z.string(),
  SAVE_PATH: z.string(),
  ORIGINAL_FILE_NAME: z.string(),
})

/** A row of the notice list (spec §3). */
const noticeRow = z.object({
  NO: z.number(),
  NOTICE_ID: z.string(),
  BULLET_CODE: z.string(),
  BULLET_CODE_NAME: z.string(),
  TITLE: z.string(),
  USER_ID: z.string(),
  NAME: z.string(),
  REGSTER_DATETIME: timestamp,
  FILE_LIST: z.array(noticeFile),
})

/** 통합검색 sends the text in TITLE and USER_NAME and matches either (decisions §2). */
export const listNotices = endpoint({
  path: '/bmt/v1/get/noticeList',
  summary: 'Search notices',
  access: 'signed-in',
  input: z.strictObject({
    SEARCH_TYPE: z._default(z.enum(Object.values(SEARCH_TYPE), 'codeFormat'), SEARCH_TYPE.all),
    TITLE: filter(200),
    USER_NAME: filter(200),
    ...paging(NOTICES_PER_PAGE),
  }),
  output: z.object({ NOTICE_LIST: z.array(noticeRow), TOTAL_COUNT: totalCount }),
  errors: [],
  audit: 'none',
})

/** A notice with its text and files; the author comes from the server (decisions §6). */
export const getNotice = endpoint({
  path: '/bmt/v1/get/noticeInfo',
  summary: 'Read a notice',
  access: 'signed-in',
  input: z.strictObject({ NOTICE_ID: recordId }),
  output: z.object({ ...z.omit(noticeRow, { NO: true }).shape, MEMO: z.nullable(z.string()) }),
  errors: ['NOTICE_NOT_FOUND'],
  audit: 'none',
})

const noticeFields = { BULLET_CODE: bullet, TITLE: line(200), MEMO: multiline(100_000) }

/** Writes a notice in the caller's name. */
export const createNotice = endpoint({
  path: '/bmt/v1/ins/noticeInfo',
  summary: 'Write a notice',
  access: 'signed-in',
  input: z.strictObject(noticeFields),
  output: z.object({ NOTICE_ID: z.string(), USER_ID: z.string() }),
  errors: [],
  audit: 'notice.create',
})

/** Edits a notice: its author or `autho_notice_manage` (decisions §5). */
export const updateNotice = endpoint({
  path: '/bmt/v1/upd/noticeInfo',
  summary: 'Edit a notice',
  access: 'signed-in',
  input: z.strictObject({ ...noticeFields, NOTICE_ID: recordId }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'NOTICE_NOT_FOUND'],
  audit: 'notice.update',
})

/** Deletes a notice with its files: its author or `autho_notice_manage` (decisions §5). */
export const deleteNotice = endpoint({
  path: '/bmt/v1/del/noticeInfo',
  summary: 'Delete a notice',
  access: 'signed-in',
  input: z.strictObject({ NOTICE_ID: recordId }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'NOTICE_NOT_FOUND'],
  audit: 'notice.delete',
})
