import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { filter, recordId } from '../fields.ts'

/** The most people that one search offers. Each search counts as many entries of the directory (rules/colleagues#entries-a-day). */
export const PEOPLE_OFFERED = 5

/**
 * Finds people whom a comment on a notice may mention: colleagues as in the directory who may read the notice, without the caller.
 * For a keyword of less than two characters only the author of the notice and users who commented on it.
 * COLLEAGUES_TOO_MANY as for the directory.
 */
export const listMentionable = endpoint({
  path: '/bmt/v1/get/mentionable',
  summary: 'Find people to mention in a comment',
  title: { ko: '댓글에서 언급할 사람 조회', en: 'Searched people to mention' },
  access: 'signed-in',
  input: z.strictObject({ noticeId: recordId, keyword: filter() }),
  output: z.object({
    mentionables: z.array(
      z.object({
        mentionId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        /** Path of the main team; empty without one. */
        teamName: z.string(),
        position: z.string(),
      }),
    ),
  }),
  errors: ['NOTICE_NOT_FOUND', 'NOTICE_RESPONSE_OFF', 'COLLEAGUES_TOO_MANY'],
  audit: 'none',
  personal: ['search', 'told'],
  perPerson: 'heavy',
})
