import { factors as en } from '../../../contract/messages/en/factors.ts'
import { type FactorTexts, factors as ko } from '../../../contract/messages/ko/factors.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of second factors in the language in use: apart from the catalogue, they come with the parts that show them. */
export function useFactorTexts(): FactorTexts {
  return { ko, en }[useLanguage().language]
}
