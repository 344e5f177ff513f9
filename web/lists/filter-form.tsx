import { useState, type ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import type { Filters } from './list-state.ts'

/** Value and change handler of a filter field. */
export interface BoundFilter {
  value: string
  onChange: (value: string) => void
}

/**
 * Returns the values of the filter fields, before they are submitted, and functions that change them. The values follow
 * searches from outside: 'Back' and links.
 * @param initial filters of the current search
 * @param foldedCount returns how many filters are set among those that are hidden until the user opens them
 * (`folding`); they are shown if any is
 * @param searchId a new number resets the fields, even if the filters of the search are the same
 */
export function useFilters<F extends Filters>(
  initial: F,
  foldedCount: (filters: F) => number = () => 0,
  searchId = 0,
) {
  const search = JSON.stringify([initial, searchId])
  const [filters, setFilters] = useState(initial)
  const [shownSearch, setShownSearch] = useState(search)
  const [isOpen, setOpen] = useState(() => foldedCount(initial) > 0)
  if (shownSearch !== search) {
    setShownSearch(search)
    setFilters(initial)
    if (foldedCount(initial) > 0) setOpen(true)
  }
  return {
    filters,
    setFilters,
    /** Returns the props of the field of a filter. */
    bind: (name: keyof F & string): BoundFilter => ({
      value: filters[name] ?? '',
      onChange: (value) => setFilters({ ...filters, [name]: value }),
    }),
    /** Sets the fields and hides the hidden filters again, without a search. */
    reset: (fresh: F) => {
      setFilters(fresh)
      setOpen(false)
    },
    folding: { isOpen, onToggle: () => setOpen(!isOpen) },
  }
}

/** Shows the form of a list's filters. Its submit button, or Enter in a field, calls `onSearch`. */
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

/** Shows the two buttons of a `FilterForm`: reset, which calls `onReset`, and submit, which submits the form. */
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
