import { useEffect } from 'react'
import * as z from 'zod/mini'
import { commentText, createComment } from '../../../../contract/notices.ts'
import { useCall } from '../../../api/query.ts'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/show-refusal-on-field.ts'
import { useFormDraft } from '../../../forms/use-form-draft.tsx'
import { useCloseGuard, useLeaveGuard } from '../../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import type { Comment } from './comment-item.tsx'
import styles from './comments-card.module.css'
import { MentionArea } from './mention-area.tsx'
import { mentionIdsIn } from './mentions.ts'
import type { Notice } from './notice-card.tsx'

/** Schema of the forms that write a comment: its text, and the users whom the writer selected to mention. */
export const commentForm = z.object({
  text: commentText,
  mentions: z.array(z.object({ mentionId: z.string(), name: z.string(), place: z.optional(z.string()) })),
})
type Values = z.output<typeof commentForm>

/** Fields at which refusals of comments are shown, by error code. */
export const FIELD_OF = { MENTION_NOT_FOUND: 'text', MENTIONS_TOO_MANY: 'text' } as const

/** Values of a form without input. */
const EMPTY: Values = { text: '', mentions: [] }

/**
 * Shows the form for a new comment on a notice. After a send it empties the form, keeps the focus in it and calls
 * `onSent`. Unsaved input is stored as a draft, also when the user leaves the page (rules/frame#kept-drafts).
 */
export function NewComment({ notice, onSent }: { notice: Notice; onSent: () => void }) {
  const t = usePortalMessages().notices.responses
  const { noticeId, title } = notice
  const form = useSchemaForm(commentForm, EMPTY, 'onSubmit')
  const create = useCall(createComment)
  const draft = useFormDraft(form, {
    about: `comment-on-${noticeId}`,
    href: `/notice/detail?noticeId=${noticeId}`,
    nameOf: () => title,
    keepOnLeave: true,
  })

  async function send(values: Values): Promise<void> {
    try {
      await create.mutateAsync({ noticeId, text: values.text, mentionIds: mentionIdsIn(values) })
    } catch (error) {
      await showRefusalOnField(error, form, FIELD_OF)
      return
    }
    draft.forget()
    // Set the focus before the reset creates the fields again.
    form.setFocus('text')
    form.reset(EMPTY)
    onSent()
  }

  return (
    <Form form={form} draft={null} onSubmit={send} className={styles.form}>
      {draft.offer}
      <MentionArea noticeId={noticeId} label={t.text} rows={3} />
      <FormActions>
        <Button type="submit" isPending={form.formState.isSubmitting}>
          {t.send}
        </Button>
      </FormActions>
    </Form>
  )
}

interface ReplyProps {
  noticeId: string
  answered: Comment
  onClose: () => void
  onSent: () => void
}

/**
 * Shows the form for a reply to a comment, with the focus in its field. Its buttons send the reply (then `onSent`)
 * or close the form, as Escape does. Asks before typed text is lost (rules/frame#unsaved-changes).
 */
export function ReplyForm({ noticeId, answered: { commentId, name }, onClose, onSent }: ReplyProps) {
  const { notices, forms } = usePortalMessages()
  const t = notices.responses
  const form = useSchemaForm(commentForm, EMPTY, 'onSubmit')
  const create = useCall(createComment)
  const { isDirty, isSubmitting } = form.formState
  const close = useCloseGuard(isDirty, onClose, isSubmitting)
  const { allowLeave } = useLeaveGuard(isDirty)
  const { setFocus } = form
  useEffect(() => setFocus('text'), [setFocus])

  async function send(values: Values): Promise<void> {
    try {
      await create.mutateAsync({
        noticeId,
        text: values.text,
        answeredId: commentId,
        mentionIds: mentionIdsIn(values),
      })
    } catch (error) {
      await showRefusalOnField(error, form, FIELD_OF)
      return
    }
    allowLeave()
    onSent()
  }

  return (
    // The keys are those of its fields and buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onKeyDown={(event) => {
        // While an input method composes, Escape belongs to it.
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        close()
      }}
    >
      <Form form={form} draft={`reply-to-${commentId}`} onSubmit={send} className={styles.form}>
        <MentionArea noticeId={noticeId} label={t.replyText(name)} rows={3} />
        <FormActions>
          <Button onClick={close}>{forms.cancel}</Button>
          <Button type="submit" isPending={isSubmitting}>
            {t.replySend}
          </Button>
        </FormActions>
      </Form>
    </div>
  )
}
