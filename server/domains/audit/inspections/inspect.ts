import { sql, type Transaction } from 'kysely'
import type {
  remarkFindings as remarkEndpoint,
  searchMonth as searchEndpoint,
  signInspection as signEndpoint,
} from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { LongReads } from '../../../db/long-reads.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { takeExportSlot } from '../../exports/index.ts'
import { findOfficer } from '../../settings/index.ts'
import { beginInspection, findMonth, firstDay, saveFindings, lockInspection } from './queries.ts'
import { findRules } from './rules.ts'
import { searchLog } from './search.ts'

/**
 * Searches a past month of the access log by the rules and replaces the findings of its inspection, with an audit row
 * (rules/audit#inspection). Begins the inspection if needed.
 * @returns the number of findings
 * @throws {Refusal} INSPECTION_NOT_FOUND as `findMonth`; INSPECTION_SIGNED; INSPECTION_ARCHIVED if the month was moved to a
 * file; and as `searchInExportSlot`
 */
export const searchMonth: Handler<typeof searchEndpoint> = async (call, { month }) => {
  const { actor, db, longReads } = call
  const found = await call.inTurn(() => findMonth(db, month))
  if (found === undefined) refuse('INSPECTION_NOT_FOUND')
  if (found.inspectionState === 'SIGNED') refuse('INSPECTION_SIGNED')
  if (found.inspectionState === 'ARCHIVED') refuse('INSPECTION_ARCHIVED')

  const set = await call.inTurn(() => findRules(db))
  const results = await searchInExportSlot(longReads, actor.userId, (snapshot) =>
    searchLog(snapshot, firstDay(month), found.records, set),
  )
  const marked = results.flatMap((result) => result.found)
  await call.inTurn(() =>
    db.transaction().execute(async (tx) => {
      await beginInspection(tx, month)
      await lockOpen(tx, month)
      const rules = results.map(({ rule, enabled, threshold, findingCount, comparable }) => ({
        rule,
        enabled,
        threshold,
        findingCount,
        comparable,
      }))
      await saveFindings(tx, month, { ...set, rules }, marked, actor.name)
      await call.audit(tx, { target: month, detail: { findings: marked.length }, records: null })
    }),
  )
  call.touches(marked.flatMap(({ personId }) => personId ?? []))
  return { findingCount: marked.length }
}

/**
 * Runs a search in one of the slots for exports, in a snapshot of the database without the time limit of calls.
 * @param userId login ID, whose slots are limited
 * @throws {Refusal} EXPORT_BUSY as `takeExportSlot`
 */
export async function searchInExportSlot<T>(
  longReads: LongReads,
  userId: string,
  search: (snapshot: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const { tx, end, release } = await takeExportSlot(longReads, userId)
  try {
    return await search(tx)
  } finally {
    await end()
    release()
  }
}

/**
 * Stores a verdict and a remark on findings of an inspection that is not signed, all or none, with an audit row
 * (rules/audit#inspection-remarks).
 * @throws {Refusal} FINDING_NOT_FOUND if a finding is not of this month; INSPECTION_NOT_FOUND, INSPECTION_SIGNED
 */
export const remarkFindings: Handler<typeof remarkEndpoint> = async (call, input) => {
  const { month, verdict, remark } = input
  const ids = [...new Set(input.findingIds)]
  await call.db.transaction().execute(async (tx) => {
    await lockOpen(tx, month)
    const changed = await tx
      .updateTable('inspectionFindings')
      .set({
        verdict,
        remark,
        remarkedAt: sql`now()`,
        remarkerId: call.actor.id,
        remarkerName: call.actor.name,
      })
      .where('month', '=', firstDay(month))
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .returning('personId')
      .execute()
    if (changed.length < ids.length) refuse('FINDING_NOT_FOUND')
    await call.audit(tx, { target: month, detail: { findings: ids.length, remark }, records: null })
    call.touches(changed.flatMap(({ personId }) => personId ?? []))
  })
  return {}
}

/**
 * Signs an inspection whose findings all have a verdict, with the name of the privacy officer and an audit row
 * (rules/audit#inspection-sign-off).
 * @throws {Refusal} RECORD_CHANGED if the number of findings is not `findingCount`; INSPECTION_OPEN if a finding has no
 * verdict; INSPECTION_OWN if a finding is about the caller's own accesses; INSPECTION_NOT_FOUND, INSPECTION_SIGNED
 */
export const signInspection: Handler<typeof signEndpoint> = async (
  call,
  { month, findingCount, opinion },
) => {
  await call.db.transaction().execute(async (tx) => {
    await lockOpen(tx, month)
    const { found, open, own } = await tx
      .selectFrom('inspectionFindings')
      .select([
        sql<number>`count(*)::int`.as('found'),
        sql<number>`(count(*) filter (where verdict = ''))::int`.as('open'),
        // The person of `manyReaders` is the one whose data others opened.
        sql<number>`(count(*) filter (where person_id = ${call.actor.id}::bigint and rule <> 'manyReaders'))::int`.as(
          'own',
        ),
      ])
      .where('month', '=', firstDay(month))
      .executeTakeFirstOrThrow()
    if (found !== findingCount) refuse('RECORD_CHANGED')
    if (open > 0) refuse('INSPECTION_OPEN')
    if (own > 0) refuse('INSPECTION_OWN')
    const { officerName } = await findOfficer(tx)
    const officer = JSON.stringify({ officerName })
    await tx
      .updateTable('inspections')
      .set({
        opinion,
        rules: sql`rules || ${officer}::jsonb`,
        signedAt: sql`now()`,
        signerLoginId: call.actor.userId,
        signerName: call.actor.name,
      })
      .where('month', '=', firstDay(month))
      .execute()
    await call.audit(tx, { target: month, detail: { findings: found, opinion }, records: null })
  })
  return {}
}

/**
 * Locks an inspection until the transaction ends.
 * @throws {Refusal} INSPECTION_NOT_FOUND if it was not begun; INSPECTION_SIGNED
 */
async function lockOpen(tx: Transaction<Database>, month: string): Promise<void> {
  const inspection = await lockInspection(tx, month)
  if (inspection === undefined) refuse('INSPECTION_NOT_FOUND')
  if (inspection.signedAt !== null) refuse('INSPECTION_SIGNED')
}
