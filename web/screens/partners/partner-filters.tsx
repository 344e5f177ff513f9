import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, useAffiliations } from '../../forms/choices.ts'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FoldableFilters } from '../../ui/foldable-filters.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { listPartners } from '../../../contract/partners.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'

/** The filters of the current search. */
interface Props {
  initial: PartnerFilterValues
  onSearch: (filters: PartnerFilterValues) => void
}

/**
 * Shows the filters of the partner search (rules/partners#partner-search). The button, or Enter in a field, searches;
 * but not while a date is invalid or the last day is before the first.
 */
export function PartnerFilters({ initial, onSearch }: Props) {
  const { fields, partners, validation } = usePortalMessages()
  const t = partners.search
  const { filters, bind, folding, reset } = useFilters(initial, foldedCount)
  const affiliations = useAffiliations({ includeAll: true })
  const dateTexts = useDateTexts()

  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }

  return (
    <FilterForm
      onSearch={() => {
        if (isComplete(filters)) onSearch(filters)
      }}
    >
      <FoldableFilters
        actions={<SearchButtons onReset={clear} />}
        more={
          <>
            <DateField {...dateTexts} label={t.validFrom} {...bind('validFrom')} />
            <DateField
              {...dateTexts}
              label={t.validTo}
              {...bind('validTo')}
              errorMessage={inOrder(filters) ? undefined : validation.datesOutOfOrder}
            />
          </>
        }
        moreLabel={t.more(foldedCount(filters))}
        {...folding}
      >
        <TextField label={fields.partnerCode} {...bind('partnerCode')} maxLength={30} autoComplete="off" />
        <ChoiceFilter label={fields.affiliationCode} choices={affiliations} {...bind('affiliationCode')} />
        <ChoiceFilter
          label={fields.nearLimit}
          choices={fixedChoices([
            { value: 'N', label: t.nearLimit.all },
            { value: 'Y', label: t.nearLimit.only },
          ])}
          {...bind('nearLimit')}
        />
      </FoldableFilters>
      <FilterChips
        filters={initial}
        fresh={NO_FILTERS}
        names={{
          partnerCode: [fields.partnerCode],
          affiliationCode: [fields.affiliationCode, affiliations.options],
          nearLimit: [fields.nearLimit, [{ value: 'Y', label: t.nearLimit.only }]],
          validFrom: [t.validFrom],
          validTo: [t.validTo],
        }}
        onSearch={onSearch}
      />
    </FilterForm>
  )
}

/** Filters that match every partner: those of a search without query parameters, and after a reset. */
export const NO_FILTERS = {
  partnerCode: '',
  affiliationCode: ALL,
  validFrom: '',
  validTo: '',
  nearLimit: 'N',
} satisfies Filters

/** The filters of the partner search: code, affiliation, days of validity, and whether a limit is nearly used up. */
type PartnerFilterValues = typeof NO_FILTERS

/** Returns how many of the folded filters, the days of validity, are set. */
function foldedCount({ validFrom, validTo }: PartnerFilterValues): number {
  return [validFrom, validTo].filter((day) => day !== '').length
}

/**
 * Returns whether the dates of the filters are valid and in order. Invalid filters are not submitted; their fields show
 * the error.
 */
function isComplete(filters: PartnerFilterValues): boolean {
  return isDateOrEmpty(filters.validFrom) && isDateOrEmpty(filters.validTo) && inOrder(filters)
}

/** Returns whether the last day is not before the first. Either may be empty. */
function inOrder({ validFrom, validTo }: PartnerFilterValues): boolean {
  return validFrom === '' || validTo === '' || validFrom <= validTo
}

/** Filters of the calls. */
type FilterInput = Omit<InputOf<typeof listPartners>, 'page' | 'perPage' | 'sort' | 'order'>

/**
 * Converts the filters to the input of the calls. An invalid date counts as no date. The last day counts to its end.
 */
export function filterInput(filters: PartnerFilterValues): FilterInput {
  const end = readDate(filters.validTo)
  return {
    ...filters,
    validFrom: readDate(filters.validFrom) ?? '',
    validTo: end === null ? '' : `${end} 23:59:59`,
    nearLimit: filters.nearLimit === 'Y',
  }
}
