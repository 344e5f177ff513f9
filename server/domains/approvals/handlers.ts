import { REQUEST_STATE } from '../../../contract/approvals.ts'
import type { Handlers } from '../../http/handler.ts'
import { approveRequests } from './approve.ts'
import { findRequests, findRequestsOf } from './queries.ts'
import { refuseRequests } from './refuse.ts'

/** Requests for an account, and what becomes of them (rules/approvals#request). */
export const approvals: Handlers<'approvals'> = {
  async listRequests({ db, actor, language }, page) {
    const { totalCount, rows } = await findRequests(db, actor, page, language)
    return { totalCount, requests: rows }
  },

  approveRequests,
  refuseRequests,

  async listRequestsOfUser({ db, actor }, { userId }) {
    const rows = await findRequestsOf(db, actor, userId)
    return { requests: rows.map(({ state, ...row }) => ({ ...row, state: REQUEST_STATE[state] })) }
  },
}
