import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { flag, line, timestamp, userId } from '../fields.ts'
import { withdrawal } from './list.ts'

/** How long a withdrawal can be taken back (rules/users#taking-back). */
export const RESTORE_DAYS = 30

/** Why an account is withdrawn, in up to 200 characters; whoever withdraws it may leave it out. */
export const withdrawnReason = z._default(z.union([z.literal(''), line(200)], { error: 'tooLong|200' }), '')

const manage = { function: ['autho_user_manage'] } as const

/** A withdrawn account as it was, for those who may administer it (rules/users#withdrawn-accounts). */
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
    /** Name of the role in the person's language. */
    roleName: z.string(),
    /** Empty without one, as the dates are. */
    partnerCode: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
    registeredAt: timestamp,
    ...withdrawal,
    /** Until when the withdrawal can be taken back, and whether it still can. */
    restorableUntil: timestamp,
    restorable: flag,
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId'],
  perPerson: 'read',
})

/**
 * Takes a withdrawal back within `RESTORE_DAYS` (rules/users#taking-back). The account is what it was; sessions stay
 * ended. EMAIL_TAKEN when somebody else uses its e-mail by now.
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
