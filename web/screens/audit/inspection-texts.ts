import { inspection as en } from '../../../contract/messages/en/inspection.ts'
import { type InspectionTexts, inspection as ko } from '../../../contract/messages/ko/inspection.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the monthly inspection in the language in use: apart from the catalogue, they come with its pages. */
export function useInspectionTexts(): InspectionTexts {
  return { ko, en }[useLanguage().language]
}

/** A month, YYYY-MM, as people say it. */
export function useMonthName(): (month: string) => string {
  const { monthName } = useInspectionTexts()
  return (month) => monthName(month.slice(0, 4), month.slice(5))
}
