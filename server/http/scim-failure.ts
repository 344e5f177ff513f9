import type { FastifyReply, FastifyRequest } from 'fastify'
import { SCIM_BASE } from '../../contract/envelope.ts'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'

/** Media type of requests and responses of SCIM. */
export const SCIM_TYPE = 'application/scim+json'

/** Values of `scimType` that Maru returns (RFC 7644, table 9). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** Description of a refusal in the terms of SCIM, where it differs from that of its error code. */
export interface ScimProblem {
  status?: number
  scimType?: ScimType
  /** Text for the administrator of the identity provider, in English. */
  detail?: string
}

/** Refusal of a SCIM request for a reason that no error code names. Its code is INPUT_INVALID. */
export class ScimRefusal extends Refusal {
  readonly scim: ScimProblem

  constructor(scimType: ScimType, detail: string, status = 400) {
    super('INPUT_INVALID')
    this.scim = { status, scimType, detail }
  }
}

/**
 * Throws a ScimRefusal, by default with the status 400.
 * @throws {ScimRefusal} always
 */
export function refuseScim(scimType: ScimType, detail: string, status = 400): never {
  throw new ScimRefusal(scimType, detail, status)
}

/** Returns whether a request is one of SCIM, whose failures have a format of their own (rules/scim#errors). */
export const isScim = ({ url }: FastifyRequest): boolean =>
  /^[^?]*/.exec(url)?.[0].replace(/\/?$/, '/').startsWith(`${SCIM_BASE}/`) === true

/** Values of `scimType` by the error codes that SCIM has a name for. */
const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  EMAIL_TAKEN: 'uniqueness',
  EMPLOYEE_NUMBER_TAKEN: 'uniqueness',
  USER_ID_TAKEN: 'uniqueness',
  INPUT_INVALID: 'invalidSyntax',
}

/** Statuses that differ from those of plain calls, by error code. */
const STATUSES: Partial<Record<ErrorCode, number>> = { LAST_ADMIN: 403, LAST_ADMIN_ENDS: 403 }

/** Sends a failure as RFC 7644 prescribes it. The `scimType` follows from the error code unless it is given. */
export function answerScimFailure(
  reply: FastifyReply,
  problem: ScimProblem & { status: number; code: ErrorCode },
): FastifyReply {
  const { code, detail, scimType = TYPES[code] } = problem
  const status = STATUSES[code] ?? problem.status
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer')
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  const body = { schemas, status: String(status), ...(scimType !== undefined && { scimType }), detail }
  return reply.status(status).type(SCIM_TYPE).send(JSON.stringify(body))
}
