import { confirmNotice, listUnread } from '../../../contract/notices.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { useSessionUserId } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { CheckCircleIcon } from '../../ui/icons.tsx'
import type { Notice } from './notice-card.tsx'
import styles from './read-confirmation.module.css'

/** Asks a reader of a must-read notice to confirm; its author has nothing to confirm. */
export function ReadConfirmation({ notice, onConfirmed }: { notice: Notice; onConfirmed: () => void }) {
  const t = usePortalMessages().notices.readers
  const confirm = useCall(confirmNotice)
  const isAuthor = useSessionUserId() === notice.userId
  if (isAuthor) return null

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
    <output className={styles.bar}>
      {notice.confirmed ? (
        <span className={styles.done}>
          <CheckCircleIcon />
          {t.confirmed}
        </span>
      ) : (
        <>
          <span>{t.ask}</span>
          <Button variant="primary" isPending={confirm.isPending} onClick={() => void press()}>
            {t.confirm}
          </Button>
        </>
      )}
    </output>
  )
}
