import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { messageOf } from '../caught-errors.ts'
import type { StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { encryptedPart } from './encryption.ts'
import { sequenceState, tableShape } from './tables.ts'

/** File that is written last. A folder without it is not a backup. */
export const MANIFEST = 'maru-backup.json'

/** Names of the parts of a backup below its folder: three folders, and the file of the key secrets. */
export const PARTS = {
  tables: 'tables',
  files: 'files',
  keySecret: 'key-secret',
  accessLog: 'access-log',
} as const

/** Returns the path of a storage's file in a backup, below the backup's folder. */
export const fileOf = ({ path, name }: StorageKey): string => `${PARTS.files}/${path}/${name}`

/** Schema of the location of a file in the storage. */
const storageKey = z.object({ path: z.string(), name: z.string() })

/** Schema of the manifest. */
const manifest = z.object({
  /** Format of the backup. 2 is encrypted, which versions before 0.2.0 cannot read. */
  format: z.literal([1, 2]),
  takenAt: z.iso.datetime(),
  /** ID of the database of the backup: installation.id. */
  installation: z.string(),
  /** Names of the migrations that had run. */
  migrations: z.array(z.string()),
  tables: z.array(z.extend(tableShape, { rows: z.number() })),
  sequences: z.array(sequenceState),
  files: z.array(z.extend(storageKey, { bytes: z.number() })),
  /** Files that a row names and that are missing in the storage. */
  missing: z.array(storageKey),
  /** Only in an encrypted backup: the public keys, and every encrypted file. The manifest contains no personal data. */
  encryption: z.optional(z.object({ recipients: z.array(z.string()), parts: z.array(encryptedPart) })),
})

/** Manifest of a backup: its origin and the list of its contents. */
export type Manifest = z.infer<typeof manifest>

/**
 * Reads the manifest of a backup. Does not check the other files.
 * @throws {StartRefusal} if the folder has no manifest, or it is damaged or of a newer version of Maru
 */
export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw new StartRefusal(
      `${folder} contains no complete backup: ${MANIFEST}, which is written last, cannot be read (${messageOf(error)}).`,
      { cause: error },
    )
  }
  const read = z.safeParse(z.pipe(z.string(), z.pipe(z.transform(parseJson), manifest)), text)
  if (read.success) return read.data
  throw new StartRefusal(
    `${join(folder, MANIFEST)} cannot be read: it is damaged, or a newer version of Maru wrote it.`,
  )
}

/** Returns the parsed text; undefined if it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
