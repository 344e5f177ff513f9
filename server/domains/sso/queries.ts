import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { SubjectClaim } from '../../../contract/sso.ts'
import type { Database } from '../../db/types.ts'
import { reencrypt, type SealKeys, seal, unseal } from '../../services/encryption.ts'

/** Returns the query for identity providers, in the order in which pages show them. */
export const providersOf = (db: Kysely<Database>) =>
  db
    .selectFrom('identityProviders as p')
    .select([
      'p.id',
      'p.name',
      'p.issuer',
      'p.clientId',
      'p.clientSecret',
      sql<SubjectClaim>`p.subject_claim`.as('subjectClaim'),
      'p.emailDomains',
      'p.firstLogin',
      'p.factorCounts',
      'p.endsSession',
      'p.groupsClaim',
      'p.groupRoles',
      'p.version',
      'p.triedVersion',
      'p.enabledAt',
      'p.createdAt',
    ])
    .orderBy('p.id')

/** Identity provider with its settings; the client secret is encrypted. */
export type Provider = Awaited<ReturnType<ReturnType<typeof providersOf>['executeTakeFirstOrThrow']>>

/**
 * Returns an identity provider with its settings, also a disabled one.
 * @throws {Refusal} SSO_PROVIDER_NOT_FOUND
 */
export async function findProvider(db: Kysely<Database>, id: string): Promise<Provider> {
  const provider = await providersOf(db).where('p.id', '=', id).executeTakeFirst()
  return provider ?? refuse('SSO_PROVIDER_NOT_FOUND')
}

/**
 * Locks an identity provider until the transaction ends, and returns it.
 * @param version version of its settings that the caller sees
 * @throws {Refusal} SSO_PROVIDER_NOT_FOUND; RECORD_CHANGED for another version
 */
export async function lockProvider(
  tx: Transaction<Database>,
  id: string,
  version: number,
): Promise<Provider> {
  const provider = await providersOf(tx).where('p.id', '=', id).forUpdate().executeTakeFirst()
  if (provider === undefined) return refuse('SSO_PROVIDER_NOT_FOUND')
  return provider.version === version ? provider : refuse('RECORD_CHANGED')
}

/**
 * Returns the context that a client secret is encrypted for: it cannot be decrypted for another issuer or client in the
 * database.
 */
const about = ({ issuer, clientId }: Pick<Provider, 'issuer' | 'clientId'>) =>
  `identity provider ${issuer} ${clientId}`

/** Returns a client secret, encrypted for the issuer and client of its provider. */
export const sealSecret = (keys: SealKeys, secret: string, of: Pick<Provider, 'issuer' | 'clientId'>) =>
  seal(keys, secret, about(of))

/** Returns the decrypted client secret of a provider; '' if no known key secret decrypts it, which the provider then refuses. */
export const secretOf = (keys: SealKeys, provider: Provider) =>
  unseal(keys, provider.clientSecret, about(provider)) ?? ''

/**
 * Encrypts the client secrets again with the current key secret when a server starts.
 * @returns names of the providers whose secret no given key secret decrypts: an administrator must enter it again
 */
export async function renewClientSecrets(db: Kysely<Database>, keys: SealKeys): Promise<string[]> {
  const lost: string[] = []
  for (const provider of await providersOf(db).execute()) {
    const clientSecret = reencrypt(keys, provider.clientSecret, about(provider))
    if (clientSecret === null) lost.push(provider.name)
    else if (clientSecret !== undefined)
      await db
        .updateTable('identityProviders')
        .set({ clientSecret })
        .where('id', '=', provider.id)
        .where('clientSecret', '=', provider.clientSecret)
        .execute()
  }
  return lost
}
