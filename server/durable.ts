/** Makes files durable, so that they survive a power loss. Their contents are synced where they are written, their names here. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

// Windows has no such call, and needs none.
const canSyncFolders = process.platform !== 'win32'

/** Brings the names in a folder to the disk: without it a file that was just made or renamed there may be gone after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** The same, for what is done before anything is served. */
export function syncFolderNow(folder: string): void {
  if (!canSyncFolders) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes a folder, with those above it, which only this user may enter; their names are on the disk then. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Replaces a file, readable only by this user. Afterwards either the whole new content is on the disk or nothing has changed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Each process writes its own temporary file.
  const own = `${path}.${process.pid}`
  await writeFile(own, text, { mode: 0o600, flush: true })
  await rename(own, path)
  await syncFolder(dirname(path))
}
