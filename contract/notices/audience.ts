import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code } from '../fields.ts'

/** How many affiliations, and how many roles, a notice may name: they stand in the indexes of the board. */
export const MAX_AUDIENCE = 30

const codes = z.optional(
  z.array(code, 'notAList').check(z.maxLength(MAX_AUDIENCE, `tooManyChosen|${MAX_AUDIENCE}`)),
)

/**
 * Whom a notice is for (rules/notices#audience): who is in one of the affiliations and has one of the roles. None of a kind:
 * whoever.
 */
export const audienceCodes = { audienceAffiliations: codes, audienceRoles: codes }

const named = z.array(z.object({ code: z.string(), codeName: z.string() }))

/** The same with their names, as they are shown. */
export const audienceNames = { audienceAffiliations: named, audienceRoles: named }

/** What the author of a notice chooses its audience from: the affiliations that are open, and every role. */
export const listAudience = endpoint({
  path: '/bmt/v1/get/noticeAudience',
  summary: 'Whom a notice may be for',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object(audienceNames),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
