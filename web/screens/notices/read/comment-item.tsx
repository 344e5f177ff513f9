import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { listComments } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { showToast } from '../../../ui/toasts.ts'
import { PersonName } from '../../users/record/person-name.tsx'
import { ReplyForm } from './comment-form.tsx'
import styles from './comments-card.module.css'
import { LinkedText } from './links.tsx'

/** A comment of the list. */
export type Comment = OutputOf<typeof listComments>['comments'][number]

interface Props {
  comment: Comment
  noticeId: string
  /** Called when the user wants to edit the comment. */
  onEdit: () => void
  /** Called when the user wants to delete it; the caller asks for confirmation. */
  onRemove: () => void
  /** Called after the user has answered the comment. */
  onReplied: () => void
}

/**
 * Shows a comment or a reply with its author, time and mentions, and a button that opens the form for a reply
 * (rules/notices#replies). Its writer also gets a button to edit it, and users who may delete it one to delete it.
 * A deleted comment is only a text that says so.
 */
export function CommentItem({ comment, noticeId, onEdit, onRemove, onReplied }: Props) {
  const { responses: t, detail } = usePortalMessages().notices
  const nameId = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [isReplying, setIsReplying] = useState(false)
  const { name, userId, registeredAt, edited, editable, removable, text, reply, deleted } = comment
  const { answeredName, mentionedNames } = comment
  const className = classes(styles.comment, reply && styles.reply)
  if (deleted)
    return (
      <li className={className}>
        <p className={styles.waiting}>{t.deleted}</p>
      </li>
    )

  function closeReply(): void {
    flushSync(() => setIsReplying(false))
    opener.current?.focus()
  }

  return (
    <li className={className} aria-labelledby={nameId}>
      <div className={styles.head}>
        <b id={nameId} className={styles.name}>
          <PersonName userId={userId} name={name} /> ({userId})
        </b>
        {answeredName !== undefined && <span>{t.replyTo(answeredName)}</span>}
        <time dateTime={registeredAt.replace(' ', 'T')}>{minuteOf(registeredAt)}</time>
        {edited && <span>{t.edited}</span>}
        <span className={styles.buttons}>
          <Button
            ref={opener}
            size="small"
            variant="quiet"
            aria-label={t.reply(name)}
            aria-expanded={isReplying}
            onClick={() => setIsReplying(true)}
          >
            {t.replyButton}
          </Button>
          {editable && (
            <Button size="small" variant="quiet" aria-label={t.edit(name)} onClick={onEdit}>
              {t.editButton}
            </Button>
          )}
          {removable && (
            <Button size="small" variant="quiet" aria-label={t.remove(name)} onClick={onRemove}>
              {t.removeButton}
            </Button>
          )}
        </span>
      </div>
      <p className={styles.text}>
        <LinkedText
          text={text}
          origin={location.origin}
          newWindow={detail.opensNewWindow}
          names={mentionedNames}
        />
      </p>
      {isReplying && (
        <ReplyForm
          noticeId={noticeId}
          answered={comment}
          onClose={closeReply}
          onSent={() => {
            closeReply()
            // The reply may be on the next page.
            showToast(t.replied)
            onReplied()
          }}
        />
      )}
    </li>
  )
}
