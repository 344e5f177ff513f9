import { mailProblems as en } from '../../../contract/messages/en/mail-problems.ts'
import { mailProblems as ko } from '../../../contract/messages/ko/mail-problems.ts'
import type { MailProblem } from '../../../contract/settings.ts'
import { useLanguage } from '../../language.tsx'

/** Why a test mail did not leave, in the language in use: apart from the catalogue, it comes with the page. */
export function useMailProblems(): Record<MailProblem, string> {
  return { ko, en }[useLanguage().language]
}
