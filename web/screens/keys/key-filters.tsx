import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { DatePresets } from '../../lists/date-presets.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { isDateOrEmpty } from '../../ui/dates.ts'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useKeyChoices } from './regions.ts'
import { type KeyFilters as Filters, NO_FILTERS } from './search-state.ts'

// The longest filter that the contract accepts, in characters.
const LONGEST = 100
const LONGEST_CODE = 30

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the history and of its charts (rules/keys#key-filters); Enter in the requester field searches. */
export function KeyFilters({ initial, onSearch }: Props) {
  const { keys, validation } = usePortalMessages()
  const t = keys.filters
  const { filters, setFilters, bind, reset } = useFilters(initial)
  const choices = useKeyChoices(filters.provinceName)
  const { issuedFrom, issuedTo } = filters
  const areDates = isDateOrEmpty(issuedFrom) && isDateOrEmpty(issuedTo)
  const isOutOfOrder = areDates && issuedTo !== '' && issuedFrom > issuedTo
  const dateTexts = useDateTexts()

  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }

  return (
    <FilterForm
      onSearch={() => {
        // Invalid filters are not searched for; their fields show the error.
        if (areDates && !isOutOfOrder) onSearch(filters)
      }}
    >
      <FilterBar
        actions={<SearchButtons onReset={clear} />}
        below={
          <DatePresets
            onPick={(from, to) => {
              const next = { ...filters, issuedFrom: from, issuedTo: to }
              setFilters(next)
              onSearch(next)
            }}
          />
        }
      >
        <DateField {...dateTexts} label={t.from} {...bind('issuedFrom')} />
        <DateField
          {...dateTexts}
          label={t.to}
          {...bind('issuedTo')}
          errorMessage={isOutOfOrder ? validation.datesOutOfOrder : undefined}
        />
        <ChoiceFilter
          label={t.province}
          choices={choices.provinces}
          value={filters.provinceName}
          // Another province has other districts (rules/keys#key-filters).
          onChange={(provinceName) => setFilters({ ...filters, provinceName, districtName: ALL })}
        />
        <ChoiceFilter label={t.district} choices={choices.districts} {...bind('districtName')} />
        <ChoiceFilter label={t.affiliation} choices={choices.affiliations} {...bind('affiliationCode')} />
        <TextField label={t.partner} {...bind('partnerCode')} maxLength={LONGEST_CODE} autoComplete="off" />
        <TextField label={t.requester} {...bind('requesterName')} maxLength={LONGEST} autoComplete="off" />
      </FilterBar>
      <FilterChips
        filters={initial}
        fresh={NO_FILTERS}
        names={{
          issuedFrom: [t.from],
          issuedTo: [t.to],
          provinceName: [t.province, choices.provinces.options],
          districtName: [t.district, choices.districts.options],
          affiliationCode: [t.affiliation, choices.affiliations.options],
          partnerCode: [t.partner],
          requesterName: [t.requester],
        }}
        // Another province has other districts.
        onSearch={(next) => onSearch(next.provinceName === ALL ? { ...next, districtName: ALL } : next)}
      />
    </FilterForm>
  )
}
