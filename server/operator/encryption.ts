import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Duplex, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import type * as Age from 'age-encryption'
import pLimit from 'p-limit'
import * as z from 'zod/mini'
import { messageOf } from '../caught-errors.ts'
import { StartRefusal } from '../startup-error.ts'

/* Files of backups, encrypted for public keys of age where BACKUP_RECIPIENT names some (rules/running#encrypted-backup, design/backups#encryption). */

/** End of the name of an encrypted file. */
const SUFFIX = '.age'
/** Most files whose checksums are compared concurrently. */
const FILES_AT_ONCE = 4

/** Loads the age library. Only on first use, because it takes 0.3 s and 20 MB, and most installations do not encrypt. */
const loadAge = () => createRequire(import.meta.url)('age-encryption') as typeof Age

/** An encrypted file of a backup. */
export const encryptedPart = z.object({
  /** Path below the folder, with slashes. */
  name: z.string(),
  bytes: z.number(),
  sha256: z.string(),
})

/** See `encryptedPart`. */
export type EncryptedPart = z.infer<typeof encryptedPart>

/** Private keys that decrypt files; undefined if none are configured. */
export type Decrypter = Age.Decrypter | undefined

/**
 * Parses public keys of age, separated by commas.
 * @returns an empty list for an empty text, null if a key is invalid
 */
export function parseRecipients(text: string): string[] | null {
  const recipients = text
    .split(',')
    .map((recipient) => recipient.trim())
    .filter((recipient) => recipient !== '')
  try {
    if (recipients.length > 0) encrypterFor(recipients)
    return recipients
  } catch {
    return null
  }
}

/** Returns content as a web stream. Node.js and the DOM declare the same class differently. */
const webStream = (content: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(content) as unknown as globalThis.ReadableStream<Uint8Array>

/**
 * Returns an encrypter for public keys.
 * @throws {Error} if a key is invalid
 */
function encrypterFor(recipients: readonly string[]): Age.Encrypter {
  const { Encrypter } = loadAge()
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter
}

/**
 * Reads the private keys of an identity file, as `age-keygen` writes it.
 * @param path BACKUP_IDENTITY_FILE; empty if there is none
 * @returns undefined for an empty path
 * @throws {StartRefusal} if the file cannot be read or holds no private key; the message does not repeat its content
 */
export function readIdentities(path: string): Decrypter {
  if (path === '') return undefined
  try {
    const { Decrypter: AgeDecrypter } = loadAge()
    const decrypter = new AgeDecrypter()
    const lines = readFileSync(path, 'utf8').split(/\r?\n/)
    const keys = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
    if (keys.length === 0) throw new Error('it is empty')
    for (const key of keys) decrypter.addIdentity(key)
    return decrypter
  } catch (error) {
    const isAway = error instanceof Error && 'code' in error
    throw new StartRefusal(
      `BACKUP_IDENTITY_FILE ${path} ${isAway ? `cannot be read (${error.message})` : 'is not an identity file of age: each line must be a private key, AGE-SECRET-KEY-1…, or a comment'}.`,
      { cause: error },
    )
  }
}

/** Returns the name of a file in a backup. The name of an encrypted file ends with .age. */
export const partName = (name: string, recipients: readonly string[]): string =>
  recipients.length === 0 ? name : `${name}${SUFFIX}`

/** Removes .age from the name of a file in a backup. */
export const plainName = (name: string): string =>
  name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name

/** Returns whether a backup contains this file, encrypted or not. */
export const hasPart = (path: string): boolean => existsSync(path) || existsSync(`${path}${SUFFIX}`)

/** Options of a file in a backup. */
export interface PartOptions {
  /** Empty for no encryption. */
  recipients: readonly string[]
  signal?: AbortSignal | undefined
  /** True to replace an existing file. By default an existing file is an error. */
  replaces?: boolean
}

/**
 * Writes a file of a backup that only this user may read, and syncs its content. The caller syncs the folder.
 * @param path ends with the result of `partName`
 * @param content a stream, and transforms to apply before encryption
 * @returns size and checksum of an encrypted file; undefined for an unencrypted one
 */
export async function writePart(
  path: string,
  content: readonly [Readable, ...Transform[]],
  { recipients, signal, replaces = false }: PartOptions,
): Promise<Pick<EncryptedPart, 'bytes' | 'sha256'> | undefined> {
  const target = createWriteStream(path, { mode: 0o600, flags: replaces ? 'w' : 'wx', flush: true })
  if (recipients.length === 0) {
    await pipeline([...content, target], { signal })
    return undefined
  }
  const hash = createHash('sha256')
  let bytes = 0
  const encrypt = Duplex.from(async function* (plain: AsyncIterable<Uint8Array>) {
    for await (const chunk of await encrypterFor(recipients).encrypt(webStream(plain))) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  })
  await pipeline([...content, encrypt, target], { signal })
  return { bytes, sha256: hash.digest('hex') }
}

/** Writer of the files of a backup. Lists the encrypted ones in `parts`, for the manifest. */
export interface PartWriter {
  folder: string
  parts: EncryptedPart[]
  /** Writes a file of the backup. @param name below the folder, with slashes and without .age */
  write(name: string, ...content: [Readable, ...Transform[]]): Promise<void>
}

/** Creates a writer for the files of a backup in an existing folder. */
export function createPartWriter(folder: string, options: PartOptions): PartWriter {
  const parts: EncryptedPart[] = []
  return {
    folder,
    parts,
    async write(plain, ...content) {
      const name = partName(plain, options.recipients)
      const written = await writePart(join(folder, name), content, options)
      if (written !== undefined) parts.push({ name, ...written })
    },
  }
}

/**
 * Reads a file of a backup, and decrypts it if it is encrypted. The stream fails if the file is missing, damaged or encrypted for
 * another key.
 * @param path without .age
 * @param decrypter private keys; without them the stream of an encrypted file fails
 */
export function readPart(path: string, decrypter: Decrypter): Readable {
  const encrypted = `${path}${SUFFIX}`
  if (!existsSync(encrypted)) return createReadStream(path)
  return Readable.from(decrypt(encrypted, decrypter), { objectMode: false })
}

/**
 * Yields the decrypted content of a file.
 * @throws {StartRefusal} without a private key, if none matches, or if the file is damaged
 */
async function* decrypt(path: string, decrypter: Decrypter): AsyncGenerator<Uint8Array> {
  if (decrypter === undefined)
    throw new StartRefusal(
      `${path} is encrypted. Set BACKUP_IDENTITY_FILE to the file with the private key, AGE-SECRET-KEY-1….`,
    )
  const file = createReadStream(path)
  try {
    yield* await decrypter.decrypt(webStream(file))
  } catch (error) {
    const why = messageOf(error)
    throw new StartRefusal(
      why.includes('no identity matched')
        ? `${path} is encrypted for keys that BACKUP_IDENTITY_FILE does not contain. Set it to the file with the right key.`
        : `${path} is damaged or truncated and cannot be decrypted (${why}). Use another backup.`,
      { cause: error },
    )
  } finally {
    file.destroy()
  }
}

/**
 * Compares every encrypted file of a backup with its checksum, which requires no private key.
 * @throws {StartRefusal} naming the first file that is missing or damaged
 */
export async function verifyParts(
  folder: string,
  parts: readonly EncryptedPart[],
  signal?: AbortSignal,
): Promise<void> {
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(parts, async ({ name, bytes, sha256 }) => {
    signal?.throwIfAborted()
    const path = join(folder, name)
    const size = await stat(path)
      .then((found) => found.size)
      .catch(() => undefined)
    if (size === undefined) throw new StartRefusal(`${path} is missing in the backup. Use another backup.`)
    if (size !== bytes) throw new StartRefusal(`${path} has ${size} bytes and should have ${bytes}.`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash, { signal })
    if (hash.digest('hex') !== sha256)
      throw new StartRefusal(
        `${path} is damaged: its checksum differs from that in the backup. Use another backup.`,
      )
  })
}
