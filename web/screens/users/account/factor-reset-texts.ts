import { factorReset as en } from '../../../../contract/messages/en/factor-reset.ts'
import { factorReset as ko, type FactorResetTexts } from '../../../../contract/messages/ko/factor-reset.ts'
import { useLanguage } from '../../../language.tsx'

/** The texts of resets of second factors in the language in use: apart from the catalogue, they come with the part that shows them. */
export function useFactorResetTexts(): FactorResetTexts {
  return { ko, en }[useLanguage().language]
}
