import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, multiline, paging, recordId, timestamp, totalCount } from '../fields.ts'

/** The longest comment, in characters. */
export const MAX_COMMENT = 1000

/** The comments of a notice are shown 10 a page, with their replies. */
export const COMMENTS_PER_PAGE = 10

/** The most comments, edits and mentions of a user in an hour (rules/notices#comments-an-hour). */
export const COMMENTS_AN_HOUR = 120

/** Plain text that is not blank; the form uses the same schema. */
export const commentText = multiline(MAX_COMMENT).check(
  z.refine((text) => text.trim() !== '', { error: 'required', abort: true }),
)

/** The most people that a comment mentions (rules/notices#mentions). */
export const MENTIONS_PER_COMMENT = 10

/**
 * Errors of calls that mention people. MENTION_NOT_FOUND: a user whom `listMentionable` does not return, or whose name is
 * not in the text. MENTIONS_TOO_MANY: with those whom an edited comment mentions already.
 */
export const MENTION_ERRORS = ['MENTION_NOT_FOUND', 'MENTIONS_TOO_MANY'] as const

/** IDs of people whom a comment newly mentions, as `listMentionable` returns them. The text contains each name after an @. */
export const mentionIds = z.optional(
  z
    .array(recordId, { error: 'notAList' })
    .check(z.maxLength(MENTIONS_PER_COMMENT, `tooManyChosen|${MENTIONS_PER_COMMENT}`)),
)

/**
 * Errors of all calls here. NOTICE_RESPONSE_OFF: the notice or the portal has disabled comments or reactions
 * (rules/notices#switched-off).
 */
const SHARED = ['NOTICE_NOT_FOUND', 'NOTICE_RESPONSE_OFF'] as const

/** Adds or removes the caller's 👍 to another user's published notice. NOTICE_RESPONSE_OFF for an own one. */
export const acknowledgeNotice = endpoint({
  path: '/bmt/v1/upd/noticeAck',
  summary: 'Acknowledge a notice, or take it back',
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId, acknowledged: flag }),
  errors: SHARED,
  audit: 'none',
  personal: 'none',
})

/** Lists the comments of a notice that the caller may see: the newest thread first, each with its replies in their order. */
export const listComments = endpoint({
  path: '/bmt/v1/get/noticeComments',
  summary: 'Comments of a notice',
  title: { ko: '공지사항 댓글 조회', en: 'Read comments' },
  access: 'signed-in',
  scope: 'notices:read',
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
        /** True if it was edited after it was written. */
        edited: flag,
        /** True if the caller wrote it. */
        editable: flag,
        /** True if the caller wrote it or manages notices. */
        removable: flag,
        /** True for a reply. */
        reply: z.optional(flag),
        /** Name of the author whom a reply answers; left out if the answered comment was deleted. */
        answeredName: z.optional(z.string()),
        /** Names of the people whom it mentions. The text contains each after an @. */
        mentionedNames: z.optional(z.array(z.string())),
        /** True for a deleted comment with replies. It has no text and no author. */
        deleted: z.optional(flag),
      }),
    ),
    totalCount,
  }),
  errors: SHARED,
  audit: 'none',
  personal: 'none',
})

/** Adds a comment to a published notice. COMMENT_NOT_FOUND: it answers no comment of this notice. */
export const createComment = endpoint({
  path: '/bmt/v1/ins/noticeComment',
  summary: 'Comment on a notice',
  access: 'signed-in',
  input: z.strictObject({
    noticeId: recordId,
    text: commentText,
    /** The comment that it answers. A reply to a reply joins the same thread. */
    answeredId: z.optional(recordId),
    mentionIds,
  }),
  output: z.object({ commentId: z.string() }),
  errors: [...SHARED, 'COMMENT_NOT_FOUND', 'COMMENTS_TOO_MANY', ...MENTION_ERRORS],
  audit: 'notice.comment',
  personal: 'none',
})

/** Edits one of the caller's own comments. People whom it mentions already stay mentioned. */
export const updateComment = endpoint({
  path: '/bmt/v1/upd/noticeComment',
  summary: 'Edit a comment',
  access: 'signed-in',
  input: z.strictObject({ commentId: recordId, text: commentText, mentionIds }),
  errors: [...SHARED, 'COMMENT_NOT_FOUND', 'COMMENTS_TOO_MANY', ...MENTION_ERRORS],
  audit: 'notice.comment-edit',
  personal: 'none',
})

/**
 * Deletes one of the caller's own comments, or with `autho_notice_manage` any comment. A comment with replies stays as a deleted one.
 * Works even if comments have been disabled since.
 */
export const deleteComment = endpoint({
  path: '/bmt/v1/del/noticeComment',
  summary: 'Delete a comment',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({ commentId: recordId }),
  errors: ['COMMENT_NOT_FOUND', 'FORBIDDEN'],
  audit: 'notice.comment-delete',
  personal: 'none',
})
