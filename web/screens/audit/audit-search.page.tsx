import { lazy, Suspense, useState } from 'react'
import { AUDIT_PER_PAGE, exportAudit, listAudit } from '../../../contract/audit.ts'
import { callForFile } from '../../api/call-for-file.ts'
import { invalidate, query } from '../../api/query.ts'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useAuditColumns } from './audit-columns.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { ACCEPTS, filterInput, NO_FILTERS } from './search-state.ts'

/** The dialog that undoes a bulk change. Its code loads when it opens. */
const UndoDialog = lazy(() => import('../users/bulk/undo-dialog.tsx'))

/** The list of the audit log: its URL and its query. */
const auditList = defineList({
  path: '/audit/search',
  filters: NO_FILTERS,
  accepts: ACCEPTS,
  perPage: AUDIT_PER_PAGE,
  query: ({ filters, page }) => query(listAudit, { ...filterInput(filters), page, perPage: AUDIT_PER_PAGE }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = auditList

/**
 * The page /audit/search (rules/audit#audit-search): the audit log, which records for each change the user, the time,
 * the address and the changed fields, with its filters and export (`exportAudit`). A user who manages users can undo a
 * bulk change in a dialog.
 */
export default function AuditSearch() {
  const { titles } = usePortalMessages()
  const t = useAuditTexts()
  const list = auditList.useList()
  const page = auditList.usePage(list)
  const mayUndo = useHasFunction('autho_user_manage')
  const [undone, setUndone] = useState<string>()
  const columns = useAuditColumns(mayUndo ? setUndone : undefined)
  return (
    <Page title={titles.auditSearch}>
      <div className={layout.parts}>
        <AuditFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          isShort
          texts={t}
          columns={columns}
          rows={page.data?.rows ?? []}
          getRowKey={(row) => row.rowNumber}
        >
          <ExportButton
            name="audit"
            total={page.total}
            receive={(asked, options) =>
              callForFile(exportAudit, { ...filterInput(list.filters), ...asked }, options)
            }
          />
        </ListResults>
      </div>
      {undone !== undefined && (
        <Suspense>
          <UndoDialog
            auditId={undone}
            onClose={() => setUndone(undefined)}
            onDone={() => {
              setUndone(undefined)
              void invalidate(listAudit)
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}
