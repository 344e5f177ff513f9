import { createLink, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { listRequests, REQUESTS_PER_PAGE } from '../../../contract/approvals.ts'
import { isRunnersName } from '../../../contract/reserved-names.ts'
import { invalidate, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { isChange, useRequestColumns, type RequestRow } from './request-columns.tsx'
import styles from './approvals.module.css'
import { showToast } from '../../ui/toasts.ts'

const LinkTo = createLink(LinkButton)

/** Filter that finds all open requests. */
const NO_FILTERS = { keyword: '' }

/** Definition of the list of open requests. */
const waiting = defineList({
  path: '/user/approval',
  filters: NO_FILTERS,
  perPage: REQUESTS_PER_PAGE,
  query: ({ filters, page }, perPage) => query(listRequests, { ...filters, page, perPage }),
})

const loadDialogs = () => import('./decision-dialogs.tsx')

/** Prefetches the list for the URL. */
export const { load } = waiting

/**
 * The page /user/approval (rules/approvals#waiting-requests): requests that wait for approval, oldest first, with
 * a search. The user selects one or several of one kind, and two buttons open the dialog that approves or rejects
 * them. A row opens the account.
 */
export default function Approvals() {
  const { approvals: t, titles } = usePortalMessages()
  const navigate = useNavigate()
  const href = useHref()
  const list = waiting.useList()
  const page = waiting.usePage(list)
  useShowRefusal(page.error)
  const rows = page.data?.requests ?? []

  const [chosenIds, choose] = useState<ReadonlySet<string>>(new Set())
  // A row that has left the page, because of a decision or paging, is no longer selected.
  const chosen = rows.filter(({ requestId }) => chosenIds.has(requestId))
  // Requests of both kinds are selected, which no decision takes together.
  const isMixed = chosen.some(isChange) && !chosen.every(isChange)
  // Changes of the list do not affect an open dialog.
  const [deciding, setDeciding] = useState<{ how: 'approve' | 'refuse'; requests: typeof chosen }>()
  const parts = useLazyPart(loadDialogs)
  const place = useRef<HTMLDivElement>(null)

  /** Opens the dialog for the selected requests. */
  function decide(how: 'approve' | 'refuse'): void {
    setDeciding({ how, requests: chosen })
    parts.open()
  }

  /** Closes the dialog after a decision, shows its message, clears the selection and reads the list again. */
  async function finish(message: string): Promise<void> {
    setDeciding(undefined)
    showToast(message)
    choose(new Set())
    await invalidate(listRequests)
    // The buttons are now disabled and would lose the keyboard focus.
    place.current?.focus()
  }

  const dialog = {
    requests: deciding?.requests ?? [],
    /** Closes the dialog if another user decided first or the request has changed, so that this user checks again. */
    onStale: () => {
      setDeciding(undefined)
      void invalidate(listRequests)
    },
    onClose: () => setDeciding(undefined),
  }

  const areChanges = dialog.requests.some(isChange)
  const Approve = areChanges ? parts.opened?.ApproveChangeDialog : parts.opened?.ApproveDialog

  const open = (row: RequestRow) =>
    void navigate({ to: '/user/detail', state: { userId: row.userId, backTo: '/user/approval' } })

  return (
    <Page title={titles.approvals}>
      <div ref={place} tabIndex={-1} className={layout.parts}>
        <Filters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={{ ...t, results: t.list, empty: list.clear ? t.noMatches : t.empty }}
          next={
            <LinkTo to="/user/search" size="small">
              {titles.userSearch}
            </LinkTo>
          }
          columns={useRequestColumns(rows, chosenIds, choose)}
          rows={rows}
          getRowKey={(row) => row.requestId}
          onRowAction={open}
          rowHref={({ userId }) => href({ to: '/user/detail', search: { userId } })}
          // The label includes the badges next to the name.
          rowActionLabel={({ name, refusedCount }) =>
            t.open(
              [
                name,
                ...(isRunnersName(name) ? [t.likeRunner] : []),
                ...(refusedCount > 0 ? [t.refusedBefore(refusedCount)] : []),
              ].join(' '),
            )
          }
          onTicked={
            <>
              <output className={styles.selected}>
                {chosen.length > 0 && (isMixed ? t.mixed : t.selected(chosen.length))}
              </output>
              <Button
                variant="danger"
                isDisabled={chosen.length === 0 || isMixed}
                onClick={() => decide('refuse')}
              >
                {t.refuse}
              </Button>
              <Button
                variant="primary"
                isDisabled={chosen.length === 0 || isMixed}
                onClick={() => decide('approve')}
              >
                {t.approve}
              </Button>
            </>
          }
        />
      </div>
      {deciding?.how === 'approve' && Approve && (
        <Approve {...dialog} onDone={(message) => void finish(message)} />
      )}
      {deciding?.how === 'refuse' && parts.opened && (
        <parts.opened.RefuseDialog
          {...dialog}
          areChanges={areChanges}
          onDone={(message) => void finish(message)}
        />
      )}
    </Page>
  )
}

interface FiltersProps {
  initial: typeof NO_FILTERS
  onSearch: (filters: typeof NO_FILTERS) => void
}

/** Shows the search field with the buttons to search and to reset. Reset searches without a keyword. */
function Filters({ initial, onSearch }: FiltersProps) {
  const { users } = usePortalMessages()
  const { filters, bind, reset } = useFilters(initial)
  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }
  return (
    <FilterForm onSearch={() => onSearch(filters)}>
      <FilterBar actions={<SearchButtons onReset={clear} />}>
        <TextField
          label={users.search.keyword}
          placeholder={users.search.keywordHint}
          {...bind('keyword')}
          maxLength={100}
          autoComplete="off"
        />
      </FilterBar>
    </FilterForm>
  )
}
