import { type RawBuilder, sql } from 'kysely'
import { type Actor, can } from '../../contract/permissions.ts'
import { isExternal, today } from './sql.ts'

/** User who views notices, with their current affiliation and role. */
export interface Reader {
  id: string
  affiliationCode: string
  roleCode: string
}

/**
 * Returns the SQL condition that the actor manages a notice: any notice, and with a role of one branch those whose
 * author belongs to the branch (rules/roles#branch-roles).
 * @param n alias of the notices row
 */
export function managesNotice(actor: Actor, n = 'notices'): RawBuilder<boolean> {
  if (!can(actor, 'autho_notice_manage')) return sql<boolean>`false`
  if (actor.within === null) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.authorId`)} in (
    select id from users where affiliation_code = any(${actor.within}::text[])))`
}

/**
 * Returns the SQL condition that the actor may see a notice. Its audience may see it once it is published; its author
 * and users who manage it always may. Only this function decides this for lists, counts, detail, neighbors, home and
 * downloads.
 * @param n alias of the notices row
 */
export function maySeeNotice(actor: Actor & Reader, n = 'notices'): RawBuilder<boolean> {
  const isManager = can(actor, 'autho_notice_manage')
  if (isManager && actor.within === null) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.publishedAt`)} <= now() and ${isFor(actor, n)}
    or ${sql.ref(`${n}.authorId`)} = ${actor.id} ${isManager ? sql`or ${managesNotice(actor, n)}` : sql``})`
}

/**
 * Returns the SQL condition that the user belongs to the audience of a notice, whether or not it is published and apart
 * from permissions to manage it (rules/notices#audience).
 */
export function isFor({ affiliationCode, roleCode }: Reader, n = 'notices'): RawBuilder<boolean> {
  return fits(sql`${affiliationCode}`, sql`${roleCode}`, n)
}

/**
 * Returns the SQL condition of `isFor` for the user of a row instead of the actor.
 * @param u alias of the users row
 * @param n alias of the notices row
 */
export function isForUser(u: string, n: string): RawBuilder<boolean> {
  return fits(sql.ref(`${u}.affiliationCode`), sql.ref(`${u}.roleCode`), n)
}

/**
 * Returns the SQL condition that an affiliation and a role belong to the audience of a notice. Users of another
 * company also need the audience to name their affiliation, or the author to be of their company.
 */
function fits(affiliation: RawBuilder<unknown>, role: RawBuilder<unknown>, n: string): RawBuilder<boolean> {
  const [affiliations, roles] = [sql.ref(`${n}.audienceAffiliations`), sql.ref(`${n}.audienceRoles`)]
  // People of another company see its notices, and others that name their affiliation.
  const isOfCompany = sql`(${affiliations} is not null or not ${isExternal(affiliation)}
    or exists (select from users by_author where by_author.id = ${sql.ref(`${n}.authorId`)}
      and by_author.affiliation_code = any(external_within(${affiliation}))))`
  return sql<boolean>`(${affiliations} is null or ${affiliation} = any(${affiliations}))
    and (${roles} is null or ${role} = any(${roles})) and ${isOfCompany}`
}

/**
 * Returns the SQL condition that a notice has a restricted audience, in the exact form of the index on such
 * notices.
 */
export function isRestricted(n = 'notices'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${n}.audienceAffiliations`)} is not null or ${sql.ref(`${n}.audienceRoles`)} is not null)`
}

/** Returns the SQL condition that the actor wrote the notice or manages it. */
export function isOwnNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (!can(actor, 'autho_notice_manage')) return sql<boolean>`${sql.ref(`${n}.authorId`)} = ${actor.id}`
  return sql<boolean>`(${sql.ref(`${n}.authorId`)} = ${actor.id} or ${managesNotice(actor, n)})`
}

/** Returns the SQL condition that the notice is must-read, or pinned until today or later. Only managers set these. */
export function isMarked(n = 'notices'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${n}.mustRead`)} or coalesce(${sql.ref(`${n}.pinnedUntil`)} >= ${today}, false))`
}

/**
 * Returns the SQL condition that the actor may edit, delete or attach to the notice (rules/notices#who-edits-notices).
 * Authors without autho_notice_manage may not if it is must-read or pinned.
 */
export function mayEditNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) {
    if (actor.within === null) return sql<boolean>`true`
    // A must-read or pinned notice for others than the branch was marked by the whole company.
    const isWithin = sql`coalesce(${sql.ref(`${n}.audienceAffiliations`)} <@ ${actor.within}::text[], false)`
    return sql<boolean>`(${isOwnNotice(actor, n)} and (${isWithin} or not ${isMarked(n)}))`
  }
  // An edit can turn an own notice into another one, so it needs the right to publish.
  if (!can(actor, 'autho_notice_insert')) return sql<boolean>`false`
  return sql<boolean>`(${isOwnNotice(actor, n)} and not ${isMarked(n)})`
}
