import {
  glob,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { hasCode } from '../../caught-errors.ts'
import { makeFolder, replaceFile, syncFolder } from '../../durable-files.ts'
import {
  checkRange,
  checkStorageKey,
  type StorageUpload,
  isStorageName,
  type Shelf,
  type Storage,
  type StorageKey,
} from '../storage.ts'
import { StorageAway } from './unavailable.ts'

/** Folder of incoming files. It is on the same disk as the other files, so that a rename moves them. */
const INCOMING = '.incoming'
/** Folder of the files in quarantine. */
const QUARANTINE = '.quarantine'
/** File with the ID of the installation that owns the files. */
const OWNER = '.owner'
/** File of the pairing mark (`readMark`). */
const MARK = '.mark'
/** Milliseconds without a write after which an unfinished file is deleted at the next start. */
const FORGOTTEN_AFTER_MS = 48 * 60 * 60 * 1000

/** Free disk space that is reserved for the database and the log: these bytes or this share of the disk, if that is less. */
const FLOOR_BYTES = 1024 ** 3
const FLOOR_PART = 0.05

/** Bytes that `ready` writes to test the disk. */
const BLOCK = Buffer.alloc(4096, 'maru')

/** Options of a write that appends, and syncs the file to the disk when done. */
const SYNCED = { flag: 'a', mode: 0o600, flush: true } as const

/**
 * Opens a storage below a folder, `DATA_DIR/files`, which only the server's user may read. Deletes unfinished files
 * without a write for two days (`deleteOldUploads`). If the folder disappears later, the methods throw StorageAway.
 * @param root folder; created if it is missing, unless `make` is false. Several servers may share it
 * @throws the error of the file system if the folder cannot be created, or is missing and `make` is false
 */
export async function openDiskStorage(root: string, { make = true } = {}): Promise<Storage> {
  const incoming = join(root, INCOMING)
  if (make) await makeFolder(incoming)
  /** Returns the folder of a shelf. */
  const top = (shelf: Shelf) => (shelf === 'kept' ? root : join(root, QUARANTINE))
  /** Returns the path of a finished file. @throws {Error} if the key has another form than `newStorageKey` */
  const place = (key: StorageKey, shelf: Shelf = 'kept') => {
    checkStorageKey(key)
    return join(top(shelf), key.path, key.name)
  }
  /** Moves a file to another shelf and syncs both folders. Does nothing if the file is missing. */
  const shift = async (key: StorageKey, from: Shelf, to: Shelf) => {
    const target = place(key, to)
    await makeFolder(dirname(target))
    await orNull(rename(place(key, from), target))
    await syncFolder(dirname(target))
    await orNull(syncFolder(dirname(place(key, from))))
  }
  /** Returns the path of an upload that is not finished. */
  const temporary = ({ key }: StorageUpload) => {
    checkStorageKey(key)
    return join(incoming, key.name)
  }

  /**
   * Throws StorageAway if the folder of incoming files is missing: then the disk is not mounted. Called when a file is
   * missing, because an unmounted disk leaves an empty folder, or none.
   */
  const assertHere = async () => {
    if ((await statOrNull(incoming)) === null) throw new StorageAway(`The folder ${incoming} is gone`)
  }
  await assertHere()
  await deleteOldUploads(incoming)
  /**
   * Returns the result of work. If it fails because a path is missing (ENOENT) and the disk is not mounted, throws
   * StorageAway; otherwise the error of the work.
   */
  const orAway = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (hasCode(error, 'ENOENT')) await assertHere()
      throw error
    }
  }
  /** Returns the free bytes that may be used for files; below 0 if less is free than is reserved. */
  const room = async () => {
    const { blocks, bavail, bsize } = await orAway(statfs(incoming))
    return bavail * bsize - Math.min(FLOOR_BYTES, blocks * bsize * FLOOR_PART)
  }
  // One query at a time: a folder that hangs then occupies only one of Node's four threads for files.
  let asked: Promise<unknown> = Promise.resolve()

  return {
    async append(file, content) {
      await orAway(writeFile(temporary(file), content, SYNCED))
    },

    async received(file) {
      const size = (await sizeOrNull(temporary(file))) ?? (await sizeOrNull(place(file.key)))
      if (size === null) await assertHere()
      return size ?? 0
    },

    async finish(file) {
      const target = place(file.key)
      if ((await sizeOrNull(target)) === null) {
        // An empty file has had no write, and what a broken write left is not synced yet.
        await orAway(writeFile(temporary(file), '', SYNCED))
        await makeFolder(dirname(target))
        await rename(temporary(file), target)
        await syncFolder(dirname(target))
      }
      return { size: (await stat(target)).size }
    },

    async abandon(file) {
      await rm(temporary(file), { force: true })
      await rm(place(file.key), { force: true })
    },

    async get(key, range) {
      const file = (await openOrNull(place(key))) ?? (await openOrNull(place(key, 'quarantine')))
      if (file === null) {
        await assertHere()
        return null
      }
      try {
        const { size } = await file.stat()
        checkRange(range, size)
        return { size, stream: file.createReadStream({ ...range, highWaterMark: 64 * 1024 }) }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async sizeOf(key) {
      const size = (await sizeOrNull(place(key))) ?? (await sizeOrNull(place(key, 'quarantine')))
      if (size === null) await assertHere()
      return size
    },

    async remove(key, shelf) {
      await rm(place(key, shelf), { force: true })
    },

    async quarantine(key, at) {
      // First: a file that came there with its old time would be removed too early.
      await orNull(utimes(place(key), at, at))
      await shift(key, 'kept', 'quarantine')
    },

    release: (key) => shift(key, 'quarantine', 'kept'),

    async readMark(name = MARK) {
      const mark = await orNull(readFile(join(root, name), 'utf8'))
      if (mark === null) await assertHere()
      return mark
    },

    async writeMark(text, name = MARK) {
      await assertHere()
      await replaceFile(join(root, name), text)
    },

    async *list(shelf = 'kept') {
      const cwd = top(shelf)
      await assertHere()
      for await (const folder of glob('[0-9][0-9][0-9][0-9]/[0-9][0-9]', { cwd })) {
        const files = new Map<string, Date>()
        for (const name of await readdir(join(cwd, folder))) {
          const found = isStorageName(name) ? await statOrNull(join(cwd, folder, name)) : null
          if (found !== null) files.set(name, found.mtime)
        }
        yield { path: folder.replaceAll(sep, '/'), files }
      }
    },

    async owner(id) {
      await assertHere()
      const path = join(root, OWNER)
      try {
        await writeFile(path, id, { flag: 'wx', mode: 0o600, flush: true })
        await syncFolder(root)
        return id
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
        const found = (await readFile(path, 'utf8')).trim()
        if (found !== '') return found
        // The process that wrote it was interrupted between the file's name and its bytes.
        await replaceFile(path, id)
        return id
      }
    },

    room() {
      const answer = asked.then(room, room)
      asked = answer
      return answer
    },

    async ready() {
      const probe = join(incoming, `ready-${process.pid}`)
      await assertHere()
      try {
        // A full disk takes a name, and no bytes.
        await writeFile(probe, BLOCK, { mode: 0o600, flush: true })
      } finally {
        await rm(probe, { force: true })
      }
    },
  }
}

/** Deletes the unfinished files in the folder of incoming files that had no write for FORGOTTEN_AFTER_MS. */
async function deleteOldUploads(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await statOrNull(path)
    if (found !== null && Date.now() - found.mtimeMs > FORGOTTEN_AFTER_MS) await rm(path, { force: true })
  }
}

/** Returns the result of work; null if it fails because a file is missing (ENOENT). Throws any other error. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/* Open, stat and size (bytes) of a path; null if it is missing. */
const openOrNull = (path: string): Promise<FileHandle | null> => orNull(open(path, 'r'))
const statOrNull = (path: string) => orNull(stat(path))
const sizeOrNull = async (path: string): Promise<number | null> => (await statOrNull(path))?.size ?? null
