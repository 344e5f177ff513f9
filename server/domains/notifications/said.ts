import type { Language } from '../../../contract/messages/language.ts'
import type { FoundNotification } from './queries.ts'

/** A notification as an answer says it; what is different in each language is said in this one. */
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
