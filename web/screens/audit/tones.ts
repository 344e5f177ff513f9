import type { Decision, InspectionState, ReviewState, Verdict } from '../../../contract/audit.ts'

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

/** How a state of a review is coloured. */
export const REVIEW_TONES = {
  OPEN: 'neutral',
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  MISSED: 'danger',
} as const satisfies Record<ReviewState, string>

/** How a decision is coloured. */
export const DECISION_TONES = {
  '': 'warning',
  CONFIRMED: 'positive',
  WITHDRAWN: 'danger',
} as const satisfies Record<'' | Decision, string>
