import type { Language } from './language.ts'
import type { MailText } from './mails.ts'

/** An account in the summary for administrators. */
export interface SummaryEntry {
  name: string
  userId: string
  /** YYYY-MM-DD: the end, or the day of the suspension. */
  day: string
}

/** The summary of one day for one administrator; empty sections are left out. */
export interface Summary {
  endings: SummaryEntry[]
  suspensionsSoon: SummaryEntry[]
  suspended: SummaryEntry[]
}

/** The emails about accounts that end or are inactive. */
export interface ValidityMails {
  endsSoon: (company: string, userId: string, end: string, daysLeft: string) => MailText
  suspensionSoon: (company: string, userId: string, day: string) => MailText
  suspended: (company: string, userId: string, days: string) => MailText
  summary: (company: string, summary: Summary) => MailText
}

/** The most accounts of a kind that an email names; the others are only counted. */
const NAMED = 50

/** Returns a heading and a line per account, at most NAMED, and `more` for the others; nothing without accounts. */
function listed(heading: string, entries: SummaryEntry[], more: (count: number) => string): string[] {
  if (entries.length === 0) return []
  const lines = entries.slice(0, NAMED).map(({ name, userId, day }) => `${day}  ${name} (${userId})`)
  return [heading, ...lines, ...(entries.length > NAMED ? [more(entries.length - NAMED)] : [])]
}

/** The Korean texts. */
const ko: ValidityMails = {
  endsSoon: (company, userId, end, daysLeft) => ({
    subject: `[${company}] 계정의 유효기간이 곧 끝납니다`,
    paragraphs: [
      daysLeft === '0'
        ? `${userId} 계정의 유효기간은 오늘(${end})까지입니다.`
        : `${userId} 계정의 유효기간은 ${end}까지이며, ${daysLeft}일 남았습니다.`,
      '이날이 지나면 로그인되어 있던 기기에서도 바로 로그아웃됩니다. 계속 사용하려면 관리자에게 연장을 요청해주세요.',
    ],
  }),
  suspensionSoon: (company, userId, day) => ({
    subject: `[${company}] 사용하지 않은 계정이 곧 정지됩니다`,
    paragraphs: [
      `${userId} 계정을 오랫동안 사용하지 않아 ${day}에 정지될 예정입니다.`,
      '그 전에 한 번 로그인하면 정지되지 않습니다.',
    ],
  }),
  suspended: (company, userId, days) => ({
    subject: `[${company}] 계정이 정지되었습니다`,
    paragraphs: [
      `${userId} 계정을 ${days}일 이상 사용하지 않아 정지했습니다. 계정과 데이터는 그대로 있습니다.`,
      '다시 사용하려면 관리자에게 정지 해제를 요청해주세요.',
    ],
  }),
  summary: (company, { endings, suspensionsSoon, suspended }) => ({
    subject: `[${company}] 곧 끝나거나 정지되는 계정 ${endings.length + suspensionsSoon.length + suspended.length}건`,
    paragraphs: [
      '관리하고 있는 계정의 오늘 알림입니다.',
      ...listed('■ 유효기간이 곧 끝나는 계정', endings, (count) => `외 ${count}건`),
      ...listed('■ 사용하지 않아 곧 정지되는 계정', suspensionsSoon, (count) => `외 ${count}건`),
      ...listed('■ 사용하지 않아 정지된 계정', suspended, (count) => `외 ${count}건`),
      '사용자 > 유효기간 관리에서 한 번에 연장하거나 정지를 해제할 수 있습니다.',
    ],
  }),
}

/** The English texts. */
const en: ValidityMails = {
  endsSoon: (company, userId, end, daysLeft) => ({
    subject: `[${company}] Your account ends soon`,
    paragraphs: [
      daysLeft === '0'
        ? `Today (${end}) is the last day of the account ${userId}.`
        : `The last day of the account ${userId} is ${end}, in ${daysLeft} ${daysLeft === '1' ? 'day' : 'days'}.`,
      'After that day all devices are logged out. To continue using the account, please ask an administrator to extend it.',
    ],
  }),
  suspensionSoon: (company, userId, day) => ({
    subject: `[${company}] Your inactive account will be suspended`,
    paragraphs: [
      `The account ${userId} has not been used for a long time and will be suspended on ${day}.`,
      'To keep it active, log in once before then.',
    ],
  }),
  suspended: (company, userId, days) => ({
    subject: `[${company}] Your account was suspended`,
    paragraphs: [
      `The account ${userId} was suspended because it was not used for ${days} days or more. The account and its data are still there.`,
      'To use it again, please ask an administrator to lift the suspension.',
    ],
  }),
  summary: (company, { endings, suspensionsSoon, suspended }) => {
    const count = endings.length + suspensionsSoon.length + suspended.length
    return {
      subject: `[${company}] ${count} ${count === 1 ? 'account ends or is' : 'accounts end or are'} suspended`,
      paragraphs: [
        'Today’s notifications about the accounts that you manage.',
        ...listed('■ Accounts that end soon', endings, (more) => `and ${more} more`),
        ...listed('■ Inactive accounts, suspended soon', suspensionsSoon, (more) => `and ${more} more`),
        ...listed('■ Inactive accounts, suspended today', suspended, (more) => `and ${more} more`),
        'Under Users > Validity you can extend accounts and lift suspensions.',
      ],
    }
  },
}

/** Their texts in every language; a language that lacks one does not compile. */
export const validityMails: Record<Language, ValidityMails> = { ko, en }
