import { tokens as en } from '../../../contract/messages/en/tokens.ts'
import { type TokenTexts, tokens as ko } from '../../../contract/messages/ko/tokens.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of tokens in the language in use: apart from the catalogue, they come with the parts that show them. */
export function useTokenTexts(): TokenTexts {
  return { ko, en }[useLanguage().language]
}
