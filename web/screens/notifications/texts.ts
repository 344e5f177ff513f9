import { notifications as en } from '../../../contract/messages/en/notifications.ts'
import { notifications as ko, type NotificationTexts } from '../../../contract/messages/ko/notifications.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of notifications in the language in use: they come with what shows them. */
export function useNotificationTexts(): NotificationTexts {
  return { ko, en }[useLanguage().language]
}
