import { createLink, useNavigate, useSearch } from '@tanstack/react-router'
import { exportPartners, listPartners, PARTNER_SORTS, PARTNERS_PER_PAGE } from '../../../contract/partners.ts'
import { callForFile } from '../../api/client.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { shownBy } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { usePartnerColumns, type PartnerRow } from './partner-columns.tsx'
import { PartnerFilters } from './partner-filters.tsx'
import layout from '../../ui/layout.module.css'
import { NO_FILTERS, filterInput } from './search-state.ts'

const LinkTo = createLink(LinkButton)

/** The filters and orders of the list and its export. */
const shown = shownBy(filterInput, PARTNER_SORTS)

const partnerList = defineList({
  path: '/partner/search',
  filters: NO_FILTERS,
  sorts: PARTNER_SORTS,
  perPage: PARTNERS_PER_PAGE,
  query: (list, perPage) => query(listPartners, { ...shown(list), page: list.page, perPage }),
})

export const { load } = partnerList

/** /partner/search (rules/partners#partner-search), 6 rows a page; a row opens the partner. */
export default function PartnerSearch() {
  const { titles, partners } = usePortalMessages()
  const t = partners.search
  const navigate = useNavigate()
  const address = useSearch({ from: '/framed/partner/search' })
  const list = partnerList.useList()
  const { columns, chooser } = useColumnChoice('partners', usePartnerColumns())
  const page = partnerList.usePage(list)
  const href = useHref()

  function open(row: PartnerRow): void {
    void navigate({
      to: '/partner/detail',
      search: { partnerCode: row.partnerCode },
      // “List” leads back to the current search.
      state: { partnerSearch: address },
    })
  }

  return (
    <Page title={titles.partnerSearch}>
      <div className={layout.parts}>
        <PartnerFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={columns}
          rows={page.data?.partners ?? []}
          getRowKey={(row) => row.partnerCode}
          onRowAction={open}
          rowHref={({ partnerCode }) => href({ to: '/partner/detail', search: { partnerCode } })}
          // The label includes the badge next to the code.
          rowActionLabel={({ partnerCode, state }) =>
            t.open(state === 'valid' ? partnerCode : `${partnerCode} ${partners.states[state]}`)
          }
          next={
            <LinkTo to="/partner/insert" size="small">
              {titles.partnerInsert}
            </LinkTo>
          }
        >
          <ExportButton
            name="partners"
            total={page.total}
            receive={(asked, options) => callForFile(exportPartners, { ...shown(list), ...asked }, options)}
          />
          {chooser}
        </ListResults>
      </div>
    </Page>
  )
}
