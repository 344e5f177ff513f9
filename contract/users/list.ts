import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  choiceFilter,
  codeFilter,
  filter,
  optionalDate,
  paging,
  sorting,
  timestamp,
  totalCount,
  wholeNumber,
} from '../fields.ts'

/** User search shows 5 rows a page (spec §9). */
export const USERS_PER_PAGE = 5

/** How the dates of an account stand today (issue 4): which of them a search takes. */
export const VALIDITY = {
  active: 'ACTIVE',
  /** Active, and over within `ENDING_DAYS` days. */
  ending: 'ENDING',
  expired: 'EXPIRED',
  notYet: 'NOT_YET',
  suspended: 'SUSPENDED',
} as const

/** 'Ends soon' looks so many days ahead. */
export const ENDING_DAYS = 30

/** By the last login (issue 4): since LAST_LOGIN_SINCE, more than LAST_LOGIN_DAYS days ago, or none so far. */
export const LAST_LOGIN = { since: 'SINCE', before: 'BEFORE', never: 'NEVER' } as const

/** What LAST_LOGIN_DAYS may be. */
export const LAST_LOGIN_DAYS = { min: 1, max: 3650, usual: 90 } as const

/** What a user search is narrowed by: the four of spec §2, and those of issue 4. */
export const userFilters = {
  BELONGTO_CODE: codeFilter(),
  NAME: filter(),
  PHONE_NUMBER: filter(),
  APPROVA_CODE: codeFilter(),
  AUTHORITYS_CODE: codeFilter(),
  PARTNER_CODE: filter(30),
  VALIDITY: choiceFilter(Object.values(VALIDITY)),
  LAST_LOGIN: choiceFilter(Object.values(LAST_LOGIN)),
  LAST_LOGIN_SINCE: optionalDate,
  LAST_LOGIN_DAYS: wholeNumber(LAST_LOGIN_DAYS.min, LAST_LOGIN_DAYS.max, LAST_LOGIN_DAYS.usual),
}

/** The columns that the user list sorts by; NO is the place in the order that is shown. */
export const USER_SORTS = [
  'USER_ID',
  'NAME',
  'BELONGTO',
  'PHONE_NUMBER',
  'REGSTER_DATETIME',
  'APPROVA',
  'RANK',
  'E_MAIL',
  'AUTHORITYS',
  'PARTNER_CODE',
  'EXPIRY_DATETIME_START',
  'EXPIRY_DATETIME_END',
  'LAST_LOGIN_DATETIME',
] as const

/** A row of the user list: that of spec §3, and the columns that a person may add to it (issue 4). */
export const userRow = z.object({
  NO: z.number(),
  USER_ID: z.string(),
  NAME: z.string(),
  /** Affiliation name in the person's language. */
  BELONGTO: z.string(),
  PHONE_NUMBER: z.string(),
  REGSTER_DATETIME: timestamp,
  /** Display text of the approval in the person's language. */
  APPROVA: z.string(),
  RANK: z.string(),
  E_MAIL: z.string(),
  /** Name of the role in the person's language. */
  AUTHORITYS: z.string(),
  /** Empty without one, as the dates are. */
  PARTNER_CODE: z.string(),
  EXPIRY_DATETIME_START: z.string(),
  EXPIRY_DATETIME_END: z.string(),
  /** Empty until the first login. */
  LAST_LOGIN_DATETIME: z.string(),
})

/** Withdrawn accounts are in no search, 관리자 only in that of whoever may administer them (decisions §5). */
export const listUsers = endpoint({
  path: '/stm/v1/users',
  summary: 'Search users',
  access: { function: ['autho_user_manage'] },
  input: z.strictObject({ ...userFilters, ...sorting(USER_SORTS), ...paging(USERS_PER_PAGE) }),
  output: z.object({ TOTAL_COUNT: totalCount, DATA: z.array(userRow) }),
  errors: [],
  audit: 'none',
})
