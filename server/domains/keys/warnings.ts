import type { Transaction } from 'kysely'
import { USAGE_MARKS } from '../../../contract/keys.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Database } from '../../db/types.ts'
import { BY_PORTAL, queueMail } from '../../services/mail.ts'
import { notify, wantsMailAtOnce } from '../../services/notifications.ts'
import type { Settings } from '../../services/settings.ts'
import { holdersOf } from '../roles/index.ts'
import { PERIODS, type Period, type Usage } from './usage.ts'

/**
 * Queues a mail to the administrators of partners for each limit that has reached 80 or 100 %. Notifies them and the users of the partner,
 * once per limit, period and mark, in the transaction of the key that reaches it. A key that reaches both marks causes one warning.
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

  const administrators = await holdersOf(tx, 'autho_partner_search')
    .where(wantsMailAtOnce('KEY_LIMIT', 'users.id'))
    .select(['email', 'language'])
    .execute()
  const choices = settings.link('/notification/setting')
  const link = settings.link(`/partner/detail?partnerCode=${encodeURIComponent(partner.code)}`)
  const highest = PERIODS.flatMap((period) => {
    const marks = first.filter((row) => row.period === period)
    const [warning] = marks
    return warning === undefined ? [] : [{ warning, period, mark: Math.max(...marks.map((row) => row.mark)) }]
  })
  await notify(
    tx,
    ...highest.map(({ period, mark }) => ({
      kind: 'KEY_LIMIT' as const,
      partnerId: partner.id,
      detail: { partnerCode: partner.code, period, mark },
    })),
  )
  for (const { warning, period, mark } of highest) {
    const use = {
      partnerCode: partner.code,
      period,
      used: usage.used[period],
      limit: warning.key_limit,
      mark,
    }
    for (const { email, language } of administrators) {
      const text = mailTexts[language].keyLimitReached(settings.now().company, use)
      await queueMail(tx, { to: email, language, text, link, choices, requester: BY_PORTAL })
    }
  }
  return administrators.length > 0
}
