import { useState } from 'react'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import type { Incident } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** Loads the code of the dialog that searches. */
const loadDialog = () => import('./leak-search-dialog.tsx')

/**
 * Shows the searches of an incident with the numbers of people and rows found, and with `mayChange` the button that
 * starts one (rules/audit#leak-search).
 */
export function LeakSearches({ incident, mayChange }: { incident: Incident; mayChange: boolean }) {
  const t = useLeakTexts().searches
  const [isSearching, setSearching] = useState(false)
  const dialog = useLazyPart(loadDialog)
  const { text, column } = columnsOf<Incident['searches'][number], keyof typeof t.columns>(t.columns)
  const columns = [
    column(
      'leakOrigin',
      ({ leakOrigin, originValue, name }) =>
        `${t.origins[leakOrigin]} ${originValue}${name === '' ? '' : ` (${name})`}`,
      { isRowHeader: true, wraps: 'words' },
    ),
    column('period', (row) => t.period(minuteOf(row.searchedFrom), minuteOf(row.searchedTo)), { width: 300 }),
    column('personCount', (row) => row.personCount.toLocaleString(), { width: 100, align: 'right' }),
    column('recordCount', (row) => row.recordCount.toLocaleString(), { width: 110, align: 'right' }),
    text('searcherName', { width: 140 }),
    column('searchedAt', ({ searchedAt }) => minuteOf(searchedAt), { width: 160 }),
  ]
  return (
    <Card
      title={t.title}
      actions={
        mayChange && (
          <Button
            variant="primary"
            onClick={() => {
              setSearching(true)
              dialog.open()
            }}
          >
            {t.search}
          </Button>
        )
      }
    >
      <div className={layout.stack}>
        <p className={layout.quiet}>{t.lead}</p>
        <DataTable
          label={t.results}
          state="given"
          columns={columns}
          rows={incident.searches}
          getRowKey={({ leakSearchId }) => leakSearchId}
          rowCount={Math.max(incident.searches.length, 3)}
          empty={t.empty}
        />
      </div>
      {isSearching && dialog.opened && (
        <dialog.opened.LeakSearchDialog
          incidentId={incident.incidentId}
          onClose={() => setSearching(false)}
        />
      )}
    </Card>
  )
}
