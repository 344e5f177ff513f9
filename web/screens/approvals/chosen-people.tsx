import { usePortalMessages } from '../../language.tsx'
import styles from './approvals.module.css'
import type { RequestRow } from './request-columns.tsx'

/** Whom a decision is about: the first by name, and how many others; all of them in the tooltip. */
export function ChosenPeople({ requests }: { requests: readonly RequestRow[] }) {
  const t = usePortalMessages().approvals
  const names = requests.map(({ name, userId }) => `${name} (${userId})`)
  return (
    <dl className={styles.people}>
      <dt>{t.chosen}</dt>
      <dd title={names.join('\n')}>{t.people(names[0] ?? '', names.length - 1)}</dd>
    </dl>
  )
}
