import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getInspectionRules } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { useHasFunction } from '../../layout/use-permission.ts'
import { columnsOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { useInspectionTexts } from './inspection-texts.ts'

/** The saved inspection rules. */
type Rules = OutputOf<typeof getInspectionRules>

/** Loads the code of the dialog that changes the rules. */
const loadDialog = () => import('./rules-dialog.tsx')

/**
 * Shows the rules by which months are searched, with their limits, hours and cycle, and to users who manage inspections
 * the button that changes them (rules/audit#inspection-rules).
 */
export function RulesCard() {
  const t = useInspectionTexts()
  const { fields } = usePortalMessages()
  const mayManage = useHasFunction('autho_audit_manage')
  const found = useQuery(query(getInspectionRules, {}))
  const [changing, setChanging] = useState<Rules>()
  const dialog = useLazyPart(loadDialog)
  const { column } = columnsOf<Rules['rules'][number], keyof typeof t.rules.columns>(t.rules.columns)

  const limitText = ({ rule, enabled, threshold }: Rules['rules'][number]) =>
    enabled ? t.limits[rule](threshold.toLocaleString()) : t.rules.off

  function change(rules: Rules): void {
    setChanging(rules)
    dialog.open()
  }

  return (
    <Card
      title={t.rules.title}
      actions={
        mayManage && (
          <Button isDisabled={found.data === undefined} onClick={() => found.data && change(found.data)}>
            {t.rules.change}
          </Button>
        )
      }
    >
      <div className={layout.stack}>
        <p className={layout.quiet}>
          {t.rules.lead}
          {found.data && ` ${t.rules.hours}: ${t.rules.hoursText(found.data.hoursFrom, found.data.hoursTo)}`}
        </p>
        {found.data && (
          <FactList
            facts={[
              [fields.cycleMonths, t.rules.cycle(found.data.cycleMonths)],
              [fields.inspectionMethod, found.data.inspectionMethod || t.rules.notStated],
              [fields.followUp, found.data.followUp || t.rules.notStated],
            ]}
          />
        )}
        <QueryTable
          query={found}
          texts={t.rules}
          columns={[
            column('rule', ({ rule }) => t.ruleNames[rule], { isRowHeader: true, width: 240 }),
            column('limit', limitText, { wraps: 'words' }),
          ]}
          rows={found.data?.rules ?? []}
          getRowKey={({ rule }) => rule}
          leastRows={8}
        />
      </div>
      {changing && dialog.opened && (
        <dialog.opened.RulesDialog record={changing} onClose={() => setChanging(undefined)} />
      )}
    </Card>
  )
}
