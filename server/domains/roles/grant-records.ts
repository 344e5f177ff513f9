import { GRANT_FIELDS } from '../../../contract/fields.ts'
import { ROLE } from '../../../contract/permissions.ts'
import type { Call } from '../../http/handler.ts'
import { InputRefusal } from '../../http/error-response.ts'

/** Reason of a grant, and the names of the people who requested and approved it, as the caller gave them. */
export type GrantRecord = Partial<Record<(typeof GRANT_FIELDS)[number], string | undefined>>

/**
 * Returns the audit details of a grant (rules/roles#grant-records): those of GRANT_FIELDS that the caller gave.
 * @throws {InputRefusal} if the settings require all fields and one is missing
 */
export function grantDetail({ services }: Pick<Call, 'services'>, given: GrantRecord): GrantRecord {
  const missing = GRANT_FIELDS.find((field) => !given[field])
  if (missing !== undefined && services.settings.now().grantReasons === 'required')
    throw new InputRefusal('required', missing, GRANT_WIRE[missing])
  return Object.fromEntries(GRANT_FIELDS.flatMap((field) => (given[field] ? [[field, given[field]]] : [])))
}

/** Names on the wire of the fields of a grant record. */
const GRANT_WIRE = {
  grantReason: 'GRANT_REASON',
  requestedBy: 'REQUESTED_BY',
  approvedBy: 'APPROVED_BY',
} as const

/**
 * Returns the audit details of a role that a user gets, as `grantDetail`; none for 일반 사용자 and for the role that the
 * user has.
 * @param former role that the user has; '' for a new or newly approved account
 * @throws {InputRefusal} as `grantDetail`
 */
export const roleGrantDetail = (
  call: Pick<Call, 'services'>,
  { roleCode, ...given }: GrantRecord & { roleCode: string },
  former = '',
) => (roleCode === former || roleCode === ROLE.user ? {} : grantDetail(call, given))
