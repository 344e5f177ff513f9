import type { Handlers } from '../../http/handler.ts'
import { exportAccess } from './access-log/export.ts'
import { getAccess, listAccess } from './access-log/read.ts'
import { listOwnAccess } from './access-log/own-access.ts'
import { exportAudit } from './export.ts'
import { remarkFindings, searchMonth, signInspection } from './inspections/inspect.ts'
import { getInspection, listInspections } from './inspections/read.ts'
import { getInspectionRules, updateInspectionRules } from './inspections/rules.ts'
import { listHistory } from './history.ts'
import {
  createIncident,
  getIncident,
  listIncidents,
  recordIncident,
  updateIncident,
} from './leaks/incidents.ts'
import { exportLeakPeople, listLeakPeople } from './leaks/people.ts'
import { searchLeak } from './leaks/search.ts'
import { updateLawNote } from './policy/law-notes.ts'
import { getPolicy } from './policy/read.ts'
import { confirmRights, signReview, takeRights, withdrawRights, withdrawRole } from './reviews/decide.ts'
import { getReview, listReviews } from './reviews/read.ts'
import { listAudit } from './search.ts'

/**
 * Handlers of the calls about the audit log, the history of each record, the access log and its monthly inspections,
 * leak incidents, the quarterly access reviews, and the policy.
 */
export const audit: Handlers<'audit'> = {
  listAudit,
  exportAudit,
  listHistory,
  listAccess,
  exportAccess,
  getAccess,
  listOwnAccess,
  listInspections,
  getInspection,
  searchMonth,
  remarkFindings,
  signInspection,
  getInspectionRules,
  updateInspectionRules,
  listIncidents,
  getIncident,
  createIncident,
  updateIncident,
  recordIncident,
  searchLeak,
  listLeakPeople,
  exportLeakPeople,
  listReviews,
  getReview,
  takeRights,
  confirmRights,
  withdrawRights,
  withdrawRole,
  signReview,
  getPolicy,
  updateLawNote,
}
