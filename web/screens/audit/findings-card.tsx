import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useHasFunction } from '../../layout/use-permission.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type DataColumn, DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { ListBar } from '../../ui/list-bar.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { checkboxColumn, type RowSelection } from './checkbox-column.tsx'
import { recordsOf } from './finding-records.ts'
import { whoOf } from './inspection-facts.tsx'
import type { Inspection } from './inspection.page.tsx'
import styles from './report.module.css'
import { useInspectionTexts } from './inspection-texts.ts'
import { VERDICT_TONES } from './tones.ts'

/** A finding of an inspection. */
type Finding = Inspection['findings'][number]

/** Loads the code of the dialog that stores a verdict. */
const loadDialog = () => import('./remark-dialog.tsx')

/** The inspection, and the rule whose findings are shown. */
interface Props {
  inspection: Inspection
  rule: Inspection['rules'][number]
}

/**
 * Shows the stored findings of one rule, each with a link to its rows of the access log. Until the inspection is
 * signed, a user who manages inspections can give one or several a verdict with a remark.
 */
export function FindingsCard({ inspection, rule: { rule, findingCount } }: Props) {
  const { ruleNames, month: t } = useInspectionTexts()
  const rows = inspection.findings.filter((finding) => finding.rule === rule)
  const isOpen = useHasFunction('autho_audit_manage') && inspection.inspectionState === 'BEGUN'
  const [chosenIds, choose] = useState<ReadonlySet<string>>(new Set())
  const chosen = rows.filter(({ findingId }) => chosenIds.has(findingId))
  // Changes of the selection do not affect an open dialog.
  const [judged, setJudged] = useState<readonly Finding[]>([])
  const dialog = useLazyPart(loadDialog)
  const card = useRef<HTMLElement>(null)
  const name = ruleNames[rule]
  const columns = useFindingColumns(isOpen && { rows, name, chosenIds, choose })

  /** Clears the selection after the remark was saved, and focuses the card. */
  function finish(): void {
    setJudged([])
    choose(new Set())
    // The button is out of use now and would drop the keyboard focus.
    card.current?.focus()
  }

  return (
    <Card ref={card} title={t.findingsOf(name, findingCount.toLocaleString())}>
      <div className={layout.stack}>
        {findingCount > rows.length && (
          <p className={layout.warning}>
            {t.more(findingCount.toLocaleString(), rows.length.toLocaleString())}
          </p>
        )}
        {isOpen && (
          <ListBar total={chosen.length > 0 && t.selected(chosen.length)}>
            <Button
              variant="primary"
              isDisabled={chosen.length === 0}
              onClick={() => {
                setJudged(chosen)
                dialog.open()
              }}
            >
              {t.remark}
            </Button>
          </ListBar>
        )}
        <DataTable
          label={t.list(name)}
          columns={columns}
          rows={rows}
          getRowKey={({ findingId }) => findingId}
          rowCount={rows.length}
          state="given"
          empty={t.nothing}
        />
      </div>
      {judged.length > 0 && dialog.opened && (
        <dialog.opened.RemarkDialog
          month={inspection.month}
          findings={judged}
          onDone={finish}
          onClose={() => setJudged([])}
        />
      )}
    </Card>
  )
}

/**
 * Returns the columns of the findings.
 * @param choosing the selection and the name of the rule; false without checkboxes
 */
function useFindingColumns(
  choosing: (Omit<RowSelection<Finding>, 'idOf' | 'texts'> & { name: string }) | false,
): DataColumn<Finding>[] {
  const { amounts, month: t } = useInspectionTexts()
  const { text, column } = columnsOf<Finding, keyof typeof t.findingColumns>(t.findingColumns)
  const label = (row: Finding) => `${row.foundDay} ${whoOf(row)}`
  return [
    ...(choosing === false
      ? []
      : [
          checkboxColumn({
            ...choosing,
            idOf: ({ findingId }) => findingId,
            texts: {
              select: t.select,
              all: t.selectAll(choosing.name),
              one: (row) => t.selectOne(label(row)),
            },
          }),
        ]),
    text('foundDay', { width: 116 }),
    column('who', whoOf, { isRowHeader: true, wraps: 'words', width: 220 }),
    column('amount', ({ rule, amount }) => amounts[rule](amount.toLocaleString()), { width: 110 }),
    column('verdict', ({ verdict }) => <Badge tone={VERDICT_TONES[verdict]}>{t.verdicts[verdict]}</Badge>, {
      width: 116,
      align: 'center',
    }),
    column('remark', ({ remark }) => <span className={styles.remark}>{remark}</span>, { wraps: 'words' }),
    column(
      'remarkerName',
      ({ remarkerName, remarkedAt, ownRemark }) => (
        <span title={minuteOf(remarkedAt)}>
          {remarkerName} {ownRemark && <Badge tone="warning">{t.own}</Badge>}
        </span>
      ),
      { width: 150, wraps: 'words' },
    ),
    column(
      'records',
      (row) => (
        <Link to="/access/search" search={recordsOf(row)} aria-label={t.recordsOf(label(row))}>
          {t.records}
        </Link>
      ),
      { width: 124, align: 'center' },
    ),
  ]
}
