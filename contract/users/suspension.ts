import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { filter, userId } from '../fields.ts'

/** How long the words are that stay on record with what is done for an account (rules/users#account-card). */
export const REASON_MAX = 200

/** Why something is done for an account, in the administrator's words; may be left out. */
export const accountReason = filter(REASON_MAX)

/** Why an account is suspended by hand (rules/users#suspension-by-hand). */
export const SUSPENDED_FOR = { leave: 'LEAVE', incident: 'INCIDENT', other: 'OTHER' } as const

/** What an answer says of an account that was suspended because nobody used it (rules/users#suspension). */
export const DISUSE = 'DISUSE'

/** What is asked before an account is suspended: why, in words when it is neither leave nor an incident. */
export const suspensionFields = {
  suspendedFor: z.enum(Object.values(SUSPENDED_FOR), 'codeFormat'),
  reason: accountReason,
}

/** 'Other' needs words. */
export const otherInWords = z.refine<{ suspendedFor: string; reason: string }>(
  ({ suspendedFor, reason }) => suspendedFor !== SUSPENDED_FOR.other || reason !== '',
  { error: 'required', path: ['reason'] },
)

const manage = { function: ['autho_user_manage'] } as const

/** Suspends an account by hand until somebody lifts it; its sessions end at once (rules/users#suspension-by-hand). */
export const suspendUser = endpoint({
  path: '/stm/v1/sus/user',
  summary: 'Suspend an account',
  title: { ko: '사용자 정지', en: 'Suspended an account' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId, ...suspensionFields }).check(otherInWords),
  output: z.object({}),
  errors: [...UNREACHABLE, 'LAST_ADMIN', 'LAST_ADMIN_ENDS', 'RECORD_CHANGED'],
  audit: 'user.suspend',
  personal: ['change', 'in.userId'],
  perPerson: 'write',
})

/** Lifts a suspension, for disuse or by hand; disuse is counted anew from now. */
export const liftSuspension = endpoint({
  path: '/stm/v1/lft/user',
  summary: 'Lift a suspension',
  title: { ko: '사용자 정지 해제', en: 'Lifted a suspension' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId, reason: accountReason }),
  output: z.object({}),
  errors: [...UNREACHABLE, 'RECORD_CHANGED', 'INCIDENT_LIFT'],
  audit: 'user.lift',
  personal: ['change', 'in.userId'],
  perPerson: 'write',
})
