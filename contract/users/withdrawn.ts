import * as z from 'zod/mini'
import { USER_READERS } from '../permissions.ts'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { flag, line, timestamp, userId } from '../fields.ts'
import { withdrawal } from './list.ts'

/** Days in which a withdrawal can be undone (rules/users#taking-back). */
export const RESTORE_DAYS = 30

/** Schema of the reason of a withdrawal, up to 200 characters; '' if left out. */
export const withdrawnReason = z._default(z.union([z.literal(''), line(200)], { error: 'tooLong|200' }), '')

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/**
 * Counts what an account has, for the question before its withdrawal: keys of the caller's branch, sessions, notices
 * and program tokens (rules/users#before-a-withdrawal). FORBIDDEN or USER_NOT_FOUND for an account that the caller may
 * not administer.
 */
export const countBelongings = endpoint({
  path: '/stm/v1/get/belongings',
  summary: 'Count what a user has before a withdrawal',
  title: { ko: '탈퇴 전 보유 항목 조회', en: 'Viewed what a user has before a withdrawal' },
  access: manage,
  scope: 'users:read',
  input: z.strictObject({ userId }),
  output: z.object({
    /** Keys that are not revoked. */
    keyCount: z.number(),
    sessionCount: z.number(),
    noticeCount: z.number(),
    /** Valid program tokens. */
    programCount: z.number(),
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId'],
})

/**
 * Returns a withdrawn account with its last values, for callers who may read it as administrators
 * (rules/users#withdrawn-accounts). FORBIDDEN if the caller may not read it; USER_NOT_FOUND also for an account that is
 * not withdrawn.
 */
export const getWithdrawn = endpoint({
  path: '/stm/v1/get/withdrawn',
  summary: 'Read a withdrawn account',
  title: { ko: '탈퇴 계정 조회', en: 'Viewed a withdrawn account' },
  access: { function: USER_READERS },
  scope: 'users:read',
  input: z.strictObject({ userId }),
  output: z.object({
    userId: z.string(),
    name: z.string(),
    affiliationName: z.string(),
    position: z.string(),
    phoneNumber: z.string(),
    email: z.string(),
    /** Name of the role in the caller's language. */
    roleName: z.string(),
    /** Empty without one; the same for the dates. */
    partnerCode: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
    registeredAt: timestamp,
    ...withdrawal,
    /** Time until which the withdrawal can be undone. The next field states whether it still can. */
    restorableUntil: timestamp,
    restorable: flag,
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId'],
})

/**
 * Undoes a withdrawal within `RESTORE_DAYS` days, later RESTORE_TOO_LATE (rules/users#taking-back). Needs
 * reauthentication, else CONFIRMATION_REQUIRED. The account gets its previous values and role; its sessions stay ended.
 * EMAIL_TAKEN if another user has its email by now; an employee number that another user has is removed. FORBIDDEN also
 * if the caller may not grant its role.
 */
export const restoreUser = endpoint({
  path: '/stm/v1/rst/user',
  summary: 'Undo a withdrawal',
  title: { ko: '탈퇴 취소', en: 'Undid a withdrawal' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId }),
  errors: [...UNREACHABLE, 'RESTORE_TOO_LATE', 'EMAIL_TAKEN'],
  audit: 'user.restore',
  personal: ['change', 'in.userId'],
})
