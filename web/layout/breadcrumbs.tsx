import type { ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { ChevronRightIcon } from '../ui/icons.tsx'
import styles from './breadcrumbs.module.css'
import { useShownRecord } from './record-name.ts'

/**
 * Shows the path to a record: the link to its list, then the name of the record (rules/frame#breadcrumbs), which is
 * missing until the page has set it by `useRecordName`.
 * @param list link to the list, with the search that the user left
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
