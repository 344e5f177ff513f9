import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { getInspection, listInspections, searchMonth, signInspection } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { invalidate, prefetch, query, useCall } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { FindingsCard } from './findings-card.tsx'
import { InspectionReport } from './inspection-report.tsx'
import { useInspectionFacts } from './inspection-facts.tsx'
import { useInspectionTexts, useMonthName } from './inspection-texts.ts'
import { RuleResults } from './rule-results.tsx'
import { SignButton } from './sign-button.tsx'
import { TONES } from './tones.ts'
import { showToast } from '../../ui/toasts.ts'

/** The inspection of a month, as the API returns it. */
export type Inspection = OutputOf<typeof getInspection>

/** Query of the inspection of a month, YYYY-MM. */
const inspectionQuery = (month: string) => query(getInspection, { month })

/** Prefetches the inspection of the month in the URL, if any. */
export function load({ month = '' }: { month?: string }): void {
  if (month !== '') void prefetch(inspectionQuery(month))
}

/**
 * The page /access/month (rules/audit#inspection): the unusual accesses of a month (findings), the remarks on them, and
 * the signature, with its printed report. Redirects to the list without a month.
 */
export default function InspectionOfMonth() {
  const { titles } = usePortalMessages()
  const t = useInspectionTexts().month
  const monthName = useMonthName()
  const { month = '' } = useSearch({ from: '/framed/access/month' })
  const found = useQuery({ ...inspectionQuery(month), enabled: month !== '' })
  useShowRefusal(found.error)
  if (month === '') return <Navigate to="/access/inspection" replace />
  const inspection = found.data
  return (
    <>
      <div className={layout.onScreen}>
        <Page
          title={inspection === undefined ? titles.inspection : t.title(monthName(inspection.month))}
          crumbs={<Crumbs list={<Link to="/access/inspection">{titles.inspections}</Link>} />}
          actions={inspection && <Actions inspection={inspection} />}
        >
          {inspection === undefined ? (
            <RecordStates query={found} title={t.overview} loading={t.loading} failed={t.failed} />
          ) : (
            <OpenInspection inspection={inspection} />
          )}
        </Page>
      </div>
      {inspection && inspection.searchedAt !== '' && <InspectionReport inspection={inspection} />}
    </>
  )
}

/**
 * Shows the buttons of an inspection: print its report, once the month was searched. Users who manage inspections
 * also see two for an unsigned inspection: search the month (again), and sign. Signing is disabled while a finding
 * has no verdict.
 */
function Actions({ inspection }: { inspection: Inspection }) {
  const t = useInspectionTexts().month
  const { during, overlay } = useBusy()
  const search = useCall(searchMonth)
  const sign = useCall(signInspection)
  const { month, inspectionState: state, findings } = inspection
  const mayManage = useHasFunction('autho_audit_manage')
  const isOpen = mayManage && (state === 'DUE' || state === 'BEGUN')

  /**
   * Makes the server search the month for findings, and shows their number in a toast, or the refusal in an alert.
   * Reads the inspection again in both cases.
   */
  async function find(): Promise<void> {
    try {
      const { findingCount } = await during(t.searching, () => search.mutateAsync({ month }))
      showToast(t.searched(findingCount.toLocaleString()))
    } catch (error) {
      await showRefusal(error)
    }
    await refresh()
  }

  return (
    <>
      {inspection.searchedAt !== '' && <Button onClick={() => window.print()}>{t.print}</Button>}
      {isOpen && (
        <Button variant={state === 'DUE' ? 'primary' : 'secondary'} onClick={() => void find()}>
          {state === 'DUE' ? t.search : t.searchAgain}
        </Button>
      )}
      {mayManage && state === 'BEGUN' && (
        <SignButton
          about={month}
          texts={t}
          isDisabled={findings.some(({ verdict }) => verdict === '')}
          sign={(opinion) => sign.mutateAsync({ month, findingCount: findings.length, opinion })}
          refresh={refresh}
        />
      )}
      {overlay}
    </>
  )
}

/** Makes the cached inspection and the list of inspections stale, and reads them again. */
const refresh = () => Promise.all([invalidate(getInspection), invalidate(listInspections)])

/**
 * Shows the content of an inspection in any state, also signed: an overview with the state and the number of open
 * findings, the result of each rule, and a card with the findings of each rule that has any.
 */
function OpenInspection({ inspection }: { inspection: Inspection }) {
  const t = useInspectionTexts()
  const facts = useInspectionFacts(inspection)
  const { inspectionState: state, findings, rules } = inspection
  const left = findings.filter(({ verdict }) => verdict === '').length
  return (
    <div className={layout.parts}>
      <Card title={t.month.overview} actions={<Badge tone={TONES[state]}>{t.states[state]}</Badge>}>
        <div className={layout.stack}>
          {state === 'DUE' && <p className={layout.quiet}>{t.month.searchLead}</p>}
          {state === 'ARCHIVED' && <p className={layout.quiet}>{t.month.archivedLead}</p>}
          <FactList columns="many" facts={facts} />
          {state === 'BEGUN' && left > 0 && (
            <p className={layout.warning}>{t.month.openLeft(left.toLocaleString())}</p>
          )}
        </div>
      </Card>
      <RuleResults inspection={inspection} />
      {rules
        .filter(({ rule }) => findings.some((finding) => finding.rule === rule))
        .map((rule) => (
          <FindingsCard key={rule.rule} inspection={inspection} rule={rule} />
        ))}
    </div>
  )
}
