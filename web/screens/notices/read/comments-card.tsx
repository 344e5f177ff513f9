import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  COMMENTS_PER_PAGE,
  deleteComment,
  listComments,
  updateComment,
} from '../../../../contract/notices.ts'
import { query, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { useDialogForm } from '../../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useListPage } from '../../../lists/use-list-page.ts'
import { usePlainList } from '../../../lists/use-list.ts'
import { Card } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { Pager } from '../../../ui/pager.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { commentForm, FIELD_OF, NewComment } from './comment-form.tsx'
import { type Comment, CommentItem } from './comment-item.tsx'
import styles from './comments-card.module.css'
import { MentionArea } from './mention-area.tsx'
import { mentionIdsIn } from './mentions.ts'
import type { Notice } from './notice-card.tsx'

/**
 * Shows the comments on a notice page by page, with their replies, newest thread first, and a form for a new
 * comment (rules/notices#comments). A new comment opens the first page. Deletes a comment after a question, and
 * edits one in a dialog.
 */
export function CommentsCard({ notice }: { notice: Notice }) {
  const { notices, lists } = usePortalMessages()
  const t = notices.responses
  const { noticeId } = notice
  const list = usePlainList()
  const page = useListPage(
    list,
    query(listComments, { noticeId, page: list.page, perPage: COMMENTS_PER_PAGE }),
    COMMENTS_PER_PAGE,
  )
  useShowRefusal(page.error)
  const [editing, setEditing] = useState<Comment>()
  const { during, overlay } = useBusy()
  const remove = useCall(deleteComment)
  const card = useRef<HTMLElement>(null)

  /** Returns to the first page, where new comments appear. */
  function showNewest(): void {
    if (list.page === 1) page.retry()
    else list.goTo(1)
  }

  /** Deletes a comment after a question. Shows a refusal, and reads the page again in any case. */
  async function askToRemove({ commentId, name, text }: Comment): Promise<void> {
    const message = t.removeText(name, text.length > 100 ? `${text.slice(0, 100)}…` : text)
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    try {
      await during(t.removing, () => remove.mutateAsync({ commentId }))
    } catch (error) {
      await showRefusal(error)
    }
    // The button is removed with its comment.
    card.current?.focus()
    page.retry()
  }

  return (
    <Card ref={card} title={t.title((page.total ?? notice.commentCount ?? 0).toLocaleString())}>
      <NewComment notice={notice} onSent={showNewest} />
      {page.state === 'error' ? (
        <ErrorState message={t.failed} retryLabel={lists.retry} onRetry={page.retry} />
      ) : page.data === undefined ? (
        <p className={styles.waiting}>{t.loading}</p>
      ) : page.data.comments.length === 0 ? (
        <EmptyState message={t.empty} />
      ) : (
        <ul className={styles.list} aria-label={t.list} aria-busy={page.state === 'loading'}>
          {page.data.comments.map((comment) => (
            <CommentItem
              key={comment.commentId}
              comment={comment}
              noticeId={noticeId}
              onReplied={page.retry}
              onEdit={() => setEditing(comment)}
              onRemove={() => void askToRemove(comment)}
            />
          ))}
        </ul>
      )}
      {page.pageCount > 1 && (
        <Pager
          page={list.page}
          pageCount={page.pageCount}
          onChange={list.goTo}
          labels={{ ...lists.pager, nav: `${t.list} ${lists.pager.nav}` }}
        />
      )}
      {editing !== undefined && (
        <EditDialog
          comment={editing}
          noticeId={noticeId}
          onClose={() => setEditing(undefined)}
          onSaved={() => {
            flushSync(() => setEditing(undefined))
            page.retry()
          }}
        />
      )}
      {overlay}
    </Card>
  )
}

interface EditProps {
  comment: Comment
  noticeId: string
  onClose: () => void
  onSaved: () => void
}

/**
 * Shows the dialog that changes the text of the user's own comment. Calls `onSaved` after the change, also if a
 * refusal means that the dialog is out of date, and `onClose` if the user cancels.
 */
function EditDialog({ comment: { commentId, text }, noticeId, onClose, onSaved }: EditProps) {
  const t = usePortalMessages().notices.responses
  const update = useCall(updateComment)
  const { form, onSubmit } = useDialogForm({
    schema: commentForm,
    initial: { text, mentions: [] },
    submit: (values) =>
      update.mutateAsync({ commentId, text: values.text, mentionIds: mentionIdsIn(values) }),
    fieldOf: FIELD_OF,
    onClose: onSaved,
  })
  return (
    <FormDialog
      title={t.editTitle}
      about={commentId}
      form={form}
      onSubmit={onSubmit}
      onClose={onClose}
      submitLabel={t.save}
    >
      <MentionArea noticeId={noticeId} label={t.text} rows={6} />
    </FormDialog>
  )
}
