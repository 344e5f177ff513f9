import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUsers } from '../../../../contract/users.ts'
import { checkImport, type ImportColumn, importUsers } from '../../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../../contract/users/import-update.ts'
import { CallError } from '../../../api/call-error.ts'
import { invalidate, useCall, useMailingCall } from '../../../api/query.ts'
import { readImportFile } from '../../../imports/read-file.ts'
import { type CheckedFile as Checked, useFileCheck } from '../../../imports/use-file-check.ts'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { headingNames, importHeadings } from './import-columns.ts'
import { updateFile, userFile } from './import-file.ts'
import { useUserImportTexts } from './import-texts.ts'
import { useUpdateTexts } from './update-texts.ts'

/** A file of new users that was read, and what the dry run says of it. */
export type CheckedFile = Checked<ImportColumn, OutputOf<typeof checkImport>>

/** The same of a file of registered users. */
export type CheckedUpdate = Checked<ImportColumn, OutputOf<typeof checkUpdates>>

/** The steps of an import: a file is read and checked, and then all of it is registered. */
export function useImport() {
  const { users } = usePortalMessages()
  const t = useUserImportTexts()
  const check = useCall(checkImport)
  const write = useMailingCall(importUsers)
  const work = useFileCheck({
    read: async (file) => readImportFile(file, userFile, await headingNames()),
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: importHeadings(users),
  })

  return {
    ...work,
    /** Nothing to look at anew: what the dry run said is said again. */
    isStale: false,
    isWriting: write.isPending,
    /** @throws {CallError} as the call is refused */
    async write(managerPassword: string): Promise<void> {
      if (work.checked === null) return
      const { data, msg } = await write.mutateAsync({ rows: work.checked.rows, managerPassword })
      work.clear()
      void invalidate(listUsers)
      await dialogs.alert({
        message: [t.done(data.rowCount.toLocaleString()), msg].join('\n').trim(),
        tone: 'success',
      })
    },
  }
}

/** Refusals of an update that only say that the dry run is no longer true. */
const STALE: readonly string[] = [
  'RECORD_CHANGED',
  'IMPORT_INVALID',
  'BULK_NOBODY',
  'LAST_ADMIN',
  'LAST_ADMIN_ENDS',
]

/** The steps of an update by a file: what it would do is looked at, and then all of it is done. */
export function useUpdate() {
  const { users } = usePortalMessages()
  const t = useUpdateTexts()
  const check = useCall(checkUpdates)
  const write = useCall(updateByImport)
  const [isStale, setStale] = useState(false)
  const work = useFileCheck({
    read: async (file) => readImportFile(file, updateFile, await headingNames()),
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: importHeadings(users),
  })

  return {
    ...work,
    /** A colleague was quicker and nothing was changed: this is what the file would do now. */
    isStale,
    isWriting: write.isPending,
    async open(file: File): Promise<void> {
      setStale(false)
      await work.open(file)
    },
    /** @throws {CallError} as the call is refused */
    async write(managerPassword: string): Promise<void> {
      if (work.checked === null) return
      setStale(false)
      const { rows, result } = work.checked
      const { userCount } = await write.mutateAsync({ rows, version: result.version, managerPassword })
      work.clear()
      void invalidate(listUsers)
      await dialogs.alert({ message: t.done(userCount.toLocaleString()), tone: 'success' })
    },
    /** Shows what the file would do now, or says why nothing was done. */
    async refused(error: unknown): Promise<void> {
      if (!(error instanceof CallError) || !STALE.includes(error.code)) return work.refused(error)
      // What could not be looked at anew is not said to be how it is now.
      setStale(await work.again())
    },
  }
}
