import { listUsers, USER_SORTS, USERS_PER_PAGE } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { type ListState, sortInput } from '../../lists/list-state.ts'
import { defineList } from '../../lists/use-list.ts'
import { filterInput, NO_FILTERS, type UserFilters } from './search-state.ts'

/** What is listed, and exported. */
export const shown = ({ filters, sort }: ListState<UserFilters>) => ({
  ...filterInput(filters),
  ...sortInput(sort, USER_SORTS),
})

/** The user search. */
export const userList = defineList({
  filters: NO_FILTERS,
  sorts: USER_SORTS,
  perPage: USERS_PER_PAGE,
  query: (list) => query(listUsers, { ...shown(list), page: list.page, perPage: USERS_PER_PAGE }),
})
