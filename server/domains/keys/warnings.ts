import type { Transaction } from 'kysely'
import { USAGE_MARKS } from '../../../contract/keys.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Database } from '../../db/types.ts'
import { BY_PORTAL, queueMail } from '../../services/mail.ts'
import type { Settings } from '../../services/settings.ts'
import { holdersOf } from '../roles/index.ts'
import { PERIODS, type Period, type Usage } from './usage.ts'

/**
 * Queues a mail to everybody who administers partners for each limit that has reached 80 or 100 %, once per limit,
 * period and mark, in the transaction of the key that reaches it. A key that reaches both marks is told once.
 * @param usage with the key counted
 * @returns whether there is a mail to send
 */
export async function warnOfLimits(
  tx: Transaction<Database>,
  partner: { id: string; code: string; limits: Record<Period, number | null> },
  usage: Usage,
  settings: Settings,
): Promise<boolean> {
  const reached = PERIODS.flatMap((period) => {
    const limit = partner.limits[period]
    if (limit === null || limit === 0) return []
    return USAGE_MARKS.filter((mark) => usage.used[period] * 100 >= limit * mark).map((mark) => ({
      partner_id: partner.id,
      period,
      starts_on: usage.starts[period],
      key_limit: limit,
      mark,
    }))
  })
  if (reached.length === 0) return false
  const first = await tx
    .insertInto('key_warnings')
    .values(reached)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['period', 'mark', 'key_limit'])
    .execute()
  if (first.length === 0) return false

  const administrators = await holdersOf(tx, 'autho_partner_search').select(['email', 'language']).execute()
  const link = settings.link(`/partner/detail?partnerCode=${encodeURIComponent(partner.code)}`)
  for (const period of PERIODS) {
    const marks = first.filter((row) => row.period === period)
    const mark = Math.max(...marks.map((row) => row.mark))
    const [warning] = marks
    if (warning === undefined) continue
    const use = {
      partnerCode: partner.code,
      period,
      used: usage.used[period],
      limit: warning.key_limit,
      mark,
    }
    for (const { email, language } of administrators) {
      const text = mailTexts[language].keyLimitReached(settings.now().company, use)
      await queueMail(tx, { to: email, language, text, link, requester: BY_PORTAL })
    }
  }
  return administrators.length > 0
}
