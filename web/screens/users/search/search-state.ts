import { customFilter } from '../../../../contract/custom-fields.ts'
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
import { isOneOf } from '../../../lists/list-url.ts'
import { isDateOrEmpty, readDate } from '../../../ui/dates.ts'

/** Filters that match every user, except withdrawn accounts. */
export const NO_FILTERS = {
  keyword: '',
  affiliationCode: ALL,
  teamId: ALL,
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
  /**
   * The filters by the company's own fields, as the query `custom1=…&custom2=…`, so that the URL has one parameter for
   * all.
   */
  fields: '',
} satisfies Filters

/** Filters of the user search as texts: the visible ones, then the folded ones. */
export type UserFilters = typeof NO_FILTERS

/** Names of the folded filters that count in the label of their toggle (rules/users#more-user-filters). */
const FOLDED = ['teamId', 'roleCode', 'partnerCode', 'validity', 'lastLogin', 'withdrawn', 'fields'] as const

/** Returns how many of the folded filters differ from their default. */
export function foldedCount(filters: UserFilters): number {
  return FOLDED.filter((name) => filters[name] !== NO_FILTERS[name]).length
}

/** Returns whether a text is a whole number of days within LAST_LOGIN_DAYS. */
export function isDays(text: string): boolean {
  const days = Number(text)
  return /^\d+$/.test(text) && days >= LAST_LOGIN_DAYS.min && days <= LAST_LOGIN_DAYS.max
}

/** Returns whether the filter by last login, if set, has a valid day or number of days. */
export function isComplete({ lastLogin, lastLoginSince, lastLoginDays }: UserFilters): boolean {
  if (lastLogin === LAST_LOGIN.since) return readDate(lastLoginSince) !== null
  return lastLogin !== LAST_LOGIN.before || isDays(lastLoginDays)
}

/** Drops an incomplete filter by last login, for example after its day is cleared by a chip. */
export const clean = (filters: UserFilters): UserFilters =>
  isComplete(filters) ? filters : { ...filters, lastLogin: NO_FILTERS.lastLogin }

/** Checks of the filters that do not accept every text in a URL. A text that fails the check is ignored. */
export const ACCEPTS = {
  validity: isOneOf(Object.values(VALIDITY)),
  lastLogin: isOneOf(Object.values(LAST_LOGIN)),
  lastLoginSince: isDateOrEmpty,
  lastLoginDays: isDays,
  withdrawn: isOneOf(['Y']),
  fields: (text: string) => text === '' || customFilter.safeParse(fieldsOf(text)).success,
}

/** Conditions of a saved search, as the server returns them. */
type SavedConditions = OutputOf<typeof listSavedSearches>['searches'][number]['conditions']

/** Filters in the input of the list and export calls. */
type FilterInput = Omit<InputOf<typeof listUsers>, 'page' | 'perPage' | 'sort' | 'order'>

/**
 * Converts the filters to the input of the calls. An unknown choice in a URL means no filter; an invalid number of days
 * is left out.
 */
export function filterInput({
  lastLoginSince,
  lastLoginDays,
  withdrawn,
  fields,
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
    ...(fields !== '' && { customValues: fieldsOf(fields) }),
  }
}

/** Returns the filters by the company's own fields of the text `fields`, by slot. */
export const fieldsOf = (fields: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(fields))

/** Returns the text `fields` of filters by the company's own fields, without empty ones. */
export const fieldsText = (values: Record<string, string | undefined>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([slot, value = '']) => (value === '' ? [] : [[slot, value]])),
  ).toString()

/** Converts the conditions of a saved search to the state of the list. The page is not part of it. */
export function savedState(conditions: SavedConditions): Omit<ListState<UserFilters>, 'page'> {
  const { sort, order, perPage, lastLoginDays, withdrawn, customValues, ...filters } = conditions
  const choices = Object.entries(filters).map(([name, value]) => [
    name,
    value === '' ? NO_FILTERS[name as keyof typeof filters] : value,
  ])
  return {
    filters: {
      ...(Object.fromEntries(choices) as Omit<UserFilters, 'lastLoginDays' | 'withdrawn' | 'fields'>),
      lastLoginDays: String(lastLoginDays),
      withdrawn: withdrawn ? 'Y' : 'N',
      fields: fieldsText(customValues),
    },
    sort: sort === '' ? null : { by: sort, order: order === 'ASC' ? 'asc' : 'desc' },
    perPage,
  }
}

/** Returns the text if it is one of these values, else ALL. */
function oneOf<V extends string>(values: readonly V[], text: string): V | typeof ALL {
  return values.find((value) => value === text) ?? ALL
}
