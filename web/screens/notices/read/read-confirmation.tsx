import { useRef } from 'react'
import { confirmNotice, listUnread, acknowledgeNotice } from '../../../../contract/notices.ts'
import { invalidate, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckCircleIcon, ThumbIcon } from '../../../ui/icons.tsx'
import type { Notice } from './notice-card.tsx'
import styles from './read-confirmation.module.css'
import { useSessionUserId } from '../../../session.ts'
import layout from '../../../ui/layout.module.css'

/**
 * Shows a bar for a must-read notice: a button with which the reader confirms having read it, or that the reader
 * has confirmed. The confirmation cannot be undone.
 */
export function ReadConfirmation({ notice, onConfirmed }: { notice: Notice; onConfirmed: () => void }) {
  const t = usePortalMessages().notices.readers
  const confirm = useCall(confirmNotice)
  const bar = useRef<HTMLDivElement>(null)

  async function press(): Promise<void> {
    try {
      await confirm.mutateAsync({ noticeId: notice.noticeId })
    } catch (error) {
      await showRefusal(error)
      return
    }
    void invalidate(listUnread)
    // The button is removed, and the keyboard focus with it.
    bar.current?.focus()
    onConfirmed()
  }

  return (
    <div ref={bar} tabIndex={-1} className={styles.bar}>
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

/**
 * Shows how many readers have reacted to a notice with 👍, and a button with which readers, but not its author, add
 * or remove their 👍 (rules/notices#acknowledgement). Renders nothing if the server returns no number, because
 * reactions are disabled or the notice is not published.
 */
export function Acknowledge({ notice, onChanged }: { notice: Notice; onChanged: () => Promise<unknown> }) {
  const t = usePortalMessages().notices.responses
  const acknowledge = useCall(acknowledgeNotice)
  const isAuthor = useSessionUserId() === notice.userId
  const { noticeId, acknowledged, acknowledgementCount } = notice
  if (acknowledgementCount === undefined) return null

  async function press(): Promise<void> {
    try {
      await acknowledge.mutateAsync({ noticeId, acknowledged: !acknowledged })
      await onChanged()
    } catch (error) {
      await showRefusal(error)
    }
  }

  return (
    <div className={layout.row}>
      {!isAuthor && (
        <Button
          variant={acknowledged ? 'primary' : 'secondary'}
          aria-pressed={acknowledged}
          isPending={acknowledge.isPending}
          onClick={() => void press()}
        >
          <ThumbIcon size={18} />
          {t.acknowledge}
        </Button>
      )}
      <output className={layout.hint}>
        {acknowledgementCount > 0 && t.acknowledged(acknowledgementCount.toLocaleString())}
      </output>
    </div>
  )
}
