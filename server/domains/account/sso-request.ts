import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { FIRST_LOGINS, SSO_REQUEST_SECONDS } from '../../../contract/sso.ts'
import type { Config } from '../../config.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Call } from '../../http/handler.ts'
import { tellOfFactor } from './factor-mails.ts'
import { lockFactors } from './factors.ts'

/** Returns the SHA-256 of a text. */
const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Identity of a person at an identity provider, whose settings have this version. */
interface ProvenIdentity {
  provider: { id: string; version: number }
  subject: string
  /** Email claim of the person. */
  email: string
}

/**
 * Creates the ticket with which a person whose identity is not linked to an account may link it, or request an account,
 * within SSO_REQUEST_SECONDS (rules/sso#first-login).
 * @returns 256 random bits, of which only a hash is stored
 */
export async function createRequestTicket(
  db: Db,
  { provider, subject, email }: ProvenIdentity,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await db
    .insertInto('ssoStates')
    .values({
      stateHash: sha256(ticket),
      providerId: provider.id,
      providerVersion: provider.version,
      purpose: 'request',
      subject,
      email: email.toLowerCase(),
      nonce: '',
      verifier: '',
      bindingHash: sha256(ticket),
    })
    .execute()
  return ticket
}

/**
 * Locks an identity provider until the transaction ends, so that it is not deleted. Call it before locking anything
 * that its deletion deletes, otherwise they deadlock.
 */
export const holdProvider = (tx: Tx, id: string) =>
  tx.selectFrom('identityProviders').select('id').where('id', '=', id).forKeyShare().execute()

/**
 * Links an account with the identity of a ticket, and deletes the ticket. The email addresses must be equal: on a
 * shared computer, another user may have obtained the ticket.
 * @param isRequested true for a new account, which the provider must allow; false for one that the user has logged in
 * to
 * @returns the provider; `approves` is true if new accounts of its users need no approval
 * @throws {Refusal} SSO_STATE_INVALID if the ticket is unknown, used or expired, or the provider was changed, disabled
 * or takes no requests, or single sign-on is off; SSO_EMAIL_DIFFERS; SSO_TAKEN if the identity or the account is linked
 * already
 */
export async function linkByTicket(
  tx: Tx,
  { sso: isOn }: Pick<Config, 'sso'>,
  { id: userId, email, isRequested }: { id: string; email: string; isRequested: boolean },
  ticket: string,
): Promise<{ id: string; name: string; approves: boolean }> {
  const kept = await tx
    .selectFrom('ssoStates')
    .select('providerId')
    .where('stateHash', '=', sha256(ticket))
    .executeTakeFirst()
  if (kept !== undefined) await holdProvider(tx, kept.providerId)
  const proven = await tx
    .deleteFrom('ssoStates as s')
    .using('identityProviders as p')
    .whereRef('p.id', '=', 's.providerId')
    .whereRef('p.version', '=', 's.providerVersion')
    .where('p.enabledAt', 'is not', null)
    .where('p.firstLogin', 'in', isRequested ? ['request', 'create'] : FIRST_LOGINS)
    .where('s.stateHash', '=', sha256(ticket))
    .where('s.purpose', '=', 'request')
    .where('s.createdAt', '>', sql<Date>`now() - make_interval(secs => ${sql.lit(SSO_REQUEST_SECONDS)})`)
    .returning(['s.providerId', 's.subject', 's.email', 'p.name', 'p.firstLogin'])
    .executeTakeFirst()
  if (!isOn || proven === undefined || proven.subject === null) return refuse('SSO_STATE_INVALID')
  const { providerId, subject, name } = proven
  if (proven.email !== email.toLowerCase()) refuse('SSO_EMAIL_DIFFERS')
  // Later than the password, which is the applicant's own (rules/roles#former-controllers).
  const identity = { providerId, subject, userId, createdAt: sql<Date>`clock_timestamp()` }
  await mapConstraintErrors({ identities_subject: 'SSO_TAKEN', identities_user: 'SSO_TAKEN' }, () =>
    tx.insertInto('identities').values(identity).execute(),
  )
  return { id: providerId, name, approves: isRequested && proven.firstLogin === 'create' }
}

/**
 * Links the account of a login whose password and second factor were right with the identity of a ticket, if there is
 * one. Mails the user.
 * @returns the provider, to which the session belongs; {} without a ticket
 * @throws {Refusal} as `linkByTicket`
 */
export async function linkAtLogin(
  tx: Tx,
  call: Parameters<typeof tellOfFactor>[1] & Pick<Call, 'services'>,
  userId: string,
  ticket: string | undefined,
): Promise<{ linkedTo?: { id: string; name: string } }> {
  if (ticket === undefined) return {}
  const owner = await lockFactors(tx, userId)
  const account = { id: userId, email: owner.email, isRequested: false }
  const linkedTo = await linkByTicket(tx, call.services.config, account, ticket)
  await tellOfFactor(tx, call, owner, 'linked', { providerName: linkedTo.name })
  return { linkedTo }
}
