import { IMPORT_PREVIEWED } from '../../../contract/users/import.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, hyphenated } from '../../lists/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { useUserImportTexts } from './import-texts.ts'
import type { CheckedFile } from './use-import.ts'
import layout from '../../ui/layout.module.css'

type Previewed = CheckedFile['result']['preview'][number]

/** The first users of a file as they would be registered, and how many more there are. */
export function ImportPreview({ checked: { result } }: { checked: CheckedFile }) {
  const { users, lists } = usePortalMessages()
  const t = useUserImportTexts()
  const { preview, rowCount } = result
  const { text, column } = columnsOf<Previewed, keyof Previewed>(users.search.columns)
  return (
    <>
      <DataTable
        label={t.preview}
        scrollsByKeyboard
        columns={[
          text('userId', { width: 120 }),
          text('name', { width: 110 }),
          text('affiliationName', { width: 110 }),
          text('position', { width: 90 }),
          column('phoneNumber', (user) => hyphenated(user.phoneNumber), { width: 130 }),
          text('email'),
          text('roleName', { width: 110 }),
          text('partnerCode', { width: 120 }),
          text('validFrom', { width: 110 }),
          text('validTo', { width: 110 }),
        ]}
        rows={preview}
        getRowKey={(user) => user.userId}
        state="ready"
        rowCount={Math.min(IMPORT_PREVIEWED, preview.length)}
        loadingLabel={t.reading}
        empty={t.noPreview}
        error={t.unreadable}
        retryLabel={lists.retry}
        onRetry={() => {}}
      />
      {rowCount > preview.length && (
        <p className={layout.quiet}>{t.more((rowCount - preview.length).toLocaleString())}</p>
      )}
    </>
  )
}
