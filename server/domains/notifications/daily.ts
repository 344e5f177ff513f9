import { type Kysely, sql } from 'kysely'
import { DERIVED_KINDS, MAIL } from '../../../contract/notifications.ts'
import { today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Settings } from '../../services/settings.ts'
import { queueFor } from './mails.ts'
import { findRecipients } from './recipients.ts'

const JOB = 'notifications'

/**
 * Once a Korean day, one mail to each who wants it so, of what came since the run before and is still unread
 * (rules/notifications#mail-of-the-day). Of several servers one does it: the row of the day and the mails are one transaction, so that
 * a crash repeats nothing and loses nothing.
 * @param signal given up by the server's end: nothing of the run is there then
 * @returns whether this call did it
 */
export async function mailDaily(
  db: Kysely<Database>,
  settings: Settings,
  signal?: AbortSignal,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // A minute back: what is being written at this moment is told by the next run. After a long stop no more than a week.
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
    const told = await sql<{ user_id: string }>`
      select distinct user_id from notifications
      where at > ${part.since} and at <= ${part.until} and user_id is not null`.execute(tx)
    const personIds = told.rows.map(({ user_id }) => user_id)
    const people = await findRecipients(tx, MAIL.daily, personIds, DERIVED_KINDS)
    await queueFor(tx, settings, people, part, signal)
    return true
  })
}
