import { listUsers, USER_SORTS, USERS_PER_PAGE } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { shownBy } from '../../../lists/list-state.ts'
import { defineList } from '../../../lists/use-list.ts'
import { ACCEPTS, clean, filterInput, NO_FILTERS } from './search-state.ts'

/** Converts the state of the user list, without the page, to the input of the list and export calls. */
export const shownFields = shownBy(filterInput, USER_SORTS)

/** Definition of the user list at /user/search: filters, order, page size and query. */
export const userList = defineList({
  path: '/user/search',
  filters: NO_FILTERS,
  accepts: ACCEPTS,
  clean,
  sorts: USER_SORTS,
  perPage: USERS_PER_PAGE,
  query: (list, perPage) => query(listUsers, { ...shownFields(list), page: list.page, perPage }),
})
