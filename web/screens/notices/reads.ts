import { getNotice, listNotices, NOTICES_PER_PAGE } from '../../../contract/notices.ts'
import { prefetch, query, recordQuery } from '../../api/query.ts'
import { inputOf, searchOf, type NoticeSearch, type SearchWords } from './search-address.ts'

/* What the notice screens read first, asked for while they are on their way. */

/** One page of the board. */
export const noticesQuery = (search: NoticeSearch) =>
  query(listNotices, { ...inputOf(search), perPage: NOTICES_PER_PAGE })

/** For /notice/search. */
export function loadNoticeSearch(words: SearchWords): void {
  void prefetch(noticesQuery(searchOf(words)))
}

/** The notice of /notice/detail. */
export const noticeQuery = (noticeId: string) => recordQuery(getNotice, { noticeId })

/** For /notice/detail. */
export function loadNoticeDetail({ noticeId }: { noticeId?: string }): void {
  if (noticeId !== undefined) void prefetch(noticeQuery(noticeId))
}
