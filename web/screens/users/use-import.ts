import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { checkImport, checkUpdates, importUsers, listUsers, updateByImport } from '../../../contract/users.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { headingNames, importHeadings } from './import-columns.ts'
import { type ImportFile, type ImportMode, readImportFile, UnfitFile } from './import-file.ts'

/** A file that was read, and what the dry run says of it. */
export type CheckedFile = ImportFile &
  (
    | { mode: 'register'; result: OutputOf<typeof checkImport> }
    | { mode: 'update'; result: OutputOf<typeof checkUpdates> }
  )

type UserWords = ReturnType<typeof usePortalMessages>['users']

/** The words of the import, those of an update where they are others. */
function textsOf({ import: t, importUpdate, register: { managerText } }: UserWords, mode: ImportMode) {
  return mode === 'update' ? { ...t, ...importUpdate } : { ...t, managerText }
}

/** The same, for a part of the page. */
export const useImportTexts = (mode: ImportMode) => textsOf(usePortalMessages().users, mode)

/** Refusals of an update that only say that the dry run is no longer true. */
const STALE: readonly string[] = [
  'RECORD_CHANGED',
  'IMPORT_INVALID',
  'BULK_NOBODY',
  'LAST_ADMIN',
  'LAST_ADMIN_ENDS',
]

/** The steps of an import: a file is read and checked, and then everybody in it is registered, or updated. */
export function useImport() {
  const { users } = usePortalMessages()
  const check = useCall(checkImport)
  const checkUpdate = useCall(checkUpdates)
  const register = useCall(importUsers)
  const update = useCall(updateByImport)
  const [mode, setMode] = useState<ImportMode>('register')
  const [isReading, setReading] = useState(false)
  const [checked, setChecked] = useState<CheckedFile | null>(null)
  const [isStale, setStale] = useState(false)

  async function look(as: ImportMode, file: ImportFile): Promise<void> {
    const { rows } = file
    setChecked(
      as === 'register'
        ? { ...file, mode: as, result: await check.mutateAsync({ rows }) }
        : { ...file, mode: as, result: await checkUpdate.mutateAsync({ rows }) },
    )
  }

  async function open(as: ImportMode, source: File): Promise<void> {
    setReading(true)
    setStale(false)
    try {
      await look(as, await readImportFile(as, source, await headingNames()))
    } catch (error) {
      setChecked(null)
      if (error instanceof UnfitFile) await dialogs.alert({ message: unfit(as, error) })
      else await showRefusal(error)
    } finally {
      setReading(false)
    }
  }

  function unfit(as: ImportMode, { reason, columns }: UnfitFile): string {
    const t = textsOf(users, as)
    if (reason === 'missingColumns')
      return t.missingColumns(columns.map((column) => importHeadings(users)[column]).join(', '))
    return t[reason]
  }

  /** Checks the same rows anew: what they lacked, or who they are of, may be another by now. */
  async function again(): Promise<void> {
    if (checked === null) return
    setReading(true)
    try {
      await look(checked.mode, checked)
    } catch (error) {
      await showRefusal(error)
    } finally {
      setReading(false)
    }
  }

  return {
    mode,
    checked,
    isReading,
    isImporting: register.isPending || update.isPending,
    /** Nothing was changed, because somebody else did: this is what the file would do now. */
    isStale,
    open: (source: File) => open(mode, source),
    /** The file that is there is looked at as one of the other kind. */
    async choose(as: ImportMode): Promise<void> {
      if (isReading) return
      setMode(as)
      if (checked !== null) await open(as, checked.source)
    },
    again,
    /** @throws {CallError} as the call is refused */
    async write(managerPassword: string): Promise<void> {
      if (checked === null) return
      setStale(false)
      const { rows } = checked
      const t = textsOf(users, checked.mode)
      const count =
        checked.mode === 'register'
          ? (await register.mutateAsync({ rows, managerPassword })).rowCount
          : (await update.mutateAsync({ rows, managerPassword, version: checked.result.version })).userCount
      setChecked(null)
      void invalidate(listUsers)
      await dialogs.alert({ message: t.done(count.toLocaleString()), tone: 'success' })
    },
    /** Says why nothing was saved; what somebody else changed meanwhile is shown by another dry run. */
    async refused(error: unknown): Promise<void> {
      const code = error instanceof CallError ? error.code : ''
      const isOfUpdate = checked?.mode === 'update' && STALE.includes(code)
      if (!isOfUpdate) await showRefusal(error)
      if (isOfUpdate || code === 'IMPORT_INVALID') await again()
      setStale(isOfUpdate)
    },
  }
}
