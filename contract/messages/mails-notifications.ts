import type { Language } from './language.ts'
import type { MailText } from './mails.ts'

/** A notification in an email, with the text of the page. */
export interface NotificationItem {
  words: string
  detail: string
  /** YYYY-MM-DD HH:mm */
  time: string
  /** URL of the page for the notification; null while the portal's address is unknown. */
  link: string | null
}

/** The emails about notifications (rules/notifications#mails). */
export interface NotificationMails {
  /** @param isLogin whether the user must check that the login was their own */
  one: (company: string, item: NotificationItem, isLogin: boolean) => MailText
  /** @param count number of all notifications; `items` may hold only the newest */
  several: (company: string, items: readonly NotificationItem[], count: number) => MailText
}

/** The Korean texts. */
const ko: NotificationMails = {
  one: (company, { words, detail, time }, isLogin) => ({
    subject: `[${company}] ${words}`,
    paragraphs: [
      words,
      ...(detail === '' ? [] : [detail]),
      `시각: ${time}(한국 시간)`,
      ...(isLogin ? ['본인이 로그인하지 않았다면 비밀번호를 변경하고 관리자에게 바로 알려주세요.'] : []),
    ],
  }),
  several: (company, items, count) => ({
    subject: `[${company}] 새 알림 ${count}건`,
    paragraphs: ['아직 읽지 않은 새 알림입니다.'],
    items,
    ...(count > items.length && { more: `외 ${count - items.length}건` }),
  }),
}

/** The English texts. */
const en: NotificationMails = {
  one: (company, { words, detail, time }, isLogin) => ({
    subject: `[${company}] ${words.replace(/\.$/, '')}`,
    paragraphs: [
      words,
      ...(detail === '' ? [] : [detail]),
      `Time: ${time} (Korean time)`,
      ...(isLogin ? ['If it was not you, change your password and tell an administrator immediately.'] : []),
    ],
  }),
  several: (company, items, count) => ({
    subject: `[${company}] ${count} new ${count === 1 ? 'notification' : 'notifications'}`,
    paragraphs: ['These are your new, unread notifications.'],
    items,
    ...(count > items.length && { more: `and ${count - items.length} more` }),
  }),
}

/** Their texts in every language; a language that lacks one does not compile. */
export const notificationMails: Record<Language, NotificationMails> = { ko, en }
