import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { SSO_REQUEST_SECONDS } from '../../../contract/sso.ts'
import type { Config } from '../../config.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db, Tx } from '../../db/database.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The identity of a person at an identity provider, whose settings have this version. */
interface ProvenIdentity {
  provider: { id: string; version: number }
  subject: string
  /** Email claim of the person. */
  email: string
}

/**
 * Creates the ticket with which a person without an account may request one that is linked (rules/sso#first-login).
 * @returns 256 random bits, which only the caller receives
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
 * Links a requested account with the identity of a ticket, which is used up. The email addresses must be equal: on a shared computer,
 * somebody else may have obtained the ticket.
 * @returns the name of the provider
 * @throws {Refusal} SSO_STATE_INVALID if the ticket is unknown, used or expired, or the provider was changed, disabled or takes no
 *   requests, or single sign-on is off; SSO_EMAIL_DIFFERS; SSO_TAKEN if the identity has an account meanwhile
 */
export async function linkRequested(
  tx: Tx,
  { sso: isOn }: Pick<Config, 'sso'>,
  { id: userId, email }: { id: string; email: string },
  ticket: string,
): Promise<string> {
  const proven = await tx
    .deleteFrom('ssoStates as s')
    .using('identityProviders as p')
    .whereRef('p.id', '=', 's.providerId')
    .whereRef('p.version', '=', 's.providerVersion')
    .where('p.enabledAt', 'is not', null)
    .where('p.firstLogin', '=', 'request')
    .where('s.stateHash', '=', sha256(ticket))
    .where('s.purpose', '=', 'request')
    .where('s.createdAt', '>', sql<Date>`now() - make_interval(secs => ${sql.lit(SSO_REQUEST_SECONDS)})`)
    .returning(['s.providerId', 's.subject', 's.email', 'p.name'])
    .executeTakeFirst()
  if (!isOn || proven === undefined || proven.subject === null) return refuse('SSO_STATE_INVALID')
  const { providerId, subject, name } = proven
  if (proven.email !== email.toLowerCase()) refuse('SSO_EMAIL_DIFFERS')
  // Later than the password, which is the applicant's own (rules/roles#former-controllers).
  const identity = { providerId, subject, userId, createdAt: sql<Date>`clock_timestamp()` }
  await mapConstraintErrors({ identities_subject: 'SSO_TAKEN' }, () =>
    tx.insertInto('identities').values(identity).execute(),
  )
  return name
}
