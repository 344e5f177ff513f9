import type { getInspection as one, listInspections as many } from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { sql } from 'kysely'
import { pageOf } from '../../../db/list.ts'
import type { Handler } from '../../../http/handler.ts'
import { findOfficer } from '../../settings/index.ts'
import { findFindings, findMonth, pastMonths } from './queries.ts'
import { findRules } from './rules.ts'

/** SQL `from` clause for the findings of a month `h`. */
const findings = sql`from inspection_findings f where f.month = h.month`

/**
 * Returns a page of the past months with rows of the access log, newest first, with the state of their inspections and
 * the numbers of findings and of those with a verdict (rules/audit#inspections).
 */
export const listInspections: Handler<typeof many> = async ({ db }, input) => {
  const list = pastMonths(db)
    .select([
      sql<number>`(select count(*)::float8 ${findings})`.as('findingCount'),
      sql<number>`(select count(*)::float8 ${findings} and verdict <> '')`.as('remarkedCount'),
    ])
    .orderBy('h.month', 'desc')
  const { rows, totalCount } = await pageOf(db, list, input)
  return { rows, totalCount }
}

/**
 * Returns the inspection of a month with its findings and the rules of its search; with the current rules and no
 * findings if it was not begun (rules/audit#inspection).
 * @throws {Refusal} INSPECTION_NOT_FOUND as `findMonth`
 */
export const getInspection: Handler<typeof one> = async (call, { month }) => {
  const found = await findMonth(call.db, month)
  if (found === undefined) refuse('INSPECTION_NOT_FOUND')
  const { kept, ...inspection } = found
  const marked = kept === null ? [] : await findFindings(call.db, month)
  call.touches(marked.flatMap(({ personId }) => personId ?? []))
  // An inspection of an earlier version has no practice, and the present one was not its.
  const set =
    kept === null ? await findRules(call.db) : { cycleMonths: 1, inspectionMethod: '', followUp: '', ...kept }
  const officerName =
    kept?.officerName ?? (inspection.signedAt === '' ? (await findOfficer(call.db)).officerName : '')
  return {
    ...inspection,
    hoursFrom: set.hoursFrom,
    hoursTo: set.hoursTo,
    cycleMonths: set.cycleMonths,
    inspectionMethod: set.inspectionMethod,
    followUp: set.followUp,
    officerName,
    rules: set.rules.map((one) => ({ findingCount: 0, comparable: true, ...one })),
    findings: marked,
  }
}
