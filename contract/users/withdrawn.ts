import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { flag, line, timestamp, userId } from '../fields.ts'
import { withdrawal } from './list.ts'

/** Days in which a withdrawal can be undone (rules/users#taking-back). */
export const RESTORE_DAYS = 30

/** The reason of a withdrawal, up to 200 characters; optional. */
export const withdrawnReason = z._default(z.union([z.literal(''), line(200)], { error: 'tooLong|200' }), '')

const manage = { function: ['autho_user_manage'] } as const

/** Returns a withdrawn account with its last values, for callers who may administer it (rules/users#withdrawn-accounts). */
export const getWithdrawn = endpoint({
  path: '/stm/v1/get/withdrawn',
  summary: 'Read a withdrawn account',
  title: { ko: '탈퇴 계정 열기', en: 'Opened a withdrawn account' },
  access: manage,
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
  perPerson: 'read',
})

/**
 * Undoes a withdrawal within `RESTORE_DAYS` (rules/users#taking-back). The account gets its previous values; its sessions stay
 * ended. EMAIL_TAKEN if another user has its email by now.
 */
export const restoreUser = endpoint({
  path: '/stm/v1/rst/user',
  summary: 'Take a withdrawal back',
  title: { ko: '탈퇴 취소', en: 'Took a withdrawal back' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId }),
  output: z.object({}),
  errors: [...UNREACHABLE, 'RESTORE_TOO_LATE', 'EMAIL_TAKEN'],
  audit: 'user.restore',
  personal: ['change', 'in.userId'],
  perPerson: 'write',
})
