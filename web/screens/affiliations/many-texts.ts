import { affiliationImport as en } from '../../../contract/messages/en/affiliation-import.ts'
import { affiliationImport as ko } from '../../../contract/messages/ko/affiliation-import.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of adding several, in the language in use: apart from the catalogue, they come with the dialog. */
export function useManyTexts() {
  return { ko, en }[useLanguage().language]
}
