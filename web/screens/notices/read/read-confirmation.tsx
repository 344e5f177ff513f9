import { confirmNotice, listUnread } from '../../../../contract/notices.ts'
import { invalidate, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckCircleIcon } from '../../../ui/icons.tsx'
import type { Notice } from './notice-card.tsx'
import styles from './read-confirmation.module.css'

/** Asks a reader of a must-read notice to confirm, or says that they have. */
export function ReadConfirmation({ notice, onConfirmed }: { notice: Notice; onConfirmed: () => void }) {
  const t = usePortalMessages().notices.readers
  const confirm = useCall(confirmNotice)

  async function press(): Promise<void> {
    try {
      await confirm.mutateAsync({ noticeId: notice.noticeId })
    } catch (error) {
      await showRefusal(error)
      return
    }
    void invalidate(listUnread)
    onConfirmed()
  }

  return (
    <div className={styles.bar}>
      <output className={notice.confirmed ? styles.done : undefined}>
        {notice.confirmed ? (
          <>
            <CheckCircleIcon />
            {t.confirmed}
          </>
        ) : (
          t.ask
        )}
      </output>
      {!notice.confirmed && (
        <Button variant="primary" isPending={confirm.isPending} onClick={() => void press()}>
          {t.confirm}
        </Button>
      )}
    </div>
  )
}
