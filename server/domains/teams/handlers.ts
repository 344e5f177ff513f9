import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type * as contract from '../../../contract/teams.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { byText } from '../../db/list.ts'
import { mayLogIn } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Call, Handler, Handlers } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { requirePlaceable } from '../common/index.ts'
import { inCompany, requireInBranch } from '../roles/index.ts'
import { requireTeam } from './members.ts'

/**
 * Refusals of violated constraints of a team: no such parent, a name in use, or a parent that is too deep or below the team.
 */
const ERRORS = {
  teams_parent: 'TEAM_NOT_FOUND',
  teams_name: 'TEAM_NAME_TAKEN',
  teams_depth: 'TEAM_PARENT',
} as const

/** Errors for violated constraints of a deletion: a membership or a team below refers to the team. */
const IN_USE = { user_teams_team_id_fkey: 'TEAM_IN_USE', teams_parent: 'TEAM_IN_USE' } as const

/** Returns the query for all teams `t`, without order. */
const allTeams = (db: Db) =>
  db
    .selectFrom('teams as t')
    .select([
      't.id as teamId',
      't.affiliationCode',
      sql<string>`coalesce(t.parent_id::text, '')`.as('parentId'),
      't.name',
      't.nameEn',
    ])

/** Team as `allTeams` returns it. */
type Team = Awaited<ReturnType<ReturnType<typeof allTeams>['executeTakeFirstOrThrow']>>

/** Returns the version of a team, by which a change notices a concurrent one. */
const versionOf = ({ name, nameEn, parentId }: Team) => digestOf([name, nameEn, parentId])

/** Returns the teams of the actor's company by name, with the number of users whose main team each is and who may log in. */
const listTeams: Handler<typeof contract.listTeams> = async ({ db, actor }) => {
  const rows = await allTeams(db)
    .where(inCompany(actor, sql.ref('t.affiliationCode')))
    .leftJoin(
      sql<{ teamId: string; n: number }>`(select m.team_id, count(*)::int as n from user_teams m
        join users u on u.id = m.user_id where m.is_main and ${mayLogIn('u')} group by 1)`.as('c'),
      'c.teamId',
      't.id',
    )
    .select(sql<number>`coalesce(c.n, 0)`.as('userCount'))
    .orderBy(byText(sql`lower(t.name)`))
    .orderBy('t.id')
    .execute()
  return { teams: rows.map((row) => ({ ...row, version: versionOf(row) })) }
}

/**
 * Creates a team in an affiliation, below another team or at the top, with an audit row, and returns its ID.
 * @throws {Refusal} FORBIDDEN for another branch; CODE_NOT_FOUND, AFFILIATION_CLOSED; TEAM_NOT_FOUND for the parent;
 * TEAM_NAME_TAKEN; TEAM_PARENT if the parent is too deep
 */
const createTeam: Handler<typeof contract.createTeam> = async (call, input) => {
  const { affiliationCode, name, nameEn, parentId } = input
  requireInBranch(call.actor, affiliationCode)
  return call.db.transaction().execute(async (tx) => {
    await requirePlaceable(tx, affiliationCode)
    await lockTeams(tx, affiliationCode)
    const { teamId } = await mapConstraintErrors(ERRORS, () =>
      tx
        .insertInto('teams')
        .values({ affiliationCode, name, nameEn, parentId: parentId || null })
        .returning('id as teamId')
        .executeTakeFirstOrThrow(),
    )
    const detail = { affiliationCode, nameEn, parentTeam: await pathOf(tx, parentId) }
    await call.audit(tx, { target: name, detail, records: null })
    return { teamId }
  })
}

/**
 * Renames or moves a team, with an audit row.
 * @throws {Refusal} TEAM_NOT_FOUND for the parent; TEAM_NAME_TAKEN; TEAM_PARENT if the parent is too deep or below the team;
 * and as `lockTeam`
 */
const updateTeam: Handler<typeof contract.updateTeam> = async (call, input) => {
  const { name, nameEn, parentId } = input
  await call.db.transaction().execute(async (tx) => {
    const before = await lockTeam(tx, call, input)
    await mapConstraintErrors(ERRORS, () =>
      tx
        .updateTable('teams')
        .set({ name, nameEn, parentId: parentId || null })
        .where('id', '=', input.teamId)
        .execute(),
    )
    const moved =
      parentId === before.parentId
        ? {}
        : { parentTeam: { before: await pathOf(tx, before.parentId), after: await pathOf(tx, parentId) } }
    await call.audit(tx, {
      target: name,
      detail: { ...differences(before, { name, nameEn }), ...moved },
      records: null,
    })
  })
}

/**
 * Deletes a team without members and teams below it, with an audit row. Withdrawn users do not count as members.
 * @throws {Refusal} TEAM_IN_USE, and as `lockTeam`
 */
const deleteTeam: Handler<typeof contract.deleteTeam> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const { affiliationCode, name, nameEn } = await lockTeam(tx, call, input)
    // Withdrawn users are not shown as members, so they must not keep the team.
    await tx
      .deleteFrom('userTeams')
      .where('teamId', '=', input.teamId)
      .where('userId', 'in', (users) =>
        users
          .selectFrom('userTeams as m')
          .innerJoin('users as u', 'u.id', 'm.userId')
          .where('m.teamId', '=', input.teamId)
          .where('u.withdrawnAt', 'is not', null)
          .select('u.id'),
      )
      .execute()
    await mapConstraintErrors(IN_USE, () => tx.deleteFrom('teams').where('id', '=', input.teamId).execute())
    await call.audit(tx, { target: name, detail: { affiliationCode, nameEn }, records: null })
  })
}

/** Locks the teams of an affiliation until the transaction ends: two concurrent moves could put two teams below each other. */
const lockTeams = (tx: Tx, affiliationCode: string) =>
  allTeams(tx).where('t.affiliationCode', '=', affiliationCode).orderBy('t.id').forNoKeyUpdate().execute()

/**
 * Locks all teams of a team's affiliation until the transaction ends, and returns the team.
 * @throws {Refusal} as `requireTeam`; FORBIDDEN for a team outside the actor's branch; RECORD_CHANGED if it was deleted
 * or changed since the caller read it
 */
async function lockTeam(
  tx: Tx,
  { actor }: Pick<Call<typeof contract.updateTeam>, 'actor'>,
  { teamId, version }: { teamId: string; version: string },
): Promise<Team> {
  const { affiliationCode } = requireTeam(
    actor,
    await allTeams(tx).where('t.id', '=', teamId).executeTakeFirst(),
  )
  requireInBranch(actor, affiliationCode)
  const team = (await lockTeams(tx, affiliationCode)).find((row) => row.teamId === teamId)
  if (team === undefined || versionOf(team) !== version) return refuse('RECORD_CHANGED')
  return team
}

/** Returns the Korean path of a team; '' for ''. */
async function pathOf(tx: Tx, teamId: string): Promise<string> {
  const { path } = await tx
    .selectNoFrom(sql<string | null>`team_path(nullif(${teamId}, '')::bigint, false)`.as('path'))
    .executeTakeFirstOrThrow()
  return path ?? ''
}

/** Handlers of the calls that list, create, change and delete teams (rules/teams#tree). */
export const teams: Handlers<'teams'> = { listTeams, createTeam, updateTeam, deleteTeam }
