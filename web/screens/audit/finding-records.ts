import type { InspectionRule } from '../../../contract/audit.ts'
import type { Inspection } from './inspection.page.tsx'

/** A finding of an inspection. */
type Finding = Inspection['findings'][number]
/** Query parameters of the access log. */
type Words = Partial<
  Record<'accessedFrom' | 'accessedTo' | 'actor' | 'subject' | 'action' | 'address' | 'outcome', string>
>

/** Query parameters of the access log, by rule, that find the entries counted by the rule. `recordsOf` adds the day. */
const WORDS: Record<InspectionRule, (finding: Finding) => Words> = {
  manyRecords: ({ userId }) => ({ actor: userId, outcome: 'DONE' }),
  outsideHours: ({ userId }) => ({ actor: userId, outcome: 'DONE' }),
  // From the first day with the new address to the end of the month.
  newAddress: ({ userId, address, foundDay }) => ({ actor: userId, address, accessedTo: endOf(foundDay) }),
  exports: ({ userId }) => ({ actor: userId, action: 'export', outcome: 'DONE' }),
  failedLogins: ({ userId }) => ({ actor: userId, action: 'login', outcome: 'REFUSED' }),
  failedAddresses: ({ address }) => ({ address, action: 'login', outcome: 'REFUSED' }),
  refusals: ({ userId }) => ({ actor: userId, outcome: 'REFUSED' }),
  manyReaders: ({ userId }) => ({ subject: userId, action: 'read', outcome: 'DONE' }),
}

/**
 * Returns the query parameters of the access log that show the rows behind a finding: those of its day, unless its rule
 * looks at more days.
 */
export const recordsOf = (finding: Finding): Words => ({
  accessedFrom: finding.foundDay,
  accessedTo: finding.foundDay,
  ...WORDS[finding.rule](finding),
})

/** Returns the last day of a day's month, YYYY-MM-DD. */
function endOf(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
