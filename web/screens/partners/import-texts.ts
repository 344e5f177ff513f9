import { partnerImport as en } from '../../../contract/messages/en/partner-import.ts'
import { partnerImport as ko, type PartnerImportTexts } from '../../../contract/messages/ko/partner-import.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the import in the language in use: apart from the catalogue, they come with its page. */
export function usePartnerImportTexts(): PartnerImportTexts {
  return { ko, en }[useLanguage().language]
}
