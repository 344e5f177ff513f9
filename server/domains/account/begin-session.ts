import { sql, type Transaction, type Kysely } from 'kysely'
import { type Factor, TICKET_SECONDS, TRUSTED_DEVICE } from '../../../contract/account.ts'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import { networkOf } from '../../callers/client-address.ts'
import { deviceOf } from '../../callers/user-agent.ts'
import type { Call } from '../../http/handler.ts'
import { isAdminNetworkAllowed } from '../../callers/session-binding.ts'
import { endSession, type SignedIn, startSession } from '../../callers/sessions.ts'
import { hashToken } from '../../callers/bearer-tokens.ts'
import { notify, notifyAdministrators } from '../../records/notifications.ts'
import { type Account, saveLogin, findAccount } from './queries.ts'
import { endOldestSessions, tellEnded } from './sessions.ts'
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'

/** Part of a call that a login needs. `actor` is the user of the browser's earlier session, if there is one. */
type LoginCall = Pick<Call, 'language' | 'address' | 'userAgent' | 'audit' | 'services' | 'cookies'> & {
  actor: SignedIn | null
}

/**
 * Returns the error code with which a login must be refused now: the `refusal` of the account, or LOGIN_ADDRESS_REFUSED
 * if its role has a privileged permission and the address is in none of the networks for administrators. Throws
 * nothing.
 * @returns null if the account may log in
 */
export function loginRefusal(
  { address, services }: Pick<LoginCall, 'address' | 'services'>,
  account: Account,
): ErrorCode | null {
  const { adminNetworks } = services.settings.now()
  if (account.refusal !== null) return account.refusal
  return isAdminNetworkAllowed(address, account.functions, adminNetworks) ? null : 'LOGIN_ADDRESS_REFUSED'
}

/** Returns whether the role of an account requires single sign-on, unless the operator has turned it off (rules/sso#required). */
const isEnforced = ({ services }: Pick<LoginCall, 'services'>, account: Account) =>
  services.config.sso && account.isSsoEnforced

/**
 * Returns whether a login by password uses an emergency account: one with a second factor whose role otherwise requires
 * single sign-on (rules/sso#emergency-accounts).
 */
export const isEmergency = (call: Pick<LoginCall, 'services'>, account: Account) =>
  isEnforced(call, account) && account.isEmergencyAccount && account.hasSecondFactor

/**
 * Returns the error code if an account may not log in by password now: as `loginRefusal`, or SSO_REQUIRED because its
 * role requires single sign-on.
 * @param ssoTicket proves an identity, which the login links; it lifts SSO_REQUIRED
 * @returns null if it may log in
 */
export function passwordLoginRefusal(
  call: Pick<LoginCall, 'address' | 'services'>,
  account: Account,
  ssoTicket: string | undefined,
): ErrorCode | null {
  const isRefused = isEnforced(call, account) && ssoTicket === undefined && !isEmergency(call, account)
  return loginRefusal(call, account) ?? (isRefused ? 'SSO_REQUIRED' : null)
}

/**
 * Begins the session of a login and ends the session that the browser had before. Stores the login (`saveLogin`),
 * notifies the user of a new network and administrators of a login by an emergency account, ends the user's oldest
 * sessions above the limit with a notification, and writes the audit row.
 * @param by the second factor, if the user gave one, when it was set up, and whether the user now trusts this device;
 * or the trusted device that replaces the factor at this login, and at no reauthentication
 * @param provider the identity provider, if the login was not by password
 * @param linkedTo the provider that the login links the account with, to which the session belongs, too
 * @returns the sessionUid
 * @throws {Refusal} LOGIN_FAILED if the password was changed or reset since it was compared
 */
export async function beginSession(
  tx: Transaction<Database>,
  call: LoginCall,
  account: Account,
  by?: { factor: Factor; madeAt: Date | null; isTrusting: boolean } | { factor: typeof TRUSTED_DEVICE },
  {
    provider,
    linkedTo,
  }: { provider?: { id: string; name: string } | undefined; linkedTo?: { id: string; name: string } } = {},
): Promise<string> {
  const { address, userAgent, services } = call
  const { sessionLimit } = services.settings.now()
  await saveLogin(tx, account, {
    language: call.language,
    network: networkOf(address),
    isByPassword: !provider,
  })
  // The first login of an account needs no notification.
  if (!account.knownHere && account.hasLoggedIn) {
    const detail = { address, device: deviceOf(userAgent) }
    await notify(tx, { kind: 'NEW_NETWORK', userId: account.id, detail })
  }
  // The browser discards its previous session token when it receives the new one.
  if (call.actor !== null) await endSession(tx, call.actor.tokenHash)
  const facts = {
    placeKnown: account.knownHere,
    providerId: (provider ?? linkedTo)?.id ?? null,
    ...(by &&
      'madeAt' in by && {
        factorCheckedAt: sql<Date>`now()`,
        factorCheckedBy: by.factor,
        factorMadeAt: by.madeAt,
      }),
  }
  const bind = (tokenHash: Buffer) => call.cookies.bind(tokenHash, call.actor?.tokenHash)
  const began = { userId: account.id, address, userAgent, facts, bind }
  const sessionUid = await startSession(tx, began)
  const beyond = { userId: account.id, tokenHash: hashToken(sessionUid), most: sessionLimit }
  const ended = sessionLimit > 0 ? await endOldestSessions(tx, beyond, services.settings.session()) : []
  await tellEnded(tx, account.id, 'limit', ended)
  const isByEmergency = !provider && isEmergency(call, account)
  if (isByEmergency)
    await notifyAdministrators(tx, {
      kind: 'EMERGENCY_LOGIN',
      actorId: account.id,
      detail: { address, device: deviceOf(userAgent) },
    })
  const isTrusting = by !== undefined && 'madeAt' in by && by.isTrusting
  const detail = {
    ...(provider && { by: 'sso', providerName: provider.name }),
    ...(linkedTo && { linkedTo: linkedTo.name }),
    ...(isByEmergency && { emergency: true }),
    ...(by && { factor: by.factor }),
    ...(isTrusting && { trustedDevice: deviceOf(userAgent) }),
    ...(ended.length > 0 && { endedSessions: ended.length }),
  }
  await call.audit(tx, {
    target: account.loginId,
    actorId: account.id,
    detail,
    records: isTrusting || linkedTo ? [`user/${account.id}`] : null,
  })
  return sessionUid
}

/** Part of a call that creates or uses a ticket: it identifies the browser. */
type Where = Pick<Call, 'address' | 'userAgent'>

/** SQL condition that the login ticket `t` has not expired. */
const IS_LIVE = sql<boolean>`t.created_at > now() - make_interval(secs => ${sql.lit(TICKET_SECONDS)})`

/** Returns the SHA-256 of a text. */
const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** Returns the digest of a browser's network and user agent, to which a login ticket is bound. */
const browserOf = ({ address, userAgent }: Where) => sha256(JSON.stringify([networkOf(address), userAgent]))

/**
 * Creates the ticket of a login that needs a second factor, after a right password or an identity provider. It is valid for
 * TICKET_SECONDS, in this browser and network, until the password changes. Earlier tickets of the user stay valid.
 * @param providerId the identity provider; null for a login by password
 * @returns 256 random bits, of which only a hash is stored
 */
export async function makeTicket(
  tx: Transaction<Database>,
  where: Where,
  { id, passwordHash }: Account,
  providerId: string | null = null,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await tx
    .insertInto('loginTickets')
    .values({
      tokenHash: hashToken(ticket),
      userId: id,
      browserHash: browserOf(where),
      passwordMark: sha256(passwordHash),
      providerId,
    })
    .execute()
  return ticket
}

/**
 * Returns the account that a login ticket belongs to, the challenge for a passkey (null if none was requested), and the
 * identity provider, if the login was not by password. Does not use the ticket up.
 * @throws {Refusal} TICKET_INVALID if the ticket is unknown, used, expired, of another browser or network, or of a
 * previous password
 */
export async function readTicket(
  db: Kysely<Database>,
  where: Where,
  ticket: string,
): Promise<Account & { challenge: string | null; provider?: { id: string; name: string } }> {
  const row = await db
    .selectFrom('loginTickets as t')
    .innerJoin('users as u', 'u.id', 't.userId')
    .leftJoin('identityProviders as p', 'p.id', 't.providerId')
    .select(['u.loginId', 't.passwordMark', 't.challenge', 'p.id as providerId', 'p.name as providerName'])
    .where('t.tokenHash', '=', hashToken(ticket))
    .where('t.browserHash', '=', browserOf(where))
    .where(IS_LIVE)
    .executeTakeFirst()
  const account = row && (await findAccount(db, row.loginId, networkOf(where.address)))
  if (row === undefined || account === undefined || !sha256(account.passwordHash).equals(row.passwordMark))
    refuse('TICKET_INVALID')
  const { challenge, providerId: id, providerName: name } = row
  return { ...account, challenge, ...(id !== null && name !== null && { provider: { id, name } }) }
}

/** Stores the challenge for a passkey in a ticket. Replaces the previous one. */
export async function saveChallenge(db: Kysely<Database>, ticket: string, challenge: string): Promise<void> {
  await db.updateTable('loginTickets').set({ challenge }).where('tokenHash', '=', hashToken(ticket)).execute()
}

/**
 * Deletes a ticket in the transaction of its login. Of concurrent calls the first one succeeds.
 * @throws {Refusal} TICKET_INVALID if it was used or has expired
 */
export async function consumeTicket(tx: Transaction<Database>, ticket: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('loginTickets as t')
    .where('t.tokenHash', '=', hashToken(ticket))
    .where(IS_LIVE)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) refuse('TICKET_INVALID')
}

/** Deletes expired login tickets. */
export async function removeOldTickets(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_tickets t where t.created_at < now() - make_interval(secs => $1)`, [
    TICKET_SECONDS,
  ])
}
