import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, messageOf } from '../caught-errors.ts'
import type { Config } from '../config.ts'
import { syncFolderNow } from '../durable-files.ts'
import { StartRefusal } from '../startup-error.ts'

/**
 * Values that a key is derived from, in addition to the secret: issued_keys.id, users.id and the request key. The ID is not
 * enough: after a restored backup another user's key may get the same ID.
 */
export interface KeyParts {
  id: string
  userId: string
  requestKey: string
}

/**
 * Source of issued keys, which are derived from KEY_SECRET (rules/keys#issued-key). Keys are not stored, and cannot be
 * created without the secret. Keys of previous secrets are distinguished from forged ones, but no new key is derived
 * from these secrets (rules/keys#changed-secret).
 */
export interface KeySecret {
  /** Returns the issued key of the current secret, as its holder gets it: `MARU1.<keyId>.<HMAC-SHA256 in base64url>`. */
  keyOf: (parts: KeyParts) => string
  /**
   * Returns whether a text is the key of these parts, in constant time.
   * @param of fingerprint of the secret that the key comes from; with an unknown one no key is valid
   */
  isKeyOf: (text: string, parts: KeyParts, of: Buffer) => boolean
  /** Value that distinguishes the current secret from others without revealing it. */
  fingerprint: Buffer
  /** Fingerprint of the current secret, then those of the previous ones. */
  fingerprints: readonly Buffer[]
  /**
   * Value that must be identical on all servers of a database. It covers the current secret, and the previous ones in any order.
   */
  trait: Buffer
  /** Seed of the key that signs the heads of the access log. */
  logSeed: Buffer
  /** Seeds of the keys that signed the heads: of the current secret, then of the previous ones. */
  logSeeds: readonly Buffer[]
  /** Seeds of the keys that encrypt data only for Maru: of the current secret, then of the previous ones. */
  sealSeeds: readonly Buffer[]
}

/** Name of the file below DATA_DIR that stores the secret if KEY_SECRET is not set: the current one, then previous ones. */
export const KEY_SECRET_FILE = 'key-secret'

/**
 * Returns the keyId that a text claims to be the key of; undefined if it does not have the form of a key. Does not
 * check the key.
 */
export function claimedKeyId(text: string): string | undefined {
  return /^MARU1\.([1-9]\d{0,17})\.[\w-]{43}$/.exec(text)?.[1]
}

/**
 * Opens the secrets of KEY_SECRET and KEY_SECRET_OLD, or those under DATA_DIR. The first start creates one there, and
 * all processes on one DATA_DIR use the same.
 * @throws {StartRefusal} if the file cannot be written or read, or contains no secret
 */
export function openKeySecret(config: Pick<Config, 'dataDir' | 'secrets'>): KeySecret {
  return deriveFrom(readKeySecret(config))
}

/**
 * Returns the key secrets in the format of a backup: one per line, the current one first. Without KEY_SECRET, reads
 * the file under DATA_DIR, or creates it if it does not exist.
 * @throws {StartRefusal} as openKeySecret
 */
export function readKeySecret({ dataDir, secrets }: Pick<Config, 'dataDir' | 'secrets'>): string {
  return secrets.keySecret === '' ? readOrMake(dataDir) : givenSecret(secrets)
}

/** Returns the secrets of KEY_SECRET and KEY_SECRET_OLD in the format of `readKeySecret`. */
export const givenSecret = ({ keySecret, formerKeySecrets }: Config['secrets']): string =>
  [keySecret, ...formerKeySecrets].join('\n')

/** Derives the keys of the secrets in these lines, the current one first. A line that repeats the current one is ignored. */
export function deriveFrom(lines: string): KeySecret {
  const [current = '', ...former] = lines.split('\n')
  const now = oneSecret(current)
  const before = former.map(oneSecret).filter(({ fingerprint }) => !fingerprint.equals(now.fingerprint))
  const all = [now, ...before]
  const fingerprints = all.map(({ fingerprint }) => fingerprint)
  return {
    keyOf: now.keyOf,
    isKeyOf(text, parts, of) {
      const own = all.find(({ fingerprint }) => fingerprint.equals(of))
      // Derived even for an unknown secret, so that the response time does not reveal whether it is known.
      const isSame = (own ?? now).isKeyOf(text, parts)
      return own !== undefined && isSame
    },
    fingerprint: now.fingerprint,
    fingerprints,
    trait: traitOf(fingerprints),
    logSeed: now.logSeed,
    logSeeds: all.map(({ logSeed }) => logSeed),
    sealSeeds: all.map(({ sealSeed }) => sealSeed),
  }
}

/** Returns `KeySecret.trait` of these fingerprints. */
function traitOf([current, ...former]: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(current ?? '')
  for (const one of former.toSorted((a, b) => a.compare(b))) hash.update(one)
  return hash.digest()
}

/** Derives the keys and the seeds of one secret. */
function oneSecret(secret: string) {
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest()
  const keyOf = ({ id, userId, requestKey }: KeyParts) =>
    // As JSON, so that different parts never produce the same text.
    `MARU1.${id}.${mac('maru-issued-key', JSON.stringify([id, userId, requestKey])).toString('base64url')}`
  return {
    keyOf,
    isKeyOf: (text: string, parts: KeyParts) =>
      // Compares MACs of the texts, because timingSafeEqual needs equal lengths.
      timingSafeEqual(mac('maru-compare', text), mac('maru-compare', keyOf(parts))),
    fingerprint: mac('maru-fingerprint', ''),
    logSeed: mac('maru-access-log', ''),
    sealSeed: mac('maru-sealed', ''),
  }
}

/**
 * Returns the secrets in the file under DATA_DIR, which it creates if it does not exist.
 * @throws {StartRefusal} if the file cannot be written or read, or contains no secret
 */
function readOrMake(dataDir: string): string {
  const path = join(dataDir, KEY_SECRET_FILE)
  try {
    const secret = read(path) ?? make(dataDir, path)
    // Any value that KEY_SECRET may have, because a restore without KEY_SECRET writes that of the backup here.
    if (!/^\S{32,}(\n\S{32,})*$/.test(secret)) {
      throw new StartRefusal(
        `${path} contains no secret (one per line, 32 characters or more). Restore the file, or set KEY_SECRET.`,
      )
    }
    return secret
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(
      `DATA_DIR ${dataDir}: the secret of the issued keys cannot be stored in ${path} (${messageOf(error)}). Give the user that runs Maru write permission, or set KEY_SECRET.`,
      { cause: error },
    )
  }
}

/** Returns the content of the secret's file; undefined if there is no file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Creates the file of the key secret, and returns its content. Writes it completely under a temporary name and then
 * links it, so that all processes use the secret of the first.
 */
function make(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const own = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    // The mode must not depend on the umask.
    chmodSync(own, 0o600)
    linkSync(own, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(own, { force: true })
  }
  // Synced first, because no key may be derived from a secret that a power loss could delete.
  syncFolderNow(dataDir)
  return readFileSync(path, 'utf8').trim()
}
