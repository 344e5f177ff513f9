import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { code, flag, grantFields, line } from './fields.ts'
import { BRANCH_FUNCTIONS, FUNCTIONS, type Rights, SPANS } from './permissions.ts'

/** Access policy of the calls that manage roles. */
const manage = { function: ['autho_role_manage'] } as const

/** Name of a permission. */
const functionName = z.enum(FUNCTIONS, 'codeFormat')

/** Span of a role. */
const span = z.enum(SPANS, 'codeFormat')

/** Names of a role in both languages. */
const names = { roleName: line(30), roleNameEn: line(50) }

/** Lists every role with its permissions, including those above the caller's own, which the caller may not change. */
export const listRolesWithFunctions = endpoint({
  path: '/rol/v1/get/roles',
  summary: 'Roles and their functions',
  access: manage,
  output: z.object({
    roles: z.array(
      z.object({
        roleCode: z.string(),
        roleName: z.string(),
        roleNameEn: z.string(),
        functions: z.array(functionName),
        span,
        /** True for a role that cannot be renamed or removed. */
        builtIn: flag,
        /** Number of accounts with the role, without withdrawn ones: a role in use cannot be removed. */
        userCount: z.number(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/** Roles to start a new role from (rules/roles#templates). The page sends the permissions of the chosen one. */
export const ROLE_TEMPLATES = {
  /** Manages the users, notices, keys and partners of a branch. */
  branch: {
    span: 'branch',
    functions: BRANCH_FUNCTIONS.filter((name) => name !== 'autho_export_personal'),
  },
  /** Reads users and logs and inspects them; edits no user. */
  security: {
    span: 'all',
    functions: [
      'autho_user_search',
      'autho_key_search',
      'autho_key_own',
      'autho_audit_search',
      'autho_audit_manage',
    ],
  },
  /** Reads users, keys and logs; changes nothing. */
  auditor: {
    span: 'all',
    functions: ['autho_user_search', 'autho_key_search', 'autho_key_own', 'autho_audit_search'],
  },
} as const satisfies Record<string, Rights>

/**
 * Creates a role with the permissions of a template, or without any. Its span never changes (rules/roles#branch-roles).
 * FORBIDDEN for a permission that the caller lacks, ROLE_OF_BRANCH for one that a branch role cannot have,
 * ROLE_NAME_TAKEN for a name in use.
 */
export const createRole = endpoint({
  path: '/rol/v1/ins/role',
  summary: 'Add a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    ...names,
    span: z._default(span, 'all'),
    functions: z._default(z.array(functionName, { error: 'notAList' }), []),
  }),
  output: z.object({ roleCode: z.string() }),
  errors: ['FORBIDDEN', 'ROLE_OF_BRANCH', 'ROLE_NAME_TAKEN'],
  audit: 'role.create',
  personal: 'none',
})

/**
 * Renames a role: ROLE_BUILT_IN for a built-in one, FORBIDDEN for one above the caller's own, ROLE_NAME_TAKEN for a
 * name in use.
 */
export const renameRole = endpoint({
  path: '/rol/v1/upd/role',
  summary: 'Rename a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ roleCode: code, ...names }),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_NAME_TAKEN'],
  audit: 'role.rename',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Removes a role: ROLE_IN_USE if a user has it, ROLE_BUILT_IN for a built-in one, FORBIDDEN for one above the caller's
 * own. Withdrawn accounts with the role get 일반 사용자.
 */
export const removeRole = endpoint({
  path: '/rol/v1/del/role',
  summary: 'Remove a role',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ roleCode: code }),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE'],
  audit: 'role.remove',
  personal: 'none',
})

/** The role and the permission to grant or revoke. */
const change = z.strictObject({ roleCode: code, functionName })

/**
 * Grants a permission to a role, from the next call of every user with the role. FORBIDDEN for a permission that the
 * caller lacks (design/roles-and-reach#administration-scope), ROLE_FIXED for 관리자. RECORD_CHANGED if the role has it
 * already, because another user was faster. ROLE_OF_BRANCH if the permission is for the whole company only.
 */
export const grantFunction = endpoint({
  path: '/rol/v1/ins/function',
  summary: 'Grant a function to a role',
  access: manage,
  confirmed: 'always',
  input: z.extend(change, grantFields),
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_FIXED', 'ROLE_OF_BRANCH', 'RECORD_CHANGED'],
  audit: 'role.grant',
  personal: 'none',
})

/**
 * Revokes a permission from a role with the refusals of `grantFunction`; RECORD_CHANGED if the role lacks it. 관리자 keeps
 * every permission (ROLE_FIXED), so that its users cannot lock themselves out.
 */
export const revokeFunction = endpoint({
  path: '/rol/v1/del/function',
  summary: 'Revoke a function from a role',
  access: manage,
  confirmed: 'always',
  input: change,
  errors: ['FORBIDDEN', 'ROLE_NOT_FOUND', 'ROLE_FIXED', 'ROLE_OF_BRANCH', 'RECORD_CHANGED'],
  audit: 'role.revoke',
  personal: 'none',
})

/**
 * Lists the names of the roles that have a permission. The page shows them to a user who lacks it
 * (rules/affiliations#missing).
 */
export const listFunctionHolders = endpoint({
  path: '/rol/v1/get/holders',
  summary: 'Roles that hold a function',
  access: { function: ['autho_user_manage', 'autho_user_insert', 'autho_partner_search'] },
  input: z.strictObject({ functionName }),
  output: z.object({ roles: z.array(z.object({ roleName: z.string() })) }),
  audit: 'none',
  personal: 'none',
})

/** Lists the roles that the caller may grant (rules/roles#giving); returns the array itself. */
export const listRoles = endpoint({
  path: '/cm/v1/powerCodes',
  summary: 'Roles that may be granted',
  access: { function: ['autho_user_search', 'autho_user_manage', 'autho_user_insert'] },
  input: z.strictObject({
    /** True to include the roles of users whom the caller may administer, each with whether the caller may grant it. */
    reached: z.optional(flag),
  }),
  output: z.array(z.object({ code: z.string(), codeName: z.string(), grantable: z.optional(flag) })),
  audit: 'none',
  personal: 'none',
})
