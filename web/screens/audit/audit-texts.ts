import { audit as en } from '../../../contract/messages/en/audit.ts'
import { type AuditTexts, audit as ko } from '../../../contract/messages/ko/audit.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the trail in the language in use: apart from the catalogue, they come with the parts that show it. */
export function useAuditTexts(): AuditTexts {
  return { ko, en }[useLanguage().language]
}
