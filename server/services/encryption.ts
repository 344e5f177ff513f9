// This is not the cipher of the wire.
// oxlint-disable-next-line no-restricted-imports
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeySecret } from './key-secret.ts'

/** Cipher of secrets in the database. It is not that of the wire. */
const CIPHER = 'aes-256-gcm'
/** Bytes of the random initialization vector at the start of an encrypted text. */
const IV_BYTES = 12
/** Bytes of the authentication tag after the initialization vector. */
const TAG_BYTES = 16

/** Seeds of the key secret for encryption: of the current secret first, then of the previous ones. */
export type SealKeys = Pick<KeySecret, 'sealSeeds'>

/**
 * Encrypts a text with a key of the current key secret, so that only Maru can read it (design/second-factors#login-ticket).
 * @param about purpose and owner of the text; `unseal` requires the same
 * @throws {Error} if there is no key secret
 */
export function seal({ sealSeeds: [key] }: SealKeys, text: string, about: string): Buffer {
  if (key === undefined) throw new Error('there is no key secret')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/**
 * Decrypts the result of `seal`, with the current secret or a previous one. Never throws.
 * @returns null if it has another `about`, comes from an unknown secret, or is damaged
 */
export function unseal({ sealSeeds }: SealKeys, sealed: Buffer, about: string): string | null {
  for (const key of sealSeeds) {
    const text = openWith(key, sealed, about)
    if (text !== null) return text
  }
  return null
}

/** Decrypts a text with one key; null if that is impossible. */
function openWith(key: Buffer, sealed: Buffer, about: string): string | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null
  const body = sealed.subarray(IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * Encrypts a text of a previous key secret again with the current one.
 * @returns undefined if the current secret encrypted it already, null if no known secret decrypts it
 */
export function reencrypt(keys: SealKeys, sealed: Buffer, about: string): Buffer | null | undefined {
  const [current] = keys.sealSeeds
  if (current !== undefined && openWith(current, sealed, about) !== null) return undefined
  const text = unseal(keys, sealed, about)
  return text === null ? null : seal(keys, text, about)
}
