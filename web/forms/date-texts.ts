import type { Language } from '../../contract/messages/language.ts'
import { useLanguage, usePortalMessages } from '../language.tsx'

/** Locales for formatting dates and for the texts of react-aria. */
export const LOCALES: Record<Language, string> = { ko: 'ko-KR', en: 'en-US' }

/** The words of a date field, and the language of its calendar. */
export function useDateTexts() {
  const { forms, validation } = usePortalMessages()
  const { language } = useLanguage()
  return {
    locale: LOCALES[language],
    calendarLabel: forms.calendar,
    invalidMessage: validation.dateFormat,
  }
}
