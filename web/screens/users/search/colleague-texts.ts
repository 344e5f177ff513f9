import { colleagues as en } from '../../../../contract/messages/en/colleagues.ts'
import { type ColleagueTexts, colleagues as ko } from '../../../../contract/messages/ko/colleagues.ts'
import { useLanguage } from '../../../language.tsx'

/** The texts about colleagues in the language in use: apart from the catalogue, they come with what says them. */
export function useColleagueTexts(): ColleagueTexts {
  return { ko, en }[useLanguage().language]
}
