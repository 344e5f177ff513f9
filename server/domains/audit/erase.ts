import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/* Erases records whose retention has ended. The database refuses to erase those younger than its own minimum (rules/retention#least). */

/**
 * Returns the number that a function of the database returns: that of the rows which it erased.
 * @param call SQL call of the function
 */
async function callErase(tx: Db, call: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select ${call} as n`.execute(tx)
  return rows[0]?.n ?? 0
}

/**
 * Deletes rows of the audit log that are older than `months` months, the oldest first.
 * @returns their number, at most `most`
 */
export const eraseTrail = (tx: Db, months: number, most: number): Promise<number> =>
  callErase(tx, sql`audit_log_erase(${months}, ${most})`)

/**
 * Marks as erased the months of the access log that were moved to files and ended `months` months ago. The job of the
 * archive then deletes the files.
 * @returns the number of rows in these files
 */
export const eraseLogFiles = (tx: Db, months: number): Promise<number> =>
  callErase(tx, sql`access_log_erase(${months})`)

/**
 * Deletes inspections, reviews and closed leak incidents that are older than a number of months.
 * @returns their number, at most `most` of each
 */
export const erasePrivacyRecords = (tx: Db, months: number, most: number): Promise<number> =>
  callErase(tx, sql`privacy_records_erase(${months}, ${most})`)
