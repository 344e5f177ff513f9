import { listRequests, REQUESTS_PER_PAGE } from '../../../contract/approvals.ts'
import { prefetch, query } from '../../api/query.ts'
import { readListState, type ListWords } from '../../lists/list-address.ts'

/* What /user/approval reads first, asked for while it is on its way. */

/** One page of those who wait. */
export const requestsQuery = (page: number) => query(listRequests, { page, perPage: REQUESTS_PER_PAGE })

/** For /user/approval. */
export function loadApprovals(words: ListWords): void {
  void prefetch(requestsQuery(readListState(words, {}, []).page))
}
