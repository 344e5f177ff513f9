import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { INCIDENTS_PER_PAGE, listIncidents } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { useLeakTexts } from './leak-texts.ts'
import { INCIDENT_TONES } from './tones.ts'

/** A row of the list. */
type Incident = OutputOf<typeof listIncidents>['rows'][number]

/** The list of incidents: its URL and its query. */
const incidents = defineList({
  path: '/access/leaks',
  filters: {},
  perPage: INCIDENTS_PER_PAGE,
  query: ({ page }, perPage) => query(listIncidents, { page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = incidents

/** Loads the code of the dialog that records an incident. */
const loadDialog = () => import('./incident-dialog.tsx')

/**
 * The page /access/leaks (rules/audit#leak-incidents): the leak incidents, and the button that records one. A row opens
 * the incident.
 */
export default function Incidents() {
  const { titles } = usePortalMessages()
  const t = useLeakTexts()
  const navigate = useNavigate()
  const href = useHref()
  const mayManage = useHasFunction('autho_audit_manage')
  const page = incidents.usePage(incidents.useList())
  const [isCreating, setCreating] = useState(false)
  const dialog = useLazyPart(loadDialog)
  useShowRefusal(page.error)

  const { text, column } = columnsOf<Incident, keyof typeof t.columns>(t.columns)
  const columns = [
    text('rowNumber', { width: 84, align: 'center' }),
    text('title', { isRowHeader: true, wraps: 'words' }),
    column(
      'incidentState',
      ({ incidentState: state }) => <Badge tone={INCIDENT_TONES[state]}>{t.states[state]}</Badge>,
      { width: 130, align: 'center' },
    ),
    column('knownAt', ({ knownAt }) => minuteOf(knownAt), { width: 170 }),
    column('dueAt', ({ dueAt }) => minuteOf(dueAt), { width: 170 }),
    text('creatorName', { width: 150 }),
  ]
  const open = (incidentId: string) => void navigate({ to: '/access/leak', search: { incidentId } })

  return (
    <Page
      title={titles.incidents}
      actions={
        mayManage && (
          <Button
            variant="primary"
            onClick={() => {
              setCreating(true)
              dialog.open()
            }}
          >
            {t.create}
          </Button>
        )
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      <ListResults
        page={page}
        isShort
        texts={t}
        columns={columns}
        rows={page.data?.rows ?? []}
        getRowKey={({ incidentId }) => incidentId}
        onRowAction={({ incidentId }) => open(incidentId)}
        rowHref={({ incidentId }) => href({ to: '/access/leak', search: { incidentId } })}
        rowActionLabel={({ title }) => t.open(title)}
      />
      {isCreating && dialog.opened && (
        <dialog.opened.CreateIncidentDialog onCreated={open} onClose={() => setCreating(false)} />
      )}
    </Page>
  )
}
