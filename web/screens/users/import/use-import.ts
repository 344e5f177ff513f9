import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUsers } from '../../../../contract/users.ts'
import { checkImport, type ImportColumn, importUsers } from '../../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../../contract/users/import-update.ts'
import { CallError } from '../../../api/call-error.ts'
import { invalidate, useCall, useMailingCall } from '../../../api/query.ts'
import { fetchAffiliationNames } from '../../../forms/choices.ts'
import { askGrantReason } from '../../../forms/ask-grant-reason.tsx'
import type { ColumnMapping } from '../../../imports/map-columns.ts'
import { type CheckedFile as Checked, useFileCheck } from '../../../imports/use-file-check.ts'
import { fetchCustomFields } from '../../../forms/custom-fields.ts'
import { readUserFile, updateFile, userFile } from './import-file.ts'
import { useImportHeadings, useUpdateTexts, useUserImportTexts } from './import-texts.ts'
import { showToast } from '../../../ui/toasts.ts'

/** File of new users that was read, with the result of its check. */
export type CheckedFile = Checked<ImportColumn, OutputOf<typeof checkImport>>

/** File of registered users that was read, with the result of its check. */
export type CheckedUpdate = Checked<ImportColumn, OutputOf<typeof checkUpdates>>

/** Function that asks the user about unknown headings of a file. */
type Ask = ColumnMapping<ImportColumn>['ask']

/**
 * Reads a file with the fields of the company, and asks about unknown headings. Without the names of affiliations,
 * which are only a hint, it proposes less.
 * @returns null if the user cancels the question
 */
async function read(file: File, shapeOf: typeof userFile, ask: Ask) {
  const fields = await fetchCustomFields()
  const affiliations = await fetchAffiliationNames().catch(() => new Set<string>())
  return readUserFile(file, shapeOf(fields), ask, fields, affiliations)
}

/**
 * Manages the steps of an import: read and check the file (`checkImport`), then register all users (`importUsers`).
 * `write` also asks for the grant record, does nothing if the user cancels that, and shows a toast when done. `checked`
 * is null until a file is checked.
 */
export function useImport(ask: Ask) {
  const t = useUserImportTexts()
  const check = useCall(checkImport)
  const write = useMailingCall(importUsers)
  const work = useFileCheck({
    read: (file) => read(file, userFile, ask),
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: useImportHeadings(),
  })

  return {
    ...work,
    /** A failed registration does not repeat the dry run, so its result is never out of date. */
    isStale: false,
    isWriting: write.isPending,
    /** @throws {CallError} if the call is refused */
    async write(managerPassword: string): Promise<void> {
      if (work.checked === null) return
      const reason = await askGrantReason()
      if (reason === undefined) return
      const { data, msg } = await write.mutateAsync({ rows: work.checked.rows, managerPassword, ...reason })
      work.clear()
      void invalidate(listUsers)
      showToast([t.done(data.rowCount.toLocaleString()), msg].join('\n').trim())
    },
  }
}

/** Error codes of an update that mean only that the result of the check is outdated. */
const STALE: readonly string[] = [
  'RECORD_CHANGED',
  'IMPORT_INVALID',
  'BULK_NOBODY',
  'LAST_ADMIN',
  'LAST_ADMIN_ENDS',
]

/**
 * Manages the steps of an update by a file: preview the changes (`checkUpdates`), then apply all of them
 * (`updateByImport`). `write` also asks for the grant record, does nothing if the user cancels that, and shows a toast
 * when done. `checked` is null until a file is checked.
 */
export function useUpdate(ask: Ask) {
  const t = useUpdateTexts()
  const check = useCall(checkUpdates)
  const write = useCall(updateByImport)
  const [isStale, setStale] = useState(false)
  const work = useFileCheck({
    read: (file) => read(file, updateFile, ask),
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: useImportHeadings(),
  })

  return {
    ...work,
    /**
     * True if another user changed a record in the meantime. Nothing was saved, and the preview shows what the file
     * would change now.
     */
    isStale,
    isWriting: write.isPending,
    async open(file: File): Promise<void> {
      setStale(false)
      await work.open(file)
    },
    /** @throws {CallError} if the call is refused */
    async write(managerPassword: string): Promise<void> {
      if (work.checked === null) return
      setStale(false)
      const { rows, result } = work.checked
      const reason = await askGrantReason()
      if (reason === undefined) return
      const { version } = result
      const { userCount } = await write.mutateAsync({ rows, version, managerPassword, ...reason })
      work.clear()
      void invalidate(listUsers)
      showToast(t.done(userCount.toLocaleString()))
    },
    /** Checks the file again after a refusal that means that the preview is outdated. Shows any other refusal. */
    async refused(error: unknown): Promise<void> {
      if (!(error instanceof CallError) || !STALE.includes(error.code)) return work.refused(error)
      // If the dry run cannot be repeated, the old preview must not be presented as current.
      setStale(await work.again())
    },
  }
}
