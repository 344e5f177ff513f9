import { ROLE } from '../../../contract/permissions.ts'
import type { Call } from '../../http/handler.ts'
import { InputRefusal } from '../../http/error-response.ts'

/** Audit details of a grant that are no changed values. */
export const GRANT_REMARKS = ['requestedBy', 'approvedBy', 'grantReason'] as const

/**
 * Returns the audit details of a grant (rules/roles#grant-records): the reason, and the users who requested and approved it. No grant needs
 * two users, so both are the caller. Without a reason the row alone says who granted.
 * @throws {InputRefusal} if the settings require a reason and there is none
 */
export function grantDetail(
  { actor, services }: Pick<Call, 'services'> & { actor: { userId: string } },
  grantReason = '',
): Partial<Record<(typeof GRANT_REMARKS)[number], string>> {
  if (grantReason !== '') return { requestedBy: actor.userId, approvedBy: actor.userId, grantReason }
  if (services.settings.now().grantReasons === 'required')
    throw new InputRefusal('required', 'grantReason', 'GRANT_REASON')
  return {}
}

/**
 * Returns the audit details of a role that a user gets, as `grantDetail`; none for 일반 사용자 and for the role that the user has.
 * @param former role that the user has; '' for a new or newly approved account
 */
export const roleGrantDetail = (
  call: Parameters<typeof grantDetail>[0],
  { roleCode, grantReason }: { roleCode: string; grantReason?: string | undefined },
  former = '',
) => (roleCode === former || roleCode === ROLE.user ? {} : grantDetail(call, grantReason))
