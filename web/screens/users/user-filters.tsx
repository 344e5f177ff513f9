import { CODE_GROUP } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { FilterForm, SearchButton, useFilters } from '../../lists/filter-form.tsx'
import { readDate } from '../../ui/dates.ts'
import { FoldableFilters } from '../../ui/foldable-filters.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LAST_LOGIN } from '../../../contract/users.ts'
import { MoreFilters } from './more-filters.tsx'
import { foldedCount, isDays, type UserFilters as Filters } from './search-state.ts'
import styles from './user-search.module.css'

// The longest filter that the contract takes.
const LONGEST = 100

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
  compact: boolean
}

/** The filters of the user search (rules/users#user-search); Enter in a field searches. */
export function UserFilters({ initial, onSearch, compact }: Props) {
  const { fields, users } = usePortalMessages()
  const { filters, set, folding } = useFilters(initial, foldedCount)
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
  const approvals = useCodes(CODE_GROUP.approval, true)

  const inputs = (
    <>
      <ChoiceFilter
        label={fields.affiliationCode}
        choices={affiliations}
        value={filters.affiliation}
        onChange={set('affiliation')}
      />
      <TextField label={fields.name} value={filters.name} onChange={set('name')} maxLength={LONGEST} />
      <TextField
        label={fields.phoneNumber}
        type="tel"
        value={filters.phone}
        onChange={set('phone')}
        maxLength={LONGEST}
        autoComplete="off"
      />
      <ChoiceFilter
        label={users.search.columns.approval}
        choices={approvals}
        value={filters.approval}
        onChange={set('approval')}
      />
    </>
  )
  return (
    <FilterForm
      onSearch={() => {
        if (isComplete(filters)) onSearch(filters)
      }}
    >
      {compact ? (
        <div className={styles.compactFilters}>
          {inputs}
          <SearchButton />
        </div>
      ) : (
        <FoldableFilters
          actions={<SearchButton />}
          more={<MoreFilters filters={filters} set={set} />}
          moreLabel={users.search.more.label(foldedCount(filters))}
          {...folding}
        >
          {inputs}
        </FoldableFilters>
      )}
    </FilterForm>
  )
}

/** What its field says is wrong is not searched for. */
function isComplete({ login, since, days }: Filters): boolean {
  if (login === LAST_LOGIN.since) return since === '' || readDate(since) !== null
  return login !== LAST_LOGIN.before || isDays(days)
}
