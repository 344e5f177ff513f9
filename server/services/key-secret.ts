import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { StartRefusal } from '../start-refusal.ts'

/** What a key is derived from, beside the secret. After a restored backup the same ID may be given to somebody else. */
export interface KeyParts {
  id: string
  user_id: string
  request_key: string
}

/**
 * Derives issued keys from KEY_SECRET (rules/keys#issued-key): they are stored nowhere, and nobody can make one without
 * the secret.
 */
export interface KeySecret {
  /** The issued key as its holder gets it: `MARU1.<keyId>.<HMAC-SHA256 in base64url>`. */
  keyOf: (parts: KeyParts) => string
  /** Whether a text is the key of these parts, in constant time. */
  isKeyOf: (text: string, parts: KeyParts) => boolean
  /** Tells two secrets apart without revealing them. */
  fingerprint: Buffer
  /** Of the key that signs where the access log ends. */
  logSeed: Buffer
}

/** The file below DATA_DIR that keeps the secret where KEY_SECRET is not set. */
export const KEY_SECRET_FILE = 'key-secret'

/** The keyId that a text claims to be the key of; undefined when it is no key at all. */
export function claimedKeyId(text: string): string | undefined {
  return /^MARU1\.([1-9]\d{0,17})\.[\w-]{43}$/.exec(text)?.[1]
}

/**
 * The secret of KEY_SECRET, or the one under DATA_DIR, which the first start makes; every process on one DATA_DIR
 * gets the same.
 * @throws {StartRefusal} when the file cannot be written or read, or holds no secret
 */
export function openKeySecret(config: Config): KeySecret {
  return deriveFrom(readKeySecret(config))
}

/**
 * The secret itself, as a backup keeps it.
 * @throws {StartRefusal} as `openKeySecret`
 */
export function readKeySecret({ dataDir, secrets }: Pick<Config, 'dataDir' | 'secrets'>): string {
  return secrets.keySecret === '' ? readOrMake(dataDir) : secrets.keySecret
}

/** The keys of a secret. */
export function deriveFrom(secret: string): KeySecret {
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest()
  const keyOf = ({ id, user_id, request_key }: KeyParts) =>
    // As JSON, so that different parts never make the same text.
    `MARU1.${id}.${mac('maru-issued-key', JSON.stringify([id, user_id, request_key])).toString('base64url')}`
  return {
    keyOf,
    isKeyOf(text, parts) {
      // Compares MACs of the texts, because timingSafeEqual needs equal lengths.
      return timingSafeEqual(mac('maru-compare', text), mac('maru-compare', keyOf(parts)))
    },
    fingerprint: mac('maru-fingerprint', ''),
    logSeed: mac('maru-access-log', ''),
  }
}

function readOrMake(dataDir: string): string {
  const path = join(dataDir, KEY_SECRET_FILE)
  try {
    const secret = read(path) ?? make(dataDir, path)
    if (!/^[\w-]{43}$/.test(secret)) {
      throw new StartRefusal(
        `${path} holds no secret as Maru makes them. Restore it from where it was kept, or set KEY_SECRET.`,
      )
    }
    return secret
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(
      `DATA_DIR ${dataDir}: the secret of the issued keys cannot be kept in ${path} (${error instanceof Error ? error.message : String(error)}). Give the user that runs Maru the right to, or set KEY_SECRET.`,
      { cause: error },
    )
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole under a name of its own, then linked: of several processes the first one's is everybody's. */
function make(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true })
  const own = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    // Whatever the umask was.
    chmodSync(own, 0o600)
    linkSync(own, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(own, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}
