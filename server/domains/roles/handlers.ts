import type { Handlers } from '../../http/handler.ts'
import { createRole, grantFunction, removeRole, renameRole, revokeFunction } from './change.ts'
import { findChanges, findGrantableRoles, findHolders, findRoles } from './queries.ts'

/** Roles, what they may do, and who changed that. */
export const roles: Handlers<'roles'> = {
  async listRolesWithFunctions({ db }) {
    return { roles: await findRoles(db) }
  },

  async listRoles({ db, actor, language }) {
    return findGrantableRoles(db, actor, language)
  },

  async listFunctionHolders({ db, language }, { functionName }) {
    return { roles: await findHolders(db, functionName, language) }
  },

  createRole,
  renameRole,
  removeRole,
  grantFunction,
  revokeFunction,

  async listRoleChanges({ db }, page) {
    const { totalCount, rows } = await findChanges(db, page)
    return { totalCount, changes: rows }
  },
}
