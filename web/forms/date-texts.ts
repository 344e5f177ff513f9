import type { Language } from '../../contract/messages/language.ts'
import { useLanguage, usePortalMessages } from '../language.tsx'

/** Locales for formatting dates and for the texts of react-aria. */
const LOCALES: Record<Language, string> = { ko: 'ko-KR', en: 'en-US' }

/** Returns the texts of a date field, and the locale of its calendar. */
export function useDateTexts() {
  const { forms, validation } = usePortalMessages()
  const { language } = useLanguage()
  return {
    locale: LOCALES[language],
    calendarLabel: forms.calendar,
    invalidMessage: validation.dateFormat,
  }
}
