import { CODE_GROUP } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, useCodes } from '../../forms/choices.ts'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { FilterChips } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FoldableFilters } from '../../ui/foldable-filters.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  foldedCount,
  inOrder,
  isComplete,
  NO_FILTERS,
  type PartnerFilters as Filters,
} from './search-state.ts'

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the partner search (rules/partners#partner-search); Enter in a field searches. */
export function PartnerFilters({ initial, onSearch }: Props) {
  const { fields, partners, validation } = usePortalMessages()
  const t = partners.search
  const { filters, bind, folding, reset } = useFilters(initial, foldedCount)
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
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
