import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createZstdDecompress } from 'node:zlib'
import pLimit from 'p-limit'
import type { Config } from '../config.ts'
import { migrateTo } from '../db/migrate.ts'
import { onOneConnection } from '../db/one-connection.ts'
import type { OpenDatabase } from '../db/open.ts'
import { syncFolderNow } from '../durable.ts'
import { deriveFrom, givenSecret, KEY_SECRET_FILE } from '../services/key-secret.ts'
import { estrange, isSwept } from '../services/storage/mark.ts'
import { putFile, type Storage } from '../services/storage.ts'
import { StartRefusal } from '../start-refusal.ts'
import { restoreLog, signRestored } from './access-log.ts'
import { fileOf, tableFile } from './backup.ts'
import { type Manifest, PARTS, readManifest } from './manifest.ts'
import { writeTables } from './tables.ts'

/** Where a backup goes. */
export interface RestoreParts {
  config: Pick<Config, 'dataDir' | 'secrets'>
  /** Without a time limit. */
  database: OpenDatabase
  storage: Storage
  folder: string
  say: (line: string) => void
}

const FILES_AT_ONCE = 4

/**
 * Brings a backup into an empty installation: its schema as it was, its rows, its files, its key secret. The next start
 * migrates it. Done again after a failure it goes on.
 * @throws {StartRefusal} where there is something already, or the backup is damaged or of a newer Maru
 */
export async function restore({ config, database, storage, folder, say }: RestoreParts): Promise<Manifest> {
  const manifest = readManifest(folder)
  const secret = readSecret(folder)
  await refuseOther(config, { database, storage, manifest, secret })

  // The rows come last: until then it is an empty installation, and all of this may be done again.
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(manifest.files, async ({ bytes, ...key }) => {
    if ((await storage.sizeOf(key)) === bytes) return
    const { size } = await putFile(storage, key, createReadStream(fileOf(folder, key)))
    if (size !== bytes)
      throw new StartRefusal(`${fileOf(folder, key)} has ${size} bytes and should have ${bytes}.`)
  })
  say(`Files: ${manifest.files.length}.`)
  const hasMore = await holdsMore(storage, manifest)
  const wasSwept = await isSwept(storage)
  // With the mark of who swept it the first sweep asks by itself; without one it would take all for its own.
  if (hasMore && !wasSwept) await estrange(storage)
  if (hasMore || wasSwept)
    say(
      `The storage was in use before${hasMore ? ' and holds newer files than the backup' : ''}. Nothing in it is removed until you decide: npm run check says how.`,
    )
  if (config.secrets.keySecret === '') keepSecret(config.dataDir, secret)
  await restoreLog(config.dataDir, folder)

  await restoreRows(database, manifest, folder)
  await signRestored(config, database.pool, new Date(manifest.takenAt))
  say(`Database: ${manifest.tables.reduce((all, { rows }) => all + rows, 0)} rows.`)
  return manifest
}

async function holdsMore(storage: Storage, { files }: Manifest): Promise<boolean> {
  const own = new Set(files.map(({ path, name }) => `${path}/${name}`))
  for await (const { path, files: there } of storage.list())
    for (const name of there.keys()) if (!own.has(`${path}/${name}`)) return true
  return false
}

/** Makes the schema of a backup and writes its rows. */
export async function restoreRows(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  { migrations, tables, sequences }: Manifest,
  folder: string,
): Promise<void> {
  await migrateTo(db, migrations)
  await onOneConnection(pool, (client) =>
    writeTables(client, tables, sequences, (table) => unpacked(tableFile(folder, table))),
  )
}

function unpacked(path: string) {
  const file = createReadStream(path)
  const text = createZstdDecompress()
  // `pipe` passes no error on.
  file.on('error', (error) => text.destroy(error))
  return file.pipe(text)
}

/**
 * The secrets in a backup, a line each.
 * @throws {StartRefusal} where it lacks them
 */
export function readSecret(folder: string): string {
  const path = join(folder, PARTS.keySecret)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartRefusal(
      `${path} cannot be read: without the key secret every issued key is unknown. Put it back from where it is kept.`,
      { cause: error },
    )
  }
}

async function refuseOther(
  config: RestoreParts['config'],
  {
    database,
    storage,
    manifest,
    secret,
  }: Pick<RestoreParts, 'database' | 'storage'> & { manifest: Manifest; secret: string },
): Promise<void> {
  const { rows } = await database.pool.query<{ exists: boolean }>(
    `select to_regclass('users') is not null as exists`,
  )
  if (rows[0]?.exists === true) {
    const { rowCount } = await database.pool.query('select from users limit 1')
    if (rowCount !== 0)
      throw new StartRefusal(
        'The database holds people already. Restore into an empty one, or empty this one first.',
      )
  }
  const owner = await storage.owner(manifest.installation)
  if (owner !== manifest.installation)
    throw new StartRefusal(
      'The storage holds the files of another installation. Set STORAGE_URL to an empty place, or to that of the backup.',
    )
  refuseSecret(config, secret)
}

/** @throws {StartRefusal} where another key secret than this one is kept, or set */
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

/** Keeps the secret of a backup under DATA_DIR, where none is. */
export function keepSecret(dataDir: string, secret: string): void {
  const path = join(dataDir, KEY_SECRET_FILE)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path)) return
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  syncFolderNow(dataDir)
}
