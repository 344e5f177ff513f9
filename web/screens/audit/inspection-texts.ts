import { inspection as en } from '../../../contract/messages/en/inspection.ts'
import { type InspectionTexts, inspection as ko } from '../../../contract/messages/ko/inspection.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of the monthly inspection in the current language. They load with their pages, apart from the common texts. */
export function useInspectionTexts(): InspectionTexts {
  return { ko, en }[useLanguage().language]
}

/** Returns a function that formats a month, YYYY-MM, in the current language. */
export function useMonthName(): (month: string) => string {
  const { monthName } = useInspectionTexts()
  return (month) => monthName(month.slice(0, 4), month.slice(5))
}
