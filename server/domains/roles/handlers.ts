import type { Handlers } from '../../http/handler.ts'
import { createRole, grantFunction, removeRole, renameRole, revokeFunction } from './change.ts'
import { findGrantableRoles, findHolders, findRoles } from './queries.ts'

/** Handlers of the calls that list roles, add, rename and remove them, and grant and revoke their permissions. */
export const roles: Handlers<'roles'> = {
  /** Returns every role with its permissions and number of users (`findRoles`). */
  async listRolesWithFunctions({ db }) {
    return { roles: await findRoles(db) }
  },

  /** Returns the roles that the caller may grant, or with `reached` all within reach (`findGrantableRoles`). */
  async listRoles({ db, actor, language }, { reached = false }) {
    return findGrantableRoles(db, actor, language, reached)
  },

  /** Returns the names of the roles that have a permission. */
  async listFunctionHolders({ db, language }, { functionName }) {
    return { roles: await findHolders(db, functionName, language) }
  },

  createRole,
  renameRole,
  removeRole,
  grantFunction,
  revokeFunction,
}
