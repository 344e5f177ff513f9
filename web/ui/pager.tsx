import { classes } from './classes.ts'
import { ChevronLeftIcon, ChevronRightIcon, FirstIcon, LastIcon, type Icon } from './icons.tsx'
import styles from './pager.module.css'

/** What the pager's parts are called. */
interface PagerLabels {
  /** The whole, e.g. '페이지 이동'. */
  nav: string
  first: string
  previous: string
  next: string
  last: string
  page: (page: number) => string
}

/** Where we are and where to go. */
interface PagerProps {
  page: number
  /** 0 when there is nothing: shown as page 1 with nowhere to go. */
  pageCount: number
  onChange: (page: number) => void
  labels: PagerLabels
}

/**
 * First, current and last page (no siblings); a gap of one page shows that page, so that the row
 * keeps its length and the buttons stay under the pointer.
 */
export function pagerItems(page: number, count: number): (number | 'gap-start' | 'gap-end')[] {
  if (count <= 5) return Array.from({ length: count }, (_, index) => index + 1)
  const middle = Math.min(Math.max(page, 3), count - 2)
  return [1, middle === 3 ? 2 : 'gap-start', middle, middle === count - 2 ? count - 1 : 'gap-end', count]
}

/** Page numbers between first/previous and next/last buttons. */
export function Pager({ page, pageCount, onChange, labels }: PagerProps) {
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
    </nav>
  )
}
