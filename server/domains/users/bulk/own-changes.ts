import { sql } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { type listOwnChanges as endpoint, OWN_CHANGES, OWN_CHANGES_DAYS } from '../../../../contract/users.ts'
import { nameColumn, wireTime } from '../../../db/sql.ts'
import type { Handler } from '../../../http/handler.ts'
import { isUndoable, UNDOABLE } from './bulk-undo.ts'

/** Keys of an audit detail that `listOwnChanges` names as what a bulk change changed. */
const SUBJECTS = [...UNDOABLE, 'teamName'] as const

/**
 * Lists the caller's own bulk changes of the last OWN_CHANGES_DAYS days, newest first, at most OWN_CHANGES, with the
 * number of users, the changed fields, and the new affiliation, role and end if all users got the same. Omits undos, changes
 * of one user, and changes that an undo has restored completely (rules/users#undo-a-bulk-change). The preview of the undo
 * names users who were changed otherwise since.
 */
export const listOwnChanges: Handler<typeof endpoint> = async ({ db, actor, language }) => {
  const isRecent = sql<boolean>`l.action in ('user.extend', 'user.update')
    and l.at > now() - make_interval(days => ${OWN_CHANGES_DAYS})`
  const { rows } = await sql<{
    undoId: string
    changedAt: string
    userCount: number
    subjects: (typeof SUBJECTS)[number][]
    /** New affiliation, role and end; null if the change did not give all users the same one. */
    newValues: (string | null)[]
  }>`with undone as (
      select l.id, l.records[1] as record, l.detail ->> 'undone' as at,
        array(select jsonb_object_keys(l.detail - 'undone')) as keys
      from audit_log l where ${isRecent} and l.detail ? 'undone'),
    changed as (
      select l.id, l.at, l.request_id, l.action, l.detail, ${isUndoable} and u.id is null as is_open
      from audit_log l left join undone u on u.record = l.records[1] and u.at = ${wireTime(sql`l.at`)}
        and u.id > l.id and l.detail ?| u.keys
      where l.actor_id = ${actor.id} and ${isRecent} and not l.detail ? 'undone'),
    bulk as (
      select max(id)::text as undo_id, at, count(distinct id)::int as user_count,
        array_remove(array[${sql.join(
          SUBJECTS.map((key) => sql`case when bool_or(detail ? ${key}::text) then ${key}::text end`),
        )}], null) as subjects,
        ${newValue('affiliationCode')} as affiliation, ${newValue('roleCode')} as role, ${newValue('validTo')} as valid_to
      from changed group by at, request_id, action having count(distinct id) > 1 and bool_or(is_open)
      order by at desc limit ${OWN_CHANGES})
    select b.undo_id as "undoId", ${wireTime(sql`b.at`)} as "changedAt", b.user_count as "userCount", b.subjects,
      array[c.${sql.ref(nameColumn[language])}, r.${sql.ref(language === 'ko' ? 'groupName' : 'nameEn')}, b.valid_to]
        as "newValues"
    from bulk b left join codes c on c.code = b.affiliation and c.group_code = ${CODE_GROUP.affiliation}
      left join roles r on r.code = b.role
    order by b.at desc`.execute(db)
  const { fields } = catalogues[language]
  const labels = { ...fields, partnerId: fields.partnerCode }
  return {
    bulkChanges: rows.map(({ subjects, newValues, ...change }) => {
      const names = subjects.map((key) => labels[key]).join(', ')
      const values = newValues.filter((value) => value !== null).join(', ')
      return { ...change, changeSummary: values === '' ? names : `${names} → ${values}` }
    }),
  }
}

/** Returns the SQL expression for the new value of a field if a bulk change gave all users the same one, else null. */
const newValue = (key: (typeof UNDOABLE)[number]) =>
  sql`case when count(distinct detail -> ${key}::text ->> 'after') = 1
    then max(detail -> ${key}::text ->> 'after') end`
