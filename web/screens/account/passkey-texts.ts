import { passkeys as en } from '../../../contract/messages/en/passkeys.ts'
import { type PasskeyTexts, passkeys as ko } from '../../../contract/messages/ko/passkeys.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of passkeys in the language in use: apart from the catalogue, they come with the parts that show them. */
export function usePasskeyTexts(): PasskeyTexts {
  return { ko, en }[useLanguage().language]
}
