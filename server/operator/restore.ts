import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import pLimit from 'p-limit'
import type { Config } from '../config.ts'
import { migrateTo } from '../db/migrate.ts'
import { withConnection } from '../db/one-connection.ts'
import type { OpenDatabase } from '../db/open.ts'
import { syncFolderNow } from '../durable-files.ts'
import { deriveFrom, givenSecret, KEY_SECRET_FILE } from '../services/key-secret.ts'
import { unpairStorage, hasBeenSwept } from '../services/storage/pairing.ts'
import { putFile, type Storage } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { restoreLog, signRestored } from './access-log.ts'
import { tableFile } from './backup.ts'
import { type Decrypter, readIdentities, readPart, verifyParts } from './encryption.ts'
import { BACKUP_ROW_FILTERS } from './backup-row-filters.ts'
import { fileOf, type Manifest, PARTS, readManifest } from './manifest.ts'
import { hasUsers } from './open.ts'
import { writeTables } from './tables.ts'
import { printTokens } from './print-tokens.ts'

/** Target of a restore. */
export interface RestoreParts {
  config: Pick<Config, 'dataDir' | 'secrets'>
  /** Connections without a time limit. */
  database: OpenDatabase
  storage: Storage
  backup: OpenBackup
  /** Prints a line of progress. */
  say: (line: string) => void
}

/** A backup whose manifest and key secret were read. */
export interface OpenBackup {
  folder: string
  manifest: Manifest
  decrypter: Decrypter
  /** The key secrets, one per line. */
  secret: string
}

/** Most files that are restored concurrently. */
const FILES_AT_ONCE = 4

/**
 * Opens a backup, and changes nothing.
 * @param identityFile BACKUP_IDENTITY_FILE; empty for none
 * @throws {StartRefusal} if it is incomplete, has no key secret, or is encrypted and no private key decrypts it
 */
export async function openBackup(folder: string, identityFile: string): Promise<OpenBackup> {
  const manifest = readManifest(folder)
  const decrypter = readIdentities(identityFile)
  if (manifest.encryption !== undefined && decrypter === undefined)
    throw new StartRefusal(
      `The backup in ${folder} is encrypted. Set BACKUP_IDENTITY_FILE to the file with the private key (AGE-SECRET-KEY-1…) of ${manifest.encryption.recipients.join(' or ')}.`,
    )
  return { folder, manifest, decrypter, secret: await readSecret(folder, decrypter) }
}

/**
 * Restores a backup into an empty installation: its schema, rows, files, access log and key secret. Prints the valid tokens. The
 * next start migrates the schema. After a failure the call can be repeated.
 * @returns the manifest of the backup
 * @throws {StartRefusal} if the installation contains users or another key secret, the storage belongs to another installation,
 * or the backup is damaged or of a newer Maru
 */
export async function restore({ config, database, storage, backup, say }: RestoreParts): Promise<Manifest> {
  const { folder, manifest, decrypter, secret } = backup
  if (await hasUsers(database.pool))
    throw new StartRefusal(
      'The database already contains users. Restore into an empty database, or empty this one first.',
    )
  refuseSecret(config, secret)
  // Reads all of it, before anything is changed.
  if (manifest.encryption !== undefined) await verifyParts(folder, manifest.encryption.parts)
  await refuseStorage(storage, manifest.installation)

  // The rows come last. Until then the installation is empty, and all of this can be repeated.
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(manifest.files, async ({ bytes, ...key }) => {
    if ((await storage.sizeOf(key)) === bytes) return
    const path = join(folder, fileOf(key))
    const { size } = await putFile(storage, key, readPart(path, decrypter))
    if (size !== bytes) throw new StartRefusal(`${path} has ${size} bytes and should have ${bytes}.`)
  })
  say(`Files: ${manifest.files.length}.`)
  const hasMore = await hasOtherFiles(storage, manifest)
  const wasSwept = await hasBeenSwept(storage)
  // With the mark of the previous database, the first sweep waits for the operator. Without it the sweep would treat all files as
  // its own.
  if (hasMore && !wasSwept) await unpairStorage(storage)
  if (hasMore || wasSwept)
    say(
      `The storage was in use before${hasMore ? ' and holds newer files than the backup' : ''}. Nothing in it is deleted until you decide: run npm run check.`,
    )
  if (config.secrets.keySecret === '') keepSecret(config.dataDir, secret)
  await restoreLog(config.dataDir, folder, decrypter)

  await restoreRows(database, backup)
  await signRestored(config, database.pool, new Date(manifest.takenAt))
  say(`Database: ${manifest.tables.reduce((all, { rows }) => all + rows, 0)} rows.`)
  await printTokens(database.pool, say)
  return manifest
}

/** Returns whether a storage contains a file that is not in the backup. */
async function hasOtherFiles(storage: Storage, { files }: Manifest): Promise<boolean> {
  const own = new Set(files.map(({ path, name }) => `${path}/${name}`))
  for await (const { path, files: there } of storage.list())
    for (const name of there.keys()) if (!own.has(`${path}/${name}`)) return true
  return false
}

/** Migrates a database to the schema of a backup, and replaces all its rows with those of the backup. */
export async function restoreRows(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  { folder, manifest, decrypter }: OpenBackup,
): Promise<void> {
  const { migrations, tables, sequences } = manifest
  await migrateTo(db, migrations)
  await withConnection(pool, (client) =>
    // Backups of earlier versions contain rows that are excluded today, some of which refer to sessions.
    writeTables(client, tables, sequences, (table) =>
      BACKUP_ROW_FILTERS[table.name] === 'false'
        ? Readable.from([])
        : decompress(readPart(join(folder, tableFile(table)), decrypter)),
    ),
  )
}

/** Returns the decompressed content of a file of a backup, as a stream that fails with the file's. */
function decompress(file: Readable) {
  const text = createZstdDecompress()
  // `pipe` does not forward errors.
  file.on('error', (error) => text.destroy(error))
  return file.pipe(text)
}

/**
 * Reads the key secrets in a backup, one per line.
 * @throws {StartRefusal} if they are missing or cannot be decrypted
 */
async function readSecret(folder: string, decrypter: Decrypter): Promise<string> {
  const path = join(folder, PARTS.keySecret)
  try {
    return (await textOf(readPart(path, decrypter))).trim()
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(
      `${path} cannot be read, and without the key secret no issued key can be verified. Restore the file.`,
      { cause: error },
    )
  }
}

/**
 * Claims a storage without an owner for an installation, and refuses one with the files of another.
 * @param installation ID of the installation that the files must belong to
 * @throws {StartRefusal} if they belong to another one
 */
export async function refuseStorage(storage: Storage, installation: string): Promise<void> {
  if ((await storage.owner(installation)) !== installation)
    throw new StartRefusal(
      'The storage contains the files of another installation. Set STORAGE_URL to an empty place, or to the place of the backup.',
    )
}

/**
 * Refuses a key secret, stored or set, that does not include all of the backup's. No stored secret is fine.
 * @param secret key secrets of the backup, one per line
 * @throws {StartRefusal} if one is missing
 */
export function refuseSecret({ dataDir, secrets }: RestoreParts['config'], secret: string): void {
  const kept = join(dataDir, KEY_SECRET_FILE)
  const present =
    secrets.keySecret === ''
      ? existsSync(kept)
        ? readFileSync(kept, 'utf8').trim()
        : secret
      : givenSecret(secrets)
  const known = deriveFrom(present).fingerprints
  if (!deriveFrom(secret).fingerprints.every((one) => known.some((own) => own.equals(one))))
    throw new StartRefusal(
      `${secrets.keySecret === '' ? kept : 'KEY_SECRET'} is another secret than that of the backup: with it every issued key would be unknown, or those of a former secret that KEY_SECRET_OLD does not name. Remove it, and the one of the backup is taken.`,
    )
}

/** Stores the key secrets of a backup under DATA_DIR, if there are none. */
export function keepSecret(dataDir: string, secret: string): void {
  const path = join(dataDir, KEY_SECRET_FILE)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path)) return
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  syncFolderNow(dataDir)
}
