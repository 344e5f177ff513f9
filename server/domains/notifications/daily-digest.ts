import { sql } from 'kysely'
import { DERIVED_KINDS, MAIL } from '../../../contract/notifications/kinds.ts'
import { today } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import type { Settings } from '../../services/settings.ts'
import { queueNotificationMails } from './immediate-mail.ts'
import { findRecipients } from './recipients.ts'

/** Name of this job in the table `daily_runs`. */
const JOB = 'notifications'

/**
 * Queues one mail per Korean day to each user who asked for it, about unread notifications since the previous run, of
 * at most a week (rules/notifications#mail-of-the-day). Only one of several servers does this: the row of the day and
 * the mails are one transaction, so that a crash neither repeats nor loses mails.
 * @param signal aborts when the server ends; the run then rolls back
 * @returns false if the mails of the day were queued before
 */
export async function mailDaily(db: Db, settings: Settings, signal?: AbortSignal): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Ends a minute ago, because the next run reports what is being written now. After a long stop it covers at most a week.
    const { rows } = await sql<{ since: Date; until: Date }>`
      with run as (
        insert into daily_runs (job, day) values (${JOB}, ${today}) on conflict do nothing returning done_at
      )
      select greatest(
          coalesce((select max(done_at) from daily_runs where job = ${JOB}), done_at - interval '1 day'),
          done_at - interval '7 days'
        ) - interval '1 minute' as since,
        done_at - interval '1 minute' as until
      from run`.execute(tx)
    const [part] = rows
    if (part === undefined) return false
    const told = await sql<{ userId: string }>`
      select distinct user_id from notifications
      where at > ${part.since} and at <= ${part.until} and user_id is not null`.execute(tx)
    const personIds = told.rows.map(({ userId }) => userId)
    const people = await findRecipients(tx, MAIL.daily, personIds, DERIVED_KINDS)
    await queueNotificationMails(tx, settings, people, part, signal)
    return true
  })
}
