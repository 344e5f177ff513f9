import { lazy, Suspense, useState } from 'react'
import { BULK_ACTIONS, type BulkAction } from '../../../../contract/users.ts'
import { usePortalMessages } from '../../../language.tsx'
import { SelectionBar } from '../../../lists/selection-bar.tsx'
import { Button } from '../../../ui/button.tsx'
import { focusReturned } from '../../../ui/focus-returned.ts'
import type { UserSelection } from './use-selection.ts'

/** Dialog of a bulk action. It opens now and then, so it is no part of the first load. */
const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

interface Props {
  selection: UserSelection
  /** True if the users are closed accounts, which can only be restored. */
  isWithdrawn: boolean
  /** Number of users that the search finds. */
  total: number
  /** Called after users were changed, so that the list is read again. */
  onDone: () => Promise<void>
  /** Called before the bar disappears, so that the keyboard focus can move elsewhere. */
  onGone: () => void
}

/**
 * Shows the number of selected users and the bulk actions, each of which opens its dialog (rules/users#bulk-changes).
 * For withdrawn accounts the only action is to restore them. Clears the selection after a change.
 */
export function BulkBar({ selection, isWithdrawn, total, onDone, onGone }: Props) {
  const t = usePortalMessages().users.bulk
  const [action, setAction] = useState<BulkAction>()
  const { count, clear, asked } = selection
  return (
    <SelectionBar selection={selection} total={total} texts={t} onGone={onGone}>
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
              // The closed dialog returns the focus to its button, which has disappeared with the bar.
              await focusReturned()
              onGone()
              // Read the list last: users selected while it is loading stay selected.
              await onDone()
            }}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
