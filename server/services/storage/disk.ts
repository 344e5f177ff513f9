import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkStorageKey, type Incoming, isStorageName, type Storage, type StorageKey } from '../storage.ts'

// Files on their way in; on the same disk as the rest, so that a rename moves them.
const INCOMING = '.incoming'
const OWNER = '.owner'
const FORGOTTEN_AFTER_MS = 48 * 60 * 60 * 1000

// Written in large steps: many small ones cost more than the disk does.
const WRITE_BYTES = 512 * 1024
const SYNC_BYTES = 16 * 1024 * 1024

/**
 * Keeps files below a folder, `DATA_DIR/files`, which only the server's user may read.
 * @param root made when it is missing; several servers may share it. What nobody has written to there for two days
 *   will not be finished, and goes
 * @throws when the folder cannot be made
 */
export async function openDiskStorage(root: string): Promise<Storage> {
  const incoming = join(root, INCOMING)
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await forgetOld(incoming)
  const place = (key: StorageKey) => {
    checkStorageKey(key)
    return join(root, key.path, key.name)
  }
  const temporary = ({ key }: Incoming) => {
    checkStorageKey(key)
    return join(incoming, key.name)
  }

  return {
    async append(file, content) {
      const handle = await open(temporary(file), 'a', 0o600)
      try {
        await write(handle, content)
      } finally {
        await handle.close()
      }
    },

    async received(file) {
      return (await sizeOrNull(temporary(file))) ?? (await sizeOrNull(place(file.key))) ?? 0
    },

    async finish(file) {
      const target = place(file.key)
      const there = await sizeOrNull(target)
      if (there !== null) return { size: there }
      // An empty file may have come without a single byte.
      const handle = await open(temporary(file), 'a', 0o600)
      let size: number
      try {
        await handle.sync()
        size = (await handle.stat()).size
      } finally {
        await handle.close()
      }
      await makeFolder(root, dirname(target))
      await rename(temporary(file), target)
      await syncFolder(dirname(target))
      return { size }
    },

    async abandon(file) {
      await rm(temporary(file), { force: true })
      await rm(place(file.key), { force: true })
    },

    async get(key, range) {
      const file = await openOrNull(place(key))
      if (file === null) return null
      try {
        const { size } = await file.stat()
        if (range !== undefined && !(range.start >= 0 && range.start <= range.end && range.end < size)) {
          throw new RangeError('The range does not lie within the file')
        }
        return { size, stream: file.createReadStream({ ...range, highWaterMark: 64 * 1024 }) }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    sizeOf: async (key) => sizeOrNull(place(key)),

    async remove(key) {
      await rm(place(key), { force: true })
    },

    async *list() {
      for (const year of await foldersOf(root)) {
        for (const month of await foldersOf(join(root, year))) {
          const names = (await readdir(join(root, year, month))).filter((name) => isStorageName(name))
          const files = new Map<string, Date>()
          for (const name of names) {
            const found = await statOrNull(join(root, year, month, name))
            if (found !== null) files.set(name, found.mtime)
          }
          yield { path: `${year}/${month}`, files }
        }
      }
    },

    async owner(id) {
      const path = join(root, OWNER)
      try {
        await writeFile(path, id, { flag: 'wx', mode: 0o600 })
        return id
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
        return (await readFile(path, 'utf8')).trim()
      }
    },

    async ready() {
      const probe = join(incoming, `ready-${process.pid}`)
      await (await open(probe, 'w')).close()
      await rm(probe, { force: true })
    },
  }
}

// One at a time in the whole process: each takes a thread of the few that write.
let isSyncing = false

// Slabs that wait for the next file. A slab grows old in the heap: a new one for every file would stay, each of them,
// until the whole heap is searched.
const spare: Buffer[] = []
const SPARE_AT_MOST = 20

const takeSlab = () => spare.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES)

/**
 * Writes a stream down to the disk itself: what comes next is gathered while what came is written, and synced while
 * more comes, so that the end has little to wait for. Gathered in two slabs of its own: chunks that wait for the disk
 * would grow old in the heap, and the garbage collector would take longer than the disk.
 */
async function write(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let [slab, other] = [takeSlab(), takeSlab()]
  let used = 0
  let unsynced = 0
  let writing: Promise<void> = Promise.resolve()
  let syncing: Promise<void> | undefined
  const flush = async () => {
    await writing
    writing = writeAll(handle, slab.subarray(0, used))
    // Met where it is waited for, which may be a while from now.
    writing.catch(() => {})
    unsynced += used
    used = 0
    ;[slab, other] = [other, slab]
    if (isSyncing || unsynced < SYNC_BYTES) return
    unsynced = 0
    isSyncing = true
    syncing = handle.datasync().finally(() => {
      isSyncing = false
    })
    // The sync at the end meets the same failure.
    syncing.catch(() => {})
  }
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.length;) {
        const step = Math.min(WRITE_BYTES - used, chunk.length - at)
        slab.set(at === 0 && step === chunk.length ? chunk : chunk.subarray(at, at + step), used)
        used += step
        at += step
        if (used === WRITE_BYTES) await flush()
      }
    }
  } finally {
    // What came before a break is worth keeping; and nobody may close the file under a write.
    await flush()
    await writing
    await syncing?.catch(() => {})
    // Nothing writes from them any more.
    if (spare.length < SPARE_AT_MOST) spare.push(slab, other)
  }
  await handle.sync()
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten
  }
}

async function forgetOld(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await statOrNull(path)
    if (found !== null && Date.now() - found.mtimeMs > FORGOTTEN_AFTER_MS) await rm(path, { force: true })
  }
}

async function foldersOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name)).map(({ name }) => name)
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

const openOrNull = (path: string): Promise<FileHandle | null> => orNull(open(path, 'r'))
const statOrNull = (path: string) => orNull(stat(path))
const sizeOrNull = async (path: string): Promise<number | null> => (await statOrNull(path))?.size ?? null
