import type { InspectionState, Verdict } from '../../../contract/audit.ts'

/** How a state of an inspection is coloured. */
export const TONES = {
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  ARCHIVED: 'neutral',
} as const satisfies Record<InspectionState, string>

/** How a judgement is coloured. */
export const VERDICT_TONES = {
  '': 'warning',
  EXPLAINED: 'positive',
  ACTION: 'danger',
} as const satisfies Record<'' | Verdict, string>
