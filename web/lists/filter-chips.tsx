import { usePortalMessages } from '../language.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import type { SelectOption } from '../ui/select-field.tsx'
import styles from './filter-chips.module.css'
import type { Filters } from './list-state.ts'

/**
 * Label of each filter, and its options, whose labels replace the values; without options the value itself is shown.
 */
export type FilterNames<F extends Filters> = {
  [K in keyof F]?: readonly [label: string, options?: readonly SelectOption[]]
}

interface Props<F extends Filters> {
  /** Current filters. */
  filters: F
  /** Default filters. */
  fresh: F
  names: FilterNames<F>
  onSearch: (filters: F) => void
}

/**
 * Shows the filters that differ from their defaults, each with a button that resets it and searches again
 * (rules/lists#chips). Filters that `names` lacks are not shown. Renders nothing if no filter is set.
 */
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
                // The chip disappears, so move the focus to another control of the filters.
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
