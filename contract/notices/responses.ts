import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, multiline, paging, recordId, timestamp, totalCount } from '../fields.ts'

/** How long a comment may be. */
export const MAX_COMMENT = 1000

/** The comments of a notice are shown 10 a page, the newest first. */
export const COMMENTS_PER_PAGE = 10

/** Plain text that is not blank; the form runs the same. */
export const commentText = multiline(MAX_COMMENT).check(
  z.refine((text) => text.trim() !== '', { error: 'required', abort: true }),
)

/** What a notice, or the portal, may have switched off: NOTICE_RESPONSE_OFF (rules/notices#switched-off). */
const SHARED = ['NOTICE_NOT_FOUND', 'NOTICE_RESPONSE_OFF'] as const

/** Says, or takes back, that the caller has taken note of a published notice of somebody else's. */
export const acknowledgeNotice = endpoint({
  path: '/bmt/v1/upd/noticeAck',
  summary: 'Acknowledge a notice, or take it back',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId, acknowledged: flag }),
  output: z.object({}),
  errors: SHARED,
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})

/** The comments of a notice that the caller may see, the newest first. */
export const listComments = endpoint({
  path: '/bmt/v1/get/noticeComments',
  summary: 'Comments of a notice',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId, ...paging(COMMENTS_PER_PAGE) }),
  output: z.object({
    comments: z.array(
      z.object({
        rowNumber: z.number(),
        commentId: z.string(),
        text: z.string(),
        userId: z.string(),
        name: z.string(),
        registeredAt: timestamp,
        /** Edited since. */
        edited: flag,
        /** The caller wrote it. */
        editable: flag,
        /** The caller wrote it, or manages notices. */
        removable: flag,
      }),
    ),
    totalCount,
  }),
  errors: SHARED,
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Comments on a published notice. */
export const createComment = endpoint({
  path: '/bmt/v1/ins/noticeComment',
  summary: 'Comment on a notice',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId, text: commentText }),
  output: z.object({ commentId: z.string() }),
  errors: SHARED,
  audit: 'notice.comment',
  personal: 'none',
  perPerson: 'write',
})

/** Edits a comment of one's own. */
export const updateComment = endpoint({
  path: '/bmt/v1/upd/noticeComment',
  summary: 'Edit a comment',
  access: 'signed-in',
  input: z.strictObject({ commentId: recordId, text: commentText }),
  output: z.object({}),
  errors: [...SHARED, 'COMMENT_NOT_FOUND'],
  audit: 'notice.comment-edit',
  personal: 'none',
  perPerson: 'write',
})

/** Deletes a comment of one's own; with `autho_notice_manage` anybody's, also where comments are switched off since. */
export const deleteComment = endpoint({
  path: '/bmt/v1/del/noticeComment',
  summary: 'Delete a comment',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ commentId: recordId }),
  output: z.object({}),
  errors: ['COMMENT_NOT_FOUND', 'FORBIDDEN'],
  audit: 'notice.comment-delete',
  personal: 'none',
  perPerson: 'write',
})
