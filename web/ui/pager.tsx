import { useState } from 'react'
import { classes } from './classes.ts'
import { ChevronLeftIcon, ChevronRightIcon, FirstIcon, LastIcon, RowsIcon, type Icon } from './icons.tsx'
import styles from './pager.module.css'

/** The texts of the pager. */
interface PagerLabels {
  /** Label of the whole pager, e.g. '페이지 이동'. */
  nav: string
  first: string
  previous: string
  next: string
  last: string
  page: (page: number) => string
  /** Label of the field for a page number. */
  jump: string
  /** Placeholder of that field. */
  jumpHint: string
  /** Label of the select for rows per page. */
  size: string
  rows: (count: number) => string
  /** Label of the button that makes the rows lower. */
  compact: string
}

/** The number of rows per page, and the selectable numbers. */
interface PageSize {
  perPage: number
  choices: readonly number[]
  onChange: (perPage: number) => void
}

/** Number of pages from which the user can type a page number. */
const JUMP_FROM = 10

/** The current page and the available pages. */
interface PagerProps {
  page: number
  /** 0 for an empty list, which is shown as page 1 with all buttons disabled. */
  pageCount: number
  onChange: (page: number) => void
  /** Rows per page, if the user may choose them. */
  size?: PageSize | undefined
  /** Whether the rows are low, and the action of the button that changes it. */
  density?: { isOn: boolean; onToggle: () => void } | undefined
  labels: PagerLabels
}

/**
 * Returns the items of the pager: up to 5 pages, or always 5 items with the first, current and last page and
 * gaps. A gap of a single page is that page. The constant number keeps the buttons under the pointer.
 */
export function pagerItems(page: number, count: number): (number | 'gap-start' | 'gap-end')[] {
  if (count <= 5) return Array.from({ length: count }, (_, index) => index + 1)
  const middle = Math.min(Math.max(page, 3), count - 2)
  return [1, middle === 3 ? 2 : 'gap-start', middle, middle === count - 2 ? count - 1 : 'gap-end', count]
}

/**
 * Shows page numbers between first/previous and next/last buttons, and from 10 pages a field for a page number. Also
 * shows the choice of rows per page and of low rows, if they are given. A page out of range is shown as the nearest
 * one.
 */
export function Pager({ page, pageCount, onChange, size, density, labels }: PagerProps) {
  const count = Math.max(pageCount, 1)
  const current = Math.min(Math.max(page, 1), count)

  function step(label: string, to: number, Mark: Icon) {
    const isOff = to < 1 || to > count || to === current
    return (
      <button
        type="button"
        className={styles.step}
        aria-label={label}
        title={label}
        // Not `disabled`, which would drop the keyboard focus on reaching the last page.
        aria-disabled={isOff || undefined}
        onClick={() => !isOff && onChange(to)}
      >
        <Mark size={18} />
      </button>
    )
  }

  return (
    <div className={styles.bar}>
      <nav className={styles.pager} aria-label={labels.nav}>
        {step(labels.first, 1, FirstIcon)}
        {step(labels.previous, current - 1, ChevronLeftIcon)}
        <ol className={styles.pages}>
          {pagerItems(current, count).map((item) => (
            <li key={item}>
              {typeof item === 'number' ? (
                <button
                  type="button"
                  className={classes(styles.page, item === current && styles.current)}
                  aria-current={item === current ? 'page' : undefined}
                  onClick={() => item !== current && onChange(item)}
                >
                  <span aria-hidden="true">{item}</span>
                  <span className="visually-hidden">{labels.page(item)}</span>
                </button>
              ) : (
                <span className={styles.gap} aria-hidden="true">
                  …
                </span>
              )}
            </li>
          ))}
        </ol>
        {step(labels.next, current + 1, ChevronRightIcon)}
        {step(labels.last, count, LastIcon)}
        {count >= JUMP_FROM && (
          <Jump
            current={current}
            count={count}
            label={labels.jump}
            hint={labels.jumpHint}
            onJump={onChange}
          />
        )}
      </nav>
      <div className={styles.shape}>
        {size && (
          <fieldset className={styles.sizes} aria-label={labels.size}>
            {size.choices.map((rows) => (
              <button
                key={rows}
                type="button"
                className={classes(styles.page, rows === size.perPage && styles.current)}
                aria-pressed={rows === size.perPage}
                title={labels.rows(rows)}
                onClick={() => rows !== size.perPage && size.onChange(rows)}
              >
                <span aria-hidden="true">{rows === size.perPage ? labels.rows(rows) : rows}</span>
                <span className="visually-hidden">{labels.rows(rows)}</span>
              </button>
            ))}
          </fieldset>
        )}
        {density && (
          <button
            type="button"
            className={classes(styles.page, density.isOn && styles.chosen)}
            aria-pressed={density.isOn}
            aria-label={labels.compact}
            title={labels.compact}
            onClick={density.onToggle}
          >
            <RowsIcon size={18} />
          </button>
        )}
      </div>
    </div>
  )
}

interface JumpProps {
  current: number
  count: number
  label: string
  hint: string
  onJump: (page: number) => void
}

/**
 * Shows a field for a page number, submitted by Enter. A number past the end opens the last page; 0 or nothing has no
 * effect.
 */
function Jump({ current, count, label, hint, onJump }: JumpProps) {
  const [typed, setTyped] = useState('')
  return (
    <form
      className={styles.jump}
      onSubmit={(event) => {
        event.preventDefault()
        const page = Math.min(Number(typed), count)
        setTyped('')
        if (page >= 1 && page !== current) onJump(page)
      }}
    >
      <input
        aria-label={label}
        title={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        placeholder={hint}
        value={typed}
        onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, ''))}
      />
      <span aria-hidden="true">/ {count.toLocaleString()}</span>
    </form>
  )
}
