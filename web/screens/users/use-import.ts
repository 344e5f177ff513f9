import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { checkImport, importUsers, listUsers } from '../../../contract/users.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { headingNames, importHeadings } from './import-columns.ts'
import { type ImportFile, readImportFile, UnfitFile } from './import-file.ts'

/** A file that was read, and what the dry run says of it. */
export interface CheckedFile extends ImportFile {
  result: OutputOf<typeof checkImport>
}

/** The steps of an import: a file is read and checked, and then all of it is registered. */
export function useImport() {
  const { users } = usePortalMessages()
  const t = users.import
  const check = useCall(checkImport)
  const write = useCall(importUsers)
  const [isReading, setReading] = useState(false)
  const [checked, setChecked] = useState<CheckedFile | null>(null)

  async function examine(read: () => Promise<ImportFile>): Promise<void> {
    setReading(true)
    try {
      const file = await read()
      setChecked({ ...file, result: await check.mutateAsync({ rows: file.rows }) })
    } catch (error) {
      setChecked(null)
      if (error instanceof UnfitFile) await dialogs.alert({ message: unfit(error) })
      else await showRefusal(error)
    } finally {
      setReading(false)
    }
  }

  function unfit({ reason, columns }: UnfitFile): string {
    if (reason === 'missingColumns')
      return t.missingColumns(columns.map((column) => importHeadings(users)[column]).join(', '))
    return t[reason]
  }

  return {
    checked,
    isReading,
    isImporting: write.isPending,
    open: (file: File) => examine(async () => readImportFile(file, await headingNames())),
    /** Checks the same rows anew: what they lacked may be there now. */
    async again(): Promise<void> {
      if (checked !== null) await examine(async () => checked)
    },
    /** @throws {CallError} as the call is refused */
    async register(managerPassword: string): Promise<void> {
      if (checked === null) return
      const { rowCount } = await write.mutateAsync({ rows: checked.rows, managerPassword })
      setChecked(null)
      void invalidate(listUsers)
      await dialogs.alert({ message: t.done(rowCount.toLocaleString()), tone: 'success' })
    },
    /** Says why nothing was registered; what somebody else registered meanwhile is shown by another dry run. */
    async refused(error: unknown): Promise<void> {
      await showRefusal(error)
      if (checked !== null && error instanceof CallError && error.code === 'IMPORT_INVALID') {
        await examine(async () => checked)
      }
    },
  }
}
