import { REQUEST_STATE } from '../../../contract/approvals.ts'
import type { Handlers } from '../../http/handler.ts'
import {
  approveAffiliationChanges,
  cancelAffiliationChange,
  refuseAffiliationChanges,
} from './affiliation-changes.ts'
import { requireNameLength } from '../common/index.ts'
import { approveRequests } from './approve.ts'
import { findRequests, findRequestsOf } from './queries.ts'
import { refuseRequests } from './refuse.ts'

/**
 * Handlers that list, approve and reject requests for accounts and for other affiliations, list the requests of a user,
 * and cancel the caller's own request for another affiliation (rules/approvals#request).
 */
export const approvals: Handlers<'approvals'> = {
  /** Returns a page of the open requests that the caller may decide. @throws {InputRefusal} as `requireNameLength` */
  async listRequests(call, { keyword, ...page }) {
    const { db, actor, language } = call
    requireNameLength(call, keyword, 'keyword', 'KEYWORD')
    const { totalCount, rows } = await findRequests(db, actor, keyword, page, language)
    return {
      totalCount,
      requests: rows.map(({ newAffiliationCode, newAffiliationName, ...row }) =>
        newAffiliationCode === null ? row : { ...row, newAffiliationCode, newAffiliationName },
      ),
    }
  },

  approveRequests,
  refuseRequests,
  approveAffiliationChanges,
  refuseAffiliationChanges,
  cancelAffiliationChange,

  /** Returns all requests of a user within reach, decided or not (`findRequestsOf`). */
  async listRequestsOfUser({ db, actor, language }, { userId }) {
    const rows = await findRequestsOf(db, actor, userId, language)
    return {
      requests: rows.map(({ state, kind, affiliationName, newAffiliationName, ...row }) => ({
        ...row,
        state: REQUEST_STATE[state],
        ...(kind === 'affiliation' && { affiliationName, newAffiliationName }),
      })),
    }
  },
}
