import { AUDIT_EXPORT_COLUMNS, type exportAudit as endpoint } from '../../../contract/audit.ts'
import { ROWS_AT_ONCE } from '../../db/list.ts'
import type { Handler } from '../../http/handler.ts'
import { exportList } from '../exports/index.ts'
import { sql } from 'kysely'
import { matchesFilter } from './find.ts'
import { auditRows, namesIn, peopleIn } from './rows.ts'
import { type AuditNames, auditTexts } from './render-context.ts'
import { renderAuditRow } from './render.ts'

/**
 * Exports the rows that a search of the audit log finds, newest first (rules/audit#audit-export), with the texts of the list.
 * Masks phone numbers and emails unless the caller enters the password.
 * @throws {Refusal} as `exportList`
 */
export const exportAudit: Handler<typeof endpoint> = (call, input) => {
  const { language } = call
  const isMasked = input.password === ''
  let names: AuditNames = { codes: {}, roles: {} }
  return exportList(call, input, {
    list: 'audit',
    columns: AUDIT_EXPORT_COLUMNS,
    headers: auditTexts[language].columns,
    kinds: { changedAt: 'moment' },
    async read(tx) {
      const { rows } = await sql<{ total: number; names: AuditNames }>`
        select (select count(*)::float8 from audit_log where ${matchesFilter(input)}) as total, ${namesIn(language)} as names`.execute(
        tx,
      )
      names = rows[0]?.names ?? names
      const found = auditRows(tx)
        // Read in the order of their index, so that the first row leaves before the last one is found.
        .where(matchesFilter(input))
        .orderBy('l.at', 'desc')
        .orderBy('l.id', 'desc')
      return { total: rows[0]?.total ?? 0, rows: found.stream(ROWS_AT_ONCE) }
    },
    peopleIn,
    cells(row) {
      const { changes, ...rendered } = renderAuditRow(row, { language, names, isMasked })
      return {
        ...rendered,
        changes: changes
          .map(({ item, before, after }) => `${item}: ${[before, after].filter(Boolean).join(' → ')}`)
          .join('; '),
      }
    },
  })
}
