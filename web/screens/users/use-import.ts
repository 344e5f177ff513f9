import type { OutputOf } from '../../../contract/endpoint.ts'
import { checkImport, importUsers, type ImportColumn, listUsers } from '../../../contract/users.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { readImportFile } from '../../imports/read-file.ts'
import { type CheckedFile as Checked, useFileCheck } from '../../imports/use-file-check.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { headingNames, importHeadings } from './import-columns.ts'
import { userFile } from './import-file.ts'

/** A file that was read, and what the dry run says of it. */
export type CheckedFile = Checked<ImportColumn, OutputOf<typeof checkImport>>

/** The steps of an import: a file is read and checked, and then all of it is registered. */
export function useImport() {
  const { users } = usePortalMessages()
  const t = users.import
  const check = useCall(checkImport)
  const write = useCall(importUsers)
  const work = useFileCheck({
    read: async (file) => readImportFile(file, userFile, await headingNames()),
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: importHeadings(users),
  })

  return {
    ...work,
    isImporting: write.isPending,
    /** @throws {CallError} as the call is refused */
    async register(managerPassword: string): Promise<void> {
      if (work.checked === null) return
      const { rowCount } = await write.mutateAsync({ rows: work.checked.rows, managerPassword })
      work.clear()
      void invalidate(listUsers)
      await dialogs.alert({ message: t.done(rowCount.toLocaleString()), tone: 'success' })
    },
  }
}
