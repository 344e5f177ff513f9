import { userImport as enImport } from '../../../contract/messages/en/user-import.ts'
import { userUpdate as enUpdate } from '../../../contract/messages/en/user-update.ts'
import { userImport as koImport } from '../../../contract/messages/ko/user-import.ts'
import { userUpdate as koUpdate } from '../../../contract/messages/ko/user-update.ts'
import { useLanguage } from '../../language.tsx'

export { enImport, koImport }

/** The words of the import in the language in use: apart from the catalogue, they come with its page. */
export function useImportTexts() {
  return { ko: koImport, en: enImport }[useLanguage().language]
}

/** The same for an update, with its own where they are others. */
export function useUpdateTexts() {
  const { language } = useLanguage()
  return { ...{ ko: koImport, en: enImport }[language], ...{ ko: koUpdate, en: enUpdate }[language] }
}
