import { type Kysely, sql } from 'kysely'
import {
  FACTOR,
  type Factor,
  type readCheck as checkEndpoint,
  type readLogin as endpoint,
} from '../../../contract/account.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { Proof } from './factors.ts'
import { confirmingProviders } from './provider-login.ts'
import {
  readCredentialId,
  type RelyingParty,
  relyingParty,
  requestOptions,
  verifySignature,
} from './passkey-checks.ts'
import { saveSessionChallenge } from './sessions.ts'
import { readTicket, saveChallenge } from './begin-session.ts'
import { mayTrustDevice } from './trusted-devices.ts'

/**
 * Returns the second factors that can finish a login, and whether the role lets the user trust the device
 * (rules/account#second-factor). Stores a new challenge for a passkey in the ticket.
 * @throws {Refusal} TICKET_INVALID as `readTicket`
 */
export const readLogin: Handler<typeof endpoint> = async (call, { ticket }) => {
  const { id } = await readTicket(call.db, call, ticket)
  const ways = await findWays(call, id, (challenge) => saveChallenge(call.db, ticket, challenge))
  return { ...ways, mayTrustDevice: await mayTrustDevice(call.db, id) }
}

/**
 * Returns the second factors and identity providers by which the caller can reauthenticate
 * (rules/account#confirmation). Stores a new challenge for a passkey in the session.
 */
export const readCheck: Handler<typeof checkEndpoint> = async (call) => {
  const { db, actor, services } = call
  const providers = services.config.sso ? await confirmingProviders(db, actor.id).execute() : []
  const ways = await findWays(call, actor.id, (challenge) =>
    saveSessionChallenge(db, actor.tokenHash, challenge),
  )
  return { ...ways, providers }
}

/**
 * Returns the second factors that the user has (recovery codes if there is another one), the origin at which passkeys
 * work ('' if none), and the options with which the browser signs with a passkey ('' without one for this URL).
 * @param save stores the challenge of these options
 */
async function findWays(
  { db, services }: Pick<Call, 'db' | 'services'>,
  id: string,
  save: (challenge: string) => Promise<void>,
): Promise<Omit<OutputOf<typeof checkEndpoint>, 'providers'>> {
  const portal = relyingParty(services.settings)
  const { hasApp, hasPasskey } = await db
    .selectNoFrom([
      sql<boolean>`exists (select from totp_secrets where user_id = ${id})`.as('hasApp'),
      sql<boolean>`exists (select from passkeys where user_id = ${id})`.as('hasPasskey'),
    ])
    .executeTakeFirstOrThrow()
  const factors: Factor[] = [
    ...(hasPasskey ? [FACTOR.passkey] : []),
    ...(hasApp ? [FACTOR.totp] : []),
    ...(hasPasskey || hasApp ? [FACTOR.recovery] : []),
  ]
  const none = { factors, passkeyOptions: '', passkeysAt: portal?.origin ?? '' }
  if (portal === null || !hasPasskey) return none
  const known = await passkeysFor(db, id, portal)
  if (known.length === 0) return none
  const { challenge, json } = await requestOptions(portal, known)
  await save(challenge)
  return { ...none, passkeyOptions: json }
}

/** Returns a user's passkeys for the current URL of the portal. */
const passkeysFor = (db: Kysely<Database>, userId: string, { rpId }: RelyingParty) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credentialId', 'publicKey', 'counter', 'transports', 'createdAt'])
    .where('userId', '=', userId)
    .where('rpId', '=', rpId)
    .orderBy('id')
    .execute()

/**
 * Returns the proof of a passkey if its signature is right. Does not use it up. If the passkey may have been copied,
 * the proof has `clonedKey`.
 * @param challenge challenge of the ticket or session, which the caller must clear, so that no signature counts twice;
 * null if there is none
 * @returns null if the signature is wrong, the challenge null, or the passkey not the user's at the current URL
 */
export async function passkeyProof(
  db: Kysely<Database>,
  portal: RelyingParty | null,
  { userId, proof, challenge }: { userId: string; proof: string; challenge: string | null },
): Promise<Proof | null> {
  const id = readCredentialId(proof)
  if (portal === null || challenge === null || id === undefined) return null
  const known = await passkeysFor(db, userId, portal)
  const kept = known.find(({ credentialId }) => credentialId === id)
  if (kept === undefined) return null
  const signature = await verifySignature(portal, kept, proof, challenge)
  if (signature === null) return null
  return {
    madeAt: kept.createdAt,
    ...(signature.isCloned && { clonedKey: kept.name }),
    async use(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('passkeys')
        .set({ counter: String(signature.counter), lastUsedAt: sql`now()` })
        .where('id', '=', kept.id)
        .where('counter', '=', kept.counter)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  }
}
