import type pg from 'pg'

/**
 * Adds up what changes wrote into a table of counts, whose number is `n` (ADR 054): whoever sums it meanwhile sees all of it
 * before or after.
 * @param by the columns that tell its counts apart
 */
export async function addUpCounts(pool: pg.Pool, table: string, by: readonly string[]): Promise<void> {
  const columns = by.join(', ')
  await pool.query(`with gone as (
      delete from ${table} where (${columns}) in (
        select ${columns} from ${table} group by ${columns} having count(*) > 1)
      returning ${columns}, n
    )
    insert into ${table} (${columns}, n) select ${columns}, sum(n) from gone group by ${columns} having sum(n) <> 0`)
}
