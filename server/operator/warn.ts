import { backupMails } from '../../contract/messages/mails-backups.ts'
import { claimDailyRun } from '../db/daily-run.ts'
import type { Db } from '../db/database.ts'
import { holdersOf } from '../domains/roles/index.ts'
import type { Services } from '../http/handler.ts'
import { BY_PORTAL, queueMails } from '../services/mail.ts'
import type { BackupReport } from '../services/backup-watch.ts'

/** Name under which the daily run of these mails is claimed (`claimDailyRun`). */
const JOB = 'backup-warning'

/**
 * Queues a mail to every user with the permission for the portal's settings that there is a problem with the backups, once a day
 * while it lasts.
 * @returns whether mails are queued; false if there is no problem, or mails were queued today
 */
export async function warnOfBackups(
  db: Db,
  settings: Services['settings'],
  { isWrong, last, failure, test }: BackupReport,
): Promise<boolean> {
  if (!isWrong) return false
  return db.transaction().execute(async (tx) => {
    if (!(await claimDailyRun(tx, JOB))) return false
    const holders = await holdersOf(tx, 'autho_setting_manage').select(['email', 'language']).execute()
    const endedAt = last?.endedAt.toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }) ?? null
    const trouble = {
      last: endedAt,
      missing: last?.missing ?? 0,
      failure,
      testFailure: test?.failure ?? null,
    }
    const { company } = settings.now()
    const link = settings.link('/setting/system')
    await queueMails(
      tx,
      holders.map(({ email, language }) => {
        const text = backupMails[language](company, trouble)
        return { to: email, language, text, link, requester: BY_PORTAL }
      }),
    )
    return true
  })
}
