import { useState } from 'react'
import { ALL, CODE_GROUP } from '../../../contract/common.ts'
import { useMessages } from '../../language.tsx'
import { Button } from '../../ui/Button.tsx'
import { FilterBar } from '../../ui/FormGrid.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useChoiceWords, useCodes, type Choices } from './lists.ts'
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
  const { fields, users } = messages
  const [filters, setFilters] = useState(initial)
  const set = (name: keyof Filters) => (value: string) => setFilters({ ...filters, [name]: value })
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
  const approvals = useCodes(CODE_GROUP.approval, true)

  const inputs = (
    <>
      <CodeFilter
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
      <CodeFilter
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
      {users.search.submit}
    </Button>
  )

  return (
    <search aria-label={users.search.filters}>
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

interface CodeFilterProps {
  label: string
  choices: Choices
  value: string
  onChange: (value: string) => void
}

/** A code list with 'all', which it shows even while or where the list cannot be loaded. */
function CodeFilter({ label, choices, value, onChange }: CodeFilterProps) {
  const { all } = useMessages().lists
  const words = useChoiceWords(choices)
  return (
    <SelectField
      {...words}
      label={label}
      options={choices.options}
      isLoading={choices.isLoading}
      fallbackLabel={value === ALL ? all : value}
      value={value}
      onChange={onChange}
    />
  )
}
