import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { code, flag, line } from './fields.ts'
import { FUNCTIONS } from './permissions.ts'

const manage = { function: ['autho_role_manage'] } as const

const functionName = z.enum(FUNCTIONS, 'codeFormat')

const names = { roleName: line(30), roleNameEn: line(50) }

/** Lists every role with its permissions, including those above the caller's own, which the caller may not change. */
export const listRolesWithFunctions = endpoint({
  path: '/rol/v1/get/roles',
  summary: 'Roles and their functions',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        roleCode: z.string(),
        roleName: z.string(),
        roleNameEn: z.string(),
        functions: z.array(functionName),
        /** True for a role that cannot be renamed or removed. */
        builtIn: flag,
        /** Number of accounts with the role, without withdrawn ones: a role in use cannot be removed. */
        userCount: z.number(),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Creates a role without permissions. */
export const createRole = endpoint({
  path: '/rol/v1/ins/role',
  summary: 'Add a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(names),
  output: z.object({ roleCode: z.string() }),
  errors: ['ROLE_NAME_TAKEN'],
  audit: 'role.create',
  personal: 'none',
  perPerson: 'write',
})

/** Renames a role that is not built in and not above the caller's own. */
export const renameRole = endpoint({
  path: '/rol/v1/upd/role',
  summary: 'Rename a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ roleCode: code, ...names }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_NAME_TAKEN'],
  audit: 'role.rename',
  personal: 'none',
  perPerson: 'write',
})

/** Removes a role that no user has, is not built in and not above the caller's own. */
export const removeRole = endpoint({
  path: '/rol/v1/del/role',
  summary: 'Remove a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ roleCode: code }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE'],
  audit: 'role.remove',
  personal: 'none',
  perPerson: 'write',
})

const change = z.strictObject({ roleCode: code, functionName })

/**
 * Grants a permission to a role, from the next call of every user with the role. Callers cannot grant a permission that they lack
 * (design/roles-and-reach#administration-scope). RECORD_CHANGED if the role has it already, because another user was faster.
 */
export const grantFunction = endpoint({
  path: '/rol/v1/ins/function',
  summary: 'Grant a function to a role',
  access: manage,
  confirmed: 'always',
  input: change,
  output: z.object({}),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_FIXED', 'RECORD_CHANGED'],
  audit: 'role.grant',
  personal: 'none',
  perPerson: 'write',
})

/** Revokes a permission from a role by the same rules. 관리자 keeps every permission, so that its users cannot lock themselves out. */
export const revokeFunction = endpoint({
  path: '/rol/v1/del/function',
  summary: 'Revoke a function from a role',
  access: manage,
  confirmed: 'always',
  input: change,
  output: z.object({}),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_FIXED', 'RECORD_CHANGED'],
  audit: 'role.revoke',
  personal: 'none',
  perPerson: 'write',
})

/**
 * Lists the names of the roles that have a permission. The page shows a user who lacks it whom to ask (rules/affiliations#missing).
 */
export const listFunctionHolders = endpoint({
  path: '/rol/v1/get/holders',
  summary: 'Roles that hold a function',
  access: { function: ['autho_user_manage', 'autho_user_insert', 'autho_partner_search'] },
  input: z.strictObject({ functionName }),
  output: z.object({ roles: z.array(z.object({ roleName: z.string() })) }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Lists the roles that the caller may grant (rules/roles#giving); returns the array itself. */
export const listRoles = endpoint({
  path: '/cm/v1/powerCodes',
  summary: 'Roles that may be granted',
  access: { function: ['autho_user_manage', 'autho_user_insert'] },
  input: z.strictObject({
    /** True to include the roles of users whom the caller may administer, each with whether the caller may grant it. */
    reached: z.optional(flag),
  }),
  output: z.array(z.object({ code: z.string(), codeName: z.string(), grantable: z.optional(flag) })),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
