import { Link } from '@tanstack/react-router'
import type { listAudit, listHistory } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { columnsOf } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { PersonName } from '../users/record/person-name.tsx'
import styles from './audit.module.css'
import { useAuditTexts } from './audit-texts.ts'

/** A row of the audit log, or of a history, which has no `undoId`. */
export type AuditRow = OutputOf<typeof listHistory>['rows'][number] &
  Partial<Pick<OutputOf<typeof listAudit>['rows'][number], 'undoId'>>

/**
 * Returns the columns of the audit log.
 * @param onUndo called with the `undoId` of a row whose bulk change the user wants to undo; without it no row has a
 * button
 */
export function useAuditColumns(onUndo?: (undoId: string) => void): ListColumn<AuditRow>[] {
  const t = useAuditTexts()
  const { text, column } = columnsOf<AuditRow, keyof typeof t.columns>(t.columns)
  return [
    text('rowNumber', { width: 72, align: 'center', isRequired: true }),
    text('changedAt', { width: 172 }),
    column('user', (row) => <Who row={row} />, { width: 170 }),
    text('action', { width: 150, wraps: 'words', isRowHeader: true, isRequired: true }),
    column('target', (row) => <Target row={row} />, { width: 190 }),
    column('changes', (row) => <Changes row={row} onUndo={onUndo} />),
    text('address', { width: 130 }),
  ]
}

/**
 * Shows who made the change: a user's name, which opens the profile card, and login ID; an anonymous visitor; or the
 * server.
 */
function Who({ row: { name, userId, address } }: { row: AuditRow }) {
  const t = useAuditTexts()
  if (userId === '') return address === '' ? t.system : t.nobody
  return (
    <span title={`${name} (${userId})`}>
      <PersonName userId={userId} name={name} /> ({userId})
    </span>
  )
}

/**
 * Shows the name that the changed record had at the time, with a link for users, partners and notices, and its current
 * name if that differs.
 */
function Target({ row }: { row: AuditRow }) {
  const t = useAuditTexts()
  const { recordKind: kind, recordId: id, target } = row
  // A comment has a number of its own, and no page: its row is about the notice.
  const isRenamed = kind !== 'notice' && id !== '' && id.toLowerCase() !== target.toLowerCase()
  const now = isRenamed && <span className={layout.quiet}> ({t.nowCalled(id)})</span>
  return (
    <span className={styles.target}>
      {kind === 'user' ? (
        <Link to="/user/detail" state={{ userId: id }}>
          {target}
        </Link>
      ) : kind === 'partner' ? (
        <Link to="/partner/detail" search={{ partnerCode: id }}>
          {target}
        </Link>
      ) : kind === 'notice' ? (
        <Link to="/notice/detail" search={{ noticeId: id }}>
          {id}
        </Link>
      ) : (
        target
      )}
      {now}
    </span>
  )
}

/**
 * Shows each changed field on a line: the old value, if there is one, and the new, or that it is empty. Adds a button
 * that undoes the change, if `onUndo` is given and the row can be undone. Shows nothing for a row without changes.
 */
function Changes({ row, onUndo }: { row: AuditRow; onUndo: ((undoId: string) => void) | undefined }) {
  const { none } = useAuditTexts()
  const { actions } = usePortalMessages().users.bulk
  const { changes, undoId = '', target } = row
  if (changes.length === 0) return null
  return (
    <ul className={styles.changes}>
      {changes.map(({ item, before, after }, index) => (
        <li key={index}>
          <span className={layout.quiet}>{item}:</span>{' '}
          {before === '' ? (
            after
          ) : (
            <>
              <del>{before}</del> → {after === '' ? none : after}
            </>
          )}
        </li>
      ))}
      {onUndo !== undefined && undoId !== '' && (
        <li>
          <Button size="small" aria-label={`${actions.undo}: ${target}`} onClick={() => onUndo(undoId)}>
            {actions.undo}
          </Button>
        </li>
      )}
    </ul>
  )
}
