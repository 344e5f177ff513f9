import styles from './affected-list.module.css'
import layout from './layout.module.css'

interface Props {
  title: string
  /** Number of affected records, also of those that are not in `items`. */
  total: number
  items: readonly { id: string; text: string; note: string }[]
  /** Returns the text for the number of records that are not listed. */
  more: (count: string) => string
}

/**
 * Shows a scrollable list of the first records that a bulk change affects, each with a note, and the number of the
 * others. Shows nothing without records.
 */
export function AffectedList({ title, total, items, more }: Props) {
  if (items.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard scrolls it
    <section aria-label={title} tabIndex={0} className={styles.list}>
      <ul>
        {items.map(({ id, text, note }) => (
          <li key={id}>
            <span>{text}</span>
            <span className={layout.quiet}>{note}</span>
          </li>
        ))}
        {total > items.length && <li>{more((total - items.length).toLocaleString())}</li>}
      </ul>
    </section>
  )
}
