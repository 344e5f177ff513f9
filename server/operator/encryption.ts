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
import { StartRefusal } from '../start-refusal.ts'

/* Files of backups, encrypted for public keys of age where BACKUP_RECIPIENT names some (rules/running#encrypted-backup, design/backups#encryption). */

const SUFFIX = '.age'
const FILES_AT_ONCE = 4

// Loaded on first use only: the library takes 0.3 s and 20 MB, and most installations do not encrypt.
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

/** Reads public keys, separated by commas; null if one of them is invalid. */
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

// Node.js and the DOM declare the same class differently.
const webStream = (content: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(content) as unknown as globalThis.ReadableStream<Uint8Array>

function encrypterFor(recipients: readonly string[]): Age.Encrypter {
  const { Encrypter } = loadAge()
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter
}

/**
 * Reads an identity file, as `age-keygen` writes it.
 * @param path BACKUP_IDENTITY_FILE; empty: none
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

/** Returns the name of a file in a backup. The name of an encrypted one ends with .age. */
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
  /** Replaces a file of the same name; if false, an existing file is an error. */
  replaces?: boolean
}

/**
 * Writes a file of a backup that only this user may read: its content is on the disk then, its name with its folder.
 * @param path as `partName` has it
 * @param content a stream, and what transforms it before it is encrypted
 * @returns size and checksum of an encrypted file; of another one undefined
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

/** Writes the files of one backup, and remembers the encrypted ones for its manifest. */
export interface PartWriter {
  folder: string
  parts: EncryptedPart[]
  /** @param name below the folder, with slashes and without .age */
  write(name: string, ...content: [Readable, ...Transform[]]): Promise<void>
}

/** Empty at first. */
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

/** Reads the content of a file in a backup, decrypted where the file is encrypted. @param path without .age */
export function readPart(path: string, decrypter: Decrypter): Readable {
  const encrypted = `${path}${SUFFIX}`
  if (!existsSync(encrypted)) return createReadStream(path)
  return Readable.from(decrypt(encrypted, decrypter), { objectMode: false })
}

async function* decrypt(path: string, decrypter: Decrypter): AsyncGenerator<Uint8Array> {
  if (decrypter === undefined)
    throw new StartRefusal(
      `${path} is encrypted. Set BACKUP_IDENTITY_FILE to the file with the private key, AGE-SECRET-KEY-1….`,
    )
  const file = createReadStream(path)
  try {
    yield* await decrypter.decrypt(webStream(file))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartRefusal(
      why.includes('no identity matched')
        ? `${path} is encrypted for other keys than those in BACKUP_IDENTITY_FILE.`
        : `${path} is damaged or truncated and cannot be decrypted (${why}).`,
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
    if (size === undefined) throw new StartRefusal(`${path} is missing in the backup.`)
    if (size !== bytes) throw new StartRefusal(`${path} has ${size} bytes and should have ${bytes}.`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash, { signal })
    if (hash.digest('hex') !== sha256)
      throw new StartRefusal(`${path} is damaged: it does not have the checksum of the backup.`)
  })
}
