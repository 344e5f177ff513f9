import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { filter, userId } from '../fields.ts'

/** Longest reason of an administrator action, in characters; the audit log stores it (rules/users#account-card). */
export const REASON_MAX = 200

/** Schema of the reason of an administrator action, as the administrator wrote it; '' if left out. */
export const accountReason = filter(REASON_MAX)

/** Codes of the reasons of a manual suspension (rules/users#suspension-by-hand). */
export const SUSPENDED_FOR = { leave: 'LEAVE', incident: 'INCIDENT', other: 'OTHER' } as const

/** Code of the reason of an account that was suspended for inactivity (rules/users#suspension). */
export const DISUSE = 'DISUSE'

/**
 * The fields of a suspension. A schema with them must add the check otherInWords, which requires a reason in words
 * for OTHER.
 */
export const suspensionFields = {
  suspendedFor: z.enum(Object.values(SUSPENDED_FOR), 'codeFormat'),
  reason: accountReason,
}

/** Check of a schema with `suspensionFields`: OTHER requires a reason in words. */
export const otherInWords = z.refine<{ suspendedFor: string; reason: string }>(
  ({ suspendedFor, reason }) => suspendedFor !== SUSPENDED_FOR.other || reason !== '',
  { error: 'required', path: ['reason'] },
)

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/**
 * Suspends an account manually until an administrator unsuspends it; its sessions and email links end immediately
 * (rules/users#suspension-by-hand). Needs reauthentication, else CONFIRMATION_REQUIRED. Replaces a suspension for
 * inactivity; RECORD_CHANGED for an account suspended manually. LAST_ADMIN if no 관리자 would remain; LAST_ADMIN_ENDS if
 * the last one would end earlier than before. FORBIDDEN or USER_NOT_FOUND for an account that the caller may not
 * administer.
 */
export const suspendUser = endpoint({
  path: '/stm/v1/sus/user',
  summary: 'Suspend an account',
  title: { ko: '사용자 정지', en: 'Suspended an account' },
  access: manage,
  scope: 'users:suspend',
  confirmed: 'always',
  input: z.strictObject({ userId, ...suspensionFields }).check(otherInWords),
  errors: [...UNREACHABLE, 'LAST_ADMIN', 'LAST_ADMIN_ENDS', 'RECORD_CHANGED'],
  audit: 'user.suspend',
  personal: ['change', 'in.userId'],
})

/**
 * Unsuspends an account that was suspended for inactivity or manually. Needs reauthentication, else
 * CONFIRMATION_REQUIRED. Earlier sessions stay ended. The count of inactivity restarts. RECORD_CHANGED if it is not
 * suspended; INCIDENT_LIFT if a security incident was the reason and the caller is an unattended program or lacks
 * `autho_admin_manage`. FORBIDDEN or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const liftSuspension = endpoint({
  path: '/stm/v1/lft/user',
  summary: 'Lift a suspension',
  title: { ko: '사용자 정지 해제', en: 'Lifted a suspension' },
  access: manage,
  scope: 'users:suspend',
  confirmed: 'always',
  input: z.strictObject({ userId, reason: accountReason }),
  errors: [...UNREACHABLE, 'RECORD_CHANGED', 'INCIDENT_LIFT'],
  audit: 'user.lift',
  personal: ['change', 'in.userId'],
})
