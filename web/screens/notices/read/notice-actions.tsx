import { createLink, Link } from '@tanstack/react-router'
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
import layout from '../../../ui/layout.module.css'
import styles from './neighbours.module.css'

const LinkTo = createLink(LinkButton)

interface Props {
  notice: Notice
  /** URL parameters of the list that the user came from. */
  search: BoardWords
  /** Navigates back to the list. */
  toList: () => Promise<void>
}

/**
 * Shows a link back to the list with its search. Users who may edit the notice (rules/notices#who-edits-notices)
 * also get a link to the form, and a button that deletes the notice after a question and then opens the list.
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

/**
 * Shows links to the next newer and the next older notice, or a text if there is none. They keep the search for the way
 * back to the list.
 */
export function Neighbours({ notice, search }: { notice: Notice; search: BoardWords }) {
  const t = usePortalMessages().notices.detail
  const row = (label: string, to: Notice['next'], none: string) => (
    <li>
      <span className={styles.label}>{label}</span>
      {to === null ? (
        <span className={layout.quiet}>{none}</span>
      ) : (
        <Link
          to="/notice/detail"
          search={{ noticeId: to.noticeId, writer: to.userId, ...search }}
          title={to.title}
        >
          {to.title}
        </Link>
      )}
    </li>
  )
  return (
    <nav className={styles.nav} aria-label={t.neighbours}>
      <ul className={styles.list}>
        {row(t.next, notice.next, t.noNext)}
        {row(t.previous, notice.previous, t.noPrevious)}
      </ul>
    </nav>
  )
}
