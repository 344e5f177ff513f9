import { review as en } from '../../../contract/messages/en/review.ts'
import { review as ko, type ReviewTexts } from '../../../contract/messages/ko/review.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of the access review in the current language. They load with their pages, apart from the common texts. */
export function useReviewTexts(): ReviewTexts {
  return { ko, en }[useLanguage().language]
}

/** Returns a function that formats a quarter, YYYY-Qn, in the current language. */
export function useQuarterName(): (quarter: string) => string {
  const { quarterName } = useReviewTexts()
  return (quarter) => quarterName(quarter.slice(0, 4), quarter.slice(-1))
}
