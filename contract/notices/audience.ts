import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code } from '../fields.ts'

/** The most affiliations, and the most roles, in the audience of a notice: the indexes of the board contain them. */
export const MAX_AUDIENCE = 30

/** Schema of the codes of one kind in an audience; may be left out. */
const codes = z.optional(
  z.array(code, 'notAList').check(z.maxLength(MAX_AUDIENCE, `tooManyChosen|${MAX_AUDIENCE}`)),
)

/**
 * Input fields for the audience of a notice (rules/notices#audience): users who are in one of the affiliations and have
 * one of the roles. An empty list means every affiliation or every role; a field that is left out keeps its value.
 */
export const audienceCodes = { audienceAffiliations: codes, audienceRoles: codes }

/** Schema of codes with their names in the language of the caller. */
const named = z.array(z.object({ code: z.string(), codeName: z.string() }))

/** Output fields for the audience of a notice, with the names of its affiliations and roles. */
export const audienceNames = { audienceAffiliations: named, audienceRoles: named }

/**
 * Counts the users whom a notice for an audience would reach: those who could log in today, without the caller. The
 * form shows this number before it publishes. A caller of another company gets the number of their own colleagues only.
 */
export const countRecipients = endpoint({
  path: '/bmt/v1/get/noticeRecipients',
  summary: 'Count the recipients of a notice',
  access: { function: ['autho_notice_insert'] },
  input: z.strictObject(audienceCodes),
  output: z.object({ recipientCount: z.number() }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Lists the choices for the audience of a notice: the open affiliations and every role, by code and name. */
export const listAudience = endpoint({
  path: '/bmt/v1/get/noticeAudience',
  summary: 'List the possible audience of a notice',
  access: 'signed-in',
  output: z.object(audienceNames),
  audit: 'none',
  personal: 'none',
})
