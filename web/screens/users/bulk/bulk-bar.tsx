import { lazy, Suspense, useState } from 'react'
import { BULK_ACTIONS, type BulkAction } from '../../../../contract/users.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import layout from '../../../ui/layout.module.css'
import styles from '../search/user-search.module.css'
import type { UserRow } from '../search/user-columns.tsx'
import type { Selection } from './use-selection.ts'

// Opened now and then, and no part of the first load.
const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

/** Adds a checkbox to the number column of each row, and one to its header for the page. The list keeps its columns. */
export function useSelectable(
  columns: ListColumn<UserRow>[],
  rows: readonly UserRow[],
  { isChosen, choose }: Selection,
): ListColumn<UserRow>[] {
  const t = usePortalMessages().users.bulk
  const ids = rows.map(({ userId }) => userId)
  const count = ids.filter(isChosen).length
  const withBox = (column: ListColumn<UserRow>): ListColumn<UserRow> => ({
    ...column,
    width: 104,
    align: 'left',
    headerContent: (
      <span className={layout.row}>
        <Checkbox
          label={t.selectPage}
          isLabelHidden
          value={count > 0 && count === ids.length}
          isMixed={count > 0 && count < ids.length}
          isDisabled={ids.length === 0}
          onChange={(wanted) => choose(ids, wanted)}
        />
        {column.header}
      </span>
    ),
    render: (row) => (
      <span className={layout.row}>
        <Checkbox
          label={t.selectOne(row.name)}
          isLabelHidden
          value={isChosen(row.userId)}
          onChange={(wanted) => choose([row.userId], wanted)}
        />
        {column.render(row)}
      </span>
    ),
  })
  return columns.map((column) => (column.key === 'rowNumber' ? withBox(column) : column))
}

interface Props {
  selection: Selection
  /** They are withdrawn accounts, which can only be taken back. */
  isWithdrawn: boolean
  /** How many the search finds. */
  total: number
  /** They were changed: the list is read again. */
  onDone: () => Promise<void>
  /** The bar is about to go: the keyboard focus needs another place. */
  onGone: () => void
}

/** Shows the number of selected users and the bulk actions (rules/users#many-at-once). */
export function BulkBar({ selection, isWithdrawn, total, onDone, onGone }: Props) {
  const t = usePortalMessages().users.bulk
  const [action, setAction] = useState<BulkAction>()
  const { count, isAll, chooseAll, clear, asked } = selection
  return (
    <>
      <output>
        <b>{t.chosen(count.toLocaleString())}</b>
      </output>
      {!isAll && count < total && (
        <Button size="small" variant="quiet" onClick={chooseAll}>
          {t.all(total.toLocaleString())}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        className={styles.clear}
        onClick={() => {
          clear()
          onGone()
        }}
      >
        {t.clear}
      </Button>
      {BULK_ACTIONS.filter((name) => (name === 'restore') === isWithdrawn).map((name) => (
        <Button
          key={name}
          size="small"
          variant={name === 'suspend' || name === 'withdraw' ? 'danger' : 'secondary'}
          onClick={() => setAction(name)}
        >
          {t.actions[name]}
        </Button>
      ))}
      {action !== undefined && (
        <Suspense>
          <BulkDialog
            action={action}
            count={count}
            asked={asked}
            onClose={() => setAction(undefined)}
            onDone={async () => {
              setAction(undefined)
              clear()
              onGone()
              // Read the list last: users selected while it is loading stay selected.
              await onDone()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
