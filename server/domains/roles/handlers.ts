import { numbered } from '../../db/page.ts'
import type { Handlers } from '../../http/handler.ts'
import { createRole, grantFunction, removeRole, renameRole, revokeFunction } from './change.ts'
import { findChanges, findRoles } from './queries.ts'

/** Roles, what they may do, and who changed that. */
export const roles: Handlers<'roles'> = {
  async listRolesWithFunctions({ db }) {
    return { roles: await findRoles(db) }
  },

  createRole,
  renameRole,
  removeRole,
  grantFunction,
  revokeFunction,

  async listRoleChanges({ db }, page) {
    const { total, rows } = await findChanges(db, page)
    return { totalCount: total, changes: numbered(rows, total, page) }
  },
}
