import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { filter, line, paging, recordId, timestamp, totalCount } from '../fields.ts'
import { network } from '../networks.ts'
import { SCOPES } from '../scopes.ts'
import { REASON_LENGTH } from './issuing.ts'
import { overlapDays, TOKEN_STATES, tokenName, validDays } from './tokens.ts'

/** The most programs of a user that have a valid token. */
export const PROGRAMS_MAX = 20

/** The most networks from which a token may be used. */
export const TOKEN_NETWORKS_MAX = 20

/** The networks from which a token may be used; empty for every network. */
export const allowedNetworks = z._default(
  z.array(network, 'notAList').check(
    z.maxLength(TOKEN_NETWORKS_MAX, `tooManyNetworks|${TOKEN_NETWORKS_MAX}`),
    z.overwrite((networks) => [...new Set(networks)]),
  ),
  [],
)

/** The scopes and networks of a new token. */
const rights = {
  scopes: z._default(
    z.array(z.enum(SCOPES, 'codeFormat'), 'notAList').check(
      z.maxLength(SCOPES.length, `maxLength|${SCOPES.length}`),
      z.overwrite((scopes) => [...new Set(scopes)]),
    ),
    [],
  ),
  allowedNetworks,
}

/** The scopes and networks of a token in a list. */
export const listedRights = { scopes: z.array(z.enum(SCOPES)), allowedNetworks: z.array(z.string()) }

/**
 * Lists the caller's programs: valid ones first, then by age, newest first. Tokens that ended are listed for 90 days. Tokens
 * themselves are never returned.
 */
export const listPrograms = endpoint({
  path: '/kmn/v1/get/ProgramList',
  summary: 'List my program tokens',
  title: { ko: '내 프로그램 토큰 조회', en: 'Viewed their program tokens' },
  access: 'signed-in',
  output: z.object({
    /** Partner code for which the caller issues keys; empty for none. */
    partnerCode: z.string(),
    /** Scopes with a call that the caller may make. */
    grantableScopes: z.array(z.enum(SCOPES)),
    programs: z.array(
      z.object({
        programId: z.string(),
        programName: z.string(),
        /** `account`: the token ended with the account, or when another user set the password. */
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        expiresAt: timestamp,
        /** Time until which the previous token is valid too; empty if it is not. */
        previousUntil: z.string(),
        /** Rounded to the minute; empty if it was never used. */
        lastUsedAt: z.string(),
        /** IP address of the last use; empty if it was never used. */
        address: z.string(),
        /** Empty while it is valid. */
        endedAt: z.string(),
        ...listedRights,
      }),
    ),
  }),
  audit: 'none',
  personal: ['read', 'own'],
})

/**
 * Creates the token of a program of the caller. programToken is returned only this time: the database stores its
 * SHA-256. NO_PARTNER for a token without a scope if the caller has no partner code, because it could only issue keys.
 * PROGRAM_NAME_TAKEN for a name in use, PROGRAMS_FULL beyond PROGRAMS_MAX.
 */
export const createProgram = endpoint({
  path: '/kmn/v1/ins/Program',
  summary: 'Create a program token',
  title: { ko: '프로그램 토큰 생성', en: 'Created a program token' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ programName: tokenName, validDays, ...rights }),
  output: z.object({ programId: z.string(), programToken: z.string() }),
  errors: ['NO_PARTNER', 'PROGRAM_NAME_TAKEN', 'PROGRAMS_FULL'],
  audit: 'program.create',
  personal: ['change', 'own'],
})

/**
 * Rotates a token of the caller, with a new expiry, and returns the new token, this one time. The previous token stays
 * valid for `overlapDays`, but not beyond its own expiry. PROGRAM_NOT_FOUND, also if it has expired or was revoked.
 */
export const rollProgram = endpoint({
  path: '/kmn/v1/upd/ProgramToken',
  summary: 'Rotate a program token',
  title: { ko: '프로그램 토큰 교체', en: 'Rotated a program token' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ programId: recordId, validDays, overlapDays }),
  output: z.object({ programToken: z.string() }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.roll',
  personal: ['change', 'own'],
})

/**
 * Revokes a token of the caller and the previous one immediately and permanently. Requires a recent login or
 * reauthentication, but not the password gate. PROGRAM_NOT_FOUND, also if it has expired or was revoked.
 */
export const revokeProgram = endpoint({
  path: '/kmn/v1/del/Program',
  summary: 'End a program token',
  title: { ko: '프로그램 토큰 종료', en: 'Ended a program token' },
  access: 'signed-in',
  confirmed: 'always',
  input: z.strictObject({ programId: recordId }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.revoke',
  personal: ['change', 'own'],
  duringFullDisk: true,
})

/** The list of all users' programs shows 10 rows a page. */
export const ALL_PROGRAMS_PER_PAGE = 10

/**
 * Lists all users' programs that have a valid token, newest first (rules/keys#programs-of-others). Tokens themselves are never
 * returned.
 */
export const listAllPrograms = endpoint({
  path: '/kmn/v1/get/AllProgramList',
  summary: "List all users' program tokens",
  title: { ko: '모든 프로그램 토큰 조회', en: 'Viewed all program tokens' },
  access: { function: ['autho_service_manage'] },
  input: z.strictObject({
    /** Any part of the user's name or ID, of the program's name or of the partner code. */
    keyword: filter(),
    ...paging(ALL_PROGRAMS_PER_PAGE),
  }),
  output: z.object({
    totalCount,
    programs: z.array(
      z.object({
        rowNumber: z.number(),
        programId: z.string(),
        programName: z.string(),
        userId: z.string(),
        name: z.string(),
        /** The user's current partner code; empty without one. */
        partnerCode: z.string(),
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        expiresAt: timestamp,
        /** Rounded to the minute; empty if it was never used. */
        lastUsedAt: z.string(),
        ...listedRights,
      }),
    ),
  }),
  audit: 'none',
  personal: ['search', 'out.programs[].userId'],
})

/**
 * Revokes the token of any user's program and the previous one immediately and permanently. The user is notified with
 * the reason. PROGRAM_NOT_FOUND, also if it has expired or was revoked.
 */
export const endProgram = endpoint({
  path: '/kmn/v1/end/Program',
  summary: 'End the program token of any user',
  title: { ko: '다른 사람의 프로그램 토큰 종료', en: 'Ended another user’s program token' },
  access: { function: ['autho_service_manage'] },
  confirmed: 'always',
  input: z.strictObject({ programId: recordId, reason: line(REASON_LENGTH) }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.end',
  personal: ['change', 'told'],
  duringFullDisk: true,
})
