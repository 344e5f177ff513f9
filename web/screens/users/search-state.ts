import { ALL } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { LAST_LOGIN, LAST_LOGIN_DAYS, type listUsers, VALIDITY } from '../../../contract/users.ts'
import type { Filters } from '../../lists/list-state.ts'

/** A search that filters nothing, by the words that stand in the address. */
export const NO_FILTERS = {
  affiliation: ALL,
  name: '',
  phone: '',
  approval: ALL,
  role: ALL,
  partner: '',
  validity: ALL,
  login: ALL,
  since: '',
  days: String(LAST_LOGIN_DAYS.usual),
} satisfies Filters

/** The filters of the user search: the four that are always there, then those that fold away. */
export type UserFilters = typeof NO_FILTERS

/** The filters that fold away (rules/users#more-user-filters). */
const FOLDED = ['role', 'partner', 'validity', 'login'] as const

/** How many of the filters that fold away narrow the list. */
export function foldedCount(filters: UserFilters): number {
  return FOLDED.filter((name) => filters[name] !== NO_FILTERS[name]).length
}

/** Whether a text is a number of days that the contract takes. */
export function isDays(text: string): boolean {
  const days = Number(text)
  return /^\d+$/.test(text) && days >= LAST_LOGIN_DAYS.min && days <= LAST_LOGIN_DAYS.max
}

type FilterInput = Omit<InputOf<typeof listUsers>, 'page' | 'perPage' | 'sort' | 'order'>

/** The filters as the calls take them; what an address says that no list has means no filter. */
export function filterInput(filters: UserFilters): FilterInput {
  const login = oneOf(Object.values(LAST_LOGIN), filters.login)
  return {
    affiliationCode: filters.affiliation,
    name: filters.name,
    // Numbers are kept as digits; people write 010-1234-5678.
    phoneNumber: filters.phone.replaceAll(/[\s-]/g, ''),
    approvalCode: filters.approval,
    roleCode: filters.role,
    partnerCode: filters.partner,
    validity: oneOf(Object.values(VALIDITY), filters.validity),
    lastLogin: login,
    ...(login === LAST_LOGIN.since && { lastLoginSince: filters.since }),
    ...(login === LAST_LOGIN.before && isDays(filters.days) && { lastLoginDays: Number(filters.days) }),
  }
}

function oneOf<V extends string>(values: readonly V[], text: string): V | typeof ALL {
  return values.find((value) => value === text) ?? ALL
}
