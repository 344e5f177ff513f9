import { type Transaction, sql } from 'kysely'
import type { SummaryEntry } from '../../../../contract/messages/mails-validity.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { mayLogIn, today } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'

/** An account that the daily run notifies, or notifies others about. */
export interface Account extends SummaryEntry {
  /** users.id */
  id: string
  roleCode: string
  email: string
  language: Language
}

/** Accounts whose end is due for a mail today. */
export type EndingAccount = Account & { daysLeft: number }

/**
 * Marks and returns the accounts whose owners are warned today: 30, 7 and 1 days before the end, once each. After days without a running
 * server, only the latest missed warning is sent. An end date that was set after the day of a warning causes no such warning: the
 * administrator who set it knows it.
 */
export async function takeEndWarnings(tx: Transaction<Database>): Promise<EndingAccount[]> {
  const { rows } = await sql<EndingAccount>`
    with ending as (
      select id, valid_to, valid_to - ${today} as days_left, confirmed_at,
        case when valid_to - ${today} <= 1 then 1 when valid_to - ${today} <= 7 then 7 else 30 end as threshold
      from users
      where valid_to between ${today} and ${today} + 30 and ${mayLogIn()}
    ), taken as (
      insert into account_notices (user_id, kind, about)
      select id, 'ends-' || threshold, valid_to from ending
      where valid_to - threshold >= (confirmed_at at time zone 'Asia/Seoul')::date
      on conflict do nothing
      returning user_id
    )
    select u.id, u.login_id as "userId", u.name, u.role_code as "roleCode", u.email, u.language,
      u.valid_to::text as day, e.days_left as "daysLeft"
    from taken t join ending e on e.id = t.user_id join users u on u.id = t.user_id
    order by u.valid_to, u.id
  `.execute(tx)
  return rows
}
