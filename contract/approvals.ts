import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { UNREACHABLE } from './refusal-lists.ts'
import {
  code,
  date,
  datesInOrder,
  filter,
  lastDay,
  multiline,
  paging,
  partnerCode,
  recordId,
  timestamp,
  totalCount,
  userId,
  grantFields,
} from './fields.ts'

/** Number of rows on a page of the waiting requests. */
export const REQUESTS_PER_PAGE = 10

/** The states of a request, in wire form. */
export const REQUEST_STATE = { waiting: 'W', approved: 'A', refused: 'R', withdrawn: 'C' } as const

/** The longest reason, in characters; it is read in an email. */
export const REASON_LENGTH = 500

/** Access policy of the calls that decide on requests. */
const manage = { function: ['autho_user_manage'] } as const

/** The most requests, and partner codes, in one decision: as many requests as the largest page shows. */
const MOST_AT_ONCE = 100

/** Creates a check that refuses a list in which two entries have the same key. */
const noRepeats = <T>(key: (entry: T) => string) =>
  z.refine<readonly T[]>((list) => new Set(list.map(key)).size === list.length, {
    error: 'listRepeats',
  })

/** Schema of the IDs of the requests to decide: 1 to MOST_AT_ONCE, without duplicates. */
const requestList = z.array(recordId, { error: 'notAList' }).check(
  z.minLength(1, 'notAList'),
  z.maxLength(MOST_AT_ONCE, 'notAList'),
  noRepeats((id: string) => id),
)

/** The fields that distinguish a request for another affiliation from one for an account. */
const newAffiliation = {
  newAffiliationCode: z.optional(z.string()),
  /** In the language of the caller. */
  newAffiliationName: z.optional(z.string()),
}

/**
 * Lists the requests that wait for approval, oldest first: those of users whom the caller may administer, without the
 * caller's own request (rules/approvals#who-decides). The home page shows the total number, too.
 */
export const listRequests = endpoint({
  path: '/stm/v1/get/approvals',
  summary: 'List the waiting requests',
  title: { ko: '승인 요청 목록 조회', en: 'Viewed approval requests' },
  access: manage,
  scope: 'approvals:read',
  input: z.strictObject({ keyword: filter(), ...paging(REQUESTS_PER_PAGE) }),
  output: z.object({
    totalCount,
    requests: z.array(
      z.object({
        requestId: z.string(),
        userId: z.string(),
        name: z.string(),
        affiliationCode: z.string(),
        /** Name of the affiliation in the caller's language. */
        affiliationName: z.string(),
        position: z.string(),
        phoneNumber: z.string(),
        email: z.string(),
        requestedAt: timestamp,
        /** The affiliation that a change requests; left out for a request for an account. */
        ...newAffiliation,
        /** How often a request with this email was rejected before. */
        refusedCount: z.number(),
      }),
    ),
  }),
  audit: 'none',
  personal: ['search', 'out.requests[].userId'],
})

/** The errors of every decision on requests: out of reach, unknown, or decided by another user. */
const undecided = ['FORBIDDEN', 'REQUEST_NOT_FOUND', 'REQUEST_DECIDED'] as const

/** Schema of the partner code for each affiliation. */
const partnerChoices = z
  .array(z.strictObject({ affiliationCode: code, partnerCode }), { error: 'notAList' })
  .check(
    z.minLength(1, 'notAList'),
    z.maxLength(MOST_AT_ONCE, 'notAList'),
    noRepeats((entry: { affiliationCode: string }) => entry.affiliationCode),
  )

/** The values that an approval sets, for all chosen requests. */
export const approvalFields = {
  validFrom: date,
  validTo: lastDay,
  roleCode: code,
  partners: partnerChoices,
}

/**
 * Approves one or many requests with the same validity period and role. Because partner codes belong to an affiliation,
 * each affiliation among them gets one partner code (PARTNER_CHOICE_MISSING without it). All or none: REQUEST_DECIDED
 * names those that another user has decided since, AFFILIATION_CLOSED those whose affiliation is closed. Every approved
 * user gets an email.
 */
export const approveRequests = endpoint({
  path: '/stm/v1/upd/approve',
  summary: 'Approve requests',
  title: { ko: '가입 승인', en: 'Approved requests' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ requests: requestList, ...approvalFields, ...grantFields }).check(datesInOrder),
  output: z.object({ approvedCount: z.number() }),
  errors: [
    ...undecided,
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'PARTNER_NOT_FOUND',
    'PARTNER_STOPPED',
    'PARTNER_CHOICE_MISSING',
  ],
  audit: 'user.approve',
  personal: ['change', 'told'],
  mails: 'mailWritten',
})

/** The reason of a rejection, as the applicant reads it; not blank. */
export const refusalReason = multiline(REASON_LENGTH).check(
  z.refine((text) => text.trim() !== '', 'required'),
  z.overwrite((text) => text.trim()),
)

/**
 * Rejects one or many requests, all or none. Each applicant gets the reason by email. ID and email are free again, so a rejected
 * applicant may apply again (design/accounts#approval-requests).
 */
export const refuseRequests = endpoint({
  path: '/stm/v1/upd/refuse',
  summary: 'Reject requests',
  title: { ko: '가입 거절', en: 'Rejected requests' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ requests: requestList, reason: refusalReason }),
  output: z.object({ refusedCount: z.number() }),
  errors: undecided,
  audit: 'user.refuse',
  personal: ['change', 'told'],
  mails: 'mailWritten',
})

/**
 * Moves users to the affiliations that they requested. `partners` has one partner code for each requested affiliation,
 * which all users who move there get (PARTNER_CHOICE_MISSING without it). All or none, with the refusals of
 * `approveRequests`; every user is notified. For users with a branch role the caller must reauthenticate.
 */
export const approveAffiliationChanges = endpoint({
  path: '/stm/v1/upd/approveAffiliation',
  summary: 'Approve changes of affiliation',
  title: { ko: '소속 변경 승인', en: 'Approved changes of affiliation' },
  access: manage,
  confirmed: 'told',
  input: z.strictObject({ requests: requestList, partners: partnerChoices }),
  output: z.object({ approvedCount: z.number() }),
  errors: [
    ...undecided,
    'AFFILIATION_CLOSED',
    'PARTNER_NOT_FOUND',
    'PARTNER_STOPPED',
    'PARTNER_CHOICE_MISSING',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
  ],
  audit: 'user.approve-affiliation',
  personal: ['change', 'told'],
  mails: 'mailWritten',
})

/**
 * Rejects changes of affiliation, all or none. The accounts stay unchanged, and every user is notified with the reason.
 * REQUEST_DECIDED names those that were decided since.
 */
export const refuseAffiliationChanges = endpoint({
  path: '/stm/v1/upd/refuseAffiliation',
  summary: 'Reject changes of affiliation',
  title: { ko: '소속 변경 거절', en: 'Rejected changes of affiliation' },
  access: manage,
  input: z.strictObject({ requests: requestList, reason: refusalReason }),
  output: z.object({ refusedCount: z.number() }),
  errors: undecided,
  audit: 'user.refuse-affiliation',
  personal: ['change', 'told'],
  mails: 'mailWritten',
})

/** Cancels the caller's own open request for another affiliation. REQUEST_NOT_FOUND without one. */
export const cancelAffiliationChange = endpoint({
  path: '/stm/v1/del/affiliationRequest',
  summary: 'Cancel my request for another affiliation',
  title: { ko: '소속 변경 요청 취소', en: 'Canceled a change of affiliation' },
  access: 'signed-in',
  confirmed: 'gate',
  errors: ['REQUEST_NOT_FOUND'],
  audit: 'user.cancel-affiliation',
  personal: ['change', 'own'],
})

/**
 * Lists the requests of a user, newest first: those of this account, and those rejected before with the same email.
 * FORBIDDEN for the caller and accounts outside the administration scope, USER_NOT_FOUND for a missing one.
 */
export const listRequestsOfUser = endpoint({
  path: '/stm/v1/get/approvalHistory',
  summary: 'Read the approval history of a user',
  title: { ko: '승인 이력 조회', en: 'Viewed an approval history' },
  access: manage,
  scope: 'approvals:read',
  input: z.strictObject({ userId }),
  output: z.object({
    requests: z.array(
      z.object({
        requestId: z.string(),
        /** The requested ID. */
        userId: z.string(),
        requestedAt: timestamp,
        state: z.enum(Object.values(REQUEST_STATE)),
        /** The current and the requested affiliation of a change. */
        affiliationName: z.optional(z.string()),
        newAffiliationName: z.optional(z.string()),
        /** ID and name of the user who decided; '' while the request is open. */
        deciderId: z.string(),
        deciderName: z.string(),
        /** '' while the request is open. */
        decidedAt: z.string(),
        /** '' unless it was rejected. */
        reason: z.string(),
      }),
    ),
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId'],
})
