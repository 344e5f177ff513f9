import { home as en } from '../../../contract/messages/en/home.ts'
import { type HomeTexts, home as ko } from '../../../contract/messages/ko/home.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of home in the language in use: apart from the catalogue, they come with its screen. */
export function useHomeTexts(): HomeTexts {
  return { ko, en }[useLanguage().language]
}
