import { type Kysely, type Transaction, sql } from 'kysely'
import type pg from 'pg'
import { type Summary, validityMails } from '../../../../contract/messages/mails-validity.ts'
import { canAdminister } from '../../../../contract/permissions.ts'
import { claimDailyRun } from '../../../db/daily-run.ts'
import type { Database } from '../../../db/types.ts'
import type { Services } from '../../../http/handler.ts'
import { BY_PORTAL, queueMail } from '../../../services/mail.ts'
import type { Settings } from '../../../services/settings.ts'
import { functionsOf, holdersOf } from '../../roles/index.ts'
import { suspendUnused } from './disuse.ts'
import { type Account, takeEndWarnings } from './ends.ts'

const JOB = 'accounts'

/** Deletes the sessions of accounts that may no longer log in. */
export async function endSessions(pool: pg.Pool): Promise<void> {
  // Calls of such a session are refused anyway (`findSession`). Without the row, no extension makes the session valid again.
  await pool.query(
    `delete from sessions s where not exists (select from users where id = s.user_id and login_refusal(users) is null)`,
  )
}

/**
 * Runs the tasks of a Korean day: warns about accounts that end, warns and suspends inactive accounts, and mails a summary to all
 * administrators of these. Only one of several servers runs them: the row of the day, the warnings and the mails are one transaction, so
 * that a crash neither repeats nor loses any.
 * @returns whether this call ran them
 */
export async function runDaily(
  db: Kysely<Database>,
  { config, settings }: Pick<Services, 'config' | 'settings'>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await claimDailyRun(tx, JOB))) return false
    const days = config.accounts.suspendAfterDays
    const { company } = settings.now()
    const endings = await takeEndWarnings(tx)
    const { suspended, warned } = days === 0 ? { suspended: [], warned: [] } : await suspendUnused(tx, days)

    const tell = (to: Account, text: Parameters<typeof queueMail>[1]['text']) =>
      queueMail(tx, {
        to: to.email,
        language: to.language,
        text,
        link: settings.link('/login'),
        requester: BY_PORTAL,
      })
    for (const account of endings) {
      const { endsSoon } = validityMails[account.language]
      await tell(account, endsSoon(company, account.userId, account.day, account.daysLeft))
    }
    for (const account of warned) {
      const { suspensionSoon } = validityMails[account.language]
      await tell(account, suspensionSoon(company, account.userId, account.day))
    }
    for (const account of suspended) {
      await tell(account, validityMails[account.language].suspended(company, account.userId, days))
    }
    await queueSummaries(tx, settings, { endings, suspensionsSoon: warned, suspended })
    return true
  })
}

/** Queues a mail to each administrator with the accounts within reach. Queues none if there are no such accounts. */
async function queueSummaries(
  tx: Transaction<Database>,
  settings: Settings,
  all: { [K in keyof Summary]: Account[] },
): Promise<void> {
  if (Object.values(all).every((accounts) => accounts.length === 0)) return
  const roles = await tx
    .selectFrom('roles')
    .select(['code', functionsOf(sql.ref('roles.code')).as('functions')])
    .execute()
  const functionsByRole = new Map(roles.map(({ code, functions }) => [code, functions]))
  const administrators = await holdersOf(tx, 'autho_user_manage')
    .select([
      'login_id as userId',
      'email',
      'language',
      functionsOf(sql.ref('users.role_code')).as('functions'),
    ])
    .execute()
  for (const administrator of administrators) {
    const mine = (accounts: Account[]) =>
      accounts.filter(({ userId, roleCode }) =>
        canAdminister(administrator, { userId, functions: functionsByRole.get(roleCode) ?? [] }),
      )
    const summary: Summary = {
      endings: mine(all.endings),
      suspensionsSoon: mine(all.suspensionsSoon),
      suspended: mine(all.suspended),
    }
    if (Object.values(summary).every((entries) => entries.length === 0)) continue
    const { email, language } = administrator
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
