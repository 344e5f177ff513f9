import { type RawBuilder, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { NO_TEAM, TEAM_SEPARATOR } from '../../../contract/teams.ts'
import { toColumns } from '../../db/column-names.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { affiliationName } from '../common/index.ts'
import { inBranch, requireInBranch } from '../roles/index.ts'

/**
 * Returns the team that a lookup found.
 * @param team undefined if the lookup found none
 * @throws {Refusal} if it found none: TEAM_NOT_FOUND; FORBIDDEN for an actor of one branch, so that it stays
 * unknown whether another branch has the team
 */
export function requireTeam<Team>({ within }: Pick<SignedIn, 'within'>, team: Team | undefined): Team {
  return team ?? refuse(within === null ? 'TEAM_NOT_FOUND' : 'FORBIDDEN')
}

/**
 * Returns the SQL condition that the user `u` is a main or additional member of a team or of one below it; for NO_TEAM
 * that the user has no main team.
 */
export const isInTeam = (teamId: string): RawBuilder<boolean> =>
  teamId === NO_TEAM
    ? sql`not exists (select from user_teams m where m.user_id = u.id and m.is_main)`
    : sql`u.id in (select m.user_id from user_teams m where m.team_id = any(teams_within(${teamId}::bigint)))`

/**
 * Returns the SQL expression for the path of the main team of the user `u`: its name after those of the teams above it,
 * in a language; '' without one.
 */
export const teamPath = (language: Language): RawBuilder<string> =>
  sql`coalesce((select team_path(m.team_id, ${sql.lit(language === 'en')}) from user_teams m
    where m.user_id = u.id and m.is_main), '')`

/**
 * Returns ID, affiliation and `paths` (in Korean, in English) of the teams that the actor administers: those of
 * the actor's branch, or all for an actor of no branch.
 */
export const teamPaths = (db: Db, actor: Pick<SignedIn, 'within'>) =>
  db
    .selectFrom('teams')
    .select([
      'id',
      'affiliationCode',
      sql<string[]>`array[team_path(id, false), team_path(id, true)]`.as('paths'),
    ])
    .where(inBranch(actor, sql.ref('affiliationCode')))
    .execute()

/**
 * Locks a team until the transaction ends, so that it is not deleted.
 * @returns its affiliation, and its path in Korean
 * @throws {Refusal} as `requireTeam` for an unknown team; FORBIDDEN for a team of another branch
 */
export async function holdTeam(tx: Tx, actor: SignedIn, teamId: string) {
  const found = await tx
    .selectFrom('teams')
    .select(['affiliationCode', sql<string>`team_path(id, false)`.as('path')])
    .where('id', '=', teamId)
    .forKeyShare()
    .executeTakeFirst()
  const team = requireTeam(actor, found)
  requireInBranch(actor, team.affiliationCode)
  return team
}

/**
 * Makes teams the main teams of users, in place of their previous main teams (rules/teams#membership). Additional teams
 * stay. The caller has locked or just written the users' rows.
 * @param members users.id, and teams.id or '' for no main team; a user at most once
 * @throws {Refusal} IMPORT_INVALID if a team was deleted since it was checked
 */
export async function joinTeams(
  tx: Tx,
  members: readonly { userId: string; teamId: string }[],
): Promise<void> {
  if (members.length === 0) return
  const joining = sql`jsonb_to_recordset(${JSON.stringify(members.map(toColumns))}::jsonb) as j (user_id bigint, team_id text)`
  await sql`delete from user_teams m using ${joining}
    where m.user_id = j.user_id and (m.is_main or m.team_id::text = j.team_id)`.execute(tx)
  await mapConstraintErrors({ user_teams_team_id_fkey: 'IMPORT_INVALID' }, () =>
    sql`insert into user_teams (user_id, team_id, is_main)
      select user_id, team_id::bigint, true from ${joining} where team_id <> ''`.execute(tx),
  )
}

/** Returns the SQL expression for the additional teams of the user `u`, each as the name of its affiliation and its path. */
export const otherTeamNames = (language: Language): RawBuilder<string[]> =>
  sql`array(select ${affiliationName('t.affiliationCode', language)} || ${TEAM_SEPARATOR} || team_path(t.id, ${sql.lit(language === 'en')})
    from user_teams m join teams t on t.id = m.team_id where m.user_id = u.id and not m.is_main order by 1)`

/** Returns the SQL columns `teamId` ('' without a main team) and `otherTeamIds` of the user `u`. */
export const teamIdsOf = () =>
  [
    sql<string>`coalesce((select m.team_id::text from user_teams m where m.user_id = u.id and m.is_main), '')`.as(
      'teamId',
    ),
    sql<
      string[]
    >`array(select m.team_id::text from user_teams m where m.user_id = u.id and not m.is_main order by m.team_id)`.as(
      'otherTeamIds',
    ),
  ] as const

/**
 * A user whose row the caller has locked, with the affiliation and teams before the change. `teamId` and
 * `teamName` are the main team, '' for none.
 */
interface Member {
  id: string
  affiliationCode: string
  teamId: string
  teamName: string
  otherTeamIds: readonly string[]
}

/**
 * Replaces the main and additional teams of a user (rules/teams#membership). A field that is absent from `given`
 * leaves its teams unchanged. Another affiliation ends the main team unless `teamId` is given; the caller has
 * already written that change. Writes no audit row.
 * @returns the Korean names before and after as audit detail; empty without a change
 * @throws {Refusal} as `requireTeam` for an unknown team and for a main team of another affiliation; FORBIDDEN for
 * an added or removed team of another branch
 */
export async function changeTeams(
  tx: Tx,
  actor: SignedIn,
  member: Member,
  given: {
    affiliationCode: string
    teamId?: string | undefined
    otherTeamIds?: readonly string[] | undefined
  },
): Promise<Record<string, { before: unknown; after: unknown }>> {
  const { affiliationCode } = given
  const present = affiliationCode === member.affiliationCode ? member.teamId : ''
  const { teamId = present } = given
  // The main team is not an additional one as well.
  const others = new Set(given.otherTeamIds ?? member.otherTeamIds)
  others.delete(teamId)
  const changed = new Set([...others].filter((id) => !member.otherTeamIds.includes(id)))
  for (const id of member.otherTeamIds) if (!others.has(id) && id !== teamId) changed.add(id)
  if (teamId === present && changed.size === 0)
    return present === member.teamId ? {} : { teamName: { before: member.teamName, after: '' } }
  const found = await tx
    .selectFrom('teams')
    .select(['id', 'affiliationCode'])
    .where('id', 'in', [...changed, ...(teamId === '' ? [] : [teamId]), '0'])
    .orderBy('id')
    .forKeyShare()
    .execute()
  const affiliationOf = (id: string) =>
    requireTeam(
      actor,
      found.find((team) => team.id === id),
    ).affiliationCode
  for (const id of changed) requireInBranch(actor, affiliationOf(id))
  if (teamId !== '' && affiliationOf(teamId) !== affiliationCode) requireTeam(actor, undefined)
  const before = await namesOf(tx, member.id)
  await tx.deleteFrom('userTeams').where('userId', '=', member.id).execute()
  const rows = [
    ...(teamId === '' ? [] : [{ userId: member.id, teamId, isMain: true }]),
    ...[...others].map((id) => ({ userId: member.id, teamId: id, isMain: false })),
  ]
  if (rows.length > 0) await tx.insertInto('userTeams').values(rows).execute()
  const after = await namesOf(tx, member.id)
  return {
    ...(member.teamName !== after.teamName && {
      teamName: { before: member.teamName, after: after.teamName },
    }),
    ...(changed.size > 0 && {
      otherTeamNames: { before: before.otherTeamNames, after: after.otherTeamNames },
    }),
  }
}

/** Returns the Korean path of a user's main team, and the Korean names of the additional ones. */
const namesOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('users as u')
    .where('u.id', '=', userId)
    .select([teamPath('ko').as('teamName'), otherTeamNames('ko').as('otherTeamNames')])
    .executeTakeFirstOrThrow()
