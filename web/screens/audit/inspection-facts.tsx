import { usePortalMessages } from '../../language.tsx'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts, useMonthName } from './inspection-texts.ts'

/**
 * Returns the facts about an inspection as a whole, with their names, for the screen and its report. Signature and
 * opinion are missing until it has them.
 */
export function useInspectionFacts(inspection: Inspection): (readonly [name: string, value: string])[] {
  const t = useInspectionTexts()
  const monthName = useMonthName()
  const { facts: names, by, notSearched, count } = t.month
  const { findings, hoursFrom, hoursTo, searchedAt, signedAt, opinion, officerName } = inspection
  const { fields } = usePortalMessages()
  const remarked = findings.filter(({ verdict }) => verdict !== '').length
  const signer = `${inspection.signerName} (${inspection.signerId})`
  return [
    [names.month, monthName(inspection.month)],
    [names.state, t.states[inspection.inspectionState]],
    [names.records, t.records(inspection.recordCount.toLocaleString())],
    [names.hours, t.rules.hoursText(hoursFrom, hoursTo)],
    [fields.cycleMonths, t.rules.cycle(inspection.cycleMonths)],
    [fields.inspectionMethod, inspection.inspectionMethod || t.rules.notStated],
    [fields.followUp, inspection.followUp || t.rules.notStated],
    [names.searched, searchedAt === '' ? notSearched : by(searchedAt, inspection.searcherName)],
    [names.findings, count(findings.length.toLocaleString())],
    [names.remarked, count(remarked.toLocaleString())],
    ...(signedAt === '' ? [] : [[names.signed, signedAt] as const, [names.signer, signer] as const]),
    [names.officer, officerName || t.rules.notStated],
    ...(opinion === '' ? [] : [[names.opinion, opinion] as const]),
    // The first characters distinguish chain ends. The check of the log shows the whole value.
    [names.chainEnd, inspection.chainEnd.slice(0, 16)],
  ]
}

/**
 * Returns a function that describes the limit of a rule in the inspection, or says that the rule is off or that its
 * month is not comparable.
 */
export function useLimitText(): (rule: Inspection['rules'][number]) => string {
  const { limits, month: t } = useInspectionTexts()
  return ({ rule, enabled, threshold, comparable }) =>
    enabled
      ? [limits[rule](threshold.toLocaleString()), ...(comparable ? [] : [t.notComparable])].join(' · ')
      : t.off
}

/**
 * Returns the user, the address or both that a finding is about; '' for neither. A user without a name appears by ID.
 */
export function whoOf({ userId, name, address }: Inspection['findings'][number]): string {
  const person = name === '' ? userId : `${name} (${userId})`
  return [person, address].filter(Boolean).join(' · ')
}
