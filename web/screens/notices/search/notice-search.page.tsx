import { createLink, useNavigate } from '@tanstack/react-router'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { ListResults } from '../../../lists/list-results.tsx'
import { useColumnChoice } from '../../../lists/use-columns.tsx'
import { useHref } from '../../../routes/use-href.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { board } from './board.ts'
import { useMarkWords } from './marks.tsx'
import styles from './notice-search.module.css'
import { isUnread, useNoticeColumns, type NoticeRow } from './notice-columns.tsx'
import { NoticeSearchBox } from './notice-search-box.tsx'

const LinkTo = createLink(LinkButton)

export const { load } = board

/**
 * The page /notice/search (rules/notices#notice-board): the board, 9 rows a page. The URL holds the page, type and text of the
 * search.
 */
export default function NoticeSearch() {
  const { notices, titles } = usePortalMessages()
  const t = notices.search
  const navigate = useNavigate()
  const list = board.useList()
  const { columns, chooser } = useColumnChoice('notices', useNoticeColumns())
  const page = board.usePage(list)
  const marksOf = useMarkWords()
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
        columns={columns}
        rows={page.data?.notices ?? []}
        getRowKey={(row) => row.noticeId}
        onRowAction={(row) => void navigate(detailOf(row))}
        rowHref={(row) => href(detailOf(row))}
        next={
          <LinkTo to="/notice/insert" size="small">
            {t.write}
          </LinkTo>
        }
        rowActionLabel={(row) => {
          const { icons, words } = marksOf(row, row.files.length > 0)
          return (isUnread(row) ? t.openUnread : t.open)([...words, row.title].join(' '), icons)
        }}
      >
        <NoticeSearchBox initial={list.filters} onSearch={page.submit} />
        <div className={styles.chooser}>{chooser}</div>
      </ListResults>
    </Page>
  )
}
