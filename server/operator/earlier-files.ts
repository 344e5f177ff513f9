import { createReadStream } from 'node:fs'
import { link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { partName, type PartWriter, writePart } from './encryption.ts'
import { fileOf, readManifest } from './manifest.ts'

/**
 * Adds a file of an earlier backup to a new one. A file of the storage never changes, so a hard link suffices.
 * @param size size in the storage; null if the file is missing there
 * @returns the size; null if no earlier backup has the file with this size and encryption
 */
export type AddEarlierFile = (
  key: StorageKey,
  size: number | null,
  writer: PartWriter,
) => Promise<number | null>

/**
 * Creates a function that adds files of earlier backups. Ignores backups without a readable manifest or with other recipients.
 * @param folders folders of the earlier backups, the newest first
 * @param recipients public keys that the new backup is encrypted for
 */
export function createEarlierFiles(
  folders: readonly string[],
  recipients: readonly string[],
): AddEarlierFile {
  const backups = folders.flatMap((folder) => {
    const manifest = manifestOf(folder)
    const { encryption } = manifest ?? {}
    if (String(encryption?.recipients ?? []) !== String(recipients)) return []
    return {
      folder,
      sizes: new Map(manifest?.files.map((file) => [fileOf(file), file.bytes])),
      parts: new Map(encryption?.parts.map((part) => [part.name, part])),
    }
  })

  return async (key, size, writer) => {
    const name = partName(fileOf(key), recipients)
    for (const { folder, sizes, parts } of backups) {
      const bytes = sizes.get(fileOf(key))
      if (bytes === undefined || (size !== null && size !== bytes)) continue
      const [from, to] = [join(folder, name), join(writer.folder, name)]
      const part = parts.get(name)
      const found = await stat(from).catch(() => undefined)
      // A damaged file is copied from the storage again.
      if (found?.size !== (part?.bytes ?? bytes)) continue
      // Not every file system has hard links.
      await link(from, to).catch(() => writePart(to, [createReadStream(from)], { recipients: [] }))
      if (part !== undefined) writer.parts.push(part)
      return bytes
    }
    return null
  }
}

/**
 * Reads the manifest of an earlier backup.
 * @returns undefined if the operator has deleted the backup, or its manifest is damaged
 */
function manifestOf(folder: string) {
  try {
    return readManifest(folder)
  } catch (error) {
    if (error instanceof StartRefusal) return undefined
    throw error
  }
}
