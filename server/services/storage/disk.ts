import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkStorageKey, type Storage, type StorageKey } from '../storage.ts'

// Files on their way in; on the same disk as the rest, so that a rename moves them.
const INCOMING = '.incoming'
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Keeps files below a folder, `DATA_DIR/files`, which only the server's user may read.
 * @param root made when it is missing; what a killed server left half written there is swept out
 * @throws when the folder cannot be made
 */
export async function openDiskStorage(root: string): Promise<Storage> {
  const incoming = join(root, INCOMING)
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await sweep(incoming)
  const place = (key: StorageKey) => {
    checkStorageKey(key)
    return join(root, key.path, key.name)
  }

  return {
    async put(key, content) {
      const target = place(key)
      const temporary = join(incoming, key.name)
      try {
        const size = await write(temporary, content)
        await makeFolder(root, dirname(target))
        await rename(temporary, target)
        await syncFolder(dirname(target))
        return { size }
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async get(key, range) {
      const file = await openOrNull(place(key))
      if (file === null) return null
      try {
        const { size } = await file.stat()
        if (range !== undefined && !(range.start >= 0 && range.start <= range.end && range.end < size)) {
          throw new RangeError('The range does not lie within the file')
        }
        return { size, stream: file.createReadStream(range) }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async remove(key) {
      await rm(place(key), { force: true })
    },

    async ready() {
      const probe = join(incoming, `ready-${process.pid}`)
      await (await open(probe, 'w')).close()
      await rm(probe, { force: true })
    },
  }
}

/** Writes a new file down to the disk itself. */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  // flush: fsync before the file is closed.
  const sink = file.createWriteStream({ flush: true })
  await pipeline(content, sink)
  return sink.bytesWritten
}

async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  // The entries of new folders have to reach the disk too.
  await syncFolder(dirname(folder))
  await syncFolder(root)
}

/** A rename is on the disk only when its folder is; Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Only what is a day old: another server may share the folder and be writing right now. */
async function sweep(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > FORGOTTEN_AFTER_MS) await rm(path, { force: true })
  }
}
