import { sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { getKeyStatistics as endpoint } from '../../../contract/keys.ts'
import type { Handler } from '../../http/handler.ts'
import { countsOf, sliceOf, within } from './slice.ts'
import { countRows } from './spans.ts'

/** What the charts show; summed from the counts, never from the keys. */
export const getKeyStatistics: Handler<typeof endpoint> = ({ db, language }, input) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const slice = await sliceOf(tx, input)
      const { rows: days } = await sql<{ date: string; count: number }>`
        select day::text as date, sum(n)::float8 as count from ${countsOf(slice).days}
        where day between ${slice.from || '1900-01-01'} and ${slice.to || '2999-12-31'} and ${within(slice)}
        group by day having sum(n) > 0 order by day`.execute(tx)
      const { rows: cells } = await sql<{ provinceName: string; affiliationCode: string; count: number }>`
        select c.province_name as "provinceName", c.affiliation_code as "affiliationCode", sum(k.n)::float8 as count
        from (select cell_id, sum(n) as n from ${countRows(slice)} group by cell_id having sum(n) > 0) as k
        join key_cells c on c.id = k.cell_id group by 1, 2`.execute(tx)
      const names = await tx
        .selectFrom('codes')
        .select(['code', `name_${language} as name`])
        .where('group_code', '=', CODE_GROUP.affiliation)
        .execute()
      const nameOf = new Map(names.map(({ code, name }) => [code, name]))
      return {
        totalCount: cells.reduce((sum, { count }) => sum + count, 0),
        days,
        provinces: sumBy(cells, (cell) => cell.provinceName).map(([provinceName, count]) => ({
          provinceName,
          count,
        })),
        affiliations: sumBy(cells, (cell) => cell.affiliationCode).map(([code, count]) => ({
          affiliationCode: code,
          affiliationName: nameOf.get(code) ?? code,
          count,
        })),
      }
    })

/** Sums by a key, the largest first. */
function sumBy<T extends { count: number }>(rows: readonly T[], key: (row: T) => string): [string, number][] {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.count)
  return [...sums].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
