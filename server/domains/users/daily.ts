import { sql } from 'kysely'
import { type SummaryEntry, type Summary, validityMails } from '../../../contract/messages/mails-validity.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { MailKind, MailValues } from '../../../contract/settings/mail-templates.ts'
import { administers } from '../../db/administers.ts'
import { mayLogIn, today } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { recordAudit } from '../../records/audit.ts'
import { canAdministerToday, NO_END } from '../roles/index.ts'
import { endAccess } from '../account/index.ts'
import type pg from 'pg'
import { claimDailyRun } from '../../db/daily-run.ts'
import type { Services } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { BY_PORTAL, queueMail } from '../../services/mail.ts'
import type { Settings } from '../../services/settings.ts'

/** Account that the daily run mails about, to its owner and in the summary to administrators. */
interface Account extends SummaryEntry {
  /** users.id */
  id: string
  roleCode: string
  email: string
  language: Language
}

/** Account whose end is due for a mail today. */
type EndingAccount = Account & { daysLeft: number }

/**
 * Returns the accounts whose owners are to be warned today that the account ends: 30, 7 and 1 days before, once each.
 * Inserts a row of `account_notices` for each, so that no later run returns the same warning. Sends nothing. After days
 * without a running server, only the latest missed warning is returned. An end date that was set after the day of a
 * warning causes no such warning: the administrator who set it knows it.
 */
async function takeEndWarnings(tx: Tx): Promise<EndingAccount[]> {
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
    select u.id, u.login_id as user_id, u.name, u.role_code as role_code, u.email, u.language,
      u.valid_to::text as day, e.days_left as days_left
    from taken t join ending e on e.id = t.user_id join users u on u.id = t.user_id
    order by u.valid_to, u.id
  `.execute(tx)
  return rows
}

/** Fewest days between the warning about inactivity and the suspension. */
const WARNED_BEFORE_DAYS = 14

/**
 * SQL expression for the day from which inactivity counts: the last login, the first day of validity, or a later
 * decision that the account is needed.
 */
const UNUSED_SINCE = sql.raw<string>(`(greatest(confirmed_at, last_login_at,
  valid_from::timestamp at time zone 'Asia/Seoul') at time zone 'Asia/Seoul')::date`)

/** SQL columns of `Account` without `day`, from the users row `u`. */
const ACCOUNT = sql.raw(
  `u.id, u.login_id as "userId", u.name, u.role_code as "roleCode", u.email, u.language`,
)

/**
 * Returns users.id of the 관리자 who is never suspended for inactivity: the one whose account ends last, and of several
 * the one used last. Locks the role's row.
 * @returns undefined if no 관리자 can administer today
 */
async function findLastingAdmin(tx: Tx): Promise<string | undefined> {
  await tx.selectFrom('roles').select('code').where('code', '=', ROLE.admin).forNoKeyUpdate().execute()
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('roleCode', '=', ROLE.admin)
    .where(canAdministerToday('users'))
    .orderBy(sql`coalesce(valid_to, ${NO_END})`, 'desc')
    .orderBy(UNUSED_SINCE, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return admin?.id
}

/**
 * Suspends the accounts that were inactive for this many days and whose owners were warned at least 14 days ago, ends
 * their access, and writes an audit row for each. Skips the account of `findLastingAdmin`. Marks and returns the
 * accounts whose warning is due today. Sends no mail. No account is suspended without a warning, even if the warning
 * was late.
 * @param days value of the setting; the caller must not pass 0, which means never
 * @returns `suspended` now; `warned` with the earliest day of their suspension
 */
async function suspendUnused(tx: Tx, days: number): Promise<{ suspended: Account[]; warned: Account[] }> {
  // User rows are locked before the role, as in every edit. A row that another call edits now is skipped until the next day.
  const { rows: due } = await sql<{ id: string }>`
    select id from users u
    where ${mayLogIn('u')} and ${today} - ${UNUSED_SINCE} >= ${days}::int and exists (
      select from account_notices n where n.user_id = u.id and n.kind = 'disuse' and n.about = ${UNUSED_SINCE}
        and (n.created_at at time zone 'Asia/Seoul')::date <= ${today} - ${sql.lit(WARNED_BEFORE_DAYS)}
    )
    for no key update of u skip locked
  `.execute(tx)
  const lasting = (await findLastingAdmin(tx)) ?? null
  const { rows: suspended } = await sql<Account>`
    update users u set suspended_at = now(), updated_at = now()
    where id = any (${due.map(({ id }) => id)}::bigint[]) and id is distinct from ${lasting}::bigint
    returning ${ACCOUNT}, ${today}::text as day
  `.execute(tx)
  for (const account of suspended) {
    await endAccess(tx, account.id)
    await recordAudit(tx, {
      action: 'user.suspend',
      target: account.userId,
      detail: { days },
      records: [`user/${account.id}`],
      // The server itself is the actor: there is no caller.
      address: '',
      requestId: '',
    })
  }
  const { rows: warned } = await sql<Account>`
    with taken as (
      insert into account_notices (user_id, kind, about)
      select id, 'disuse', ${UNUSED_SINCE} from users
      where ${mayLogIn()} and id is distinct from ${lasting}::bigint
        and ${today} - ${UNUSED_SINCE} >= ${days - WARNED_BEFORE_DAYS}::int
      on conflict do nothing
      returning user_id, about
    )
    select ${ACCOUNT}, greatest(t.about + ${days}::int, ${today} + ${sql.lit(WARNED_BEFORE_DAYS)})::text as day
    from taken t join users u on u.id = t.user_id
    order by t.about, u.id
  `.execute(tx)
  return { suspended, warned }
}

/** Name of the daily run in `daily_runs`. */
const JOB = 'accounts'

/** Deletes the sessions of all accounts that may no longer log in, for example because their validity ended. */
export async function endSessions(pool: pg.Pool): Promise<void> {
  // Calls of such a session are refused anyway (`findSession`). Without the row, no extension makes the session valid again.
  await pool.query(
    `delete from sessions s where not exists (select from users where id = s.user_id and login_refusal(users) is null)`,
  )
}

/**
 * Runs the tasks of a Korean day: warns about accounts that end, warns and suspends inactive accounts (unless the
 * setting is 0 days), and mails a summary to all administrators of these. Only one of several servers runs them: the
 * row of the day, the warnings and the mails are one transaction, so that a crash neither repeats nor loses any.
 * @returns whether this call ran them; false if they have run today
 */
export async function runDaily(db: Db, { settings }: Pick<Services, 'settings'>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await claimDailyRun(tx, JOB))) return false
    const { suspendAfterDays: days } = settings.now()
    const endings = await takeEndWarnings(tx)
    const { suspended, warned } = days === 0 ? { suspended: [], warned: [] } : await suspendUnused(tx, days)

    const queueFor = <K extends MailKind>(kind: K, { email, language }: Account, values: MailValues<K>) =>
      queueMail(tx, {
        to: email,
        ...composeMail(settings, kind, language, values, settings.link('/login')),
        requester: BY_PORTAL,
      })
    for (const account of endings) {
      const { userId, name, day: end, daysLeft } = account
      await queueFor('endsSoon', account, { userId, name, end, daysLeft: String(daysLeft) })
    }
    for (const account of warned) {
      const { userId, name, day } = account
      await queueFor('suspensionSoon', account, { userId, name, day })
    }
    for (const account of suspended) {
      const { userId, name } = account
      await queueFor('suspended', account, { userId, name, days: String(days) })
    }
    await queueSummaries(tx, settings, { endings, suspensionsSoon: warned, suspended })
    return true
  })
}

/**
 * Queues one mail to each administrator who can log in, about the accounts that they may administer: those that end
 * soon, and those that are warned of suspension or were suspended today. Administrators get no mail about their own
 * account, and none without such accounts.
 */
async function queueSummaries(
  tx: Tx,
  settings: Settings,
  all: { [K in keyof Summary]: Account[] },
): Promise<void> {
  if (Object.values(all).every((accounts) => accounts.length === 0)) return
  const ids = Object.values(all).flatMap((accounts) => accounts.map(({ id }) => id))
  const administrators = await tx
    .selectFrom('users as a')
    .innerJoin('users as u', (join) => join.on(administers('a', 'u')).onRef('u.id', '<>', 'a.id'))
    .select(['a.email', 'a.language', sql<string[]>`array_agg(u.id)`.as('reached')])
    .where(mayLogIn('a'))
    .where('u.id', '=', sql<string>`any(${ids}::bigint[])`)
    .groupBy('a.id')
    .orderBy('a.id')
    .execute()
  for (const { email, language, reached } of administrators) {
    const mine = (accounts: Account[]) => accounts.filter(({ id }) => reached.includes(id))
    const summary: Summary = {
      endings: mine(all.endings),
      suspensionsSoon: mine(all.suspensionsSoon),
      suspended: mine(all.suspended),
    }
    const text = validityMails[language].summary(settings.now().company, summary)
    await queueMail(tx, {
      to: email,
      language,
      text,
      link: settings.link('/user/validity'),
      requester: BY_PORTAL,
    })
  }
}
