import { sql } from 'kysely'
import { ACCESS_EXPORT_COLUMNS, type exportAccess as endpoint } from '../../../../contract/audit.ts'
import { ROWS_AT_ONCE } from '../../../db/list.ts'
import type { Handler } from '../../../http/handler.ts'
import { exportList } from '../../exports/index.ts'
import { accessTexts } from './call-names.ts'
import { directionOf, matchesAccessFilter } from './find.ts'
import { renderAccessRow, accessRows, peopleOf, SUBJECTS_OF_A_LIST } from './rows.ts'

/**
 * Exports the rows that a search of the access log finds, in the order of the list (rules/audit#access-export), with the texts
 * of the list. Names at most SUBJECTS_OF_A_LIST data subjects per row, and the number of the others.
 * @throws {Refusal} as `exportList`
 */
export const exportAccess: Handler<typeof endpoint> = (call, input) => {
  const t = accessTexts[call.language]
  return exportList(call, input, {
    list: 'access',
    columns: ACCESS_EXPORT_COLUMNS,
    headers: t.columns,
    kinds: { accessedAt: 'moment', subjectCount: 'number' },
    async read(tx) {
      const isFound = matchesAccessFilter(input)
      const { rows } = await sql<{ total: number }>`
        select count(*)::float8 as total from access_log l where ${isFound}`.execute(tx)
      const direction = directionOf(input)
      const found = accessRows(tx, SUBJECTS_OF_A_LIST, input.subject)
        .where(isFound)
        .orderBy(sql`l.month ${direction}, l.position ${direction}`)
      return { total: rows[0]?.total ?? 0, rows: found.stream(ROWS_AT_ONCE) }
    },
    peopleIn: peopleOf,
    cells(row) {
      const { subjects, subjectCount, ...said } = renderAccessRow(row, call.language)
      const told = subjects.map(({ userId, name }) =>
        name === '' ? userId || t.removed : `${name} (${userId})`,
      )
      const more = subjectCount - subjects.length
      return {
        ...said,
        subjects: [told.join(', '), ...(more > 0 ? [t.others(more)] : [])].join(' '),
        subjectCount: String(subjectCount),
      }
    },
  })
}
