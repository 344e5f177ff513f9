import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ALL, code, filter, line, recordId, recordVersion } from './fields.ts'

/** Access policy of the calls that manage teams. */
const manage = { function: ['autho_user_manage'] } as const

/** The most additional teams of a user. */
export const OTHER_TEAMS = 5

/** The text between the names of a team and of those above it, in a path. */
export const TEAM_SEPARATOR = ' > '

/** The ID of a team; '' for none. */
export const teamChoice = z.union([z.literal(''), recordId], { error: 'recordIdFormat' })

/** No main team: in a filter by team, the users without one; in a bulk change, that they leave theirs. */
export const NO_TEAM = 'NONE'

/** Team that a bulk change makes the main team of users, or NO_TEAM. */
export const newMainTeam = z.union([z.literal(NO_TEAM), recordId], { error: 'recordIdFormat' })

/** Creates a schema for a filter by team or `NO_TEAM`: `ALL`, empty or left out means no filter and becomes ''. */
export function teamFilter() {
  return z.pipe(
    z._default(z.union([z.literal(ALL), z.literal(NO_TEAM), teamChoice], { error: 'recordIdFormat' }), ''),
    z.transform((teamId) => (teamId === ALL ? '' : teamId)),
  )
}

/** The teams of a user: the main one, and the additional ones (rules/teams#membership). */
export const teamFields = {
  teamId: z.optional(teamChoice),
  otherTeamIds: z.optional(
    z
      .array(recordId, { error: 'codeFormat' })
      .check(z.maxLength(OTHER_TEAMS, `tooManyChosen|${OTHER_TEAMS}`)),
  ),
}

/** The fields of a team that its form edits. Without an English name the Korean one is used in both languages. */
const edited = { name: line(50), nameEn: filter(50), parentId: z._default(teamChoice, '') }

/** Lists every team by name, with the number of its main members (rules/teams#tree). */
export const listTeams = endpoint({
  path: '/org/v1/get/teams',
  summary: 'Teams of all affiliations',
  access: 'signed-in',
  output: z.object({
    teams: z.array(
      z.object({
        teamId: z.string(),
        affiliationCode: z.string(),
        /** ID of the team above it; '' at the top. */
        parentId: z.string(),
        /** In Korean; the next field in English. */
        name: z.string(),
        nameEn: z.string(),
        /** Number of users who can log in today, as in the directory, and whose main team it is. */
        userCount: z.number(),
        /** Version of the team; the client sends it back with an edit. */
        version: z.string(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Adds a team to an affiliation. TEAM_PARENT if it would be below the sixth level, TEAM_NAME_TAKEN if another team at
 * the same place has the name, TEAM_NOT_FOUND if the team above it is not of the affiliation.
 */
export const createTeam = endpoint({
  path: '/org/v1/ins/team',
  summary: 'Add a team',
  access: manage,
  input: z.strictObject({ affiliationCode: code, ...edited }),
  output: z.object({ teamId: z.string() }),
  errors: ['CODE_NOT_FOUND', 'AFFILIATION_CLOSED', 'TEAM_NOT_FOUND', 'TEAM_NAME_TAKEN', 'TEAM_PARENT'],
  audit: 'team.create',
  personal: 'none',
})

/**
 * Renames a team, or puts it with those below it below another one of its affiliation or at the top. TEAM_PARENT if it
 * would be below itself or the sixth level; RECORD_CHANGED if it has changed or was deleted since `version`; other
 * refusals like `createTeam`.
 */
export const updateTeam = endpoint({
  path: '/org/v1/upd/team',
  summary: 'Rename or move a team',
  access: manage,
  input: z.strictObject({ teamId: recordId, ...edited, version: recordVersion }),
  errors: ['TEAM_NOT_FOUND', 'TEAM_NAME_TAKEN', 'TEAM_PARENT', 'RECORD_CHANGED'],
  audit: 'team.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Deletes a team. TEAM_IN_USE if it has members, also additional ones, or teams below it; RECORD_CHANGED if it has
 * changed since `version`.
 */
export const deleteTeam = endpoint({
  path: '/org/v1/del/team',
  summary: 'Delete a team',
  access: manage,
  input: z.strictObject({ teamId: recordId, version: recordVersion }),
  errors: ['TEAM_NOT_FOUND', 'TEAM_IN_USE', 'RECORD_CHANGED'],
  audit: 'team.delete',
  personal: 'none',
})
