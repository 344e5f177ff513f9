import type { FastifyRequest } from 'fastify'
import { type Access, type Confirmed, type Endpoint, isDuringFactorSetUp } from '../../contract/endpoint.ts'
import { refuse } from '../../contract/errors.ts'
import { can } from '../../contract/permissions.ts'
import type { CallerOf } from './handler.ts'
import type { MountOptions } from './mount.ts'
import { placeRefusal } from './places.ts'
import { findProgram, useProgram } from './programs.ts'
import { addRequestNotes } from './refusal-tracking.ts'
import { findService } from './services.ts'
import { findSession, type SignedIn, tokenOf } from './sessions.ts'
import { hashToken, programTokenOf } from './tokens.ts'

/** What finding out who makes a call needs. */
export type CallerOptions = Pick<MountOptions, 'db' | 'pool' | 'services' | 'admission'>

/**
 * The caller of a request, if they may make this call. A session never counts as a service's token, nor a token as a
 * session; a program's counts where the contract says so alone.
 * @throws {Refusal} SERVICE_TOKEN_REQUIRED, SESSION_REQUIRED and what else the contract says
 */
export function callerOf<A extends Access>(
  request: FastifyRequest,
  endpoint: Endpoint & { access: A },
  options: MountOptions,
): Promise<CallerOf<A>>
export async function callerOf(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: MountOptions,
): Promise<CallerOf<Access>> {
  if (endpoint.access === 'service') {
    await findByProgram(request, endpoint, options)
    const service = (await findService(options.pool, request)) ?? refuse('SERVICE_TOKEN_REQUIRED')
    await options.callLimits.use(endpoint.perPerson, `service ${service.serviceId}`)
    return service
  }
  const person = await findPerson(request, endpoint, options)
  return endpoint.access === 'public' ? person : allowed(endpoint, person)
}

/**
 * The person who makes a request, if they may make this call, which needs a session. They are looked up in turn.
 * @throws {Refusal} SESSION_REQUIRED and what else the contract says
 */
export async function authorise(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: CallerOptions,
): Promise<SignedIn> {
  return options.admission.inTurn(request, endpoint, () => stillAllowed(request, endpoint, options))
}

/** The same without a turn, for work that asks again while it goes on. */
export async function stillAllowed(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: CallerOptions,
): Promise<SignedIn> {
  return allowed(endpoint, await findPerson(request, endpoint, options))
}

async function findPerson(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: CallerOptions,
): Promise<SignedIn | null> {
  const byProgram = await findByProgram(request, endpoint, options)
  if (byProgram !== undefined) return byProgram
  const { db, pool, services, admission } = options
  const token = tokenOf(request)
  if (token === undefined) return null
  const isPublic = endpoint.access === 'public'
  const session = { request, tokenHash: hashToken(token) }
  const person = await findSession(
    pool,
    services.config.session,
    session,
    endpoint.leavesSessionIdle !== true,
  )
  const refusal = person && (await placeRefusal(request, person, { db, settings: services.settings }))
  if (person === null || refusal === 'SESSION_MOVED') admission.forgetCaller(request)
  if (person === null) return null
  // What anybody may ask for is answered as to anybody.
  if (refusal !== null && isPublic) return null
  if (person === 'moved' || refusal !== null) refuse(refusal ?? 'SESSION_MOVED')
  admission.rememberCaller(request, person.id, person.isBound)
  addRequestNotes(request, { person })
  return person
}

/**
 * The person whose program makes a request with a token of its own, whatever session comes with it; undefined without such a token.
 * @throws {Refusal} PROGRAM_TOKEN_SCOPE for every call that is not there for programs, PROGRAM_TOKEN_REQUIRED for a token that is
 *   worth nothing
 */
async function findByProgram(
  request: FastifyRequest,
  { programs }: Endpoint,
  { pool, db, admission }: CallerOptions,
): Promise<SignedIn | undefined> {
  const token = programTokenOf(request)
  if (token === undefined) return undefined
  const found = await findProgram(pool, request, token)
  if (found === null) admission.forgetCaller(request)
  else addRequestNotes(request, { person: found.person })
  if (programs !== true) refuse('PROGRAM_TOKEN_SCOPE')
  if (found === null) return refuse('PROGRAM_TOKEN_REQUIRED')
  admission.rememberCaller(request, found.person.id, found.person.isBound)
  if (found.isStale) await useProgram(db, request, found.person)
  return found.person
}

/**
 * Deny by default (rules/roles#deny-by-default): what is not public needs a session, and the function it names.
 * @throws {Refusal} SESSION_REQUIRED and what else the contract says
 */
export function allowed(
  endpoint: Pick<Endpoint, 'access' | 'duringPasswordChange' | 'duringFactorSetUp' | 'confirmed'>,
  person: SignedIn | null,
): SignedIn {
  const { access } = endpoint
  if (person === null) refuse('SESSION_REQUIRED')
  if (person.passwordTemporary && endpoint.duringPasswordChange !== true) refuse('PASSWORD_CHANGE_REQUIRED')
  if (person.mustSetUpFactor && !isDuringFactorSetUp(endpoint)) refuse('FACTOR_SETUP_REQUIRED')
  if (typeof access === 'object' && !access.function.some((name) => can(person, name)))
    refuse(access.refusal ?? 'FORBIDDEN')
  // After the right to do it: who may not is not asked for a password.
  if (endpoint.confirmed === 'always' || endpoint.confirmed === 'gate')
    reauthenticated(person, endpoint.confirmed)
  return person
}

/**
 * Checks that a user has reauthenticated (rules/account#confirmation).
 * @throws {Refusal} PASSWORD_CHECK_REQUIRED, CONFIRMATION_REQUIRED
 */
export function reauthenticated(person: SignedIn, how: Exclude<Confirmed, 'told'>): void {
  if (how === 'gate' && !person.passwordChecked) refuse('PASSWORD_CHECK_REQUIRED')
  if (how === 'always' ? !person.confirmed : person.factorDue) refuse('CONFIRMATION_REQUIRED')
}
