import { deleteFile, deleteNotice, updateNotice, BULLET } from '../../../contract/notices.ts'
import { type Parcel, type Portal, RefusedError, sumOf } from '../portal.ts'
import { createHash } from 'node:crypto'

/** A notice of an operation: its file before, and its file after. */
export interface Target {
  noticeId: string
  /** The file before; undefined if there is none. */
  old: Parcel | undefined
  next: Parcel
  /** uploadId, once the server has returned it. */
  uploadId?: string
}

/** State of a notice: it has the complete old file, the complete new file, no file, or does not exist. */
export type State = 'old' | 'new' | 'no file' | 'no notice'

/** An operation on the file of a notice. The user repeats it after an interruption. */
export interface Operation {
  name: string
  /** True if the notice has a file before. */
  hasOld: boolean
  run(portal: Portal, target: Target): Promise<void>
  /** State after the operation was answered. */
  end: State
  /** State that an interrupted operation may leave, in addition to the earlier one and `end`. */
  between?: State
}

/** Returns a function that stores the uploadId in a target. */
const remember = (target: Target) => (uploadId: string) => {
  target.uploadId = uploadId
}

/** Returns the fileId of the notice's file, which the operation replaces; undefined if it has none. */
async function replacedBy(portal: Portal, { noticeId }: Target): Promise<string | undefined> {
  return (await portal.filesOf(noticeId))[0]?.fileId
}

/** Deletes the first file of a notice, if it has one. */
async function removeFile(portal: Portal, noticeId: string): Promise<void> {
  const [file] = await portal.filesOf(noticeId)
  if (file === undefined) return
  await portal.call(deleteFile, {
    noticeId,
    fileId: file.fileId,
    storedName: file.storedName,
    storedPath: file.storedPath,
  })
}

/** Operations on a file, each in every available way. The tests kill a server during each. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'upload by form',
    hasOld: false,
    end: 'new',
    run: (portal, { noticeId, next }) => portal.sendForm(noticeId, next),
  },
  {
    name: 'upload by tus',
    hasOld: false,
    end: 'new',
    run: (portal, target) => portal.sendTus(target.noticeId, target.next, '', remember(target)),
  },
  {
    name: 'replace by form',
    hasOld: true,
    end: 'new',
    run: async (portal, target) =>
      portal.sendForm(target.noticeId, target.next, await replacedBy(portal, target)),
  },
  {
    name: 'replace by tus',
    hasOld: true,
    end: 'new',
    run: async (portal, target) =>
      portal.sendTus(target.noticeId, target.next, await replacedBy(portal, target), remember(target)),
  },
  {
    name: 'delete of a file',
    hasOld: true,
    end: 'no file',
    run: (portal, { noticeId }) => removeFile(portal, noticeId),
  },
  {
    name: 'delete of a notice',
    hasOld: true,
    end: 'no notice',
    run: async (portal, { noticeId }) => void (await portal.call(deleteNotice, { noticeId })),
  },
  {
    // Text, then the old file, then the new one.
    name: 'edit, the old file deleted first',
    hasOld: true,
    end: 'new',
    between: 'no file',
    async run(portal, { noticeId, next }) {
      const text = { bulletCode: BULLET.notice, title: '고침', memo: '' } as const
      await portal.call(updateNotice, { noticeId, ...text })
      await removeFile(portal, noticeId)
      await portal.sendForm(noticeId, next)
    },
  },
]

/**
 * Returns the state of a notice as any user sees it: downloads its file and checks every byte.
 * @throws {Error} if the notice has two files, another file, or an incomplete one
 * @throws {RefusedError} for a refusal other than NOTICE_NOT_FOUND
 */
export async function stateOf(portal: Portal, { noticeId, old, next }: Target): Promise<State> {
  let files
  try {
    files = await portal.filesOf(noticeId)
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'NOTICE_NOT_FOUND') return 'no notice'
    throw error
  }
  const [file, second] = files
  if (file === undefined) return 'no file'
  if (second !== undefined) throw new Error('it names two files')
  const found = [old, next].find((one) => one?.name === file.fileName)
  if (found === undefined) throw new Error(`it names ${file.fileName}`)
  const hash = createHash('sha256')
  const received = await portal.receive(noticeId, (chunk) => hash.update(chunk))
  if (received !== found.size || hash.digest('hex') !== sumOf(found)) {
    throw new Error(`${found.name} is not whole: ${received} of ${found.size} bytes, or others`)
  }
  return found === old ? 'old' : 'new'
}
