import type { FastifyRequest } from 'fastify'
import {
  type Access,
  type ConfirmationMode,
  type Endpoint,
  isDuringFactorSetUp,
  isDuringPrivacyAcceptance,
} from '../../contract/endpoint.ts'
import { SESSION_USE_HEADER } from '../../contract/envelope.ts'
import { refuse } from '../../contract/errors.ts'
import { can } from '../../contract/permissions.ts'
import { UNATTENDED_SCOPES } from '../../contract/scopes.ts'
import type { CallerOf } from './handler.ts'
import type { InvokeOptions } from './invoke.ts'
import { addressOf } from '../callers/client-address.ts'
import { checkSessionBinding, isAdminNetworkAllowed } from '../callers/session-binding.ts'
import { findProgram, recordProgramUse } from '../callers/program-tokens.ts'
import { addRequestNotes } from './refusal-tracking.ts'
import { findService } from '../callers/service-tokens.ts'
import { findSession, type SignedIn, sessionTokenOf } from '../callers/sessions.ts'
import { hashToken, programTokenOf, tokenKey } from '../callers/bearer-tokens.ts'

/** Services that authentication needs. */
export type AuthOptions = Pick<InvokeOptions, 'db' | 'pool' | 'services' | 'admission'>

/**
 * Returns the caller of a request, and checks that it may make this call. Stores the caller in the request notes. A service call
 * needs a service token, and counts for the service; other calls need a session, or a program token if the endpoint declares
 * `programs`.
 * @returns null for a guest of a public call
 * @throws {Refusal} SERVICE_TOKEN_REQUIRED; TOO_MANY_CALLS for a service; and as `reauthorize`
 */
export function authenticate<A extends Access>(
  request: FastifyRequest,
  endpoint: Endpoint & { access: A },
  options: InvokeOptions,
): Promise<CallerOf<A>>
export async function authenticate(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: InvokeOptions,
): Promise<CallerOf<Access>> {
  if (endpoint.access === 'service') {
    await findByProgram(request, endpoint, options)
    const service = (await findService(options.pool, request)) ?? refuse('SERVICE_TOKEN_REQUIRED')
    addRequestNotes(request, { token: tokenKey('service', service.serviceId) })
    await options.callLimits.use(endpoint.perPerson, `service ${service.serviceId}`)
    return service
  }
  const person = await findPerson(request, endpoint, options)
  return endpoint.access === 'public' ? person : requireAccess(endpoint, person)
}

/**
 * Returns the user who makes a request, and checks that they may make this call. Waits for a slot of the queue.
 * @throws {Refusal} as `reauthorize`, and as `inTurn` of `Admission`
 */
export async function authorize(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: AuthOptions,
): Promise<SignedIn> {
  return options.admission.inTurn(request, endpoint, () => reauthorize(request, endpoint, options))
}

/**
 * Returns the user who makes a request as `authorize` does, but without waiting for a slot: for long work that checks its user
 * repeatedly.
 * @throws {Refusal} SESSION_MOVED, ADDRESS_REFUSED; PROGRAM_TOKEN_SCOPE, PROGRAM_TOKEN_REQUIRED; and as `requireAccess`
 */
export async function reauthorize(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: AuthOptions,
): Promise<SignedIn> {
  return requireAccess(endpoint, await findPerson(request, endpoint, options))
}

/**
 * Returns the user of a request's program token or session, and stores them in the request notes. Restarts the idle timer of the
 * session, unless the call leaves it idle.
 * @returns null without a session, or if it is unknown or expired; for a public call also instead of a refusal of the session
 * @throws {Refusal} SESSION_MOVED, ADDRESS_REFUSED; and as `findByProgram`
 */
async function findPerson(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: AuthOptions,
): Promise<SignedIn | null> {
  const byProgram = await findByProgram(request, endpoint, options)
  if (byProgram !== undefined) return byProgram
  const { db, pool, services, admission } = options
  const token = sessionTokenOf(request)
  if (token === undefined) return null
  const isUse = !leavesIdle(request, endpoint)
  const credentials = { request, tokenHash: hashToken(token) }
  const session = await findSession(pool, services.settings.session(), credentials, isUse)
  const person = session && (await checkSessionBinding(request, session, { db, settings: services.settings }))
  if (person === null || person === 'SESSION_MOVED') admission.forgetCaller(request)
  if (person === null) return null
  // A public call is answered without the session.
  if (typeof person === 'string') return endpoint.access === 'public' ? null : refuse(person)
  admission.rememberCaller(request, person.id, person.isBound)
  addRequestNotes(request, { person })
  return person
}

/**
 * Returns whether a call must not restart the idle timer of its session: by its declaration, or because the page makes it by
 * itself.
 */
function leavesIdle({ headers }: FastifyRequest, { leavesSessionIdle }: Endpoint): boolean {
  if (leavesSessionIdle !== 'in-background') return leavesSessionIdle === true
  return headers[SESSION_USE_HEADER.toLowerCase()] === 'background'
}

/**
 * Returns the user of a request's program token, which has priority over a session. Stores the last use of the token, at
 * intervals.
 * @returns undefined without a program token
 * @throws {Refusal} PROGRAM_TOKEN_SCOPE if the endpoint does not declare `programs` or the scopes of the token do not cover it;
 * PROGRAM_TOKEN_REQUIRED if the token is invalid
 */
async function findByProgram(
  request: FastifyRequest,
  { programs, scope }: Endpoint,
  { pool, db, admission }: AuthOptions,
): Promise<SignedIn | undefined> {
  const token = programTokenOf(request)
  if (token === undefined) return undefined
  const program = await findProgram(pool, request, token)
  if (program === null) admission.forgetCaller(request)
  else addRequestNotes(request, notesOf(program.person))
  if (programs !== true) refuse('PROGRAM_TOKEN_SCOPE')
  if (program === null) return refuse('PROGRAM_TOKEN_REQUIRED')
  // A token without scopes issues keys.
  if (program.scopes.length > 0 && !program.scopes.some((each) => each === scope))
    refuse('PROGRAM_TOKEN_SCOPE')
  admission.rememberCaller(request, program.person.id, program.person.isBound)
  if (program.mustRecordUse) await recordProgramUse(db, request, program.person)
  return program.person
}

/** Returns the request notes of a call with a program token. */
const notesOf = (person: NonNullable<Awaited<ReturnType<typeof findProgram>>>['person']) => ({
  person,
  token: tokenKey('program', person.program.programId),
})

/**
 * Returns the user of the program token of a plain call (rules/wire#plain-calls). Ignores sessions and cookies. The permissions
 * are those of the user's role. For a scope of UNATTENDED_SCOPES the user counts as reauthenticated. Stores the last use of the
 * token.
 * @throws {Refusal} PROGRAM_TOKEN_REQUIRED; PROGRAM_TOKEN_SCOPE if no scope of the token is that of the call; FORBIDDEN if a user
 * without the permission to create services verifies keys; ADDRESS_REFUSED; and as `requireAccess`
 */
export async function authenticateProgram(
  request: FastifyRequest,
  endpoint: Endpoint,
  { pool, db, admission, services }: AuthOptions,
): Promise<SignedIn> {
  const token = programTokenOf(request) ?? refuse('PROGRAM_TOKEN_REQUIRED')
  const program = await findProgram(pool, request, token)
  if (program === null) {
    admission.forgetCaller(request)
    return refuse('PROGRAM_TOKEN_REQUIRED')
  }
  const { mustRecordUse, scopes } = program
  // The scope was confirmed when the token was created.
  const isUnattended = UNATTENDED_SCOPES.includes(endpoint.scope)
  const person: SignedIn = isUnattended
    ? { ...program.person, isUnattended, confirmed: true, factorDue: false }
    : program.person
  addRequestNotes(request, { ...notesOf(program.person), person })
  if (!scopes.some((scope) => scope === endpoint.scope)) refuse('PROGRAM_TOKEN_SCOPE')
  // A user verifies keys only with the permission to create services; for the account of a program, the scope is the permission.
  const isService = endpoint.access === 'service' && person.program?.isAccount !== true
  if (isService && !can(person, 'autho_service_manage')) refuse('FORBIDDEN')
  const { adminNetworks } = services.settings.now()
  if (!isAdminNetworkAllowed(addressOf(request), person.functions, adminNetworks)) refuse('ADDRESS_REFUSED')
  admission.rememberCaller(request, person.id, person.isBound)
  if (mustRecordUse) await recordProgramUse(db, request, program.person)
  return requireAccess(endpoint, person)
}

/**
 * Refuses a user who may not make a call that is not public: it needs a session, and one of the permissions that the
 * endpoint names (rules/roles#deny-by-default).
 * @returns the user
 * @throws {Refusal} SESSION_REQUIRED, PASSWORD_CHANGE_REQUIRED, FACTOR_SETUP_REQUIRED, PRIVACY_ACCEPTANCE_REQUIRED,
 * FORBIDDEN or the endpoint's own code, and as `requireReauthentication`
 */
export function requireAccess(
  endpoint: Pick<
    Endpoint,
    'access' | 'duringPasswordChange' | 'duringFactorSetUp' | 'duringPrivacyAcceptance' | 'confirmed'
  >,
  person: SignedIn | null,
): SignedIn {
  const { access } = endpoint
  if (person === null) refuse('SESSION_REQUIRED')
  if (person.passwordTemporary && endpoint.duringPasswordChange !== true) refuse('PASSWORD_CHANGE_REQUIRED')
  if (person.mustSetUpFactor && !isDuringFactorSetUp(endpoint)) refuse('FACTOR_SETUP_REQUIRED')
  if (person.mustAcceptPrivacy && !isDuringPrivacyAcceptance(endpoint)) refuse('PRIVACY_ACCEPTANCE_REQUIRED')
  if (typeof access === 'object' && !access.function.some((name) => can(person, name)))
    refuse(access.refusal ?? 'FORBIDDEN')
  // After the permission: a user without it is not asked for a password.
  if (endpoint.confirmed === 'always' || endpoint.confirmed === 'gate')
    requireReauthentication(person, endpoint.confirmed)
  return person
}

/**
 * Refuses a user who has not reauthenticated (rules/account#confirmation). Each way also needs the second factor of a user who
 * has one.
 * @param how `always`: a login or reauthentication in this session within CONFIRMATION_MINUTES; `gate`: the password gate;
 * `password`: no more, because the call compares the password itself
 * @throws {Refusal} PASSWORD_CHECK_REQUIRED for `gate` without the password; CONFIRMATION_REQUIRED otherwise
 */
export function requireReauthentication(person: SignedIn, how: Exclude<ConfirmationMode, 'told'>): void {
  if (how === 'gate' && !person.passwordChecked) refuse('PASSWORD_CHECK_REQUIRED')
  if (how === 'always' ? !person.confirmed : person.factorDue) refuse('CONFIRMATION_REQUIRED')
}
