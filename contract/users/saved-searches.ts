import * as z from 'zod/mini'
import { USER_READERS } from '../permissions.ts'
import { endpoint } from '../endpoint.ts'
import { line, paging, recordId, sorting } from '../fields.ts'
import { USER_SORTS, USERS_PER_PAGE, userFilters } from './list.ts'

/** The most saved searches of a user (rules/users#saved-searches). */
export const SAVED_SEARCHES_MAX = 20

/** The longest name of a saved search, in characters. */
export const SEARCH_NAME_MAX = 40

/** Schema of the name of a saved search. Names are unique among the searches of a user, compared case-insensitively. */
export const searchName = line(SEARCH_NAME_MAX)

/** The stored conditions: every input of `listUsers` except the paging. */
export const searchConditions = {
  ...userFilters,
  ...sorting(USER_SORTS),
  perPage: paging(USERS_PER_PAGE).perPage,
}

/**
 * Lists the caller's own saved searches by name, each with its filters whose values no longer exist (rules/users#saved-searches).
 */
export const listSavedSearches = endpoint({
  path: '/stm/v1/get/searches',
  summary: 'List my saved searches of users',
  access: { function: USER_READERS },
  output: z.object({
    searches: z.array(
      z.object({
        searchId: z.string(),
        searchName: z.string(),
        conditions: z.object(searchConditions),
        /** The filters whose value no longer exists, with the last name of that value. */
        missing: z.array(z.object({ field: z.string(), missingName: z.string() })),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Saves a search of the user list under a name, for the caller only. It is a preference, so it is not logged
 * (design/search#saved-searches). SEARCH_NAME_TAKEN for a name that the caller uses already; SEARCHES_FULL beyond
 * `SAVED_SEARCHES_MAX`.
 */
export const saveSearch = endpoint({
  path: '/stm/v1/ins/search',
  summary: 'Save a search of the user list',
  access: { function: USER_READERS },
  input: z.strictObject({ searchName, conditions: z.strictObject(searchConditions) }),
  output: z.object({ searchId: z.string() }),
  errors: ['SEARCH_NAME_TAKEN', 'SEARCHES_FULL'],
  audit: 'none',
  personal: 'none',
})

/**
 * Renames one of the caller's own saved searches. SEARCH_NOT_FOUND for any other; SEARCH_NAME_TAKEN for the name of
 * another search of the caller.
 */
export const renameSearch = endpoint({
  path: '/stm/v1/upd/search',
  summary: 'Rename a saved search',
  access: { function: USER_READERS },
  input: z.strictObject({ searchId: recordId, searchName }),
  errors: ['SEARCH_NOT_FOUND', 'SEARCH_NAME_TAKEN'],
  audit: 'none',
  personal: 'none',
})

/** Deletes one of the caller's own saved searches. SEARCH_NOT_FOUND for any other. */
export const removeSearch = endpoint({
  path: '/stm/v1/del/search',
  summary: 'Delete a saved search',
  access: { function: USER_READERS },
  input: z.strictObject({ searchId: recordId }),
  errors: ['SEARCH_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
})
