import { createLink, useNavigate } from '@tanstack/react-router'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import { useHref } from '../../routes/use-href.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { board } from './board.ts'
import { useNoticeColumns, type NoticeRow } from './notice-columns.tsx'
import { NoticeSearchBox } from './notice-search-box.tsx'

const LinkTo = createLink(LinkButton)

export const { load } = board

/**
 * /notice/search (rules/notices#notice-board): the board, 9 rows a page; page, type and text of the search stand in the
 * address.
 */
export default function NoticeSearch() {
  const { notices, titles } = usePortalMessages()
  const t = notices.search
  const navigate = useNavigate()
  const list = board.useList()
  const page = board.usePage(list)
  useShowRefusal(page.error)

  const href = useHref()
  const detailOf = ({ noticeId, userId: writer }: NoticeRow) => ({
    to: '/notice/detail' as const,
    search: { noticeId, writer, ...board.write(list) },
  })

  return (
    <Page
      title={titles.noticeSearch}
      actions={
        <LinkTo to="/notice/insert" variant="primary">
          {t.write}
        </LinkTo>
      }
    >
      <ListResults
        page={page}
        texts={list.filters.searchText === '' ? t : { ...t, empty: t.nothingFound }}
        columns={useNoticeColumns()}
        rows={page.data?.notices ?? []}
        getRowKey={(row) => row.noticeId}
        onRowAction={(row) => void navigate(detailOf(row))}
        rowHref={(row) => href(detailOf(row))}
        rowActionLabel={(row) => t.open(row.title)}
      >
        <NoticeSearchBox initial={list.filters} onSearch={page.submit} />
      </ListResults>
    </Page>
  )
}
