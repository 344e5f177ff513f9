import { sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { getKeyStatistics as endpoint } from '../../../contract/keys.ts'
import type { Handler } from '../../http/handler.ts'
import { countedPeople } from './history.ts'
import { toKeyViewer } from './viewer.ts'
import { toKeySelection } from './key-selection.ts'
import { dayRows, regionRows } from './key-counts.ts'

interface Sums {
  days: { date: string; count: number }[]
  regions: { provinceName: string; affiliationCode: string; count: number }[]
  names: Record<string, string>
}

/** Returns the figures of the charts. Sums the stored counts and, in a search by name, the keys of the users found. */
export const getKeyStatistics: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, language } = call
  const selection = toKeySelection(input, toKeyViewer(actor))
  call.touches(await countedPeople(db, selection))
  const { rows } = await sql<Sums>`
    select array(
      select json_build_object('date', day, 'count', sum(n)) from ${dayRows(selection)}
      group by day having sum(n) > 0 order by day
    ) as days, array(
      select json_build_object('provinceName', province_name, 'affiliationCode', affiliation_code, 'count', sum(n))
      from ${regionRows(selection)} group by province_name, affiliation_code having sum(n) > 0
    ) as regions, (
      select json_object_agg(code, ${sql.ref(`name_${language}`)}) from codes where group_code = ${CODE_GROUP.affiliation}
    ) as names`.execute(db)
  const { days, regions, names } = rows[0] ?? { days: [], regions: [], names: {} }
  return {
    totalCount: regions.reduce((sum, { count }) => sum + count, 0),
    days,
    provinces: sumBy(regions, (region) => region.provinceName).map(([provinceName, count]) => ({
      provinceName,
      count,
    })),
    affiliations: sumBy(regions, (region) => region.affiliationCode).map(([code, count]) => ({
      affiliationCode: code,
      affiliationName: names[code] ?? code,
      count,
    })),
  }
}

/** Sums the counts per key, the largest sum first. */
function sumBy<T extends { count: number }>(rows: readonly T[], key: (row: T) => string): [string, number][] {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.count)
  return [...sums].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
