import { ROLE } from '../../../../contract/permissions.ts'
import { holdGrantableRoles } from '../../roles/index.ts'
import type { ChangeOf } from './bulk.ts'

/**
 * Returns the bulk change that replaces the role of users by this one. Locks the role until the transaction ends. Skips
 * users who have it already (ALREADY).
 * @param grant audit details of the grant
 * @throws {Refusal} CODE_NOT_FOUND; FORBIDDEN for a role that the actor may not grant
 */
export const otherRole =
  (roleCode: string, grant = {}): ChangeOf =>
  async (tx, actor) => {
    await holdGrantableRoles(tx, actor, roleCode)
    return {
      action: 'role',
      asked: roleCode,
      columns: { roleCode },
      obstacleOf: (person) => (person.roleCode === roleCode ? 'ALREADY' : null),
      presentOf: ({ roleName }) => roleName,
      costsAdmins: roleCode !== ROLE.admin,
      grant,
    }
  }
