import { createLink } from '@tanstack/react-router'
import { deleteNotice, listNotices } from '../../../../contract/notices.ts'
import { invalidate, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import type { Notice } from './notice-card.tsx'
import type { BoardWords } from '../search/board.ts'

const LinkTo = createLink(LinkButton)

interface Props {
  notice: Notice
  search: BoardWords
  toList: () => Promise<void>
}

/**
 * Links to the list with the saved search. Shows delete and edit to those who may (rules/notices#who-edits-notices).
 */
export function NoticeActions({ notice, search, toList }: Props) {
  const t = usePortalMessages().notices.detail
  const remove = useCall(deleteNotice)
  const { during, overlay } = useBusy()

  async function askToRemove(): Promise<void> {
    const message = t.removeText(notice.title)
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    try {
      await during(t.removing, () => remove.mutateAsync({ noticeId: notice.noticeId }))
    } catch (error) {
      return showRefusal(error)
    }
    void invalidate(listNotices)
    await toList()
  }

  return (
    <>
      <FormActions
        start={
          <>
            <LinkTo to="/notice/search" search={search}>
              {t.list}
            </LinkTo>
            {notice.editable && (
              <Button variant="danger" onClick={() => void askToRemove()}>
                {t.remove}
              </Button>
            )}
          </>
        }
      >
        {notice.editable && (
          <LinkTo
            to="/notice/insert"
            search={{ noticeId: notice.noticeId, writer: notice.userId, ...search }}
            variant="primary"
          >
            {t.edit}
          </LinkTo>
        )}
      </FormActions>
      {overlay}
    </>
  )
}
