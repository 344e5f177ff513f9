import { affiliationScreen as en } from '../../../contract/messages/en/affiliation-screen.ts'
import {
  type AffiliationTexts,
  affiliationScreen as ko,
} from '../../../contract/messages/ko/affiliation-screen.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the affiliations in the language in use: apart from the catalogue, they come with what shows them. */
export function useAffiliationTexts(): AffiliationTexts {
  return { ko, en }[useLanguage().language]
}
