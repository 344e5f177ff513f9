import {
  ENDING,
  ENDING_PER_PAGE,
  getUser,
  listEnding,
  listUsers,
  USER_SORTS,
  USERS_PER_PAGE,
} from '../../../contract/users.ts'
import { prefetch, query, recordQuery } from '../../api/query.ts'
import { readListState, type ListWords } from '../../lists/list-address.ts'
import { type ListState, wireSort } from '../../lists/list-state.ts'
import { NO_FILTERS, type UserFilters, wireFilters } from './search-state.ts'

/* What the user screens read first, asked for while they are on their way. */

/** What is listed, and exported. */
export const shownUsers = ({ filters, sort }: ListState<UserFilters>) => ({
  ...wireFilters(filters),
  ...wireSort(sort, USER_SORTS),
})

/** One page of the user search. */
export const usersQuery = (list: ListState<UserFilters>) =>
  query(listUsers, { ...shownUsers(list), page: list.page, perPage: USERS_PER_PAGE })

/** For /user/search. */
export function loadUserSearch(words: ListWords): void {
  void prefetch(usersQuery(readListState(words, NO_FILTERS, USER_SORTS)))
}

/** The user of /user/detail. */
export const userQuery = (userId: string) => recordQuery(getUser, { userId })

/** For /user/detail. */
export function loadUserDetail(userId: string | undefined): void {
  if (userId !== undefined) void prefetch(userQuery(userId))
}

/** One page of the accounts that end soon, or are suspended. */
export const endingQuery = (state: (typeof ENDING)[keyof typeof ENDING], page: number) =>
  query(listEnding, { state, page, perPage: ENDING_PER_PAGE })

/** For /user/validity. */
export function loadValidity(): void {
  void prefetch(endingQuery(ENDING.ending, 1))
}
