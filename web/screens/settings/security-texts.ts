import { security as en } from '../../../contract/messages/en/security.ts'
import { security as ko, type SecurityTexts } from '../../../contract/messages/ko/security.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the security settings in the language in use: they come with their page. */
export function useSecurityTexts(): SecurityTexts {
  return { ko, en }[useLanguage().language]
}
