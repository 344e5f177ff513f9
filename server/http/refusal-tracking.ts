import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { checkFunction } from '../../contract/common.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE, PLAIN_BASE } from '../../contract/envelope.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { endpoints } from '../../contract/index.ts'
import { createRefusalRecords, type RefusalKind } from '../records/refusal-audit.ts'
import { addressOf, networkOf } from '../callers/client-address.ts'
import type { SignedIn } from '../callers/sessions.ts'

/** Facts about a request that are noted while it is handled, for the access log and the record of its refusal. */
interface RequestNotes {
  /** Code of the response. */
  code?: ErrorCode
  /** True if the refused call would have granted permissions. */
  raisesRights?: boolean
  /** The caller; only the ID until the session is looked up. */
  person?: Pick<SignedIn, 'id'> & Partial<Pick<SignedIn, 'userId'>>
  /** Login ID that a caller without a session entered. */
  triedId?: string
  /** Name of the identity provider that makes the request, or of its login. */
  provider?: string
  /** Token of the caller, as `tokenKey` names it. */
  token?: string
}

/** Notes of each request that is being handled. */
const notes = new WeakMap<FastifyRequest, RequestNotes>()

/** Adds facts about a request, which replace earlier ones of the same name. */
export function addRequestNotes(request: FastifyRequest, added: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...added })
}

/** Returns the facts about a request that its handling has noted so far; an empty object without notes. */
export const requestNotes = (request: FastifyRequest): RequestNotes => notes.get(request) ?? {}

/** Counts of the refusals that this process has recorded. */
export interface RefusalTracker {
  /** Returns the number of refusals of each kind and code since the start of this process. */
  report(): { kind: RefusalKind; code: ErrorCode; count: number }[]
}

/**
 * Records refusals in hooks of the app: a log line, a count, and an audit row if the user is known or an ID was entered
 * (rules/audit#refusals). It runs after the response, so that response times reveal nothing.
 */
export function trackRefusals(app: FastifyInstance, pool: pg.Pool): RefusalTracker {
  const counts = new Map<string, { kind: RefusalKind; code: ErrorCode; count: number }>()
  const records = createRefusalRecords(pool, app.log)
  app.addHook('onClose', () => records.close())

  app.addHook('onResponse', async (request) => {
    const { code, raisesRights, person, triedId } = requestNotes(request)
    if (code === undefined) return
    const endpoint = CALLS.get(request.routeOptions.url ?? '')
    const action = endpoint === undefined || endpoint.audit === 'none' ? undefined : endpoint.audit
    const kind = kindOf(code, {
      raisesRights,
      triedId,
      isExport: action?.endsWith('.export'),
      hasToken: request.headers.authorization !== undefined,
    })
    // `checkFunction` returns a missing permission as its result; that is not a refusal.
    if (kind === undefined || endpoint === checkFunction) return

    const count = counts.get(`${kind} ${code}`) ?? { kind, code, count: 0 }
    count.count += 1
    counts.set(`${kind} ${code}`, count)
    const address = addressOf(request)
    const call = endpoint?.path ?? (request.routeOptions.url ?? '').replace(API_BASE, '')
    records.add({
      kind,
      code,
      call,
      action,
      address,
      network: networkOf(address),
      requestId: request.id,
      person,
      triedId: triedId === undefined ? undefined : loggableLoginId(triedId),
    })
  })
  return { report: () => [...counts.values()] }
}

/** Every call by its URLs: in the envelope, and as a plain call if it is offered. */
const CALLS = new Map<string, Endpoint>(
  endpoints.flatMap(({ domain, name, endpoint }): [string, Endpoint][] => [
    [API_BASE + endpoint.path, endpoint],
    ...(endpoint.scope === undefined
      ? []
      : [[`${PLAIN_BASE}/${domain}/${name}`, endpoint] as [string, Endpoint]]),
  ]),
)

/** Error codes of a wrong code, second factor, email link or program token. */
const GUESSED: ReadonlySet<ErrorCode> = new Set([
  'CERTIFICATION_FAILED',
  'LINK_INVALID',
  'PASSKEY_CLONED',
  'PASSKEY_INVALID',
  'PROGRAM_TOKEN_REQUIRED',
  'SECOND_FACTOR_WRONG',
  'SSO_ANSWER_INVALID',
  'SSO_STATE_INVALID',
])

/** Error codes that no page of the portal causes. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set([
  'ENVELOPE_INVALID',
  'CONTENT_TYPE_UNSUPPORTED',
  'PAYLOAD_TOO_LARGE',
])

/**
 * Returns the kind of a refusal; undefined for one that is not recorded, because it concerns no permission, password, limit or
 * lock.
 * @param of facts about the call: `isExport` for an audited export, `hasToken` if it has a header Authorization
 */
function kindOf(
  code: ErrorCode,
  of: {
    raisesRights: boolean | undefined
    triedId: string | undefined
    isExport: boolean | undefined
    hasToken: boolean
  },
): RefusalKind | undefined {
  const status = ERRORS[code]
  const isDenied = status === 403 || code === 'FUNCTION_DENIED'
  // Not a failure: the password was right.
  if (code === 'SECOND_FACTOR_REQUIRED') return undefined
  if (code === 'LOGIN_LOCKED' || code === 'PASSWORD_DISABLED' || code === 'SECOND_FACTOR_LOCKED')
    return 'lock'
  if (of.isExport && (isDenied || status === 429 || code === 'PASSWORD_WRONG' || code.startsWith('EXPORT_')))
    return 'export'
  if (code === 'PASSWORD_WRONG') return 'password'
  if (GUESSED.has(code) || (code === 'SERVICE_TOKEN_REQUIRED' && of.hasToken)) return 'code'
  if (MALFORMED.has(code)) return 'input'
  if (status === 429) return 'limit'
  if (of.raisesRights) return 'raise'
  if (isDenied) return 'rights'
  return of.triedId !== undefined && status === 400 ? 'login' : undefined
}

/** Returns an entered login ID for the log, or '' if it cannot be a login ID: it may be a password in the wrong field. */
export function loggableLoginId(typed: string): string {
  return /^[a-z0-9._-]{1,20}$/.test(typed) ? typed : ''
}
