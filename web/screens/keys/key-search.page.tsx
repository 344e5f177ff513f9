import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { exportKeys, KEY_SORTS, KEYS_PER_PAGE, listKeys } from '../../../contract/keys.ts'
import { callForFile } from '../../api/client.ts'
import { query } from '../../api/query.ts'
import { useHasFunction } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { freshList, shownBy } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { useKeyColumns, type KeyRow } from './key-columns.tsx'
import { KeyFilters } from './key-filters.tsx'
import layout from '../../ui/layout.module.css'
import { filterInput, keyAddress, NO_FILTERS } from './search-state.ts'

// Opened now and then, and no part of the first load.
const RevokeDialog = lazy(async () => ({ default: (await import('./revoke-dialog.tsx')).RevokeDialog }))

/** The filters and orders of the list and its export. */
const shown = shownBy(filterInput, KEY_SORTS)

const keyList = defineList({
  path: '/key/search',
  filters: NO_FILTERS,
  sorts: KEY_SORTS,
  perPage: KEYS_PER_PAGE,
  query: (list, perPage) => query(listKeys, { ...shown(list), page: list.page, perPage }),
})

export const { load } = keyList

/** The page /key/search: key issuance history (rules/keys#key-history), 4 rows a page. The URL holds the filters, page and order. */
export default function KeySearch() {
  const { keys: t, titles } = usePortalMessages()
  const navigate = useNavigate()
  const list = keyList.useList()
  const [revoking, setRevoking] = useState<KeyRow>()
  const mayRevoke = useHasFunction('autho_partner_search')
  const { columns, chooser } = useColumnChoice('keys', useKeyColumns(mayRevoke ? setRevoking : undefined))
  const page = keyList.usePage(list)

  return (
    <Page title={titles.keySearch}>
      <div className={layout.parts}>
        <KeyFilters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={columns}
          rows={page.data?.keys ?? []}
          getRowKey={(row) => row.keyId}
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
    </Page>
  )
}
