import { createLink, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import {
  exportPartners,
  listPartners,
  PARTNER_SORTS,
  PARTNERS_PER_PAGE,
  LIMITS,
  type LimitName,
} from '../../../contract/partners.ts'
import { callForFile } from '../../api/call-for-file.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { shownBy } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { SelectionBar, useSelectable } from '../../lists/selection-bar.tsx'
import { useSelection } from '../../lists/use-selection.ts'
import { useColumnChoice, type ListColumn } from '../../lists/use-columns.tsx'
import { isOneOf } from '../../lists/list-url.ts'
import { defineList } from '../../lists/use-list.ts'
import { isDateOrEmpty } from '../../ui/dates.ts'
import { useHref } from '../../routes/use-href.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { PartnerFilters, NO_FILTERS, filterInput } from './partner-filters.tsx'
import layout from '../../ui/layout.module.css'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { columnsOf, dayOf } from '../../lists/columns.ts'
import { PartnerBadge } from './partner-badge.tsx'

/** A link of the router that looks like a button. */
const LinkTo = createLink(LinkButton)

/** The dialog that changes limits. Its code loads when it opens. */
const LimitsDialog = lazy(async () => ({ default: (await import('./limits-dialog.tsx')).LimitsDialog }))

/** Converts the state of the list, without the page, to the input of the list and export calls. */
const shown = shownBy(filterInput, PARTNER_SORTS)

/** The list of partners: its URL and its query. */
const partnerList = defineList({
  path: '/partner/search',
  filters: NO_FILTERS,
  accepts: { validFrom: isDateOrEmpty, validTo: isDateOrEmpty, nearLimit: isOneOf(['Y']) },
  sorts: PARTNER_SORTS,
  perPage: PARTNERS_PER_PAGE,
  query: (list, perPage) => query(listPartners, { ...shown(list), page: list.page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = partnerList

/**
 * The page /partner/search (rules/partners#partner-search): the partners with their filters and export
 * (`exportPartners`). A row opens the partner; the limits of selected ones, or of all that the search finds, can be
 * changed together in a dialog.
 */
export default function PartnerSearch() {
  const { titles, partners } = usePortalMessages()
  const t = partners.search
  const navigate = useNavigate()
  const address = useSearch({ from: '/framed/partner/search' })
  const list = partnerList.useList()
  const { columns, chooser } = useColumnChoice('partners', usePartnerColumns())
  const page = partnerList.usePage(list)
  const href = useHref()
  const rows = page.data?.partners ?? []
  const selection = useSelection(list.filters, page.total)
  const selectable = useSelectable(columns, rows, selection, {
    idOf: (row) => row.partnerCode,
    nameOf: (row) => row.partnerCode,
  })
  const [isChanging, setChanging] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The bar with the pressed button disappears with the selection.
  const focusList = () => place.current?.focus()

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
      <div ref={place} tabIndex={-1} className={layout.parts}>
        <PartnerFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={selectable}
          rows={rows}
          getRowKey={(row) => row.partnerCode}
          onRowAction={open}
          rowHref={({ partnerCode }) => href({ to: '/partner/detail', search: { partnerCode } })}
          // The label includes the badge next to the code.
          rowActionLabel={({ partnerCode, state }) =>
            t.open(state === 'valid' ? partnerCode : `${partnerCode} ${partners.states[state]}`)
          }
          onTicked={
            selection.count > 0 && (
              <SelectionBar
                selection={selection}
                total={page.total ?? 0}
                texts={partners.bulk}
                onGone={focusList}
              >
                <Button size="small" onClick={() => setChanging(true)}>
                  {partners.bulk.open}
                </Button>
              </SelectionBar>
            )
          }
          next={
            <>
              <LinkTo to="/partner/import" size="small">
                {titles.partnerImport}
              </LinkTo>
              <LinkTo to="/partner/insert" size="small">
                {titles.partnerInsert}
              </LinkTo>
            </>
          }
        >
          <ExportButton
            name="partners"
            exported={PARTNER_SORTS}
            columns={columns}
            total={page.total}
            receive={(asked, options) => callForFile(exportPartners, { ...shown(list), ...asked }, options)}
          />
          {chooser}
        </ListResults>
      </div>
      {isChanging && (
        <Suspense>
          <LimitsDialog
            count={selection.count}
            chosen={
              selection.isAll
                ? { found: filterInput(list.filters), except: [...selection.ids] }
                : { partnerCodes: [...selection.ids] }
            }
            onClose={() => setChanging(false)}
            onDone={() => {
              setChanging(false)
              selection.clear()
              focusList()
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** A row of the partner list. */
export type PartnerRow = OutputOf<typeof listPartners>['partners'][number]

/** Returns the columns of the partner search: the default ones, and some that are hidden until the user shows them. */
export function usePartnerColumns(): ListColumn<PartnerRow>[] {
  const { partners: t, regionName } = usePortalMessages()
  const { text, column } = columnsOf<PartnerRow, keyof typeof t.search.columns>(t.search.columns)
  const isSortable = true
  const limit = (key: LimitName) =>
    column(
      key,
      (row) => row[key]?.toLocaleString() ?? <span className={layout.quiet}>{t.noLimit}</span>,
      // Room for the largest limit and the mark of the order.
      { width: 122, align: 'right', isSortable },
    )
  const day = (key: 'validFrom' | 'validTo') =>
    column(key, (row) => dayOf(row[key]) || <span className={layout.quiet}>{t.noLimit}</span>, {
      width: 116,
      align: 'center',
      isSortable,
    })
  return [
    text('rowNumber', { width: 68, align: 'center', isRequired: true }),
    // The others do not squeeze it.
    column(
      'partnerCode',
      (row) => (
        <>
          {row.partnerCode}
          {row.state !== 'valid' && ' '}
          <PartnerBadge state={row.state} />
        </>
      ),
      { width: 220, isSortable, isRowHeader: true, isRequired: true },
    ),
    text('partnerName', { width: 180, isSortable, isExtra: true }),
    text('affiliationName', { width: 124, isSortable }),
    ...LIMITS.map(limit),
    day('validFrom'),
    day('validTo'),
    column('partnerType', (row) => t.type[row.partnerType], { width: 110, isSortable, isExtra: true }),
    column('provinceName', (row) => regionName(row.provinceName), { width: 150, isSortable, isExtra: true }),
    column('districtName', (row) => regionName(row.districtName), { width: 130, isSortable, isExtra: true }),
  ]
}
