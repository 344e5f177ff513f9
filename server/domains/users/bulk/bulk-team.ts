import { sql } from 'kysely'
import { NO_TEAM } from '../../../../contract/teams.ts'
import { holdTeam, joinTeams } from '../../teams/index.ts'
import type { ChangeOf } from './bulk.ts'

/**
 * Returns the bulk change that makes a team the main team of users, or ends their main teams for NO_TEAM
 * (rules/teams#membership). Locks the team until the transaction ends. Skips users of other affiliations
 * (OTHER_AFFILIATION), and those whose main team it is already (ALREADY).
 * @throws {Refusal} as `holdTeam`
 */
export const mainTeam =
  (asked: string): ChangeOf =>
  async (tx, actor) => {
    const team = asked === NO_TEAM ? undefined : await holdTeam(tx, actor, asked)
    const teamId = team === undefined ? '' : asked
    return {
      action: 'team',
      asked: teamId,
      columns: {},
      obstacleOf(person) {
        if (person.teamId === teamId) return 'ALREADY'
        return team === undefined || person.affiliationCode === team.affiliationCode
          ? null
          : 'OTHER_AFFILIATION'
      },
      presentOf: ({ teamLabel }) => teamLabel,
      costsAdmins: false,
      async save(able) {
        const ids = able.map(({ id }) => id)
        await tx
          .updateTable('users')
          .set({ updatedAt: sql`now()` })
          .where('id', '=', sql<string>`any(${ids}::bigint[])`)
          .execute()
        await joinTeams(
          tx,
          ids.map((userId) => ({ userId, teamId })),
        )
      },
      detailOf: ({ teamName }) => ({ teamName: { before: teamName, after: team?.path ?? '' } }),
    }
  }
