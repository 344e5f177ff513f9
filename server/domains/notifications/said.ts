import type { Language } from '../../../contract/messages/language.ts'
import type { FoundNotification } from './queries.ts'

/** Returns a notification as the response contains it, with the texts of this language. */
export function said({ id, kind, created, is_read, detail }: FoundNotification, language: Language) {
  const { affiliationKo, affiliationEn, period, ...rest } = detail
  const affiliationName = language === 'ko' ? affiliationKo : affiliationEn
  return {
    notificationId: id,
    kind,
    createdAt: created,
    read: is_read,
    ...rest,
    ...(affiliationName !== undefined && { affiliationName }),
    ...(period !== undefined && { period: period as 'day' | 'week' | 'month' | 'total' }),
  }
}
