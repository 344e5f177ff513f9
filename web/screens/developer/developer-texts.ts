import { developer as en } from '../../../contract/messages/en/developer.ts'
import { developer as ko, type DeveloperTexts } from '../../../contract/messages/ko/developer.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of the API reference in the current language. They load with their page, apart from the common texts. */
export function useDeveloperTexts(): DeveloperTexts {
  return { ko, en }[useLanguage().language]
}
