import { access as en } from '../../../contract/messages/en/access.ts'
import { type AccessTexts, access as ko } from '../../../contract/messages/ko/access.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of the access log in the current language. They load with their pages, apart from the common texts. */
export function useAccessTexts(): AccessTexts {
  return { ko, en }[useLanguage().language]
}
