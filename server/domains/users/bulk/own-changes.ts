import { sql } from 'kysely'
import { catalogues } from '../../../../contract/messages/index.ts'
import { type listOwnChanges as endpoint, OWN_CHANGES, OWN_CHANGES_DAYS } from '../../../../contract/users.ts'
import { wireTime } from '../../../db/sql.ts'
import type { Handler } from '../../../http/handler.ts'
import { isUndoable, UNDOABLE } from './bulk-undo.ts'

/** Keys of an audit row that name what a bulk change was about. */
const SUBJECTS = [...UNDOABLE, 'teamName', 'undone'] as const

/**
 * Lists the caller's own bulk changes of the last OWN_CHANGES_DAYS days, newest first, if an undo has not restored all
 * their users (rules/users#undo-a-bulk-change). The preview of the undo names users who were changed otherwise since.
 */
export const listOwnChanges: Handler<typeof endpoint> = async ({ db, actor, language }) => {
  const isRecent = sql<boolean>`l.action in ('user.extend', 'user.update')
    and l.at > now() - make_interval(days => ${OWN_CHANGES_DAYS})`
  const { rows } = await sql<{
    undoId: string
    changedAt: string
    userCount: number
    subjects: (typeof SUBJECTS)[number][]
  }>`with undone as (
      select l.id, l.records[1] as record, l.detail ->> 'undone' as at,
        array(select jsonb_object_keys(l.detail - 'undone')) as keys
      from audit_log l where ${isRecent} and l.detail ? 'undone'),
    changed as (
      select l.id, l.at, l.request_id, l.action, l.detail, ${isUndoable} and u.id is null as is_open
      from audit_log l left join undone u on u.record = l.records[1] and u.at = ${wireTime(sql`l.at`)}
        and u.id > l.id and l.detail ?| u.keys
      where l.actor_id = ${actor.id} and ${isRecent})
    select max(id)::text as "undoId", ${wireTime(sql`at`)} as "changedAt", count(distinct id)::int as "userCount",
      array_remove(array[${sql.join(
        SUBJECTS.map((key) => sql`case when bool_or(detail ? ${key}::text) then ${key}::text end`),
      )}], null) as subjects
    from changed group by at, request_id, action having count(distinct id) > 1 and bool_or(is_open)
    order by at desc limit ${OWN_CHANGES}`.execute(db)
  const { fields, users } = catalogues[language]
  const labels = { ...fields, partnerId: fields.partnerCode, undone: users.bulk.actions.undo }
  return {
    bulkChanges: rows.map(({ subjects, ...change }) => ({
      ...change,
      changeSummary: subjects.map((key) => labels[key]).join(', '),
    })),
  }
}
