import { listUsers, USER_SORTS, USERS_PER_PAGE } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { shownBy } from '../../../lists/list-state.ts'
import { defineList } from '../../../lists/use-list.ts'
import { filterInput, NO_FILTERS } from './search-state.ts'

/** The filters and orders of the list and its export. */
export const shown = shownBy(filterInput, USER_SORTS)

/** The user search. */
export const userList = defineList({
  path: '/user/search',
  filters: NO_FILTERS,
  sorts: USER_SORTS,
  perPage: USERS_PER_PAGE,
  query: (list, perPage) => query(listUsers, { ...shown(list), page: list.page, perPage }),
})
