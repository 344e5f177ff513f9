import { secondStep as en } from '../../../contract/messages/en/second-step.ts'
import { type SecondStepTexts, secondStep as ko } from '../../../contract/messages/ko/second-step.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the second step in the language in use: apart from the catalogue, they come with it. */
export function useSecondStepTexts(): SecondStepTexts {
  return { ko, en }[useLanguage().language]
}
