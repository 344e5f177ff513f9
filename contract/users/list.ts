import * as z from 'zod/mini'
import { USER_READERS } from '../permissions.ts'
import { endpoint } from '../endpoint.ts'
import { teamFilter } from '../teams.ts'
import { customFilter, shownDetails } from '../custom-fields.ts'
import {
  choiceFilter,
  codeFilter,
  filter,
  flag,
  optionalDate,
  paging,
  sorting,
  timestamp,
  totalCount,
  wholeNumber,
} from '../fields.ts'

/** Default rows per page of the user search (rules/users#user-search). */
export const USERS_PER_PAGE = 5

/** The states of an account's validity period today (rules/users#more-user-filters), as a filter of a search. */
export const VALIDITY = {
  active: 'ACTIVE',
  /** Active, with an end within `ENDING_DAYS` days. */
  ending: 'ENDING',
  expired: 'EXPIRED',
  notYet: 'NOT_YET',
  suspended: 'SUSPENDED',
  /** Invited, with no password yet: the link still works, or has ended. */
  invited: 'INVITED',
  invitationEnded: 'INVITATION_ENDED',
} as const

/**
 * Days before the end of an account from which it ends soon. `listEnding` also uses it for accounts that ended
 * recently.
 */
export const ENDING_DAYS = 30

/**
 * Kinds of the filter by last login: on or after `lastLoginSince` (any login if that is ''), more than `lastLoginDays`
 * days ago, or never (rules/users#more-user-filters).
 */
export const LAST_LOGIN = { since: 'SINCE', before: 'BEFORE', never: 'NEVER' } as const

/** Minimum, maximum and default of lastLoginDays. */
export const LAST_LOGIN_DAYS = { min: 1, max: 3650, usual: 90 } as const

/**
 * Filters of a user search; '' finds all. The first four belong to the search field, the others can be hidden
 * (rules/users#more-user-filters).
 */
export const userFilters = {
  /** Any part of ID, name, email or phone number (rules/users#search-field). */
  keyword: filter(),
  affiliationCode: codeFilter(),
  /** Finds the members of the team and of those below it, or the users without one (rules/teams#members). */
  teamId: teamFilter(),
  name: filter(),
  phoneNumber: filter(),
  approvalCode: codeFilter(),
  roleCode: codeFilter(),
  partnerCode: filter(30),
  validity: choiceFilter(Object.values(VALIDITY)),
  lastLogin: choiceFilter(Object.values(LAST_LOGIN)),
  lastLoginSince: optionalDate,
  lastLoginDays: wholeNumber(LAST_LOGIN_DAYS.min, LAST_LOGIN_DAYS.max, LAST_LOGIN_DAYS.usual),
  customValues: customFilter,
  /** True to list only withdrawn accounts (rules/users#withdrawn-accounts). */
  withdrawn: z._default(flag, false),
}

/** The columns by which the user list can be sorted. */
export const USER_SORTS = [
  'userId',
  'name',
  'affiliationName',
  'phoneNumber',
  'registeredAt',
  'approval',
  'position',
  'email',
  'roleName',
  'partnerCode',
  'validFrom',
  'validTo',
  'lastLoginAt',
  // Only withdrawn accounts have a value.
  'withdrawnAt',
] as const

/** Fields of a withdrawal: time, user and reason. Only withdrawn accounts have them. */
export const withdrawal = {
  withdrawnAt: timestamp,
  /** ID of the user who withdrew the account, which may be its owner; empty if unknown. */
  withdrawnBy: z.string(),
  withdrawnByName: z.string(),
  withdrawnReason: z.string(),
}

/**
 * Schema of a row of the user list: its default columns, and those that a user may add (rules/users#more-user-columns).
 */
export const userRow = z.object({
  rowNumber: z.number(),
  userId: z.string(),
  name: z.string(),
  /** Name of the affiliation in the caller's language. */
  affiliationName: z.string(),
  phoneNumber: z.string(),
  registeredAt: timestamp,
  /** Display text of the approval in the caller's language. */
  approval: z.string(),
  position: z.string(),
  email: z.string(),
  /** Name of the role in the caller's language. */
  roleName: z.string(),
  /** Empty without one; the same for the dates. */
  partnerCode: z.string(),
  /** Path of the main team; empty without one. */
  teamName: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  ...shownDetails,
  /** Empty until the first login. */
  lastLoginAt: z.string(),
  /** True for an account suspended for inactivity or manually, until an administrator unsuspends it. */
  suspended: flag,
  ...z.partial(z.object(withdrawal)).shape,
})

/**
 * Lists a page of the users whom the caller may read as an administrator, newest first by default. Withdrawn accounts
 * are found only with `withdrawn`, 관리자 only by callers who may administer them (rules/users#user-search,
 * rules/roles#reach).
 */
export const listUsers = endpoint({
  path: '/stm/v1/users',
  summary: 'Search users',
  title: { ko: '사용자 목록 조회', en: 'Searched users' },
  access: { function: USER_READERS },
  scope: 'users:read',
  input: z.strictObject({ ...userFilters, ...sorting(USER_SORTS), ...paging(USERS_PER_PAGE) }),
  output: z.object({ totalCount, users: z.array(userRow) }),
  audit: 'none',
  personal: ['search', 'told'],
})
