import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
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

/** User search shows 5 rows a page (rules/users#user-search). */
export const USERS_PER_PAGE = 5

/** How the dates of an account stand today (rules/users#more-user-filters): which of them a search takes. */
export const VALIDITY = {
  active: 'ACTIVE',
  /** Active, and over within `ENDING_DAYS` days. */
  ending: 'ENDING',
  expired: 'EXPIRED',
  notYet: 'NOT_YET',
  suspended: 'SUSPENDED',
} as const

/** 'Ends soon' looks this many days ahead. */
export const ENDING_DAYS = 30

/**
 * By the last login (rules/users#more-user-filters): since lastLoginSince, more than lastLoginDays days ago, or none
 * so far.
 */
export const LAST_LOGIN = { since: 'SINCE', before: 'BEFORE', never: 'NEVER' } as const

/** The range of lastLoginDays. */
export const LAST_LOGIN_DAYS = { min: 1, max: 3650, usual: 90 } as const

/**
 * What a user search is narrowed by: the four of the search, and those that fold away (rules/users#more-user-filters).
 */
export const userFilters = {
  /** Any part of ID, name, e-mail or phone number (rules/users#one-box). */
  keyword: filter(),
  affiliationCode: codeFilter(),
  name: filter(),
  phoneNumber: filter(),
  approvalCode: codeFilter(),
  roleCode: codeFilter(),
  partnerCode: filter(30),
  validity: choiceFilter(Object.values(VALIDITY)),
  lastLogin: choiceFilter(Object.values(LAST_LOGIN)),
  lastLoginSince: optionalDate,
  lastLoginDays: wholeNumber(LAST_LOGIN_DAYS.min, LAST_LOGIN_DAYS.max, LAST_LOGIN_DAYS.usual),
  /** Withdrawn accounts, and none but them (rules/users#withdrawn-accounts). */
  withdrawn: z._default(flag, false),
}

/** The columns that the user list can be sorted by. */
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
  // Of withdrawn accounts; others have none.
  'withdrawnAt',
] as const

/** When, by whom and why an account was withdrawn; of a withdrawn one alone. */
export const withdrawal = {
  withdrawnAt: timestamp,
  /** ID of who did it, one's own where it was the person; empty where nobody knows any more. */
  withdrawnBy: z.string(),
  withdrawnByName: z.string(),
  withdrawnReason: z.string(),
}

/** A row of the user list: its usual columns, and those that a person may add (rules/users#more-user-columns). */
export const userRow = z.object({
  rowNumber: z.number(),
  userId: z.string(),
  name: z.string(),
  /** Affiliation name in the person's language. */
  affiliationName: z.string(),
  phoneNumber: z.string(),
  registeredAt: timestamp,
  /** Display text of the approval in the person's language. */
  approval: z.string(),
  position: z.string(),
  email: z.string(),
  /** Name of the role in the person's language. */
  roleName: z.string(),
  /** Empty without one, as the dates are. */
  partnerCode: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  /** Empty until the first login. */
  lastLoginAt: z.string(),
  /** Not used for too long, or by hand, until somebody lifts it. */
  suspended: flag,
  ...z.partial(z.object(withdrawal)).shape,
})

/**
 * Withdrawn accounts are in no search that does not ask for them, 관리자 only in those of people who may administer them (rules/users#user-search,
 * rules/roles#reach).
 */
export const listUsers = endpoint({
  path: '/stm/v1/users',
  summary: 'Search users',
  title: { ko: '사용자 목록 조회', en: 'Searched users' },
  access: { function: ['autho_user_manage'] },
  input: z.strictObject({ ...userFilters, ...sorting(USER_SORTS), ...paging(USERS_PER_PAGE) }),
  output: z.object({ totalCount, users: z.array(userRow) }),
  errors: [],
  audit: 'none',
  personal: ['search', 'told'],
  perPerson: 'read',
})
