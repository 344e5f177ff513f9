import { audit as en } from '../../../contract/messages/en/audit.ts'
import { type AuditTexts, audit as ko } from '../../../contract/messages/ko/audit.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of the audit log in the current language. They load with their pages, apart from the common texts. */
export function useAuditTexts(): AuditTexts {
  return { ko, en }[useLanguage().language]
}
