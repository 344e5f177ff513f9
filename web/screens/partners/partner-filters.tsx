import { useState } from 'react'
import { CODE_GROUP } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useCodes } from '../../forms/choices.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FoldableFilters } from '../../ui/foldable-filters.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { foldedCount, inOrder, isComplete, type PartnerFilters as Filters } from './search-state.ts'

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
}

/** The filters of the partner search (rules/partners#partner-search); Enter in a field searches. */
export function PartnerFilters({ initial, onSearch }: Props) {
  const { fields, lists, partners, validation } = usePortalMessages()
  const t = partners.search
  const { language } = useLanguage()
  const [filters, setFilters] = useState(initial)
  const [known, setKnown] = useState(initial)
  const [isOpen, setOpen] = useState(() => foldedCount(initial) > 0)
  // 'Back' and links change the search from outside: the fields follow.
  if (JSON.stringify(known) !== JSON.stringify(initial)) {
    setKnown(initial)
    setFilters(initial)
    if (foldedCount(initial) > 0) setOpen(true)
  }
  const set = (name: keyof Filters) => (value: string) => setFilters({ ...filters, [name]: value })
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
  const date = {
    locale: language === 'ko' ? 'ko-KR' : 'en-US',
    calendarLabel: partners.calendar,
    invalidMessage: validation.dateFormat,
  }

  return (
    <search aria-label={lists.filters}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete(filters)) onSearch(filters)
        }}
      >
        <FoldableFilters
          actions={
            <Button type="submit" variant="primary">
              <SearchIcon size={18} />
              {lists.submit}
            </Button>
          }
          more={
            <>
              <DateField {...date} label={t.validFrom} value={filters.from} onChange={set('from')} />
              <DateField
                {...date}
                label={t.validTo}
                value={filters.to}
                onChange={set('to')}
                errorMessage={inOrder(filters) ? undefined : validation.datesOutOfOrder}
              />
            </>
          }
          moreLabel={t.more(foldedCount(filters))}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        >
          <TextField
            label={fields.partnerCode}
            value={filters.code}
            onChange={set('code')}
            maxLength={30}
            autoComplete="off"
          />
          <ChoiceFilter
            label={fields.affiliationCode}
            choices={affiliations}
            value={filters.affiliation}
            onChange={set('affiliation')}
          />
        </FoldableFilters>
      </form>
    </search>
  )
}
