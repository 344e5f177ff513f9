import { createLink, useNavigate } from '@tanstack/react-router'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { ListResults } from '../../../lists/list-results.tsx'
import { useColumnChoice, type ListColumn } from '../../../lists/use-columns.tsx'
import { useHref } from '../../../routes/use-href.ts'
import { LinkButton, Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { board, NO_SEARCH, type NoticeFilters } from './board.ts'
import { useMarkWords, LeadingMarks, TrailingMarks } from './marks.tsx'
import styles from './notice-search.module.css'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { type listNotices, SEARCH_TYPE, SHOW } from '../../../../contract/notices.ts'
import { columnsOf } from '../../../lists/columns.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import { FilterForm, useFilters } from '../../../lists/filter-form.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const LinkTo = createLink(LinkButton)

/** Prefetches the list for the URL. */
export const { load } = board

/**
 * Shows the page /notice/search (rules/notices#notice-board): filters and the list of notices, 9 rows a page by
 * default. A row opens its notice. The URL holds the page and the filters. Users who may publish also get links to
 * write a notice.
 */
export default function NoticeSearch() {
  const { notices, titles } = usePortalMessages()
  const t = notices.search
  const navigate = useNavigate()
  const mayPublish = useHasFunction('autho_notice_insert')
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
        mayPublish && (
          <LinkTo to="/notice/insert" variant="primary">
            {t.write}
          </LinkTo>
        )
      }
    >
      <ListResults
        page={page}
        texts={
          list.filters.searchText === '' && list.filters.show === SHOW.all
            ? t
            : { ...t, empty: t.nothingFound }
        }
        columns={columns}
        rows={page.data?.notices ?? []}
        getRowKey={(row) => row.noticeId}
        onRowAction={(row) => void navigate(detailOf(row))}
        rowHref={(row) => href(detailOf(row))}
        next={
          mayPublish && (
            <LinkTo to="/notice/insert" size="small">
              {t.write}
            </LinkTo>
          )
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

/** Row of the notice list. */
export type NoticeRow = OutputOf<typeof listNotices>['notices'][number]

/**
 * Returns the columns: No., title, author, written time (rules/notices#notice-board), then bullet and views. The badges are next to
 * the title, which is bold until the user opens the notice.
 */
export function useNoticeColumns(): ListColumn<NoticeRow>[] {
  const headers = usePortalMessages().notices.search.columns
  const { text, column } = columnsOf<NoticeRow, keyof typeof headers>(headers)
  return [
    text('rowNumber', { width: 84, align: 'center' }),
    column('title', (row) => <Title row={row} />, { isRowHeader: true, isRequired: true }),
    text('name', { width: 150 }),
    text('registeredAt', { width: 180 }),
    text('bulletName', { width: 100 }),
    column('viewCount', (row) => row.viewCount.toLocaleString(), { width: 90, align: 'right' }),
  ]
}

/**
 * Returns whether the user has yet to read a notice: it is published, by another author and never opened
 * (rules/notices#unread-titles).
 */
export const isUnread = ({ viewed, scheduled }: NoticeRow) => !viewed && !scheduled

/** Shows the title of a row with its badges, in bold if the user has not opened the notice. */
function Title({ row }: { row: NoticeRow }) {
  return (
    <span className={classes(styles.title, isUnread(row) && styles.unread)}>
      <LeadingMarks notice={row} />
      <span className={layout.ellipsis} title={row.title}>
        {row.title}
      </span>
      <TrailingMarks notice={row} hasFile={row.files.length > 0} />
    </span>
  )
}

interface Props {
  initial: NoticeFilters
  onSearch: (filters: NoticeFilters) => void
}

/**
 * Shows the fields for search type, filter and search text, and the buttons to search and to reset
 * (rules/notices#notice-search). It keeps what the user typed; only the search button or Enter passes it to
 * `onSearch`. Reset searches with no filter.
 */
export function NoticeSearchBox({ initial, onSearch }: Props) {
  const { notices, forms, lists } = usePortalMessages()
  const t = notices.search
  const { filters, bind, reset } = useFilters(initial)
  return (
    <FilterForm onSearch={() => onSearch({ ...filters, searchText: filters.searchText.trim() })}>
      <div className={styles.box}>
        <SelectField
          label={t.type}
          {...bind('searchType')}
          options={Object.values(SEARCH_TYPE).map((word) => ({ value: word, label: t.types[word] }))}
          placeholder={forms.choose}
          emptyLabel={forms.nothingToChoose}
          searchLabel={forms.searchChoices}
        />
        <SelectField
          label={t.show}
          {...bind('show')}
          options={Object.values(SHOW).map((value) => ({ value, label: t.shown[value] }))}
          placeholder={forms.choose}
          emptyLabel={forms.nothingToChoose}
          searchLabel={forms.searchChoices}
        />
        <TextField label={t.text} type="search" {...bind('searchText')} maxLength={200} autoComplete="off" />
        <Button type="submit" variant="primary" isIcon aria-label={t.submit} title={t.submit}>
          <SearchIcon />
        </Button>
        <Button
          onClick={() => {
            reset(NO_SEARCH)
            onSearch(NO_SEARCH)
          }}
        >
          {lists.reset}
        </Button>
      </div>
    </FilterForm>
  )
}
