import { columnsOf } from '../../lists/columns.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { useLimitText } from './inspection-facts.tsx'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts } from './inspection-texts.ts'

/**
 * Shows a card with the rules of an inspection: limit, number of findings, and how many of these have a verdict.
 * The number is blank for a disabled rule and before the search. The verdicts are blank without findings.
 */
export function RuleResults({ inspection: { rules, findings, searchedAt } }: { inspection: Inspection }) {
  const { ruleNames, month: t } = useInspectionTexts()
  const limitText = useLimitText()
  const { column } = columnsOf<Inspection['rules'][number], keyof typeof t.ruleColumns>(t.ruleColumns)
  const result = ({ enabled, findingCount }: Inspection['rules'][number]) => {
    if (!enabled || searchedAt === '') return ''
    return findingCount === 0 ? t.nothing : t.count(findingCount.toLocaleString())
  }
  const remarked = ({ rule }: Inspection['rules'][number]) => {
    const own = findings.filter((finding) => finding.rule === rule)
    if (own.length === 0) return ''
    return `${own.filter(({ verdict }) => verdict !== '').length} / ${own.length}`
  }
  return (
    <Card title={t.results}>
      <DataTable
        label={t.results}
        columns={[
          column('rule', ({ rule }) => ruleNames[rule], { isRowHeader: true, width: 240 }),
          column('limit', limitText, { wraps: 'words' }),
          column('findingCount', result, { width: 130, align: 'center' }),
          column('remarked', remarked, { width: 120, align: 'center' }),
        ]}
        rows={rules}
        getRowKey={({ rule }) => rule}
        rowCount={rules.length}
        state="given"
        empty={t.nothing}
      />
    </Card>
  )
}
