import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useDateWords } from '../../forms/date-words.ts'
import { usePortalMessages } from '../../language.tsx'
import { FilterForm, SearchButton, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { readDate } from '../../ui/dates.ts'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useKeyChoices } from './regions.ts'
import type { KeyFilters as Filters } from './search-state.ts'

// The longest filter that the contract takes.
const LONGEST = 100

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the history and of its charts (rules/keys#key-filters); Enter in the requester field searches. */
export function KeyFilters({ initial, onSearch }: Props) {
  const { keys, validation } = usePortalMessages()
  const t = keys.filters
  const { filters, setFilters, set } = useFilters(initial)
  const choices = useKeyChoices(filters.province)
  const isOutOfOrder = isDay(filters.from) && isDay(filters.to) && filters.from > filters.to
  const dateWords = useDateWords()

  return (
    <FilterForm
      onSearch={() => {
        // What its field says is wrong is not searched for.
        if (isDateOrEmpty(filters.from) && isDateOrEmpty(filters.to) && !isOutOfOrder) onSearch(filters)
      }}
    >
      <FilterBar columns={3} actions={<SearchButton />}>
        <DateField {...dateWords} label={t.from} value={filters.from} onChange={set('from')} />
        <DateField
          {...dateWords}
          label={t.to}
          value={filters.to}
          onChange={set('to')}
          errorMessage={isOutOfOrder ? validation.datesOutOfOrder : undefined}
        />
        <ChoiceFilter
          label={t.province}
          choices={choices.provinces}
          value={filters.province}
          // Another province has other districts (rules/keys#key-filters).
          onChange={(province) => setFilters({ ...filters, province, district: ALL })}
        />
        <ChoiceFilter
          label={t.district}
          choices={choices.districts}
          value={filters.district}
          onChange={set('district')}
        />
        <ChoiceFilter
          label={t.affiliation}
          choices={choices.affiliations}
          value={filters.affiliation}
          onChange={set('affiliation')}
        />
        <TextField
          label={t.requester}
          value={filters.requester}
          onChange={set('requester')}
          maxLength={LONGEST}
          autoComplete="off"
        />
      </FilterBar>
    </FilterForm>
  )
}

const isDay = (text: string) => readDate(text) !== null
const isDateOrEmpty = (text: string) => text === '' || isDay(text)
