import { ACCESS_OUTCOMES, PERSONAL_ACTS } from '../../../contract/audit.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../forms/choices.ts'
import { useDateTexts } from '../../forms/date-texts.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { DatePresets } from '../../lists/date-presets.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type AccessFilters as Filters, inOrder, isComplete, NO_FILTERS } from './access-state.ts'
import { useAccessTexts } from './access-texts.ts'
import { callTitles } from './call-titles.ts'

// The longest filter that the contract takes.
const LONGEST = 100

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the access log: period, who, whose, what, from where, how it ended; Enter in a field searches. */
export function AccessFilters({ initial, onSearch }: Props) {
  const { lists, validation } = usePortalMessages()
  const texts = useAccessTexts()
  const t = texts.filters
  const { filters, setFilters, bind, reset } = useFilters(initial)
  const dateTexts = useDateTexts()

  const { language } = useLanguage()
  const acts = PERSONAL_ACTS.map((act) => ({ value: act as string, label: texts.allOf(texts.acts[act]) }))
  // The act `login` has the same name as the call `login` and stands for it.
  const calls = callTitles
    .filter(({ name }) => name !== 'login')
    .map(({ name, title }) => ({ value: name, label: title[language] }))
  const actions = [...acts, ...calls.toSorted((a, b) => a.label.localeCompare(b.label, language))]
  const outcomes = ACCESS_OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] }))
  const texted = { maxLength: LONGEST, autoComplete: 'off' }
  return (
    <FilterForm
      onSearch={() => {
        if (isComplete(filters)) onSearch(filters)
      }}
    >
      <FilterBar
        actions={
          <SearchButtons
            onReset={() => {
              reset(NO_FILTERS)
              onSearch(NO_FILTERS)
            }}
          />
        }
        below={
          <DatePresets
            onPick={(from, to) => {
              const next = { ...filters, accessedFrom: from, accessedTo: to }
              setFilters(next)
              if (isComplete(next)) onSearch(next)
            }}
          />
        }
      >
        <DateField {...dateTexts} label={t.accessedFrom} {...bind('accessedFrom')} />
        <DateField
          {...dateTexts}
          label={t.accessedTo}
          {...bind('accessedTo')}
          errorMessage={inOrder(filters) ? undefined : validation.datesOutOfOrder}
        />
        <TextField label={t.actor} placeholder={t.actorHint} {...bind('actor')} {...texted} />
        <TextField label={t.subject} placeholder={t.subjectHint} {...bind('subject')} {...texted} />
        <ChoiceFilter
          label={t.action}
          choices={withAll(fixedChoices(actions), lists.all)}
          {...bind('action')}
        />
        <ChoiceFilter
          label={t.outcome}
          choices={withAll(fixedChoices(outcomes), lists.all)}
          {...bind('outcome')}
        />
        <TextField label={t.address} {...bind('address')} {...texted} />
      </FilterBar>
      <FilterChips
        filters={initial}
        fresh={NO_FILTERS}
        names={{
          accessedFrom: [t.accessedFrom],
          accessedTo: [t.accessedTo],
          actor: [t.actor],
          subject: [t.subject],
          action: [t.action, actions],
          address: [t.address],
          outcome: [t.outcome, outcomes],
        }}
        onSearch={onSearch}
      />
    </FilterForm>
  )
}
