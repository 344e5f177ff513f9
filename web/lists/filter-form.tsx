import { useState, type ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import type { Filters } from './list-state.ts'

/** What a field needs to know of its filter. */
export interface BoundFilter {
  value: string
  onChange: (value: string) => void
}

/**
 * What stands in the filter fields of a list, until it is searched for. 'Back' and links change the search from
 * outside: the fields follow.
 * @param initial what the list is narrowed by now
 * @param foldedCount how many of the filters that fold away narrow the list; they are unfolded when any does
 * @param asked another number: the fields follow, also where the list was narrowed by just that
 */
export function useFilters<F extends Filters>(
  initial: F,
  foldedCount: (filters: F) => number = () => 0,
  asked = 0,
) {
  const search = JSON.stringify([initial, asked])
  const [filters, setFilters] = useState(initial)
  const [known, setKnown] = useState(search)
  const [isOpen, setOpen] = useState(() => foldedCount(initial) > 0)
  if (known !== search) {
    setKnown(search)
    setFilters(initial)
    if (foldedCount(initial) > 0) setOpen(true)
  }
  return {
    filters,
    setFilters,
    /** Ties a field to its filter. */
    bind: (name: keyof F & string): BoundFilter => ({
      value: filters[name] ?? '',
      onChange: (value) => setFilters({ ...filters, [name]: value }),
    }),
    /** Empties the fields, whatever was searched for. */
    reset: (fresh: F) => {
      setFilters(fresh)
      setOpen(false)
    },
    folding: { isOpen, onToggle: () => setOpen(!isOpen) },
  }
}

/** The filters of a list: its button, or Enter in a field, searches. */
export function FilterForm({ onSearch, children }: { onSearch: () => void; children: ReactNode }) {
  return (
    <search aria-label={usePortalMessages().lists.filters}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch()
        }}
      >
        {children}
      </form>
    </search>
  )
}

/** Submits a `FilterForm`, and the other button that every one has: back to a search without filters. */
export function SearchButtons({ onReset }: { onReset: () => void }) {
  const t = usePortalMessages().lists
  return (
    <>
      <Button onClick={onReset}>{t.reset}</Button>
      <Button type="submit" variant="primary">
        <SearchIcon size={18} />
        {t.submit}
      </Button>
    </>
  )
}
