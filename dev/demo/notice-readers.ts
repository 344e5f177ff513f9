import type { DemoNotice } from './notices.ts'
import { calendarDay, daysAfter, later, startOfDay } from './days.ts'
import type { DemoUser } from './users.ts'

/** What a notice of the demo board is beside its text. */
export interface NoticeMarks {
  publishedAt: Date
  pinnedUntil: string | null
  mustRead: boolean
}

/** Of the newest ones: one that is still to come, two pinned, two must-read. */
export function marksOf(fromNewest: number, createdAt: Date, now: Date): NoticeMarks {
  const nine = 9 * 3_600_000
  const toCome = new Date(startOfDay(calendarDay(daysAfter(now, 2))).getTime() + nine)
  const pinnedFor = { 3: 14, 5: 30 }[fromNewest]
  return {
    publishedAt: fromNewest === 0 ? toCome : createdAt,
    pinnedUntil: pinnedFor === undefined ? null : calendarDay(daysAfter(now, pinnedFor)),
    mustRead: fromNewest === 5 || fromNewest === 8,
  }
}

/** Somebody who has opened a notice, and perhaps confirmed having read it. */
interface DemoReader {
  notice: DemoNotice
  user: DemoUser
  viewedAt: Date
  confirmedAt: Date | null
}

/** Who has read the newest 30; nothing random, so that everything else of the demo stays as it is. */
export function makeReaders(
  notices: readonly DemoNotice[],
  users: readonly DemoUser[],
  now: Date,
): DemoReader[] {
  return notices.slice(-30).flatMap((notice, n) =>
    users.flatMap((user, u) => {
      const isThere = user.approvalCode === 'MEMAP001' && user.withdrawnAt === null
      const hasRead = (u * 7 + n * 13) % 10 < 2 + (n % 6)
      if (!isThere || !hasRead || user === notice.author || notice.publishedAt > now) return []
      const viewedAt = later(user.createdAt, notice.publishedAt)
      return [{ notice, user, viewedAt, confirmedAt: notice.mustRead && u % 3 > 0 ? viewedAt : null }]
    }),
  )
}
