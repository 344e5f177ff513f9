import type {
  Decision,
  INCIDENT_STATES,
  InspectionState,
  ReviewState,
  Verdict,
} from '../../../contract/audit.ts'

/** Badge tones of the states of an inspection, for its page and the list of months. */
export const TONES = {
  DUE: 'warning',
  BEGUN: 'info',
  SIGNED: 'positive',
  ARCHIVED: 'neutral',
} as const satisfies Record<InspectionState, string>

/** Badge tones of the states of a leak incident, for its page and the list of incidents. */
export const INCIDENT_TONES = {
  OPEN: 'danger',
  NOTIFIED: 'warning',
  REPORTED: 'info',
  CLOSED: 'neutral',
} as const satisfies Record<(typeof INCIDENT_STATES)[number], string>

/** Badge tones of the verdicts on a finding; '' means none yet. */
export const VERDICT_TONES = {
  '': 'warning',
  EXPLAINED: 'positive',
  ACTION: 'danger',
} as const satisfies Record<'' | Verdict, string>

/** Badge tones of the states of a review, for its page and the list of quarters. */
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
