import { audit as en } from '../../../contract/messages/en/audit.ts'
import { audit as ko } from '../../../contract/messages/ko/audit.ts'
import type { Language } from '../../../contract/messages/language.ts'

/** The texts of the trail in each language. */
export const auditTexts = { ko, en }

/** What codes are called: affiliations and approval statuses, and roles. */
export interface AuditNames {
  codes: Record<string, string> | null
  roles: Record<string, string> | null
}

/** How a row is told. */
export interface Telling {
  language: Language
  names: AuditNames
  /** Phone numbers and e-mails without their middle. */
  isMasked: boolean
}
