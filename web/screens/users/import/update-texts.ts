import { userUpdate as en } from '../../../../contract/messages/en/user-update.ts'
import { userUpdate as ko } from '../../../../contract/messages/ko/user-update.ts'
import { useLanguage } from '../../../language.tsx'
import { useUserImportTexts } from './import-texts.ts'

/** The words of the import, with those of an update where they are others: apart from the catalogue, they come with the page. */
export function useUpdateTexts() {
  return { ...useUserImportTexts(), ...{ ko, en }[useLanguage().language] }
}
