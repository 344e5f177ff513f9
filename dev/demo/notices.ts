import { BULLET } from '../../contract/notices.ts'
import { codes } from '../../server/db/seed/codes.ts'
import { demoAccounts } from './accounts.ts'
import { ATTACHMENTS, FILE_NAMES } from './attachments.ts'
import { calendarDay, daysAfter, earlier, later, yearsBefore } from './days.ts'
import { marksOf, type NoticeMarks } from './notice-readers.ts'
import { COMPANY_NOTICES, fillIn, KEY_NOTICES, SYSTEMS, TOPICS } from './notice-texts.ts'
import { AFFILIATIONS } from './partners.ts'
import type { Random } from './random.ts'
import type { DemoUser } from './users.ts'

/** A notice of the demo data. */
export interface DemoNotice extends NoticeMarks {
  bulletCode: string
  title: string
  memo: string | null
  author: DemoUser
  createdAt: Date
  file: { name: string; content: Buffer } | null
}

/** Makes `count` notices of the last two years, oldest first, `files` of them with a file. */
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
        ? {
            name: `${random.pick(FILE_NAMES)}.${kind}`,
            content: ATTACHMENTS.get(kind) ?? Buffer.alloc(0),
          }
        : null
      return { ...notice, ...marksOf(count - 1 - index, notice.createdAt, now), file }
    })
}

/** A text that fits the day; a title that is there already gets another try, then a number. */
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

function officeName(affiliationCode: string): string {
  return codes.find(([, code]) => code === affiliationCode)?.[2] ?? ''
}
