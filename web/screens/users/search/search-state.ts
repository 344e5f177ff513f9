import { ALL } from '../../../../contract/common.ts'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import {
  LAST_LOGIN,
  LAST_LOGIN_DAYS,
  type listSavedSearches,
  type listUsers,
  VALIDITY,
} from '../../../../contract/users.ts'
import type { Filters, ListState } from '../../../lists/list-state.ts'

/** A search that filters nothing. */
export const NO_FILTERS = {
  keyword: '',
  affiliationCode: ALL,
  name: '',
  phoneNumber: '',
  approvalCode: ALL,
  roleCode: ALL,
  partnerCode: '',
  validity: ALL,
  lastLogin: ALL,
  lastLoginSince: '',
  lastLoginDays: String(LAST_LOGIN_DAYS.usual),
  withdrawn: 'N',
} satisfies Filters

/** The filters of the user search: the visible ones, then the folded ones. */
export type UserFilters = typeof NO_FILTERS

/** The folded filters (rules/users#more-user-filters). */
const FOLDED = ['roleCode', 'partnerCode', 'validity', 'lastLogin', 'withdrawn'] as const

/** Returns how many of the folded filters are set. */
export function foldedCount(filters: UserFilters): number {
  return FOLDED.filter((name) => filters[name] !== NO_FILTERS[name]).length
}

/** Returns whether a text is a number of days that the contract accepts. */
export function isDays(text: string): boolean {
  const days = Number(text)
  return /^\d+$/.test(text) && days >= LAST_LOGIN_DAYS.min && days <= LAST_LOGIN_DAYS.max
}

type SavedConditions = OutputOf<typeof listSavedSearches>['searches'][number]['conditions']

type FilterInput = Omit<InputOf<typeof listUsers>, 'page' | 'perPage' | 'sort' | 'order'>

/** Converts the filters to the input of the calls. An unknown value in a URL means no filter. */
export function filterInput({
  lastLoginSince,
  lastLoginDays,
  withdrawn,
  ...filters
}: UserFilters): FilterInput {
  const lastLogin = oneOf(Object.values(LAST_LOGIN), filters.lastLogin)
  const isBefore = lastLogin === LAST_LOGIN.before && isDays(lastLoginDays)
  return {
    ...filters,
    // Numbers are stored as digits, but users type 010-1234-5678.
    phoneNumber: filters.phoneNumber.replaceAll(/[\s-]/g, ''),
    validity: oneOf(Object.values(VALIDITY), filters.validity),
    lastLogin,
    ...(lastLogin === LAST_LOGIN.since && { lastLoginSince }),
    ...(isBefore && { lastLoginDays: Number(lastLoginDays) }),
    ...(withdrawn === 'Y' && { withdrawn: true }),
  }
}

/** A saved search as the list shows it. */
export function savedState(conditions: SavedConditions): Omit<ListState<UserFilters>, 'page'> {
  const { sort, order, perPage, lastLoginDays, withdrawn, ...filters } = conditions
  const choices = Object.entries(filters).map(([name, value]) => [
    name,
    value === '' ? NO_FILTERS[name as keyof typeof filters] : value,
  ])
  return {
    filters: {
      ...(Object.fromEntries(choices) as Omit<UserFilters, 'lastLoginDays' | 'withdrawn'>),
      lastLoginDays: String(lastLoginDays),
      withdrawn: withdrawn ? 'Y' : 'N',
    },
    sort: sort === '' ? null : { by: sort, order: order === 'ASC' ? 'asc' : 'desc' },
    perPage,
  }
}

function oneOf<V extends string>(values: readonly V[], text: string): V | typeof ALL {
  return values.find((value) => value === text) ?? ALL
}
