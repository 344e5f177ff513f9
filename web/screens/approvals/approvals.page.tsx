import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { listRequests, REQUESTS_PER_PAGE } from '../../../contract/approvals.ts'
import { invalidate, prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { readListState, type ListWords } from '../../lists/list-address.ts'
import { useListPage } from '../../lists/use-list-page.ts'
import { useListInAddress } from '../../lists/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import layout from '../../ui/layout.module.css'
import styles from './approvals.module.css'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RequestTable, type RequestRow } from './request-table.tsx'

const requestsQuery = (page: number) => query(listRequests, { page, perPage: REQUESTS_PER_PAGE })

/** Asks for the page that the address shows. */
export function load(words: ListWords): void {
  void prefetch(requestsQuery(readListState(words, {}, []).page))
}

/**
 * /user/approval (rules/approvals#waiting-requests): who waits for approval, oldest first; one or many are approved or
 * refused at once.
 */
export default function Approvals() {
  const { approvals: t, titles, lists } = usePortalMessages()
  const navigate = useNavigate()
  const list = useListInAddress('/user/approval', {}, [])
  const page = useListPage(list, requestsQuery(list.page), REQUESTS_PER_PAGE)
  const { total, error } = page
  useShowRefusal(error)
  const rows = page.data?.requests ?? []

  const [chosenIds, choose] = useState<ReadonlySet<string>>(new Set())
  // What left the page, because somebody decided it or another page is shown, is chosen no more.
  const chosen = rows.filter(({ requestId }) => chosenIds.has(requestId))
  const [deciding, setDeciding] = useState<'approve' | 'refuse'>()
  const place = useRef<HTMLDivElement>(null)

  async function finish(message: string): Promise<void> {
    setDeciding(undefined)
    await dialogs.alert({ tone: 'success', message })
    choose(new Set())
    await invalidate(listRequests)
    // The buttons are out of use now and would drop the keyboard focus.
    place.current?.focus()
  }

  /** Somebody else was quicker, or what was looked at has changed: the person looks again. */
  async function lookAgain(): Promise<void> {
    setDeciding(undefined)
    await invalidate(listRequests)
  }

  const open = (row: RequestRow) =>
    void navigate({ to: '/user/detail', state: { userId: row.userId, backTo: '/user/approval' } })

  return (
    <Page title={titles.approvals}>
      <div className={layout.stack} ref={place} tabIndex={-1}>
        <ListBar total={total !== undefined && t.total(total.toLocaleString())}>
          <output className={styles.selected}>{chosen.length > 0 && t.selected(chosen.length)}</output>
          <Button variant="danger" isDisabled={chosen.length === 0} onClick={() => setDeciding('refuse')}>
            {t.refuse}
          </Button>
          <Button variant="primary" isDisabled={chosen.length === 0} onClick={() => setDeciding('approve')}>
            {t.approve}
          </Button>
        </ListBar>
        <RequestTable
          rows={rows}
          state={page.state}
          error={error?.isUnavailable === false ? error.msg : t.failed}
          onRetry={page.retry}
          chosen={chosenIds}
          onChoose={choose}
          onOpen={open}
        />
        <Pager page={list.page} pageCount={page.pageCount} onChange={list.goTo} labels={lists.pager} />
      </div>
      {deciding === 'approve' && (
        <ApproveDialog
          requests={chosen}
          onDone={(count) => void finish(t.approved(count))}
          onStale={() => void lookAgain()}
          onClose={() => setDeciding(undefined)}
        />
      )}
      {deciding === 'refuse' && (
        <RefuseDialog
          requests={chosen}
          onDone={(count) => void finish(t.refused(count))}
          onStale={() => void lookAgain()}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Page>
  )
}
