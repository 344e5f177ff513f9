import { sql } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { refuse, Refusal } from '../../../../contract/errors.ts'
import { partnerCode } from '../../../../contract/fields.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Actor } from '../../../../contract/permissions.ts'
import { anyOf, nameColumn } from '../../../db/sql.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { byNames, nameKey } from '../../imports/index.ts'
import { grantable, holdGrantableRoles, inBranch, withinReach } from '../../roles/index.ts'
import { teamPaths } from '../../teams/index.ts'

/** Partner that a row may name. */
interface Partner {
  id: string
  code: string
  isStopped: boolean
}

/** Returns the key of a partner in a map: its code, in any case, within an affiliation. */
export const partnerKey = (affiliation: string, code: string): string =>
  `${affiliation} ${code.trim().toUpperCase()}`

/** Returns the key of a team in a map: its path, compared as `nameKey`, within an affiliation. */
export const teamKey = (affiliation: string, path: string): string => `${affiliation} ${nameKey(path)}`

/** Team that a row may name. `teamName` is its Korean path. */
interface Team {
  teamId: string
  teamName: string
}

/**
 * Returns teams by affiliation and path in either language. A path that two teams have gives undefined, so that it
 * names neither.
 */
function byPaths(teams: Awaited<ReturnType<typeof teamPaths>>): ReadonlyMap<string, Team | undefined> {
  const found = new Map<string, Team | undefined>()
  for (const { id: teamId, affiliationCode, paths } of teams)
    for (const key of new Set(paths.map((path) => teamKey(affiliationCode, path))))
      found.set(key, found.has(key) ? undefined : { teamId, teamName: paths[0] ?? '' })
  return found
}

/**
 * Returns the affiliations, the roles that the actor may grant (rules/roles#giving) and the partners and teams that the
 * rows of a file may name, read once for all rows. All are limited to the actor's branch.
 */
export async function lookUpChoices(
  db: Db,
  actor: Actor,
  rows: readonly { partnerCode: string; teamName: string }[],
) {
  // Sequential, because a transaction has one connection.
  const affiliations = await db
    .selectFrom('codes as c')
    .leftJoin('partners as p', 'p.id', 'c.defaultPartnerId')
    .select([
      'c.code',
      'c.nameKo',
      'c.nameEn',
      'c.closedAt',
      'p.id as partnerId',
      'p.code as partnerCode',
      'p.stoppedAt',
    ])
    .where('c.groupCode', '=', CODE_GROUP.affiliation)
    .where(inBranch(actor, sql.ref('c.code')))
    .execute()
  const roles = await db
    .selectFrom('roles')
    .select((eb) => [
      'code',
      'groupName as nameKo',
      'nameEn',
      grantable(actor, eb.ref('code')).as('isGrantable'),
    ])
    .where((eb) => withinReach(actor, eb.ref('code')))
    .execute()
  const codes = new Set(rows.map((row) => row.partnerCode.trim().toUpperCase()))
  const partners = await db
    .selectFrom('partners')
    .select(['id', 'code', 'affiliationCode', 'stoppedAt'])
    .where('code', '=', anyOf([...codes].filter((code) => partnerCode.safeParse(code).success)))
    .where(inBranch(actor, sql.ref('affiliationCode')))
    .execute()
  const teams = rows.every(({ teamName }) => teamName.trim() === '') ? [] : await teamPaths(db, actor)
  const names = new Map([...affiliations, ...roles].map((row) => [row.code, row]))
  const defaultPartners = new Map(
    affiliations.map((row): [string, Partner | undefined] => [
      row.code,
      row.partnerId === null || row.partnerCode === null
        ? undefined
        : { id: row.partnerId, code: row.partnerCode, isStopped: row.stoppedAt !== null },
    ]),
  )
  return {
    nameOf: (wanted: string, language: Language) => names.get(wanted)?.[nameColumn[language]] ?? '',
    affiliations: byNames(affiliations),
    roles: byNames(roles.filter(({ isGrantable }) => isGrantable)),
    closed: new Set(affiliations.filter((row) => row.closedAt !== null).map(({ code }) => code)),
    defaultPartners,
    teams: byPaths(teams),
    partners: new Map([
      ...[...defaultPartners].flatMap(([affiliation, partner]): [string, Partner][] =>
        partner === undefined ? [] : [[partnerKey(affiliation, partner.code), partner]],
      ),
      ...partners.map(({ id, code, affiliationCode, stoppedAt }): [string, Partner] => [
        partnerKey(affiliationCode, code),
        { id, code, isStopped: stoppedAt !== null },
      ]),
    ]),
  }
}

/**
 * Locks the roles and partners that users are given until the transaction ends: none is deleted or gains permissions
 * before.
 * @param chosen codes of roles and partners.id; duplicates are allowed
 * @throws {Refusal} IMPORT_INVALID if a role is gone or may not be granted any more, or a partner was deleted or
 * deactivated since the lookup
 */
export async function holdRolesAndPartners(
  tx: Tx,
  actor: Actor,
  chosen: { roles: readonly string[]; partners: readonly string[] },
): Promise<void> {
  await holdGrantableRoles(tx, actor, ...new Set(chosen.roles)).catch((error: unknown) => {
    if (error instanceof Refusal) refuse('IMPORT_INVALID')
    throw error
  })
  const partners = [...new Set(chosen.partners)]
  if (partners.length === 0) return
  const held = await tx
    .selectFrom('partners')
    .select('id')
    .where('id', 'in', partners)
    .where('stoppedAt', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (held.length !== partners.length) refuse('IMPORT_INVALID')
}
