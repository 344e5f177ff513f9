import type { listAudit as endpoint } from '../../../contract/audit.ts'
import type { Handler } from '../../http/handler.ts'
import { findAudit } from './find.ts'
import { auditPage } from './rows.ts'

/** A page of the trail (rules/audit#audit-search). */
export const listAudit: Handler<typeof endpoint> = (call, input) =>
  auditPage(call, findAudit(input, input), input)
