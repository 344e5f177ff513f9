import { listRoleChanges, listRolesWithFunctions, ROLE_CHANGES_PER_PAGE } from '../../../contract/roles.ts'
import { prefetch, query, recordQuery } from '../../api/query.ts'

/* What /role/manage reads first, asked for while it is on its way. */

/** Every role with its functions. */
export const rolesQuery = recordQuery(listRolesWithFunctions, {})

/** One page of the record of changes. */
export const changesQuery = (page: number) => query(listRoleChanges, { page, perPage: ROLE_CHANGES_PER_PAGE })

/** For /role/manage. */
export function loadRoles(): void {
  void prefetch(rolesQuery)
  void prefetch(changesQuery(1))
}
