import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getRetention, RETENTION } from '../../../contract/settings/retention.ts'
import { prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import { Card, Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { Button } from '../../ui/button.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { useState } from 'react'
import { erasures, ErasuresCard } from './erasures-card.tsx'
import { keptText, useGrounds, useRetentionTexts } from './retention-texts.ts'

/** The saved retention settings. */
type Kept = OutputOf<typeof getRetention>

/** Query for the retention settings. */
const retentionQuery = query(getRetention, {})
/** Loads the code of the dialog that edits the periods. */
const loadDialog = () => import('./retention-dialog.tsx')

/** Prefetches the retention settings and a page of the days of erasure. */
export function load(words: Parameters<typeof erasures.load>[0]): void {
  void prefetch(retentionQuery)
  erasures.load(words)
}

/**
 * The page /setting/retention (rules/retention#settings): how long each kind of data is kept and why, and on which days
 * data was erased.
 */
export default function Retention() {
  const { titles } = usePortalMessages()
  const t = useRetentionTexts()
  const found = useQuery(retentionQuery)
  useShowRefusal(found.error)
  return (
    <Page title={titles.settingRetention}>
      <p className={layout.quiet}>{t.lead}</p>
      <div className={layout.parts}>
        <PeriodsCard found={found} />
        <ElsewhereCard found={found} />
        <ErasuresCard />
      </div>
    </Page>
  )
}

/** State of the query. */
type Found = ReturnType<typeof useQuery<Kept>>

/**
 * Shows the retention periods of the portal's data with their reasons, the officer, the day from which data is erased
 * if that is in the future, and the button that opens the dialog to change them.
 */
function PeriodsCard({ found }: { found: Found }) {
  const t = useRetentionTexts()
  const { groundOf } = useGrounds()
  const [changing, setChanging] = useState<Kept>()
  const dialog = useLazyPart(loadDialog)
  const isNarrow = useNarrow()
  const { column } = columnsOf<Kept['kinds'][number], keyof typeof t.columns>(t.columns)
  const columns = [
    column('kind', ({ kind }) => t.kinds[kind], kindOptions(isNarrow)),
    column(
      'keptFor',
      ({ kind, keptFor }) => {
        const period = t.keptSince(t.since[kind], keptText(t, kind, keptFor))
        if (!isNarrow) return period
        return <Folded text={`${period} · ${t.methods[RETENTION[kind].method]}`} reason={groundOf(kind)} />
      },
      { ...periodOptions(isNarrow), width: 230 },
    ),
    ...(isNarrow
      ? []
      : [
          column('method', ({ kind }) => t.methods[RETENTION[kind].method], { width: 130 }),
          column('reason', ({ kind }) => groundOf(kind), { wraps: 'words' }),
        ]),
  ]
  const record = found.data

  function change(kept: Kept): void {
    setChanging(kept)
    dialog.open()
  }

  return (
    <Card
      title={t.title}
      actions={
        <Button isDisabled={record === undefined} onClick={() => record && change(record)}>
          {t.change}
        </Button>
      }
    >
      <div className={layout.stack}>
        {record && record.erasingFrom > nowInSeoul() && (
          <p className={layout.warning}>{t.notYet(record.erasingFrom.slice(0, 10))}</p>
        )}
        {record && (
          <p className={layout.quiet}>
            {t.officer}: {record.officerName || t.noOfficer}
          </p>
        )}
        <QueryTable
          query={found}
          texts={t}
          columns={columns}
          rows={record?.kinds ?? []}
          getRowKey={({ kind }) => kind}
          leastRows={6}
        />
      </div>
      {changing && dialog.opened && (
        <dialog.opened.RetentionDialog record={changing} onClose={() => setChanging(undefined)} />
      )}
    </Card>
  )
}

/** Shows how long the data is kept whose period is not set here, such as login sessions and the access log, and why. */
function ElsewhereCard({ found }: { found: Found }) {
  const t = useRetentionTexts()
  const { groundOf } = useGrounds()
  const isNarrow = useNarrow()
  const { column } = columnsOf<Kept['elsewhere'][number], keyof typeof t.columns>(t.columns)
  const columns = [
    column('kind', ({ kind }) => t.elsewhere[kind], kindOptions(isNarrow)),
    column(
      'keptFor',
      ({ kind, keptFor }) => {
        const period = t.elsewhereKept[kind](keptFor)
        return isNarrow ? <Folded text={period} reason={groundOf(kind)} /> : period
      },
      { ...periodOptions(isNarrow), width: 360 },
    ),
    ...(isNarrow ? [] : [column('reason', ({ kind }) => groundOf(kind), { wraps: 'words' })]),
  ]
  return (
    <Card title={t.elsewhereTitle}>
      <div className={layout.stack}>
        <p className={layout.quiet}>{t.elsewhereLead}</p>
        <QueryTable
          query={found}
          texts={{ ...t, results: t.elsewhereResults }}
          columns={columns}
          rows={found.data?.elsewhere ?? []}
          getRowKey={({ kind }) => kind}
          leastRows={6}
        />
      </div>
    </Card>
  )
}

/** Returns the properties of the column of the kinds. */
const kindOptions = (isNarrow: boolean) =>
  ({ isRowHeader: true, width: isNarrow ? 120 : 200, isFixed: isNarrow, wraps: 'words' }) as const

/** Returns the properties of the column of the periods, which a narrow table must not cut. */
const periodOptions = (isNarrow: boolean) => ({ wraps: 'words', share: isNarrow ? 0 : undefined }) as const

/** Shows a period with its reason folded below it: a narrow screen has no space for the column of the reason. */
function Folded({ text, reason }: { text: string; reason: string }) {
  const t = useRetentionTexts()
  return (
    <>
      {text}
      <details className={layout.hint}>
        <summary>{t.columns.reason}</summary>
        {reason}
      </details>
    </>
  )
}

/** Returns the current time in Asia/Seoul as the API formats times. */
const nowInSeoul = () => new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
