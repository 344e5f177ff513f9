import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  ACCESS_EXPORT_COLUMNS,
  ACCESS_PER_PAGE,
  ACCESS_SORTS,
  exportAccess,
  listAccess,
} from '../../../contract/audit.ts'
import { callForFile } from '../../api/call-for-file.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { shownBy } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { type AccessRow, useAccessColumns } from './access-columns.tsx'
import { AccessFilters } from './access-filters.tsx'
import { ACCEPTS, filterInput, NO_FILTERS } from './access-state.ts'
import { useAccessTexts } from './access-texts.ts'

/** Converts the state of the list, without the page, to the input of the list and export calls. */
const shown = shownBy(filterInput, ACCESS_SORTS)

/** The list of the access log: its URL and its query. */
const accessList = defineList({
  path: '/access/search',
  filters: NO_FILTERS,
  accepts: ACCEPTS,
  sorts: ACCESS_SORTS,
  perPage: ACCESS_PER_PAGE,
  query: (list, perPage) => query(listAccess, { ...shown(list), page: list.page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = accessList

/**
 * The page /access/search (rules/audit#access-search): the access log, which says who accessed whose personal data,
 * with its filters and export (`exportAccess`, with the shown filters and columns). A row opens its details.
 */
export default function AccessSearch() {
  const { titles } = usePortalMessages()
  const t = useAccessTexts()
  const navigate = useNavigate()
  const href = useHref()
  const address = useSearch({ from: '/framed/access/search' })
  const list = accessList.useList()
  const page = accessList.usePage(list)
  const { columns, chooser } = useColumnChoice('access', useAccessColumns())

  function open({ accessId }: AccessRow): void {
    // “List” leads back to the current search.
    void navigate({ to: '/access/detail', search: { accessId }, state: { accessSearch: address } })
  }

  return (
    <Page title={titles.accessSearch}>
      <div className={layout.parts}>
        <AccessFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          isShort
          texts={t}
          columns={columns}
          rows={page.data?.rows ?? []}
          getRowKey={(row) => row.accessId}
          onRowAction={open}
          rowHref={({ accessId }) => href({ to: '/access/detail', search: { accessId } })}
          rowActionLabel={(row) => t.open(row.accessedAt)}
        >
          <ExportButton
            name="access"
            exported={ACCESS_EXPORT_COLUMNS}
            columns={columns}
            parts={{ user: ['userId', 'name'], task: ['task', 'annotation'], outcome: ['refusal'] }}
            total={page.total}
            receive={(asked, options) => callForFile(exportAccess, { ...shown(list), ...asked }, options)}
          />
          {chooser}
        </ListResults>
      </div>
    </Page>
  )
}
