import { review as en } from '../../../contract/messages/en/review.ts'
import { review as ko, type ReviewTexts } from '../../../contract/messages/ko/review.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the review of rights in the language in use: apart from the catalogue, they come with its pages. */
export function useReviewTexts(): ReviewTexts {
  return { ko, en }[useLanguage().language]
}

/** A quarter, YYYY-Qn, as people say it. */
export function useQuarterName(): (quarter: string) => string {
  const { quarterName } = useReviewTexts()
  return (quarter) => quarterName(quarter.slice(0, 4), quarter.slice(-1))
}
