import { Link } from '@tanstack/react-router'
import { usePortalMessages } from '../../../language.tsx'
import type { Notice } from './notice-card.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './neighbours.module.css'
import type { BoardWords } from '../search/board.ts'

/** The next newer and the next older notice; the way back to the list stays the same. */
export function Neighbours({ notice, search }: { notice: Notice; search: BoardWords }) {
  const t = usePortalMessages().notices.detail
  const row = (label: string, to: Notice['next'], none: string) => (
    <li>
      <span className={styles.label}>{label}</span>
      {to === null ? (
        <span className={layout.quiet}>{none}</span>
      ) : (
        <Link
          to="/notice/detail"
          search={{ noticeId: to.noticeId, writer: to.userId, ...search }}
          title={to.title}
        >
          {to.title}
        </Link>
      )}
    </li>
  )
  return (
    <nav className={styles.nav} aria-label={t.neighbours}>
      <ul className={styles.list}>
        {row(t.next, notice.next, t.noNext)}
        {row(t.previous, notice.previous, t.noPrevious)}
      </ul>
    </nav>
  )
}
