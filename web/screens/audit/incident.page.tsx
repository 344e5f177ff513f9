import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { getIncident } from '../../../contract/audit.ts'
import { citationOf, LAWS } from '../../../contract/laws.ts'
import { prefetch, query } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { useHasFunction } from '../../layout/use-permission.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { LazyCard } from '../../ui/lazy-card.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { DraftCard } from './draft-card.tsx'
import type { DraftName } from './draft-dialog.tsx'
import { IncidentClock } from './incident-clock.tsx'
import type { Incident } from './incident-dialog.tsx'
import { IncidentRecords } from './incident-records.tsx'
import { LeakSearches } from './leak-searches.tsx'
import { useLeakTexts } from './leak-texts.ts'
import styles from './report.module.css'
import { INCIDENT_TONES } from './tones.ts'

/** Returns the query for an incident. */
const incidentQuery = (incidentId: string) => query(getIncident, { incidentId })

/** Prefetches the incident in the URL, if any. */
export function load({ incidentId = '' }: { incidentId?: string }): void {
  if (incidentId !== '') void prefetch(incidentQuery(incidentId))
}

/**
 * The page /access/leak (rules/audit#leak-incident): an incident with its facts, legal duties, records, searches,
 * people and drafts. Redirects to the list without an ID.
 */
export default function IncidentDetail() {
  const { titles } = usePortalMessages()
  const t = useLeakTexts()
  const { incidentId = '' } = useSearch({ from: '/framed/access/leak' })
  const found = useQuery({ ...incidentQuery(incidentId), enabled: incidentId !== '' })
  const [printed, setPrinted] = useState<DraftName>('noticeDraft')
  useShowRefusal(found.error)
  if (incidentId === '') return <Navigate to="/access/leaks" replace />
  const incident = found.data

  /** Prints a draft instead of the page. */
  function print(name: DraftName): void {
    flushSync(() => setPrinted(name))
    window.print()
  }

  return (
    <>
      <div className={layout.onScreen}>
        <Page
          title={incident?.title ?? titles.incident}
          crumbs={<Crumbs list={<Link to="/access/leaks">{titles.incidents}</Link>} />}
          actions={incident && <Actions incident={incident} />}
        >
          {incident === undefined ? (
            <RecordStates query={found} title={t.overview} loading={t.loading} failed={t.failed} />
          ) : (
            <OpenIncident incident={incident} onPrint={print} />
          )}
        </Page>
      </div>
      {incident && (
        <article className={styles.report}>
          <p className={styles.remark}>{incident[printed]}</p>
        </article>
      )}
    </>
  )
}

/** Returns whether an incident is not closed, so that it may be changed. */
const isOpen = ({ incidentState }: Incident) => incidentState !== 'CLOSED'

/** Loads the code of the dialog that edits an incident. */
const loadDialog = () => import('./incident-dialog.tsx')

/**
 * Shows the button that opens the dialog to edit an incident; nothing for a closed one, or without the permission to
 * manage incidents.
 */
function Actions({ incident }: { incident: Incident }) {
  const t = useLeakTexts()
  const mayManage = useHasFunction('autho_audit_manage')
  const [isEditing, setEditing] = useState(false)
  const dialog = useLazyPart(loadDialog)
  if (!mayManage || !isOpen(incident)) return null

  return (
    <>
      <Button
        onClick={() => {
          setEditing(true)
          dialog.open()
        }}
      >
        {t.edit}
      </Button>
      {isEditing && dialog.opened && (
        <dialog.opened.EditIncidentDialog incident={incident} onClose={() => setEditing(false)} />
      )}
    </>
  )
}

/** Loads the code of the list of data subjects. */
const loadPeople = () => import('./leak-people.tsx')
/** Legal duties of a leak, which `OpenIncident` lists for every incident. */
const DUTIES = ['leakNotice', 'leakSuspicion', 'leakNoticeHours', 'leakReport'] as const

/**
 * Shows the cards of an incident. Without the permission to manage incidents, or if it is closed, they change nothing.
 * @param onPrint prints a draft
 */
function OpenIncident({ incident, onPrint }: { incident: Incident; onPrint: (name: DraftName) => void }) {
  const t = useLeakTexts()
  const { language } = useLanguage()
  const mayChange = useHasFunction('autho_audit_manage') && isOpen(incident)
  const { incidentId, incidentState: state, firstTouchedAt, lastTouchedAt } = incident
  const people = t.peopleOf(
    incident.personCount.toLocaleString(),
    incident.withdrawnCount.toLocaleString(),
    incident.erasedCount.toLocaleString(),
  )
  const facts = [
    [t.facts.certainty, t.certainties[incident.leakCertainty]],
    [t.columns.knownAt, incident.knownAt],
    [t.columns.dueAt, incident.dueAt],
    [t.facts.clock, <IncidentClock key={incident.readAt} incident={incident} />],
    [t.facts.created, t.by(incident.createdAt, incident.creatorName)],
    [t.facts.people, people],
    [t.facts.period, firstTouchedAt === '' ? '' : t.searches.period(firstTouchedAt, lastTouchedAt)],
    [t.facts.tasks, incident.tasks.join(', ')],
  ] as const
  return (
    <div className={layout.parts}>
      <Card title={t.overview} actions={<Badge tone={INCIDENT_TONES[state]}>{t.states[state]}</Badge>}>
        <div className={layout.stack}>
          <FactList columns="many" facts={facts} />
          {incident.notes !== '' && (
            <>
              <h3>{t.facts.notes}</h3>
              <p className={styles.remark}>{incident.notes}</p>
            </>
          )}
          <h3>{t.duties}</h3>
          <ul>
            {DUTIES.map((law) => (
              <li key={law}>
                {LAWS[law].duty[language]} ({citationOf(law, language)})
              </li>
            ))}
          </ul>
        </div>
      </Card>
      <IncidentRecords incident={incident} mayChange={mayChange} />
      <LeakSearches incident={incident} mayChange={mayChange} />
      <LazyCard
        texts={{ title: t.people.title, lead: t.people.showLead, open: t.people.show, close: t.people.hide }}
        load={loadPeople}
      >
        {(part) => <part.LeakPeople incidentId={incidentId} />}
      </LazyCard>
      {(['noticeDraft', 'reportDraft'] as const).map((name) => (
        <DraftCard
          key={name}
          incident={incident}
          name={name}
          mayChange={mayChange}
          onPrint={() => onPrint(name)}
        />
      ))}
    </div>
  )
}
