import { type RawBuilder, sql } from 'kysely'
import { type Actor, can } from '../../../contract/permissions.ts'
import { today } from '../../db/sql.ts'

/** Somebody who looks at notices: who they are, and where they belong now. */
export interface Reader {
  id: string
  affiliationCode: string
  roleCode: string
}

/**
 * Whether somebody may see a notice: everybody of its audience once it is published; always its author and those who
 * manage notices. The only place that decides this for lists, counts, detail, neighbours, home and downloads.
 * @param n the notices row that is asked about, by its alias
 */
export function maySeeNotice(actor: Actor & Reader, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.published_at`)} <= now() and ${isFor(actor, n)}
    or ${sql.ref(`${n}.author_id`)} = ${actor.id})`
}

/** Whether somebody is of the audience of a notice, whatever they may manage (rules/notices#audience). */
export function isFor({ affiliationCode, roleCode }: Reader, n = 'notices'): RawBuilder<boolean> {
  return fits(sql`${affiliationCode}`, sql`${roleCode}`, n)
}

/** The same for every row of users, by its alias. */
export function isForUser(u: string, n: string): RawBuilder<boolean> {
  return fits(sql.ref(`${u}.affiliation_code`), sql.ref(`${u}.role_code`), n)
}

function fits(affiliation: RawBuilder<unknown>, role: RawBuilder<unknown>, n: string): RawBuilder<boolean> {
  const [affiliations, roles] = [sql.ref(`${n}.audience_affiliations`), sql.ref(`${n}.audience_roles`)]
  return sql<boolean>`(${affiliations} is null or ${affiliation} = any(${affiliations}))
    and (${roles} is null or ${role} = any(${roles}))`
}

/** Whether a notice is for an audience alone, in the words of the index that holds those. */
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
