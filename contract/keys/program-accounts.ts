import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code, flag, optionalDate, recordId, recordVersion, timestamp } from '../fields.ts'
import { SCOPES } from '../scopes.ts'
import { allowedNetworks, listedRights } from './programs.ts'
import { overlapDays, TOKEN_STATES, tokenName, validDays } from './tokens.ts'

/** The most program accounts. */
export const PROGRAM_ACCOUNTS_MAX = 100

/** The states of a program account. `soon`: valid, with an end within `TOKEN_ENDS_SOON_DAYS`. `off`: disabled. */
export const PROGRAM_ACCOUNT_STATES = ['live', 'soon', 'expired', 'off'] as const

/** Access policy of the calls that manage program accounts. */
const manage = { function: ['autho_service_manage'] } as const

/** The fields of a program account that its form edits. `validTo` is empty for no end. */
export const programAccountForm = {
  programName: tokenName,
  roleCode: code,
  affiliationCode: code,
  scopes: z.array(z.enum(SCOPES, 'codeFormat'), 'notAList').check(
    z.minLength(1, 'required'),
    z.maxLength(SCOPES.length, `maxLength|${SCOPES.length}`),
    z.overwrite((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
  ),
  allowedNetworks,
  validTo: optionalDate,
}

/**
 * Lists the program accounts by name, with the tokens that are valid or ended in the last 90 days, and the roles and
 * scopes that the caller may give to a program (rules/keys#program-accounts). Never returns a token.
 */
export const listProgramAccounts = endpoint({
  path: '/kmn/v1/get/ProgramAccountList',
  summary: 'List the program accounts',
  access: manage,
  output: z.object({
    accounts: z.array(
      z.object({
        accountId: z.string(),
        programName: z.string(),
        roleCode: z.string(),
        roleName: z.string(),
        affiliationCode: z.string(),
        affiliationName: z.string(),
        ...listedRights,
        validTo: z.string(),
        state: z.enum(PROGRAM_ACCOUNT_STATES),
        createdAt: timestamp,
        /** Rounded to the minute; empty if it was never used. */
        lastUsedAt: z.string(),
        /** False if its role is above the caller, who may only revoke its tokens. */
        editable: z.boolean(),
        tokens: z.array(
          z.object({
            tokenId: z.string(),
            tokenName: z.string(),
            state: z.enum(TOKEN_STATES),
            createdAt: timestamp,
            expiresAt: timestamp,
            previousUntil: z.string(),
            lastUsedAt: z.string(),
            address: z.string(),
          }),
        ),
        /** Version of the form's fields; the client sends it back with an edit. */
        version: z.string(),
      }),
    ),
    /** Roles that the caller may give to a program. */
    roles: z.array(z.object({ code: z.string(), codeName: z.string() })),
    /** Scopes of calls that the caller may make. */
    grantableScopes: z.array(z.enum(SCOPES)),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Registers a program account. It has no token yet. PROGRAM_NAME_TAKEN for a name in use, PROGRAM_ACCOUNTS_FULL beyond
 * PROGRAM_ACCOUNTS_MAX, FORBIDDEN for a role or scope that the caller may not give.
 */
export const createProgramAccount = endpoint({
  path: '/kmn/v1/ins/ProgramAccount',
  summary: 'Register a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(programAccountForm),
  output: z.object({ accountId: z.string() }),
  errors: ['PROGRAM_NAME_TAKEN', 'PROGRAM_ACCOUNTS_FULL', 'CODE_NOT_FOUND', 'AFFILIATION_CLOSED'],
  audit: 'program.register',
  personal: 'none',
})

/**
 * Edits a program account, and enables or disables it. The tokens of a disabled program are refused, and stay. Refusals
 * like `createProgramAccount`; RECORD_CHANGED if another user has saved since `version`.
 */
export const updateProgramAccount = endpoint({
  path: '/kmn/v1/upd/ProgramAccount',
  summary: 'Edit, enable or disable a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    accountId: recordId,
    ...programAccountForm,
    isEnabled: flag,
    version: recordVersion,
  }),
  errors: [
    'PROGRAM_ACCOUNT_NOT_FOUND',
    'PROGRAM_NAME_TAKEN',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'RECORD_CHANGED',
  ],
  audit: 'program.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/** Deletes a program account permanently, with its tokens. Its records and audit rows keep its name. */
export const deleteProgramAccount = endpoint({
  path: '/kmn/v1/del/ProgramAccount',
  summary: 'Delete a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ accountId: recordId }),
  errors: ['PROGRAM_ACCOUNT_NOT_FOUND'],
  audit: 'program.remove',
  personal: 'none',
})

/**
 * Creates a token of a program account. programToken is returned only this time: the database stores its SHA-256.
 * PROGRAM_NAME_TAKEN for a name in use, PROGRAMS_FULL beyond PROGRAMS_MAX.
 */
export const createAccountToken = endpoint({
  path: '/kmn/v1/ins/AccountToken',
  summary: 'Create a token of a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ accountId: recordId, tokenName, validDays }),
  output: z.object({ tokenId: z.string(), programToken: z.string() }),
  errors: ['PROGRAM_ACCOUNT_NOT_FOUND', 'PROGRAM_NAME_TAKEN', 'PROGRAMS_FULL'],
  audit: 'program.create',
  personal: 'none',
})

/**
 * Rotates a token of a program account, as `rollProgram` does. PROGRAM_NOT_FOUND, also if it has expired or was
 * revoked.
 */
export const rollAccountToken = endpoint({
  path: '/kmn/v1/upd/AccountToken',
  summary: 'Rotate a token of a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ tokenId: recordId, validDays, overlapDays }),
  output: z.object({ programToken: z.string() }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.roll',
  personal: 'none',
})

/**
 * Revokes a token of a program account and the previous one immediately and permanently. PROGRAM_NOT_FOUND, also if it
 * has expired or was revoked.
 */
export const revokeAccountToken = endpoint({
  path: '/kmn/v1/del/AccountToken',
  summary: 'End a token of a program account',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ tokenId: recordId }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.revoke',
  personal: 'none',
  duringFullDisk: true,
})
