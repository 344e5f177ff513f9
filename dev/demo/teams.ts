import { sql } from 'kysely'
import type { Tx } from '../../server/db/database.ts'
import { HEAD_OFFICE } from '../../server/db/seed/codes.ts'

/** Teams of affiliations, each with the names of the teams below it. */
const TEAMS: readonly (readonly [affiliationCode: string, name: string, below: readonly string[]])[] = [
  [HEAD_OFFICE, '경영지원본부', ['인사팀', '재무팀']],
  [HEAD_OFFICE, '연구개발본부', ['플랫폼팀', '품질팀']],
  [HEAD_OFFICE, '영업본부', []],
  ['BEL002', '영업팀', []],
  ['BEL002', '기술팀', []],
]

/** Writes the teams, puts three of four users of their affiliations into one, and gives `hradmin` an additional team. */
export async function writeTeams(tx: Tx): Promise<void> {
  for (const [affiliationCode, name, below] of TEAMS) {
    const { id } = await tx
      .insertInto('teams')
      .values({ affiliationCode, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const team of below)
      await tx.insertInto('teams').values({ affiliationCode, name: team, parentId: id }).execute()
  }
  // Every fourth person of an affiliation with teams has none.
  await sql`insert into user_teams (user_id, team_id, is_main)
    select u.id, t.ids[1 + u.id % array_length(t.ids, 1)], true from users u
    join (select affiliation_code, array_agg(id order by id) as ids from teams group by 1) t using (affiliation_code)
    where u.id % 4 <> 0`.execute(tx)
  await sql`insert into user_teams (user_id, team_id, is_main)
    select u.id, t.id, false from users u, teams t
    where u.login_id = 'hradmin' and t.name = '기술팀'`.execute(tx)
}
