import type { Decision, InspectionState, ReviewState, Verdict } from '../../../contract/audit.ts'

/** Badge tones of the states of an inspection. */
export const TONES = {
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  ARCHIVED: 'neutral',
} as const satisfies Record<InspectionState, string>

/** Badge tones of the verdicts on a finding; '' means none yet. */
export const VERDICT_TONES = {
  '': 'warning',
  EXPLAINED: 'positive',
  ACTION: 'danger',
} as const satisfies Record<'' | Verdict, string>

/** Badge tones of the states of a review. */
export const REVIEW_TONES = {
  OPEN: 'neutral',
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  MISSED: 'danger',
} as const satisfies Record<ReviewState, string>

/** Badge tones of the decisions on an item; '' means none yet. */
export const DECISION_TONES = {
  '': 'warning',
  CONFIRMED: 'positive',
  WITHDRAWN: 'danger',
} as const satisfies Record<'' | Decision, string>
