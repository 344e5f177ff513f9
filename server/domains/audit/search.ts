import type { listAudit as endpoint } from '../../../contract/audit.ts'
import type { Handler } from '../../http/handler.ts'
import { findPeopleByName, findAudit } from './find.ts'
import { auditPage } from './rows.ts'

/**
 * Returns a page of the audit log, newest first (rules/audit#audit-search). If it is empty although rows match, the
 * access log names the users whom the search names.
 */
export const listAudit: Handler<typeof endpoint> = async (call, input) => {
  const page = await auditPage(call, findAudit(input, input), input)
  if (page.rows.length === 0 && page.totalCount > 0)
    call.touches(await findPeopleByName(call.db, input.actor, input.target))
  return page
}
