import { sql } from 'kysely'
import { TEAM_SEPARATOR } from '../../../contract/teams.ts'
import type { Tx } from '../../db/database.ts'
import { joinTeams } from '../teams/index.ts'

/**
 * Makes the team that a department names the main team of an account (rules/scim#fields). The department is the path of
 * a team of the account's affiliation, with '>' between the names, or a name that only one of its teams has. Ignores
 * case, and blanks around the names. Without such a team, the main team stays.
 * @returns audit detail: the names of both teams, or `unknownTeam` if there is no such team; {} without a change, and
 * for an empty department
 */
export async function joinTeamOfDepartment(
  tx: Tx,
  userId: string,
  department: string,
): Promise<Record<string, unknown>> {
  const names = department.split('>').map((name) => name.trim())
  const leaf = names.at(-1) ?? ''
  if (leaf === '') return {}
  const { rows } = await sql<{ id: string; ko: string; en: string; isMain: boolean; before: string }>`
    select t.id::text, team_path(t.id, false) as ko, team_path(t.id, true) as en, coalesce(m.team_id = t.id, false) as "isMain",
      coalesce(team_path(m.team_id, false), '') as before
    from users u join teams t on t.affiliation_code = u.affiliation_code
      left join user_teams m on m.user_id = u.id and m.is_main
    where u.id = ${userId} and lower(${leaf}) in (lower(t.name), lower(t.name_en)) for key share of t`.execute(
    tx,
  )
  const path = names.join(TEAM_SEPARATOR).toLowerCase()
  const exact = rows.find(({ ko, en }) => ko.toLowerCase() === path || en.toLowerCase() === path)
  const team = exact ?? (names.length === 1 && rows.length === 1 ? rows[0] : undefined)
  if (team === undefined) return { unknownTeam: department }
  if (team.isMain) return {}
  await joinTeams(tx, [{ userId, teamId: team.id }])
  return { teamName: { before: team.before, after: team.ko } }
}
