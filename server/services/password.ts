import { argon2, randomBytes, randomInt, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import type { PasswordOwner } from '../../contract/password-weakness.ts'

/** Hasher of passwords by argon2id (rules/account#password-storage). */
export interface Passwords {
  /**
   * Hashes a password.
   * @returns a PHC string: parameters, salt and tag in one text
   */
  hash(password: string): Promise<string>
  /**
   * Returns whether a password matches a hash. Takes the same time either way.
   * @param hash result of `hash`, with any cost
   * @throws if the hash is malformed, which means a broken row and not a wrong password
   */
  verify(hash: string, password: string): Promise<boolean>
  /**
   * Takes as long as `verify` and returns false. It is for an unknown ID, so that the time does not reveal whether it exists
   * (rules/account#login-refusals).
   */
  verifyNothing(password: string): Promise<false>
}

/** Cost of a password hash: OWASP's minimum for argon2id, 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryKiB: 19_456, passes: 2 }
/** Most hashes that run concurrently. Node.js has four threads for this and for files and names, so one stays free. */
const MAX_AT_ONCE = Math.min(availableParallelism(), 3)

/** Argon2 of Node.js as a promise. */
const derived = promisify(argon2)

/** Bytes of a random salt. */
const SALT_BYTES = 16
/** Bytes of the tag of a new hash. */
const TAG_BYTES = 32

/**
 * Creates the hasher of a server. A few hashes run concurrently, the others are queued.
 * @param cost only for tests, which need no strength; a server omits it
 */
export function createPasswords(cost = PASSWORD_COST): Passwords {
  // Argon2 fills whole cores and much memory.
  const inTurn = pLimit(MAX_AT_ONCE)

  /** Derives the tag of a password when a thread is free. */
  async function derive(
    password: string,
    salt: Buffer,
    { memoryKiB, passes }: typeof cost,
    tagBytes: number,
  ) {
    const parameters: Argon2Parameters = {
      message: Buffer.from(password, 'utf8'),
      nonce: salt,
      parallelism: 1,
      tagLength: tagBytes,
      memory: memoryKiB,
      passes,
    }
    return inTurn(() => derived('argon2id', parameters))
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const tag = await derive(password, salt, cost, TAG_BYTES)
      return `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=1$${base64(salt)}$${base64(tag)}`
    },

    async verify(hash, password) {
      const { salt, tag, ...made } = parseHash(hash)
      return timingSafeEqual(await derive(password, salt, made, tag.length), tag)
    },

    async verifyNothing(password) {
      await derive(password, randomBytes(SALT_BYTES), cost, TAG_BYTES)
      return false
    },
  }
}

/** Pattern of a hash: memory in KiB, passes, salt and tag. */
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/**
 * Returns parameters, salt and tag of a hash.
 * @throws {Error} if it is malformed
 */
function parseHash(hash: string) {
  const match = PHC.exec(hash)
  // The message is logged, so it must not contain the hash.
  if (match === null) throw new Error('A password hash in the database is malformed')
  const [, memory, passes, salt = '', tag = ''] = match
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** Returns Base64 without padding, as the PHC format has it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/**
 * Returns the error code of the contract's `passwordWeakness` for a common password or one with personal data; null for a good
 * one. Loads its long list of common passwords on first use.
 * @param owner the personal data that it must not contain
 */
export async function weaknessOf(password: string, owner: PasswordOwner) {
  const { passwordWeakness } = await import('../../contract/password-weakness.ts')
  return passwordWeakness(password, owner)
}

/** Returns a random password that no user knows. A login compares with it in the usual time and fails. */
export const nobodysPassword = (): string => randomBytes(32).toString('base64url')

/** Characters of a temporary password: none that look alike (0 o, 1 i l), and few vowels, so that words are unlikely. */
const READABLE = 'abcdefghjkmnpqrstvwxyz23456789'

/**
 * Returns a random password to be read from a mail and typed once: four groups of four characters with dashes between. It has 78
 * bits, and the contract's `newPassword` accepts it.
 */
export function temporaryPassword(): string {
  const letters = Array.from({ length: 16 }, () => READABLE[randomInt(READABLE.length)])
  return [0, 4, 8, 12].map((start) => letters.slice(start, start + 4).join('')).join('-')
}
