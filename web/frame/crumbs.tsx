import type { ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { ChevronRightIcon } from '../ui/icons.tsx'
import styles from './crumbs.module.css'
import { useShownRecord } from './record-name.ts'

/**
 * The way to a record: its list as it was left, then whose record it is (rules/frame#crumbs).
 * @param list the link to the list
 */
export function Crumbs({ list }: { list: ReactNode }) {
  const t = usePortalMessages().frame
  const name = useShownRecord()
  return (
    <nav className={styles.crumbs} aria-label={t.crumbs}>
      <ol>
        <li>{list}</li>
        {name !== undefined && (
          <li aria-current="page">
            <ChevronRightIcon size={12} />
            <span>{name}</span>
          </li>
        )}
      </ol>
    </nav>
  )
}
