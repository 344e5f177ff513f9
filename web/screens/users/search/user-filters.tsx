import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { ChoiceFilter } from '../../../forms/choice-filter.tsx'
import { useAffiliations } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { FilterChips, type FilterNames } from '../../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../../lists/filter-form.tsx'
import { FoldableFilters } from '../../../ui/foldable-filters.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { MoreFilters, useMoreNames } from './more-filters.tsx'
import { useApprovals } from './lists.ts'
import { foldedCount, isComplete, NO_FILTERS, type UserFilters as Filters } from './search-state.ts'
import styles from './user-search.module.css'

/** Longest filter that the contract accepts, in characters. */
const LONGEST = 100

/** Props of `UserFilters`. `compact` is true on the home page. */
interface Props {
  initial: Filters
  /** A number that changes whenever the filters are replaced, for example by a saved search. */
  asked: number
  onSearch: (filters: Filters) => void
  compact: boolean
  /** The button that opens the saved searches. */
  saved?: ReactNode
}

/**
 * Shows the filters of the user search, and chips of the active ones (rules/users#user-search). Enter or the button
 * calls `onSearch`, unless the filter by last login is invalid: then its field shows why and takes the focus. Reset
 * searches without filters. The compact form has neither keyword nor folded filters nor chips.
 */
export function UserFilters({ initial, asked, onSearch, compact, saved }: Props) {
  const { fields, users } = usePortalMessages()
  const { filters, bind, folding, reset } = useFilters(initial, foldedCount, asked)
  const affiliations = useAffiliations({ includeAll: true })
  const approvals = useApprovals()
  const [isTried, setTried] = useState(false)
  const lastLoginDetail = useRef<HTMLInputElement>(null)

  function search(): void {
    const isReady = isComplete(filters)
    flushSync(() => {
      setTried(!isReady)
      if (!isReady && !folding.isOpen) folding.onToggle()
    })
    if (isReady) onSearch(filters)
    else lastLoginDetail.current?.focus()
  }

  function clear(): void {
    setTried(false)
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }

  const inputs = (
    <>
      {!compact && (
        <TextField
          label={users.search.keyword}
          placeholder={users.search.keywordHint}
          {...bind('keyword')}
          maxLength={LONGEST}
          autoComplete="off"
        />
      )}
      <ChoiceFilter label={fields.affiliationCode} choices={affiliations} {...bind('affiliationCode')} />
      <TextField label={fields.name} {...bind('name')} maxLength={LONGEST} />
      <TextField
        label={fields.phoneNumber}
        type="tel"
        {...bind('phoneNumber')}
        maxLength={LONGEST}
        autoComplete="off"
      />
      <ChoiceFilter label={users.search.columns.approval} choices={approvals} {...bind('approvalCode')} />
    </>
  )
  return (
    <FilterForm onSearch={search}>
      {compact ? (
        <div className={styles.compactFilters}>
          {inputs}
          <div className={styles.compactActions}>
            <SearchButtons onReset={clear} />
          </div>
        </div>
      ) : (
        <FoldableFilters
          actions={
            <>
              <SearchButtons onReset={clear} />
              {saved}
            </>
          }
          more={
            <MoreFilters filters={filters} bind={bind} isTried={isTried} lastLoginDetail={lastLoginDetail} />
          }
          moreLabel={users.search.more.label(foldedCount(filters))}
          {...folding}
        >
          {inputs}
        </FoldableFilters>
      )}
      {!compact && (
        <UserChips
          filters={initial}
          names={{
            keyword: [users.search.keyword],
            affiliationCode: [fields.affiliationCode, affiliations.options],
            name: [fields.name],
            phoneNumber: [fields.phoneNumber],
            approvalCode: [users.search.columns.approval, approvals.options],
          }}
          onSearch={onSearch}
        />
      )}
    </FilterForm>
  )
}

interface ChipsProps {
  filters: Filters
  /** The filters that are always visible. */
  names: FilterNames<Filters>
  onSearch: (filters: Filters) => void
}

/** Shows a chip for each active filter, which removes it and searches again. */
function UserChips({ filters, names, onSearch }: ChipsProps) {
  return (
    <FilterChips
      filters={filters}
      fresh={NO_FILTERS}
      names={{ ...names, ...useMoreNames(filters) }}
      onSearch={onSearch}
    />
  )
}
