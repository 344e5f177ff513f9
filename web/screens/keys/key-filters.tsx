import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { DatePresets } from '../../lists/date-presets.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useQuery } from '@tanstack/react-query'
import { listKeyDistricts, listKeyProvinces, type getKeyStatistics } from '../../../contract/keys.ts'
import { query } from '../../api/query.ts'
import { type Choices, choicesOf, useAffiliations, useRegionOptions, withAll } from '../../forms/choices.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { listAddress } from '../../lists/list-url.ts'
import type { Filters } from '../../lists/list-state.ts'

/** Longest name that the contract accepts in a filter, in characters. */
const LONGEST = 100
/** Longest partner code in a filter, in characters. */
const LONGEST_CODE = 30
/** Longest login ID in a filter, in characters. */
const LONGEST_ID = 20

/** The filters of the current search. */
interface Props {
  initial: KeyFilterValues
  onSearch: (filters: KeyFilterValues) => void
}

/**
 * Shows the filters of the key history and its charts (rules/keys#key-filters). The button, or Enter in a field,
 * searches; but not while a date is invalid or the last day is before the first. A button for a period and the reset
 * search immediately. Another province resets the district.
 */
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
        <TextField label={t.userId} {...bind('userId')} maxLength={LONGEST_ID} autoComplete="off" />
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
          userId: [t.userId],
        }}
        // Another province has other districts.
        onSearch={(next) => onSearch(next.provinceName === ALL ? { ...next, districtName: ALL } : next)}
      />
    </FilterForm>
  )
}

/**
 * Returns the options of the key filters, each list starting with '통합검색', which stands for ALL
 * (rules/keys#key-filters).
 * @param province name of the selected province, or ALL, which loads no districts
 */
function useKeyChoices(province: string): Record<'provinces' | 'districts' | 'affiliations', Choices> {
  const { all } = usePortalMessages().keys
  const options = useRegionOptions()
  const provinces = useQuery(query(listKeyProvinces, {}))
  const districts = useQuery({
    ...query(listKeyDistricts, { provinceName: province }),
    enabled: province !== ALL,
  })
  const provinceNames = provinces.data?.provinces.map(({ provinceName }) => provinceName) ?? []
  const districtNames = districts.data?.districts.map(({ districtName }) => districtName) ?? []
  return {
    provinces: withAll(choicesOf(provinces, options(provinceNames)), all),
    districts: withAll(choicesOf(districts, options(districtNames)), all),
    affiliations: withAll(useAffiliations(), all),
  }
}

/** Filters that match every key. */
export const NO_FILTERS = {
  issuedFrom: '',
  issuedTo: '',
  provinceName: ALL,
  districtName: ALL,
  affiliationCode: ALL,
  partnerCode: '',
  requesterName: '',
  userId: '',
} satisfies Filters

/** The filters of the key history (rules/keys#key-filters). */
export type KeyFilterValues = typeof NO_FILTERS

/** Checks of the filters in a URL; the others accept every text. */
export const ACCEPTS = { issuedFrom: isDateOrEmpty, issuedTo: isDateOrEmpty }

/** Conversion between the key filters and URL parameters, for the history and its charts. */
export const keyAddress = listAddress({ path: '/key/search', filters: NO_FILTERS, accepts: ACCEPTS })

/** Converts the filters to the input of the calls. An invalid date counts as no date. */
export function filterInput(filters: KeyFilterValues): Required<InputOf<typeof getKeyStatistics>> {
  return {
    ...filters,
    phoneNumber: '',
    issuedFrom: readDate(filters.issuedFrom) ?? '',
    issuedTo: readDate(filters.issuedTo) ?? '',
  }
}
