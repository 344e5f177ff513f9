import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { checkFunction } from '../../contract/common.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { endpoints } from '../../contract/index.ts'
import { createRefusalRecords, type RefusalKind } from '../services/refusal-records.ts'
import { addressOf, networkOf } from './address.ts'
import type { SignedIn } from './sessions.ts'

/** What a request leaves of itself while it is answered, for the traces of a refusal. */
interface Noted {
  code?: ErrorCode
  raisesRights?: boolean
  /** By ID alone, as long as the session has not been looked at. */
  person?: Pick<SignedIn, 'id'> & Partial<Pick<SignedIn, 'userId'>>
  triedId?: string
}

const notes = new WeakMap<FastifyRequest, Noted>()

/** Notes for the traces of a refusal who made a request, as whom, and what it was answered. */
export function note(request: FastifyRequest, what: Noted): void {
  notes.set(request, { ...notes.get(request), ...what })
}

/** What was noted of a request so far. */
export const noted = (request: FastifyRequest): Noted => notes.get(request) ?? {}

/** How often this process has refused what leaves traces. */
export interface Refusals {
  report(): { kind: RefusalKind; code: ErrorCode; count: number }[]
}

/**
 * Leaves traces of refusals: a line in the log, a count, and a row in the audit trail where somebody is known or an ID was
 * tried (rules/audit#refusals). They are left when the answer is on its way, and so tell nothing by its time.
 */
export function watchRefusals(app: FastifyInstance, pool: pg.Pool): Refusals {
  const counts = new Map<string, { kind: RefusalKind; code: ErrorCode; count: number }>()
  const records = createRefusalRecords(pool, app.log)
  app.addHook('onClose', () => records.close())

  app.addHook('onResponse', async (request) => {
    const { code, raisesRights, person, triedId } = noted(request)
    if (code === undefined) return
    const endpoint = CALLS.get(request.routeOptions.url ?? '')
    const action = endpoint === undefined || endpoint.audit === 'none' ? undefined : endpoint.audit
    const kind = kindOf(code, {
      raisesRights,
      triedId,
      isExport: action?.endsWith('.export'),
      hasToken: request.headers.authorization !== undefined,
    })
    // What the call answers is whether somebody may, and no refusal of anything.
    if (kind === undefined || endpoint === checkFunction) return

    const count = counts.get(`${kind} ${code}`) ?? { kind, code, count: 0 }
    count.count += 1
    counts.set(`${kind} ${code}`, count)
    const address = addressOf(request)
    const call = (request.routeOptions.url ?? '').replace(API_BASE, '')
    const tellable = triedId === undefined ? undefined : tellableId(triedId)
    records.add({
      kind,
      code,
      call,
      action,
      address,
      network: networkOf(address),
      requestId: request.id,
      person,
      triedId: tellable,
    })
  })
  return { report: () => [...counts.values()] }
}

const CALLS = new Map<string, Endpoint>(endpoints.map(({ endpoint }) => [API_BASE + endpoint.path, endpoint]))

/** What a wrong code, second factor, mailed link or program's token is answered. */
const GUESSED: ReadonlySet<ErrorCode> = new Set([
  'CERTIFICATION_FAILED',
  'LINK_INVALID',
  'PASSKEY_CLONED',
  'PASSKEY_INVALID',
  'PROGRAM_TOKEN_REQUIRED',
  'SECOND_FACTOR_WRONG',
])

/** What is answered to no page of ours. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set([
  'ENVELOPE_INVALID',
  'CONTENT_TYPE_UNSUPPORTED',
  'PAYLOAD_TOO_LARGE',
])

/** What an answer of the server itself, which says nothing of a person's rights or passwords, leaves no trace of. */
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
  // The password was right, and nothing is wrong yet.
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

/** An ID as it was typed; '' for what can be none: it may be a password that went into the wrong field. */
export function tellableId(typed: string): string {
  return /^[a-z0-9._-]{1,20}$/.test(typed) ? typed : ''
}
