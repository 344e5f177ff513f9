import { ACCESS_OUTCOMES, PERSONAL_ACTS } from '../../../contract/audit.ts'
import { useLanguage } from '../../language.tsx'
import { type AccessFilters as Filters, NO_FILTERS } from './access-state.ts'
import { useAccessTexts } from './access-texts.ts'
import { callTitles } from './call-titles.ts'
import { LogFilters } from './log-filters.tsx'

/** The filters of the current search. */
interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/**
 * Shows the filters of the access log: period, actor, data subject, action (a kind of access, or a call), outcome and
 * address. Searches like `LogFilters`.
 */
export function AccessFilters(props: Props) {
  const texts = useAccessTexts()
  const t = texts.filters
  const { language } = useLanguage()
  const acts = PERSONAL_ACTS.map((act) => ({ value: act as string, label: texts.allOf(texts.acts[act]) }))
  // The act `login` has the same name as the call `login` and stands for it.
  const calls = callTitles
    .filter(({ name }) => name !== 'login')
    .map(({ name, title }) => ({ value: name, label: title[language] }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
  const outcomes = ACCESS_OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] }))
  return (
    <LogFilters
      {...props}
      none={NO_FILTERS}
      period={[
        { name: 'accessedFrom', label: t.accessedFrom },
        { name: 'accessedTo', label: t.accessedTo },
      ]}
      filters={[
        { name: 'actor', label: t.actor, placeholder: t.actorHint },
        { name: 'subject', label: t.subject, placeholder: t.subjectHint },
        { name: 'action', label: t.action, options: [...acts, ...calls] },
        { name: 'outcome', label: t.outcome, options: outcomes },
        { name: 'address', label: t.address },
      ]}
    />
  )
}
