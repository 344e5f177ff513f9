import { useState } from 'react'
import { usePortalMessages } from '../../language.tsx'
import type { KeyBar } from './bar-chart.tsx'
import styles from './key-statistics.module.css'

interface Props {
  title: string
  /** The head of the first column. */
  label: string
  bars: readonly KeyBar[]
}

/** A chart's numbers as a table, whose rows lead on; what is 0 leads nowhere, and is left out. */
export function ChartTable({ title, label, bars }: Props) {
  const t = usePortalMessages().keys.statistics
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        // Scrolls by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{label}</th>
                <th scope="col">{t.count}</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ count }) => count > 0)
                .map((bar) => (
                  <tr key={bar.key}>
                    <th scope="row">
                      <button type="button" className={styles.link} onClick={bar.open}>
                        {bar.name}
                      </button>
                    </th>
                    <td>{bar.count.toLocaleString()}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
