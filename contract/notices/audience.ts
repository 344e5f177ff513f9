import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code } from '../fields.ts'

/** The most affiliations, and the most roles, in the audience of a notice: the indexes of the board contain them. */
export const MAX_AUDIENCE = 30

const codes = z.optional(
  z.array(code, 'notAList').check(z.maxLength(MAX_AUDIENCE, `tooManyChosen|${MAX_AUDIENCE}`)),
)

/**
 * The audience of a notice (rules/notices#audience): users who are in one of the affiliations and have one of the roles. An empty
 * list of a kind means every user.
 */
export const audienceCodes = { audienceAffiliations: codes, audienceRoles: codes }

const named = z.array(z.object({ code: z.string(), codeName: z.string() }))

/** The audience with the names of its affiliations and roles, for display. */
export const audienceNames = { audienceAffiliations: named, audienceRoles: named }

/** Lists the choices for the audience of a notice: the open affiliations, and every role. */
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
