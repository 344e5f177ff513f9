import { useState } from 'react'
import { ALL, CODE_GROUP } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useCodes } from '../../forms/choices.ts'
import { useMessages } from '../../language.tsx'
import { Button } from '../../ui/Button.tsx'
import { FilterBar } from '../../ui/FormGrid.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { UserFilters as Filters } from './search-memory.ts'
import styles from './user-search.module.css'

/** A search that filters nothing. */
export const NO_FILTERS: Filters = { BELONGTO_CODE: ALL, NAME: '', PHONE_NUMBER: '', APPROVA_CODE: ALL }

// The longest filter that the contract takes.
const LONGEST = 100

interface Props {
  initial: Filters
  onSearch: (filters: Filters) => void
  compact: boolean
}

/** The filters of the user search (spec §2); Enter in a field searches. */
export function UserFilters({ initial, onSearch, compact }: Props) {
  const messages = useMessages()
  const { fields, users, lists } = messages
  const [filters, setFilters] = useState(initial)
  const set = (name: keyof Filters) => (value: string) => setFilters({ ...filters, [name]: value })
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
  const approvals = useCodes(CODE_GROUP.approval, true)

  const inputs = (
    <>
      <ChoiceFilter
        label={fields.BELONGTO_CODE}
        choices={affiliations}
        value={filters.BELONGTO_CODE}
        onChange={set('BELONGTO_CODE')}
      />
      <TextField label={fields.NAME} value={filters.NAME} onChange={set('NAME')} maxLength={LONGEST} />
      <TextField
        label={fields.PHONE_NUMBER}
        type="tel"
        value={filters.PHONE_NUMBER}
        onChange={set('PHONE_NUMBER')}
        maxLength={LONGEST}
        autoComplete="off"
      />
      <ChoiceFilter
        label={users.search.columns.APPROVA}
        choices={approvals}
        value={filters.APPROVA_CODE}
        onChange={set('APPROVA_CODE')}
      />
    </>
  )
  const button = (
    <Button type="submit" variant="primary">
      <SearchIcon size={18} />
      {lists.submit}
    </Button>
  )

  return (
    <search aria-label={lists.filters}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(filters)
        }}
      >
        {compact ? (
          <div className={styles.compactFilters}>
            {inputs}
            {button}
          </div>
        ) : (
          <FilterBar actions={button}>{inputs}</FilterBar>
        )}
      </form>
    </search>
  )
}
