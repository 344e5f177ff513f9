import { useState } from 'react'
import { saveContent } from '../../api/download.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import type { Incident } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** Loads the code of the dialog that adds a record. */
const loadDialog = () => import('./incident-record-dialog.tsx')

/**
 * Shows the records of an incident (rules/audit#leak-records), each with the text that was recorded with it to
 * download, and with `mayChange` the button that adds one.
 */
export function IncidentRecords({ incident, mayChange }: { incident: Incident; mayChange: boolean }) {
  const all = useLeakTexts()
  const t = all.records
  const [isAdding, setAdding] = useState(false)
  const dialog = useLazyPart(loadDialog)
  const { column } = columnsOf<Incident['incidentRecords'][number], keyof typeof t.columns>(t.columns)
  const columns = [
    column('incidentRecord', ({ incidentRecord }) => t.kinds[incidentRecord], {
      isRowHeader: true,
      width: 160,
    }),
    column('happenedAt', ({ happenedAt }) => minuteOf(happenedAt), { width: 160 }),
    column(
      'detail',
      ({ deliveryMethod, notifiedCount, receiptNumber, remark }) =>
        [
          deliveryMethod,
          notifiedCount > 0 && t.people(notifiedCount.toLocaleString()),
          receiptNumber && t.receipt(receiptNumber),
          remark,
        ]
          .filter(Boolean)
          .join(' · '),
      { wraps: 'words' },
    ),
    column('recorded', ({ recordedAt, recorderName }) => all.by(minuteOf(recordedAt), recorderName), {
      width: 230,
    }),
    column(
      'text',
      ({ incidentRecord, happenedAt, recordedText }) =>
        recordedText !== '' && (
          <Button
            size="small"
            aria-label={t.download(t.kinds[incidentRecord], minuteOf(happenedAt))}
            onClick={() =>
              saveContent(
                new Blob([recordedText], { type: 'text/markdown' }),
                `${t.kinds[incidentRecord]} ${incident.incidentId} ${happenedAt.slice(0, 10)}.md`,
              )
            }
          >
            {all.drafts.download}
          </Button>
        ),
      { width: 130, align: 'center' },
    ),
  ]
  return (
    <Card
      title={t.title}
      actions={
        mayChange && (
          <Button
            variant="primary"
            onClick={() => {
              setAdding(true)
              dialog.open()
            }}
          >
            {t.add}
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
          rows={incident.incidentRecords}
          getRowKey={(row) => incident.incidentRecords.indexOf(row)}
          rowCount={Math.max(incident.incidentRecords.length, 3)}
          empty={t.empty}
        />
      </div>
      {isAdding && dialog.opened && (
        <dialog.opened.IncidentRecordDialog incident={incident} onClose={() => setAdding(false)} />
      )}
    </Card>
  )
}
