import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartRefusal } from '../start-refusal.ts'
import { encryptedPart } from './encryption.ts'
import { sequenceState, tableShape } from './tables.ts'

/** File that is written last. A folder without it is not a backup. */
export const MANIFEST = 'maru-backup.json'

/** Folders of the parts of a backup. */
export const PARTS = {
  tables: 'tables',
  files: 'files',
  keySecret: 'key-secret',
  accessLog: 'access-log',
} as const

const storageKey = z.object({ path: z.string(), name: z.string() })

const manifest = z.object({
  /** 2: encrypted, which versions before 0.2.0 cannot read. */
  format: z.literal([1, 2]),
  takenAt: z.iso.datetime(),
  /** Database of the backup: installation.id. */
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

/** Contents of a backup. */
export type Manifest = z.infer<typeof manifest>

/**
 * Reads what a folder holds.
 * @throws {StartRefusal} when it is no whole backup, or not one of this form
 */
export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw new StartRefusal(
      `${folder} holds no whole backup: ${MANIFEST}, which is written last, cannot be read (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }
  const read = z.safeParse(z.pipe(z.string(), z.pipe(z.transform(parsed), manifest)), text)
  if (read.success) return read.data
  throw new StartRefusal(`${join(folder, MANIFEST)} cannot be read: it is damaged, or of a newer Maru.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
