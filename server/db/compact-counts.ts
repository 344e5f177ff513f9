import type pg from 'pg'

/**
 * Replaces the rows of a table of counts that have the same key by one row with their sum `n` (design/lists-and-counts#stored-counts). It is one statement, so that
 * a concurrent query sees the same sums before and after.
 * @param by the columns of the key
 */
export async function compactCounts(pool: pg.Pool, table: string, by: readonly string[]): Promise<void> {
  const columns = by.join(', ')
  await pool.query(`with gone as (
      delete from ${table} where (${columns}) in (
        select ${columns} from ${table} group by ${columns} having count(*) > 1)
      returning ${columns}, n
    )
    insert into ${table} (${columns}, n) select ${columns}, sum(n) from gone group by ${columns} having sum(n) <> 0`)
}
