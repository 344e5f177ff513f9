import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { filter, line, paging, recordId, timestamp, totalCount } from '../fields.ts'
import { REASON_LENGTH } from './issuing.ts'
import { overlapDays, TOKEN_STATES, tokenName, validDays } from './tokens.ts'

/** How many programs with a token in force a person has at most. */
export const PROGRAMS_MAX = 20

/** The caller's programs, those in force first and the newest first; what is over for 90 days; never their tokens. */
export const listPrograms = endpoint({
  path: '/kmn/v1/get/ProgramList',
  summary: 'List my programs that issue keys',
  title: { ko: '내 프로그램 토큰 조회', en: 'Looked at their program tokens' },
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    /** For which the caller issues keys; empty: none. */
    partnerCode: z.string(),
    programs: z.array(
      z.object({
        programId: z.string(),
        programName: z.string(),
        /** `account`: it ended with the account, or with a password that somebody else had set. */
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        expiresAt: timestamp,
        /** Until when the token before is good too; empty: it is not. */
        previousUntil: z.string(),
        /** Empty: never; to the minute. */
        lastUsedAt: z.string(),
        /** From where; empty: never. */
        address: z.string(),
        /** Empty: in force. */
        endedAt: z.string(),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'read',
})

/** Makes the token of a program. programToken is answered this once: the database keeps its SHA-256. */
export const createProgram = endpoint({
  path: '/kmn/v1/ins/Program',
  summary: 'Make the token of a program that issues keys for me',
  title: { ko: '프로그램 토큰 생성', en: 'Made a program token' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ programName: tokenName, validDays }),
  output: z.object({ programId: z.string(), programToken: z.string() }),
  errors: ['NO_PARTNER', 'PROGRAM_NAME_TAKEN', 'PROGRAMS_FULL'],
  audit: 'program.create',
  personal: ['change', 'own'],
  perPerson: 'write',
})

/** Gives a program a new token and a new end; the one before is good for `overlapDays` more, and no longer than it was. */
export const rollProgram = endpoint({
  path: '/kmn/v1/upd/ProgramToken',
  summary: 'Give a program of mine a new token',
  title: { ko: '프로그램 토큰 교체', en: 'Rolled a program token over' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ programId: recordId, validDays, overlapDays }),
  output: z.object({ programToken: z.string() }),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.roll',
  personal: ['change', 'own'],
  perPerson: 'write',
})

/** Ends a program's token at once and for good, and the one before it; asks for no password, for it only takes away. */
export const revokeProgram = endpoint({
  path: '/kmn/v1/del/Program',
  summary: 'End the token of a program of mine',
  title: { ko: '프로그램 토큰 종료', en: 'Ended a program token' },
  access: 'signed-in',
  confirmed: 'always',
  input: z.strictObject({ programId: recordId }),
  output: z.object({}),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.revoke',
  personal: ['change', 'own'],
  perPerson: 'write',
  duringFullDisk: true,
})

/** Everybody's programs are shown 10 a page. */
export const ALL_PROGRAMS_PER_PAGE = 10

/** Everybody's programs with a token in force, the newest first (rules/keys#programs-of-others); never their tokens. */
export const listAllPrograms = endpoint({
  path: '/kmn/v1/get/AllProgramList',
  summary: "List everybody's programs that issue keys",
  title: { ko: '모든 프로그램 토큰 조회', en: 'Looked at everybody’s program tokens' },
  access: { function: ['autho_service_manage'] },
  input: z.strictObject({
    /** Any part of the person's name or ID, of the program's name or of the partner code. */
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
        /** Of the person today; empty without one. */
        partnerCode: z.string(),
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        expiresAt: timestamp,
        /** Empty: never; to the minute. */
        lastUsedAt: z.string(),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: ['search', 'out.programs[].userId'],
  perPerson: 'read',
})

/** Ends anybody's token at once and for good, and the one before it; its person is told, with the reason. */
export const endProgram = endpoint({
  path: '/kmn/v1/end/Program',
  summary: "End the token of anybody's program",
  title: { ko: '다른 사람의 프로그램 토큰 종료', en: 'Ended somebody’s program token' },
  access: { function: ['autho_service_manage'] },
  confirmed: 'always',
  input: z.strictObject({ programId: recordId, reason: line(REASON_LENGTH) }),
  output: z.object({}),
  errors: ['PROGRAM_NOT_FOUND'],
  audit: 'program.end',
  personal: ['change', 'told'],
  perPerson: 'write',
  duringFullDisk: true,
})
