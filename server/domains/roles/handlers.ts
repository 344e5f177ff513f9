import type { Handlers } from '../../http/handler.ts'
import { createRole, grantFunction, removeRole, renameRole, revokeFunction } from './change.ts'
import { findGrantableRoles, findHolders, findRoles } from './queries.ts'

/** Handlers of the calls that list roles, add, rename and remove them, and grant and revoke their permissions. */
export const roles: Handlers<'roles'> = {
  async listRolesWithFunctions({ db }) {
    return { roles: await findRoles(db) }
  },

  async listRoles({ db, actor, language }, { reached = false }) {
    return findGrantableRoles(db, actor, language, reached)
  },

  async listFunctionHolders({ db, language }, { functionName }) {
    return { roles: await findHolders(db, functionName, language) }
  },

  createRole,
  renameRole,
  removeRole,
  grantFunction,
  revokeFunction,
}
