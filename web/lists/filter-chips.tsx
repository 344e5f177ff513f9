import { usePortalMessages } from '../language.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import type { SelectOption } from '../ui/select-field.tsx'
import styles from './filter-chips.module.css'
import type { Filters } from './list-state.ts'

/** What a filter is called, and its choices where it has any. */
export type FilterNames<F extends Filters> = {
  [K in keyof F]?: readonly [label: string, options?: readonly SelectOption[]]
}

interface Props<F extends Filters> {
  /** What the list is narrowed by. */
  filters: F
  /** What narrows nothing. */
  fresh: F
  names: FilterNames<F>
  onSearch: (filters: F) => void
}

/** What narrows a list, each to be taken away by itself (rules/lists#chips); nothing where nothing does. */
export function FilterChips<F extends Filters>({ filters, fresh, names, onSearch }: Props<F>) {
  const t = usePortalMessages().lists
  const set = Object.entries(filters).filter(
    ([name, value]) => value !== fresh[name] && names[name] !== undefined,
  )
  if (set.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t.chips}>
      {set.map(([name, value]) => {
        const [label, options] = names[name] ?? ['']
        const shown = options?.find((option) => option.value === value)?.label ?? value
        return (
          <li key={name}>
            <span>
              {label}: {shown}
            </span>
            <button
              type="button"
              aria-label={t.dropChip(shown)}
              onClick={({ currentTarget }) => {
                // It goes, and the focus stays among the filters.
                currentTarget.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.focus()
                onSearch({ ...filters, [name]: fresh[name] })
              }}
            >
              <CloseIcon size={14} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
