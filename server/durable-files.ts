/** Makes files durable, so that they survive a power loss. Their contents are synced where they are written, their names here. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whether folders are synced: not on Windows, which does not have this call and does not need it. */
const canSyncFolders = process.platform !== 'win32'

/**
 * Syncs the names in a folder to the disk. Otherwise a file that was just created or renamed there may be lost in a
 * power loss. Does nothing on Windows, which needs no such call. Rejects if the folder does not exist.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** Syncs the names in a folder to the disk as `syncFolder`, but synchronously, for work before the server starts. */
export function syncFolderNow(folder: string): void {
  if (!canSyncFolders) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Creates a folder and its missing parents, which only this user may enter, and syncs their names to the disk. Existing
 * folders keep their permissions.
 */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/**
 * Creates or replaces a file, readable only by this user. Afterwards either the whole new content is on the disk or
 * nothing has changed. A failure may leave a temporary file next to it.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Each call writes its own temporary file. Two containers that share a folder may have the same process ID.
  const own = `${path}.${process.pid}.${crypto.randomUUID()}`
  await writeFile(own, text, { mode: 0o600, flush: true })
  await rename(own, path)
  await syncFolder(dirname(path))
}
