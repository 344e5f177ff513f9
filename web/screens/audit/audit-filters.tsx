import { AUDIT_ACTIONS, RIGHTS } from '../../../contract/audit-actions.ts'
import { AUDIT_NOUNS } from '../../../contract/audit.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../forms/choices.ts'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { DatePresets } from '../../lists/date-presets.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { type AuditFilters as Filters, inOrder, isComplete, NO_FILTERS } from './search-state.ts'

// The longest filter that the contract takes.
const LONGEST = 100

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the trail: period, who, whose, action, from where; Enter in a field searches. */
export function AuditFilters({ initial, onSearch }: Props) {
  const { lists, validation } = usePortalMessages()
  const texts = useAuditTexts()
  const t = texts.filters
  const { filters, setFilters, bind, reset } = useFilters(initial)
  const dateTexts = useDateTexts()

  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }

  const ofNouns = AUDIT_NOUNS.flatMap((noun) => [
    { value: noun, label: texts.allOf(texts.nouns[noun]) },
    ...AUDIT_ACTIONS.filter((action) => action.startsWith(`${noun}.`)).map((action) => ({
      value: action,
      label: texts.actions[action],
    })),
  ])
  const actions = [{ value: RIGHTS, label: texts.rights }, ...ofNouns]
  return (
    <FilterForm
      onSearch={() => {
        if (isComplete(filters)) onSearch(filters)
      }}
    >
      <FilterBar
        actions={<SearchButtons onReset={clear} />}
        below={
          <DatePresets
            onPick={(from, to) => {
              const next = { ...filters, changedFrom: from, changedTo: to }
              setFilters(next)
              if (isComplete(next)) onSearch(next)
            }}
          />
        }
      >
        <DateField {...dateTexts} label={t.changedFrom} {...bind('changedFrom')} />
        <DateField
          {...dateTexts}
          label={t.changedTo}
          {...bind('changedTo')}
          errorMessage={inOrder(filters) ? undefined : validation.datesOutOfOrder}
        />
        <ChoiceFilter
          label={t.action}
          choices={withAll(fixedChoices(actions), lists.all)}
          {...bind('action')}
        />
        <TextField
          label={t.actor}
          placeholder={t.actorHint}
          {...bind('actor')}
          maxLength={LONGEST}
          autoComplete="off"
        />
        <TextField
          label={t.target}
          placeholder={t.targetHint}
          {...bind('target')}
          maxLength={LONGEST}
          autoComplete="off"
        />
        <TextField label={t.address} {...bind('address')} maxLength={LONGEST} autoComplete="off" />
      </FilterBar>
      <FilterChips
        filters={initial}
        fresh={NO_FILTERS}
        names={{
          changedFrom: [t.changedFrom],
          changedTo: [t.changedTo],
          action: [t.action, actions],
          actor: [t.actor],
          target: [t.target],
          address: [t.address],
        }}
        onSearch={onSearch}
      />
    </FilterForm>
  )
}
