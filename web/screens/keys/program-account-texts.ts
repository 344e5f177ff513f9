import { programAccounts as en } from '../../../contract/messages/en/program-accounts.ts'
import {
  type ProgramAccountTexts,
  programAccounts as ko,
} from '../../../contract/messages/ko/program-accounts.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of program accounts in the current language. They load with their page, apart from the common texts. */
export function useProgramAccountTexts(): ProgramAccountTexts {
  return { ko, en }[useLanguage().language]
}
