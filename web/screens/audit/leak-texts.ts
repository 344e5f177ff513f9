import { leak as en } from '../../../contract/messages/en/leak.ts'
import { type LeakTexts, leak as ko } from '../../../contract/messages/ko/leak.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of leak incidents in the current language. They load with their pages. */
export function useLeakTexts(): LeakTexts {
  return { ko, en }[useLanguage().language]
}
