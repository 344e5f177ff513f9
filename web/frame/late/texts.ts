import { lateFrame as en } from '../../../contract/messages/en/late-frame.ts'
import { lateFrame as ko } from '../../../contract/messages/ko/late-frame.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the late part in the language in use: apart from the catalogue, they come with it. */
export function useLateTexts() {
  return { ko, en }[useLanguage().language]
}
