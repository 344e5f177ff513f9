import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createLink, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { listNotices, NOTICES_PER_PAGE } from '../../../contract/notices.ts'
import { prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { Pager } from '../../ui/pager.tsx'
import {
  inputOf,
  searchOf,
  wordsOf,
  type NoticeSearch as Search,
  type SearchWords,
} from './search-address.ts'
import { NoticeSearchBox } from './notice-search-box.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-search.module.css'
import { NoticeTable, type NoticeRow } from './notice-table.tsx'

const LinkTo = createLink(LinkButton)

const noticesQuery = (search: Search) => query(listNotices, { ...inputOf(search), perPage: NOTICES_PER_PAGE })

/** Asks for the page of the board that the address shows. */
export function load(words: SearchWords): void {
  void prefetch(noticesQuery(searchOf(words)))
}

/**
 * /notice/search (rules/notices#notice-board): the board, 9 rows a page; page, type and text of the search stand in the
 * address.
 */
export function NoticeSearch() {
  const { notices: words, frame, lists } = usePortalMessages()
  const t = words.search
  const navigate = useNavigate()
  const search = searchOf(useSearch({ from: '/framed/notice/search' }))
  const notices = useNotices(search)
  const total = useLast(notices.data?.totalCount)
  const pageCount = Math.ceil((total ?? 0) / NOTICES_PER_PAGE)

  // A page that no longer exists, as after deleting what was on it: the last one there is.
  const isPastEnd = notices.isSuccess && !notices.isFetching && pageCount > 0 && search.page > pageCount
  const toLastPage = useEffectEvent(() =>
    navigate({ to: '/notice/search', search: wordsOf({ ...search, page: pageCount }), replace: true }),
  )
  useEffect(() => {
    if (isPastEnd) void toLastPage()
  }, [isPastEnd])

  function go(to: Search): void {
    if (JSON.stringify(to) === JSON.stringify(search)) void notices.refetch()
    else void navigate({ to: '/notice/search', search: wordsOf(to) })
  }

  function open(row: NoticeRow): void {
    const { noticeId, userId: writer } = row
    void navigate({ to: '/notice/detail', search: { noticeId, writer, ...wordsOf(search) } })
  }

  return (
    <Page
      title={frame.titles.noticeSearch}
      actions={
        <LinkTo to="/notice/insert" variant="primary">
          {t.write}
        </LinkTo>
      }
    >
      <div className={styles.bar}>
        <output className={layout.line}>{total !== undefined && t.total(total.toLocaleString())}</output>
        <NoticeSearchBox
          // What the address says, also after the back button.
          key={`${search.type} ${search.text}`}
          search={search}
          onSearch={(type, text) => go({ page: 1, type, text })}
        />
      </div>
      <NoticeTable
        rows={notices.data?.notices ?? []}
        state={notices.isFetching || isPastEnd ? 'loading' : notices.isError ? 'error' : 'ready'}
        error={notices.error?.isUnavailable === false ? notices.error.msg : t.failed}
        empty={search.text === '' ? t.empty : t.nothingFound}
        onRetry={() => void notices.refetch()}
        onOpen={open}
      />
      <Pager
        page={search.page}
        pageCount={pageCount}
        onChange={(page) => go({ ...search, page })}
        labels={lists.pager}
      />
    </Page>
  )
}

/** One page of notices; the previous rows stay while the next load. */
function useNotices(search: Search) {
  const notices = useQuery({ ...noticesQuery(search), placeholderData: keepPreviousData })
  useShowRefusal(notices.error)
  return notices
}

/** The last known value: a page that failed to load leaves the pager and the count as they were. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
