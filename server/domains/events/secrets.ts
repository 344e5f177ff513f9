import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { reencrypt, type SealKeys, seal, unseal } from '../../services/encryption.ts'

/** Purpose to which the encryption binds the secrets of webhooks. */
const ABOUT = 'webhook secret'
/** Start of a secret in the form of Standard Webhooks. */
const PREFIX = 'whsec_'
/** Random bytes of a secret. */
const SECRET_BYTES = 32

/** Creates a secret in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Encrypts a webhook's secret for the database. */
export const sealWebhookSecret = (keys: SealKeys, secret: string): Buffer => seal(keys, secret, ABOUT)

/** Decrypts a webhook's secret; null if no given key secret decrypts it. */
export const openWebhookSecret = (keys: SealKeys, sealed: Buffer): string | null =>
  unseal(keys, sealed, ABOUT)

/**
 * Returns the headers of Standard Webhooks for a body, with a signature by each secret (rules/events#signature).
 * @param id ID of the message, which a receiver recognizes repeated deliveries by
 * @param secrets secrets in plain text, with their prefix
 * @param now milliseconds since 1970
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: number) {
  const timestamp = String(Math.floor(now / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

/**
 * Encrypts the secrets of webhooks again with the current key secret when a server starts.
 * @returns the number of secrets that no given key secret decrypts: their webhooks fail until they are rotated
 */
export async function renewWebhookSecrets(db: Db, keys: SealKeys): Promise<number> {
  const rows = await db.selectFrom('webhooks').select(['id', 'secret', 'previousSecret']).execute()
  let lost = 0
  for (const { id, ...sealed } of rows)
    for (const column of ['secret', 'previousSecret'] as const) {
      const old = sealed[column]
      const next = old && reencrypt(keys, old, ABOUT)
      if (next === null && old !== null) lost += 1
      if (old === null || next === null || next === undefined) continue
      await db
        .updateTable('webhooks')
        .set({ [column]: next })
        .where('id', '=', id)
        .where(column, '=', old)
        .execute()
    }
  return lost
}
