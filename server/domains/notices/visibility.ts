import { type RawBuilder, sql } from 'kysely'
import { type Actor, can } from '../../../contract/permissions.ts'

/**
 * Whether somebody may see a notice: everybody once it is published; before that its author and those who manage
 * notices. The only place that decides this for lists, counts, detail, neighbours, home and downloads.
 * @param n the notices row that is asked about, by its alias
 */
export function maySeeNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.published_at`)} <= now() or ${sql.ref(`${n}.author_id`)} = ${actor.id})`
}

/** Whether somebody may edit, delete or attach to a notice: its author or `autho_notice_manage` (rules/notices#who-edits-notices). */
export function mayEditNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(`${n}.author_id`)} = ${actor.id}`
}
