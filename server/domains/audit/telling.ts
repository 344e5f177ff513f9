import { audit as en } from '../../../contract/messages/en/audit.ts'
import { mailProblems as problemsEn } from '../../../contract/messages/en/mail-problems.ts'
import { audit as ko } from '../../../contract/messages/ko/audit.ts'
import { mailProblems as problemsKo } from '../../../contract/messages/ko/mail-problems.ts'
import type { Language } from '../../../contract/messages/language.ts'

/** The texts of the trail in each language. */
export const auditTexts = { ko, en }

/** Why a test mail did not leave, in each language. */
export const problemTexts = { ko: problemsKo, en: problemsEn }

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
