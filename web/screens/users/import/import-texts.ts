import { userImport as en } from '../../../../contract/messages/en/user-import.ts'
import { userImport as ko } from '../../../../contract/messages/ko/user-import.ts'
import { useLanguage } from '../../../language.tsx'

/** The texts of the import in the language in use: apart from the catalogue, they come with its page. */
export function useUserImportTexts() {
  return { ko, en }[useLanguage().language]
}
