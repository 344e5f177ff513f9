import { access as en } from '../../../contract/messages/en/access.ts'
import { type AccessTexts, access as ko } from '../../../contract/messages/ko/access.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the access log in the language in use: apart from the catalogue, they come with what shows it. */
export function useAccessTexts(): AccessTexts {
  return { ko, en }[useLanguage().language]
}
