import { calendarDay, daysAfter, later, startOfDay, earlier, yearsBefore } from './days.ts'
import type { DemoUser } from './users.ts'
import { BULLET } from '../../contract/notices.ts'
import { codes } from '../../server/db/seed/codes.ts'
import { demoAccounts } from './accounts.ts'
import {
  ATTACHMENTS,
  FILE_NAMES,
  COMPANY_NOTICES,
  fillIn,
  KEY_NOTICES,
  SYSTEMS,
  TOPICS,
} from './notice-texts.ts'
import { AFFILIATIONS } from './partners.ts'
import type { Random } from './random.ts'

/** Properties of a demo notice by its age, in addition to its text. */
interface NoticeMarks {
  publishedAt: Date
  pinnedUntil: string | null
  mustRead: boolean
}

/** Milliseconds from the start of a day to 09:00. */
const NINE_HOURS_MS = 9 * 3_600_000

/** Days for which a pinned notice stays pinned, by its position from the newest. */
const PINNED_DAYS: Readonly<Record<number, number>> = { 3: 14, 5: 30 }

/**
 * Returns the properties of a notice by its position from the newest. The newest one is scheduled, two others are pinned, two are
 * required reading.
 */
function marksOf(fromNewest: number, createdAt: Date, now: Date): NoticeMarks {
  const toCome = new Date(startOfDay(calendarDay(daysAfter(now, 2))).getTime() + NINE_HOURS_MS)
  const pinnedFor = PINNED_DAYS[fromNewest]
  return {
    publishedAt: fromNewest === 0 ? toCome : createdAt,
    pinnedUntil: pinnedFor === undefined ? null : calendarDay(daysAfter(now, pinnedFor)),
    mustRead: fromNewest === 5 || fromNewest === 8,
  }
}

/** A user who has opened a notice, and perhaps confirmed having read it. */
interface DemoReader {
  notice: DemoNotice
  user: DemoUser
  viewedAt: Date
  confirmedAt: Date | null
}

/**
 * Creates the readers of the newest 30 notices. Leaves out authors, users who may not log in yet or have withdrawn, and
 * notices that are not published yet. Nothing is random, so that the rest of the demo stays as it is.
 */
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

/** A notice of the demo data. */
export interface DemoNotice extends NoticeMarks {
  bulletCode: string
  title: string
  memo: string | null
  author: DemoUser
  createdAt: Date
  file: { name: string; content: Buffer } | null
}

/**
 * Creates `count` notices of the last two years, oldest first. `files` notices have a file. The demo accounts that can
 * log in write a third of them.
 */
export function makeNotices(
  random: Random,
  now: Date,
  count: number,
  files: number,
  users: readonly DemoUser[],
): DemoNotice[] {
  const authors = users.filter(
    (user) => user.approvalCode === 'MEMAP001' && user.createdAt < daysAfter(now, -40),
  )
  const known = authors.filter((user) =>
    demoAccounts.some((account) => account.state === 'ready' && account.userId === user.userId),
  )
  const titles = new Set<string>()
  const withFile = new Set(random.shuffle(Array.from({ length: count }, (_, index) => index)).slice(0, files))
  const kinds = random.shuffle([...ATTACHMENTS.keys()])
  return Array.from({ length: count }, (_, index) => {
    // The accounts to try things with have notices of their own to edit and delete.
    const author = random.chance(0.35) ? random.pick(known) : random.pick(authors)
    const createdAt = random.moment(
      later(daysAfter(author.createdAt, 1), yearsBefore(now, 2)),
      earlier(author.withdrawnAt ?? now, daysAfter(now, 0)),
    )
    return { ...compose(random, createdAt, titles), author, createdAt, ordinal: index }
  })
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map(({ ordinal, ...notice }, index) => {
      const kind = kinds[ordinal % kinds.length] ?? 'txt'
      const file = withFile.has(ordinal)
        ? { name: `${random.pick(FILE_NAMES)}.${kind}`, content: ATTACHMENTS.get(kind) ?? Buffer.alloc(0) }
        : null
      return { ...notice, ...marksOf(count - 1 - index, notice.createdAt, now), file }
    })
}

/**
 * Composes a text that fits the day. If its title is in use, tries again, then adds a number.
 * @param taken titles in use, to which it adds the new one
 */
function compose(
  random: Random,
  at: Date,
  taken: Set<string>,
): Pick<DemoNotice, 'bulletCode' | 'title' | 'memo'> {
  const [year = 0, month = 0, day = 0] = calendarDay(at).split('-').map(Number)
  for (let tries = 1; ; tries += 1) {
    const isKeyNotice = random.chance(0.22)
    const texts = isKeyNotice ? KEY_NOTICES : COMPANY_NOTICES
    const text = random.pick(texts.filter(({ months }) => months === undefined || months.includes(month)))
    const office = officeName(random.pick(AFFILIATIONS))
    const on = { year, month, day, office, system: random.pick(SYSTEMS), topic: random.pick(TOPICS) }
    const title = fillIn(text.title, on) + (tries > 30 ? ` (${tries - 29}차)` : '')
    if (taken.has(title)) continue
    taken.add(title)
    const memo = text.memo && fillIn(text.memo, on)
    return { bulletCode: isKeyNotice ? BULLET.keyIssue : BULLET.notice, title, memo }
  }
}

/** Returns the Korean name of an affiliation; '' for an unknown code. */
function officeName(affiliationCode: string): string {
  return codes.find(([, code]) => code === affiliationCode)?.[2] ?? ''
}
