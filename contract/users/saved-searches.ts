import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, paging, recordId, sorting } from '../fields.ts'
import { USER_SORTS, USERS_PER_PAGE, userFilters } from './list.ts'

/** How many searches a person keeps (rules/users#saved-searches). */
export const SAVED_SEARCHES_MAX = 20

/** How long the name of one is. */
export const SEARCH_NAME_MAX = 40

/** What a search is called by whoever keeps it; in their list there is no second of this name, whatever its case. */
export const searchName = line(SEARCH_NAME_MAX)

/** What is kept of the user list: all that `listUsers` takes but the page. */
export const searchConditions = {
  ...userFilters,
  ...sorting(USER_SORTS),
  perPage: paging(USERS_PER_PAGE).perPage,
}

const manage = { function: ['autho_user_manage'] } as const

/** The caller's own saved searches by name, each with what of it is no longer there (rules/users#saved-searches). */
export const listSavedSearches = endpoint({
  path: '/stm/v1/get/searches',
  summary: 'My saved searches of the user list',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    searches: z.array(
      z.object({
        searchId: z.string(),
        searchName: z.string(),
        conditions: z.object(searchConditions),
        /** Which of its filters narrow by something that is no longer there, and what that was called. */
        missing: z.array(z.object({ field: z.string(), missingName: z.string() })),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Keeps a search of the user list under a name. A preference of the caller's alone, and so not on record (design/search#saved-searches). */
export const saveSearch = endpoint({
  path: '/stm/v1/ins/search',
  summary: 'Save a search of the user list',
  access: manage,
  input: z.strictObject({ searchName, conditions: z.strictObject(searchConditions) }),
  output: z.object({ searchId: z.string() }),
  errors: ['SEARCH_NAME_TAKEN', 'SEARCHES_FULL'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})

/** Gives one of the caller's own saved searches another name. */
export const renameSearch = endpoint({
  path: '/stm/v1/upd/search',
  summary: 'Rename a saved search',
  access: manage,
  input: z.strictObject({ searchId: recordId, searchName }),
  output: z.object({}),
  errors: ['SEARCH_NOT_FOUND', 'SEARCH_NAME_TAKEN'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})

/** Deletes one of the caller's own saved searches. */
export const removeSearch = endpoint({
  path: '/stm/v1/del/search',
  summary: 'Delete a saved search',
  access: manage,
  input: z.strictObject({ searchId: recordId }),
  output: z.object({}),
  errors: ['SEARCH_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})
