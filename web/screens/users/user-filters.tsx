import { useState } from 'react'
import { CODE_GROUP } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { readDate } from '../../ui/dates.ts'
import { FoldableFilters } from '../../ui/foldable-filters.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
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
  const messages = usePortalMessages()
  const { fields, users, lists } = messages
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
          if (isComplete(filters)) onSearch(filters)
        }}
      >
        {compact ? (
          <div className={styles.compactFilters}>
            {inputs}
            {button}
          </div>
        ) : (
          <FoldableFilters
            actions={button}
            more={<MoreFilters filters={filters} set={set} />}
            moreLabel={users.search.more.label(foldedCount(filters))}
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
          >
            {inputs}
          </FoldableFilters>
        )}
      </form>
    </search>
  )
}

/** What its field says is wrong is not searched for. */
function isComplete({ login, since, days }: Filters): boolean {
  if (login === LAST_LOGIN.since) return since === '' || readDate(since) !== null
  return login !== LAST_LOGIN.before || isDays(days)
}
