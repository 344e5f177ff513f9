import { guide as en } from '../../../contract/messages/en/guide.ts'
import { type GuideTexts, guide as ko } from '../../../contract/messages/ko/guide.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the guide in the language in use: apart from the catalogue, they come with its page. */
export function useGuideTexts(): GuideTexts {
  return { ko, en }[useLanguage().language]
}
