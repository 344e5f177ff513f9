import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { InsertObject, Transaction } from 'kysely'
import type pg from 'pg'
import { FACTOR_HOLD_DAYS } from '../../contract/account.ts'
import { CONFIRMATION_MINUTES } from '../../contract/endpoint.ts'
import { SESSION_HEADER } from '../../contract/envelope.ts'
import { type Actor, type FunctionName, functionsWithin } from '../../contract/permissions.ts'
import type { SessionLimits } from '../services/settings.ts'
import { prepareQuery } from '../db/prepared-statements.ts'
import type { Database } from '../db/types.ts'
import { bindingOf } from './session-cookie.ts'
import { hashToken } from './bearer-tokens.ts'

/** The user who makes a call. Read for every call, so that a revoked permission or role counts immediately. */
export interface SignedIn extends Actor {
  /** users.id */
  id: string
  name: string
  affiliationCode: string
  roleCode: string
  groupName: string
  groupNameEn: string
  /** partners.id */
  partnerId: string | null
  /** Permissions of the user's role, as far as the reach of the role allows them. */
  functions: readonly FunctionName[]
  /**
   * Codes of the affiliations of the user's company if it is not the portal's own; null otherwise (rules/affiliations#external).
   */
  company: readonly string[] | null
  /** True if only a password change, logout and the calls of the page header are answered (rules/account#temporary-password). */
  passwordTemporary: boolean
  /** Last day to set up the second factor that the role requires; '' if the user has one or needs none. */
  factorDay: string
  /** True after `factorDay`: only the calls that set one up are answered (rules/account#required-factor). */
  mustSetUpFactor: boolean
  /** True if only the calls that accept the privacy notice are answered (rules/account#privacy-acceptance); never for a program. */
  mustAcceptPrivacy: boolean
  /** True if the password gate was passed in this session in the last 10 minutes (rules/account#password-gate). */
  passwordChecked: boolean
  /**
   * Whether the user logged in or reauthenticated in this session within CONFIRMATION_MINUTES
   * (rules/account#confirmation).
   */
  confirmed: boolean
  /** Whether the user has a second factor and did not give it in this session within CONFIRMATION_MINUTES. */
  factorDue: boolean
  /**
   * Whether the user gave a second factor within CONFIRMATION_MINUTES that is at least FACTOR_HOLD_DAYS old, so no
   * recovery code (rules/roles#four-eyes).
   */
  factorGiven: boolean
  /** Hash of the sessionUid, or of the program token. */
  tokenHash: Buffer
  /** Whether the session is bound to a cookie (rules/account#session-cookie). */
  isBound: boolean
  /** The IP address at which the session began; undefined for a program. */
  beganAt?: string
  /**
   * The program that makes the call with its own token (rules/keys#program-tokens); `isAccount` if it also has its own
   * account.
   */
  program?: { programId: string; name: string; isAccount: boolean }
  /** Seconds until the session expires if it is not used; for a program, until its token expires. */
  idleSeconds: number
  /** Seconds until the session expires even if it is used; for a program as `idleSeconds`. */
  absoluteSeconds: number
}

/** Time that the password gate stays open (rules/account#password-gate). */
const GATE_MINUTES = 10
/** Minimum time between two writes of a session's last use. */
const WRITE_EVERY_SECONDS = 30

/** Columns of a user that are read with every call. */
export interface PersonRow {
  id: string
  login_id: string
  name: string
  affiliation_code: string
  role_code: string
  group_name: string
  name_en: string
  partner_id: string | null
  password_temporary: boolean
  factor_day: string | null
  today: string
  functions: FunctionName[]
  within: string[] | null
  company: string[] | null
}

/** Row of FIND_SESSION: the user, and the state of the session. */
interface SessionRow extends PersonRow {
  address: string
  is_bound: boolean
  moved: boolean
  password_checked: boolean
  is_fresh: boolean
  has_factor: boolean
  factor_checked: boolean
  factor_settled: boolean
  must_accept_privacy: boolean
  stale: boolean
  idle_seconds: number
  absolute_seconds: number
}

/** SQL columns of a `PersonRow`. The query must name the users `u` and their roles `r`. */
export const PERSON_COLUMNS = `u.id, u.login_id, u.name, u.affiliation_code, u.role_code, r.group_name, r.name_en, u.partner_id, u.password_temporary,
      case when r.factor_required_since is not null then factor_day(u) end as factor_day,
      (now() at time zone 'Asia/Seoul')::date as today,
      array(select f.function_name from role_functions f where f.role_code = u.role_code) as functions,
      affiliations_reached(u.affiliation_code, r.span) as within, external_within(u.affiliation_code) as company`

/**
 * Returns the SQL condition that a user has not accepted the last material version of the privacy notice or a later one.
 * @param userId SQL expression for users.id
 * @param session alias of the user's session: a version that was published after it began does not count
 */
export const owesPrivacy = (userId: string, session?: string) =>
  `exists (select from privacy_notices n where n.is_material${session === undefined ? '' : ` and n.published_at < ${session}.created_at`}
        and not exists (select from privacy_acceptances a where a.user_id = ${userId} and a.version >= n.version))`

/** Converts a row to the user of a call, without the parts that depend on the session or token. */
export const personIn = (row: PersonRow) => ({
  id: row.id,
  userId: row.login_id,
  name: row.name,
  affiliationCode: row.affiliation_code,
  roleCode: row.role_code,
  groupName: row.group_name,
  groupNameEn: row.name_en,
  partnerId: row.partner_id,
  functions: functionsWithin(row.functions, row.within),
  within: row.within,
  company: row.company,
  passwordTemporary: row.password_temporary,
  factorDay: row.factor_day ?? '',
  mustSetUpFactor: row.factor_day !== null && row.factor_day < row.today,
})

/**
 * Returns the SQL condition that the session is within both of its limits and was not used from a disallowed network
 * (rules/account#session). It does not check the account or the cookie.
 * @param sessions alias of the table
 * @param absolute seconds, or a parameter of the statement
 * @param idle seconds, or a parameter of the statement
 */
export const liveSession = (sessions: string, absolute: number | string, idle: number | string) =>
  `${withinLimits(sessions, absolute, idle)} and ${sessions}.moved_at is null`

/** Returns the SQL condition that a session is neither too old (`absolute`) nor unused for too long (`idle`). */
const withinLimits = (sessions: string, absolute: number | string, idle: number | string) =>
  `${sessions}.created_at > now() - make_interval(secs => ${absolute})
      and ${sessions}.last_used_at > now() - make_interval(secs => ${idle})`

// Named, so that the server parses and plans it once per connection: it runs with every call.
const FIND_SESSION = {
  name: 'find-session',
  text: `
    select ${PERSON_COLUMNS}, s.address, s.binding_hash is not null as is_bound, s.moved_at is not null as moved,
      coalesce(s.password_checked_at > now() - interval '${GATE_MINUTES} minutes', false) as password_checked,
      -- An identity provider may have logged the user in without asking for anything.
      coalesce(greatest(case when s.provider_id is null then s.created_at end, s.password_checked_at, s.factor_checked_at)
        > now() - interval '${CONFIRMATION_MINUTES} minutes', false) as is_fresh,
      has_second_factor(u.id) as has_factor,
      coalesce(s.factor_checked_at > now() - interval '${CONFIRMATION_MINUTES} minutes', false) as factor_checked,
      coalesce(s.factor_made_at <= now() - interval '${FACTOR_HOLD_DAYS} days', false) as factor_settled,
      ${owesPrivacy('u.id', 's')} as must_accept_privacy,
      s.last_used_at < now() - interval '${WRITE_EVERY_SECONDS} seconds' as stale,
      $3::float8 - extract(epoch from now() - s.last_used_at)::float8 as idle_seconds,
      $2::float8 - extract(epoch from now() - s.created_at)::float8 as absolute_seconds
    from sessions s
    join users u on u.id = s.user_id
    join roles r on r.code = u.role_code
    where s.token_hash = $1
      and (s.binding_hash is null or s.binding_hash = $4)
      and ${withinLimits('s', '$2', '$3')}
      and login_refusal(u) is null`,
}

/** Returns the sessionUid of a request, which need not be valid; undefined without one. */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  const token = headers[SESSION_HEADER.toLowerCase()]
  return typeof token === 'string' && token !== '' ? token : undefined
}

/**
 * Returns the user of a session. Sets the session's last use to now if `isUse` is true and the stored time is more
 * than WRITE_EVERY_SECONDS old.
 * @param limits seconds after which sessions end
 * @param request carries the cookie of a bound session (rules/account#session-cookie)
 * @param isUse false for a call that must not restart the idle timer (`leavesSessionIdle`)
 * @returns null if the session is unknown or expired, its cookie is missing or wrong, or its user may not log in.
 * 'SESSION_MOVED' if the session is marked as used from a network that it is not bound to
 * (rules/settings#session-binding); this function does not compare networks
 */
export async function findSession(
  pool: pg.Pool,
  limits: SessionLimits,
  { request, tokenHash }: { request: FastifyRequest; tokenHash: Buffer },
  isUse = true,
): Promise<SignedIn | 'SESSION_MOVED' | null> {
  const { rows } = await pool.query<SessionRow>({
    ...FIND_SESSION,
    values: [tokenHash, limits.absoluteSeconds, limits.idleSeconds, bindingOf(request, tokenHash)],
  })
  const [row] = rows
  if (row === undefined) return null
  if (row.moved) return 'SESSION_MOVED'
  const isWritten = isUse && row.stale
  if (isWritten)
    await pool.query('update sessions set last_used_at = now() where token_hash = $1', [tokenHash])
  const { has_factor: hasFactor, factor_checked: isChecked } = row
  const factorDue = hasFactor && !isChecked
  return {
    ...personIn(row),
    mustAcceptPrivacy: row.must_accept_privacy,
    passwordChecked: row.password_checked,
    confirmed: row.is_fresh && !factorDue,
    factorDue,
    factorGiven: hasFactor && isChecked && row.factor_settled,
    tokenHash,
    isBound: row.is_bound,
    beganAt: row.address,
    idleSeconds: isWritten ? limits.idleSeconds : row.idle_seconds,
    absoluteSeconds: row.absolute_seconds,
  }
}

/**
 * Returns those of these sessions that are live, with partner, permissions and reach of their users. Omits users who must change
 * their password, set up a second factor or accept the privacy notice. Does not check cookies, and does not restart the idle
 * timer.
 * @returns a map by the hash of the token in hexadecimal
 */
export async function findLiveSessions(
  pool: pg.Pool,
  limits: SessionLimits,
  tokenHashes: readonly Buffer[],
): Promise<Map<string, Pick<SignedIn, 'partnerId' | 'functions' | 'within' | 'company'>>> {
  const { rows } = await pool.query<
    { hash: string } & Pick<PersonRow, 'partner_id' | 'functions' | 'within' | 'company'>
  >({
    name: 'find-live-sessions',
    text: `
      select encode(s.token_hash, 'hex') as hash, u.partner_id,
        array(select f.function_name from role_functions f where f.role_code = u.role_code) as functions,
        affiliations_reached(u.affiliation_code, r.span) as within, external_within(u.affiliation_code) as company
      from sessions s
      join users u on u.id = s.user_id
      join roles r on r.code = u.role_code
      where s.token_hash = any($1::bytea[])
        and ${liveSession('s', '$2', '$3')}
        and not u.password_temporary
        and (r.factor_required_since is null or coalesce(factor_day(u) >= (now() at time zone 'Asia/Seoul')::date, true))
        and not ${owesPrivacy('u.id', 's')}
        and login_refusal(u) is null`,
    values: [tokenHashes, limits.absoluteSeconds, limits.idleSeconds],
  })
  return new Map(
    rows.map(({ hash, partner_id: partnerId, functions, within, company }) => [
      hash,
      { partnerId, functions: functionsWithin(functions, within), within, company },
    ]),
  )
}

/**
 * Stores a new session of a user. Sets no cookie and writes no audit row.
 * @param session the users.id and the client. `facts` may state whether the network was known (`placeKnown`), and
 * when which second factor was given. `bind` receives the hash of the new sessionUid; it returns the hash of the
 * cookie that the session is bound to, or null for none
 * @returns the new sessionUid: 256 random bits in base64url. Only its hash is stored
 */
export async function startSession(
  tx: Transaction<Database>,
  session: {
    userId: string
    address: string
    userAgent: string
    facts?:
      | Pick<
          InsertObject<Database, 'sessions'>,
          'factorCheckedAt' | 'factorCheckedBy' | 'factorMadeAt' | 'placeKnown' | 'providerId' | 'createdAt'
        >
      | undefined
    bind?: (tokenHash: Buffer) => Buffer | null
  },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashToken(token)
  const query = tx.insertInto('sessions').values({
    tokenHash,
    bindingHash: session.bind?.(tokenHash) ?? null,
    userId: session.userId,
    address: session.address,
    userAgent: session.userAgent,
    ...session.facts,
  })
  await tx.executeQuery(prepareQuery(query))
  return token
}

/**
 * Deletes the sessions that are too old or idle for too long by these limits. A session that is marked as moved
 * stays until then, so that its client still gets SESSION_MOVED.
 */
export async function removeDeadSessions(pool: pg.Pool, limits: SessionLimits): Promise<void> {
  await pool.query(`delete from sessions s where not (${withinLimits('s', '$1', '$2')})`, [
    limits.absoluteSeconds,
    limits.idleSeconds,
  ])
}

/**
 * Deletes the session with this token hash, if it exists (rules/account#session-end). Leaves its cookie to the caller.
 */
export async function endSession(tx: Transaction<Database>, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute()
}
