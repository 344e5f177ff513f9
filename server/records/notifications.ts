import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import {
  type ChoosableKind,
  holdersOf,
  type Kind,
  KINDS,
  MAIL,
  usualMail,
} from '../../contract/notifications/kinds.ts'
import { type Actor, can, ROLE } from '../../contract/permissions.ts'
import { toColumns } from '../db/column-names.ts'
import type { Db } from '../db/database.ts'
import { maySeeNotice, type Reader } from '../db/notice-visibility.ts'
import { mayLogIn } from '../db/sql.ts'
import type { Database } from '../db/types.ts'

/** Most notifications that are stored and listed per user. */
export const NOTIFICATIONS_KEPT = 200

/** Details of an event; which ones depends on its kind. A text that depends on the language is stored in both languages. */
export interface NotificationDetail {
  affiliationKo?: string
  affiliationEn?: string
  reason?: string
  requestKey?: string
  partnerCode?: string
  period?: string
  /** Percent of a limit that the keys of a partner have reached. */
  mark?: number
  address?: string
  device?: string
  programName?: string
  serviceName?: string
  webhookName?: string
  providerName?: string
  expiresAt?: string
}

/** Notification for one user, or for a partner: its users, and those who administer partners. */
export type NewNotification = { kind: Kind; detail?: NotificationDetail } & (
  | {
      userId: string
      /** notices.id. Only the newest notification about a notice is kept. It is deleted with the notice. */
      noticeId?: string
      /** users.id of the user who caused it. The name is read with the notification. */
      actorId?: string
    }
  | { partnerId: string }
)

/**
 * Stores notifications in the transaction of their event, so that neither exists without the other
 * (rules/notifications#written-with-it). Deletes all but the newest NOTIFICATIONS_KEPT of each user, and for an event about a
 * notice the user's earlier one of its kind.
 */
export async function notify(tx: Db, ...events: readonly NewNotification[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    kind: event.kind,
    userId: 'userId' in event ? event.userId : null,
    partnerId: 'partnerId' in event ? event.partnerId : null,
    noticeId: 'noticeId' in event ? event.noticeId : null,
    actorId: 'actorId' in event ? event.actorId : null,
    detail: event.detail ?? {},
  }))
  await sql`
    with added as (
      insert into notifications (kind, user_id, partner_id, notice_id, actor_id, detail)
      select kind, user_id, partner_id, notice_id, actor_id, detail
        from json_to_recordset(${JSON.stringify(rows.map(toColumns))}::json)
          as event (kind text, user_id bigint, partner_id bigint, notice_id bigint, actor_id bigint, detail jsonb)
      returning kind, user_id, notice_id
    )
    delete from notifications where id in (
      select old.id from (select distinct user_id from added where user_id is not null) as person
      -- Without those that are being added, which this statement does not see.
      cross join lateral (
        select n.id from notifications n where n.user_id = person.user_id
        order by n.at desc, n.id desc offset ${sql.lit(NOTIFICATIONS_KEPT - 1)}
      ) as old
      union all
      select old.id from added join notifications old
        on old.notice_id = added.notice_id and old.user_id = added.user_id and old.kind = added.kind
    )`.execute(tx)
}

/**
 * Stores a notification for every user with the role 관리자 who may log in, the user who caused the event included. Sends no mail.
 */
export async function notifyAdministrators(
  tx: Db,
  event: { kind: Kind; actorId: string; detail: NotificationDetail },
): Promise<void> {
  const administrators = await tx
    .selectFrom('users')
    .select('id')
    .where('roleCode', '=', ROLE.admin)
    .where(mayLogIn())
    .execute()
  await notify(tx, ...administrators.map(({ id: userId }) => ({ ...event, userId })))
}

/**
 * Returns the SQL query that inserts one notification of a kind for each row of a CTE of the same statement. Deletes no old
 * notifications: the next `notify` for the user does.
 * @param changed name of the CTE, with `user_id` and `detail`
 */
export const notifyChanged = (db: QueryCreator<Database>, kind: Kind, changed: string) =>
  db
    .insertInto('notifications')
    .columns(['kind', 'userId', 'detail'])
    .expression(sql`select ${kind}, user_id, detail from ${sql.table(changed)}`)

/**
 * Returns the SQL condition that a row of notifications still concerns its reader, who has the permission that its kind needs and may
 * see its notice (rules/notifications#kinds).
 */
export function isConcerned(reader: Actor & Reader): RawBuilder<boolean> {
  const hidden = KINDS.filter((kind) => {
    const holders = holdersOf(kind)
    return holders !== undefined && !can(reader, holders)
  })
  return sql<boolean>`(kind <> all(${hidden}::text[])
    and (notice_id is null or exists (select from notices n where n.id = notifications.notice_id and ${maySeeNotice(reader, 'n')})))`
}

/**
 * Returns the SQL condition that a user wants immediate mail about a kind, by their choice or by default, for mails that are sent
 * with the event (rules/notifications#choices).
 * @param user expression for users.id in the query
 */
export function wantsMailAtOnce(kind: ChoosableKind, user: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select s.mail ->> ${sql.lit(kind)} from notification_states s
    where s.user_id = ${sql.ref(user)}), ${sql.lit(usualMail(kind))}) = ${sql.lit(MAIL.atOnce)}`
}
