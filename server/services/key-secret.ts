import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { syncFolderNow } from '../durable.ts'
import { StartRefusal } from '../start-refusal.ts'

/** What a key is derived from, beside the secret. After a restored backup the same ID may be given to somebody else. */
export interface KeyParts {
  id: string
  user_id: string
  request_key: string
}

/**
 * Derives issued keys from KEY_SECRET (rules/keys#issued-key): they are stored nowhere, and nobody can make one without
 * the secret. Keys of former secrets are told from forged ones, and no new one is made from them (rules/keys#changed-secret).
 */
export interface KeySecret {
  /** The issued key as its holder gets it: `MARU1.<keyId>.<HMAC-SHA256 in base64url>`; of the current secret. */
  keyOf: (parts: KeyParts) => string
  /**
   * Whether a text is the key of these parts, in constant time.
   * @param of the fingerprint of the secret that it comes from: of one that is not known here nothing is a key
   */
  isKeyOf: (text: string, parts: KeyParts, of: Buffer) => boolean
  /** Tells two secrets apart without revealing them. */
  fingerprint: Buffer
  /** That of the current secret, then those of the former ones. */
  fingerprints: readonly Buffer[]
  /** What servers of one database have alike: the current secret and, in whatever order, the former ones. */
  trait: Buffer
  /** Of the key that signs where the access log ends. */
  logSeed: Buffer
  /** The same of the current secret, then of the former ones, which signed before. */
  logSeeds: readonly Buffer[]
  /** Of the keys that encrypt what only Maru reads again: of the current secret, then of the former ones. */
  sealSeeds: readonly Buffer[]
}

/** The file below DATA_DIR that keeps the secret where KEY_SECRET is not set: the current one, and former ones below it. */
export const KEY_SECRET_FILE = 'key-secret'

/** The keyId that a text claims to be the key of; undefined when it is no key at all. */
export function claimedKeyId(text: string): string | undefined {
  return /^MARU1\.([1-9]\d{0,17})\.[\w-]{43}$/.exec(text)?.[1]
}

/**
 * The secrets of KEY_SECRET and KEY_SECRET_OLD, or those under DATA_DIR, of which the first start makes one; every process on one
 * DATA_DIR gets the same.
 * @throws {StartRefusal} when the file cannot be written or read, or holds no secret
 */
export function openKeySecret(config: Pick<Config, 'dataDir' | 'secrets'>): KeySecret {
  return deriveFrom(readKeySecret(config))
}

/**
 * The secrets themselves, as a backup keeps them: a line each, the current one first.
 * @throws {StartRefusal} as `openKeySecret`
 */
export function readKeySecret({ dataDir, secrets }: Pick<Config, 'dataDir' | 'secrets'>): string {
  return secrets.keySecret === '' ? readOrMake(dataDir) : givenSecret(secrets)
}

/** What KEY_SECRET and KEY_SECRET_OLD say, as `readKeySecret` has it. */
export const givenSecret = ({ keySecret, formerKeySecrets }: Config['secrets']): string =>
  [keySecret, ...formerKeySecrets].join('\n')

/** The keys of the secrets that stand in these lines, the current one first. */
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
      // Derived even where the secret is not known: the time of the answer must not tell it.
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

function traitOf([current, ...former]: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(current ?? '')
  for (const one of former.toSorted((a, b) => a.compare(b))) hash.update(one)
  return hash.digest()
}

function oneSecret(secret: string) {
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest()
  const keyOf = ({ id, user_id, request_key }: KeyParts) =>
    // As JSON, so that different parts never make the same text.
    `MARU1.${id}.${mac('maru-issued-key', JSON.stringify([id, user_id, request_key])).toString('base64url')}`
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

function readOrMake(dataDir: string): string {
  const path = join(dataDir, KEY_SECRET_FILE)
  try {
    const secret = read(path) ?? make(dataDir, path)
    // Anything that KEY_SECRET may be: a restore without it puts the one of the backup here.
    if (!/^\S{32,}(\n\S{32,})*$/.test(secret)) {
      throw new StartRefusal(
        `${path} holds no secret: a line of 32 characters or more for each. Restore it from where it was kept, or set KEY_SECRET.`,
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
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    // Whatever the umask was.
    chmodSync(own, 0o600)
    linkSync(own, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(own, { force: true })
  }
  // No key is made of a secret that a power cut could still take.
  syncFolderNow(dataDir)
  return readFileSync(path, 'utf8').trim()
}
