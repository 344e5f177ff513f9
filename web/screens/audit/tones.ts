import type { Decision, InspectionState, ReviewState, Verdict } from '../../../contract/audit.ts'

/** Tones of the states of an inspection. */
export const TONES = {
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  ARCHIVED: 'neutral',
} as const satisfies Record<InspectionState, string>

/** Tones of the judgments. */
export const VERDICT_TONES = {
  '': 'warning',
  EXPLAINED: 'positive',
  ACTION: 'danger',
} as const satisfies Record<'' | Verdict, string>

/** Tones of the states of a review. */
export const REVIEW_TONES = {
  OPEN: 'neutral',
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  MISSED: 'danger',
} as const satisfies Record<ReviewState, string>

/** Tones of the decisions. */
export const DECISION_TONES = {
  '': 'warning',
  CONFIRMED: 'positive',
  WITHDRAWN: 'danger',
} as const satisfies Record<'' | Decision, string>
