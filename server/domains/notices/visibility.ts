import { type RawBuilder, sql } from 'kysely'
import { type Actor, can } from '../../../contract/permissions.ts'
import { today } from '../../db/sql.ts'

/** A user who views notices, with their present affiliation and role. */
export interface Reader {
  id: string
  affiliationCode: string
  roleCode: string
}

/**
 * Returns a condition: whether the actor may see a notice. Its audience may see it once it is published; its author and users who
 * manage notices always may. Only this function decides this for lists, counts, detail, neighbors, home and downloads.
 * @param n alias of the notices row
 */
export function maySeeNotice(actor: Actor & Reader, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.published_at`)} <= now() and ${isFor(actor, n)}
    or ${sql.ref(`${n}.author_id`)} = ${actor.id})`
}

/**
 * Returns a condition: whether the user belongs to the audience of a notice, apart from permissions to manage it
 * (rules/notices#audience).
 */
export function isFor({ affiliationCode, roleCode }: Reader, n = 'notices'): RawBuilder<boolean> {
  return fits(sql`${affiliationCode}`, sql`${roleCode}`, n)
}

/** Returns the same condition for every row of users, by its alias. */
export function isForUser(u: string, n: string): RawBuilder<boolean> {
  return fits(sql.ref(`${u}.affiliation_code`), sql.ref(`${u}.role_code`), n)
}

function fits(affiliation: RawBuilder<unknown>, role: RawBuilder<unknown>, n: string): RawBuilder<boolean> {
  const [affiliations, roles] = [sql.ref(`${n}.audience_affiliations`), sql.ref(`${n}.audience_roles`)]
  return sql<boolean>`(${affiliations} is null or ${affiliation} = any(${affiliations}))
    and (${roles} is null or ${role} = any(${roles}))`
}

/** Returns a condition: whether a notice has a restricted audience, in the same words as the index of such notices. */
export function isRestricted(n = 'notices'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${n}.audience_affiliations`)} is not null or ${sql.ref(`${n}.audience_roles`)} is not null)`
}

/** Returns whether the actor wrote the notice or manages notices. */
export function isOwnNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(`${n}.author_id`)} = ${actor.id}`
}

/** Returns whether managers vouch for the notice: it is must-read, or pinned until today or later. */
export function isMarked(n = 'notices'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${n}.must_read`)} or coalesce(${sql.ref(`${n}.pinned_until`)} >= ${today}, false))`
}

/** Returns whether the actor may edit, delete or attach to the notice (rules/notices#who-edits-notices). */
export function mayEditNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`(${isOwnNotice(actor, n)} and not ${isMarked(n)})`
}
