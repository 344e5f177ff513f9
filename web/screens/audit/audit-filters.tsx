import { AUDIT_ACTIONS, AUDIT_NOUNS, RIGHTS } from '../../../contract/audit-actions.ts'
import { useAuditTexts } from './audit-texts.ts'
import { LogFilters } from './log-filters.tsx'
import { type AuditFilters as Filters, NO_FILTERS } from './search-state.ts'

/** The filters of the current search. */
interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/**
 * Shows the filters of the audit log: period, action (one, all of a kind of record, or all about permissions), actor,
 * changed record and address. Searches like `LogFilters`.
 */
export function AuditFilters(props: Props) {
  const texts = useAuditTexts()
  const t = texts.filters
  const ofNouns = AUDIT_NOUNS.flatMap((noun) => [
    { value: noun, label: texts.allOf(texts.nouns[noun]) },
    ...AUDIT_ACTIONS.filter((action) => action.startsWith(`${noun}.`)).map((action) => ({
      value: action,
      label: texts.actions[action],
    })),
  ])
  return (
    <LogFilters
      {...props}
      none={NO_FILTERS}
      period={[
        { name: 'changedFrom', label: t.changedFrom },
        { name: 'changedTo', label: t.changedTo },
      ]}
      filters={[
        { name: 'action', label: t.action, options: [{ value: RIGHTS, label: texts.rights }, ...ofNouns] },
        { name: 'actor', label: t.actor, placeholder: t.actorHint },
        { name: 'target', label: t.target, placeholder: t.targetHint },
        { name: 'address', label: t.address },
      ]}
    />
  )
}
