import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { recordAudit } from '../../../records/audit.ts'
import { pathOf } from './call-names.ts'
import { withIds } from './rows.ts'

/**
 * Marks rows of the access log as recorded in error, and writes an audit row if it marked any
 * (rules/audit#access-annotations). Rows that are marked already keep their reason.
 * @param which ID of a row, or `histories` for every row of a history that names more than one user
 * @returns the number of rows marked by this call; 0 if there is no such row
 */
export async function annotateAccess(db: Db, which: string, reason: string): Promise<number> {
  const isMeant =
    which === 'histories'
      ? sql<boolean>`(l.call = ${pathOf('listHistory')} and l.result = '' and cardinality(l.subjects) + cardinality(l.named) > 1)`
      : withIds([which]).isOne
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`insert into access_annotations (month, position, reason)
      select l.month, l.position, ${reason} from access_log l where ${isMeant} on conflict do nothing returning 1`.execute(
      tx,
    )
    const row = { action: 'access.annotate', address: '', requestId: '' } as const
    if (rows.length > 0)
      await recordAudit(tx, { ...row, target: which, detail: { rows: rows.length, reason }, records: null })
    return rows.length
  })
}
