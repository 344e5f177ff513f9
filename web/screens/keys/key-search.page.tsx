import { createLink, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { exportKeys, KEY_EXPORT_COLUMNS, KEY_SORTS, KEYS_PER_PAGE, listKeys } from '../../../contract/keys.ts'
import { callForFile } from '../../api/call-for-file.ts'
import { query } from '../../api/query.ts'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { freshList, shownBy } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { SelectionBar, useSelectable } from '../../lists/selection-bar.tsx'
import { useSelection } from '../../lists/use-selection.ts'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { useKeyColumns, type KeyRow } from './key-columns.tsx'
import { ACCEPTS, KeyFilters, filterInput, keyAddress, NO_FILTERS } from './key-filters.tsx'
import layout from '../../ui/layout.module.css'

/** A link of the router that looks like a button. */
const LinkTo = createLink(LinkButton)

/** Loads the code of the dialogs that revoke keys. */
const dialogs = () => import('./revoke-dialog.tsx')
const RevokeDialog = lazy(async () => ({ default: (await dialogs()).RevokeDialog }))
const RevokeManyDialog = lazy(async () => ({ default: (await dialogs()).RevokeManyDialog }))

/** Converts the state of the list, without the page, to the input of the list and export calls. */
const shown = shownBy(filterInput, KEY_SORTS)

/** The list of keys: its URL and its query. */
const keyList = defineList({
  path: '/key/search',
  filters: NO_FILTERS,
  accepts: ACCEPTS,
  sorts: KEY_SORTS,
  perPage: KEYS_PER_PAGE,
  query: (list, perPage) => query(listKeys, { ...shown(list), page: list.page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = keyList

/**
 * The page /key/search: the key issuance history (rules/keys#key-history) with its filters, export (`exportKeys`) and a
 * button to its charts. Its filters, page and order are part of the URL. A user who manages partners can revoke one key
 * or selected ones in a dialog.
 */
export default function KeySearch() {
  const { keys: t, titles } = usePortalMessages()
  const navigate = useNavigate()
  const list = keyList.useList()
  const [revoking, setRevoking] = useState<KeyRow>()
  const mayRevoke = useHasFunction('autho_partner_search')
  const { columns, chooser } = useColumnChoice('keys', useKeyColumns(mayRevoke ? setRevoking : undefined))
  const page = keyList.usePage(list)
  const rows = page.data?.keys ?? []
  const selection = useSelection(list.filters)
  // Only the rows of one page are loaded, but the dialog lists the keys selected on all of them.
  const [chosenRows, setChosenRows] = useState<readonly KeyRow[]>([])
  const selectable = useSelectable(
    columns,
    rows,
    {
      isChosen: selection.isChosen,
      choose(keyIds, isWanted) {
        selection.choose(keyIds, isWanted)
        const others = chosenRows.filter(({ keyId }) => !keyIds.includes(keyId))
        setChosenRows(isWanted ? [...others, ...rows.filter(({ keyId }) => keyIds.includes(keyId))] : others)
      },
    },
    {
      idOf: (row) => row.keyId,
      nameOf: (row) => t.bulk.rowOf(row.name, row.requestKey),
      isSelectable: (row) => row.revokedAt === '',
    },
  )
  const [isRevokingMany, setRevokingMany] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The bar with the pressed button disappears with the selection.
  const focusList = () => place.current?.focus()

  return (
    <Page title={titles.keySearch}>
      <div ref={place} tabIndex={-1} className={layout.parts}>
        <KeyFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={mayRevoke ? selectable : columns}
          rows={rows}
          getRowKey={(row) => row.keyId}
          next={
            <LinkTo to="/mypage" hash="own-programs" size="small">
              {t.toIssue}
            </LinkTo>
          }
          onTicked={
            selection.count > 0 && (
              <SelectionBar selection={selection} texts={t.bulk} onGone={focusList}>
                <Button size="small" variant="danger" onClick={() => setRevokingMany(true)}>
                  {t.bulk.open}
                </Button>
              </SelectionBar>
            )
          }
        >
          <Button
            size="small"
            onClick={() =>
              void navigate({ to: '/key/statistics', search: keyAddress.write(freshList(list.filters)) })
            }
          >
            {t.toStatistics}
          </Button>
          <ExportButton
            name="keys"
            exported={KEY_EXPORT_COLUMNS}
            columns={columns}
            parts={{ region: ['provinceName', 'districtName'] }}
            total={page.total}
            receive={(asked, options) => callForFile(exportKeys, { ...shown(list), ...asked }, options)}
          />
          {chooser}
        </ListResults>
      </div>
      {revoking !== undefined && (
        <Suspense>
          <RevokeDialog row={revoking} onClose={() => setRevoking(undefined)} />
        </Suspense>
      )}
      {isRevokingMany && (
        <Suspense>
          <RevokeManyDialog
            rows={chosenRows.filter(({ keyId }) => selection.isChosen(keyId))}
            onDone={() => {
              selection.clear()
              focusList()
            }}
            onClose={() => setRevokingMany(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
