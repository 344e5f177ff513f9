import { audit as en } from '../../../contract/messages/en/audit.ts'
import { customFields as customFieldsEn } from '../../../contract/messages/en/custom-fields.ts'
import { mailProblems as problemsEn } from '../../../contract/messages/en/mail-problems.ts'
import { audit as ko } from '../../../contract/messages/ko/audit.ts'
import { customFields as customFieldsKo } from '../../../contract/messages/ko/custom-fields.ts'
import { mailProblems as problemsKo } from '../../../contract/messages/ko/mail-problems.ts'
import type { Language } from '../../../contract/messages/language.ts'

/** Texts of the audit log in each language. */
export const auditTexts = { ko, en }

/** Texts of the fields that the company defines, in each language. */
export const customFieldTexts = { ko: customFieldsKo, en: customFieldsEn }

/** Reasons why a test mail was not sent, in each language. */
export const problemTexts = { ko: problemsKo, en: problemsEn }

/** Names in one language by code: of affiliations and approval statuses, and of roles. null if there are none. */
export interface AuditNames {
  codes: Record<string, string> | null
  roles: Record<string, string> | null
}

/** Options for rendering an audit row. */
export interface RenderContext {
  language: Language
  names: AuditNames
  /** True to mask phone numbers and email addresses. */
  isMasked: boolean
}
