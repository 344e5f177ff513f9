import { tokens as en } from '../../../contract/messages/en/tokens.ts'
import { type TokenTexts, tokens as ko } from '../../../contract/messages/ko/tokens.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of tokens in the current language. They load with their pages, apart from the common texts. */
export function useTokenTexts(): TokenTexts {
  return { ko, en }[useLanguage().language]
}
