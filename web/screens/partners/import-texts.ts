import { partnerImport as en } from '../../../contract/messages/en/partner-import.ts'
import { partnerImport as ko } from '../../../contract/messages/ko/partner-import.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the import in the language in use: apart from the catalogue, they come with its page. */
export function usePartnerImportTexts() {
  return { ko, en }[useLanguage().language]
}
