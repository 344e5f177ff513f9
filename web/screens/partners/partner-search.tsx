import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { exportPartners, PARTNER_SORTS, PARTNERS_PER_PAGE } from '../../../contract/partners.ts'
import { callForFile } from '../../api/client.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { useFound } from '../../lists/use-found.ts'
import { useListInAddress } from '../../lists/use-list.ts'
import { Page } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { Pager } from '../../ui/pager.tsx'
import { usePartnerColumns, type PartnerRow } from './partner-columns.tsx'
import { PartnerFilters } from './partner-filters.tsx'
import { partnersQuery, shownPartners } from './reads.ts'
import layout from '../../ui/layout.module.css'
import { NO_FILTERS } from './search-state.ts'

/** /partner/search (rules/partners#partner-search), 6 rows a page; a row opens the partner. */
export function PartnerSearch() {
  const { frame, partners: words, lists } = usePortalMessages()
  const t = words.search
  const navigate = useNavigate()
  const address = useSearch({ from: '/framed/partner/search' })
  const list = useListInAddress(NO_FILTERS, PARTNER_SORTS)
  const { columns, chooser } = useColumnChoice('partners', usePartnerColumns())
  const partners = useQuery({ ...partnersQuery(list), placeholderData: keepPreviousData })
  const { total, pageCount, state, submit } = useFound(list, partners, PARTNERS_PER_PAGE)

  function open(row: PartnerRow): void {
    void navigate({
      to: '/partner/detail',
      search: { partnerCode: row.partnerCode },
      // 'List' leads back to what is shown now.
      state: { partnerSearch: address },
    })
  }

  return (
    <Page title={frame.titles.partnerSearch}>
      <div className={layout.parts}>
        <PartnerFilters initial={list.filters} onSearch={submit} />
        <div className={layout.stack}>
          <ListBar total={total !== undefined && t.total(total.toLocaleString())}>
            <ExportButton
              name="partners"
              total={total}
              receive={(asked, options) =>
                callForFile(exportPartners, { ...shownPartners(list), ...asked }, options)
              }
            />
            {chooser}
          </ListBar>
          <DataTable
            label={t.results}
            columns={columns}
            rows={partners.data?.partners ?? []}
            getRowKey={(row) => row.partnerCode}
            state={state}
            rowCount={PARTNERS_PER_PAGE}
            loadingLabel={t.loading}
            empty={t.empty}
            // Silent on failure: no dialog, but for what the shared handling tells (rules/frame#server-away).
            error={partners.error?.isUnavailable === false ? partners.error.msg : t.failed}
            retryLabel={lists.retry}
            onRetry={() => void partners.refetch()}
            onRowAction={open}
            rowActionLabel={(row) => t.open(row.partnerCode)}
            sort={list.sort}
            onSort={list.sortBy}
          />
          <Pager page={list.page} pageCount={pageCount} onChange={list.goTo} labels={lists.pager} />
        </div>
      </div>
    </Page>
  )
}
