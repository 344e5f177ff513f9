import type { Handlers } from '../../http/handler.ts'
import { exportAudit } from './export.ts'
import { listHistory } from './history.ts'
import { listAudit } from './search.ts'

/** The audit trail and the history of each record. */
export const audit: Handlers<'audit'> = { listAudit, exportAudit, listHistory }
