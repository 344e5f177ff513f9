import type pg from 'pg'

/** First day on which keys are issued; the last one is DAYS later, at the end of 2026. */
const FIRST_DAY = '2024-01-01'
/** Number of days on which keys are issued. */
const DAYS = 1096
/** Keys per statement. */
const CHUNK = 500_000

/**
 * Statements that fill the tables of counts in the order of the days, as in production: rows that are counted together are next
 * to each other.
 */
const COUNTS = [
  `insert into key_months select date_trunc('month', issued_on::timestamp)::date as month, cell_id, count(*)
   from issued_keys group by 1, 2 order by 1, 2`,
  `insert into key_totals select coalesce(affiliation_code, ''), coalesce(province_name, ''), issued_on, count(*)
   from issued_keys group by grouping sets ((affiliation_code, province_name, issued_on), (issued_on)) order by 1, 2, 3`,
  'insert into key_user_totals select user_id, count(*) from issued_keys group by 1 order by 1',
]

/**
 * Writes this many keys for all users with a partner, spread over 2024 to 2026, in addition to existing ones. Creates
 * the indexes and counts afterwards. Fails if an earlier call wrote keys, because the devices repeat.
 */
export async function writeKeys(pool: pg.Pool, keys: number): Promise<void> {
  await pool.query(
    `insert into key_cells (partner_id, affiliation_code, province_name, district_name)
     select id, affiliation_code, province_name, district_name from partners on conflict do nothing`,
  )
  // Written in one statement: indexes and counts are created afterwards, as the migration does for existing keys.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'issued_keys' and indexname not like '%\\_key' and indexname not like '%\\_pkey'`,
  )
  for (const index of indexes) await pool.query(`drop index ${index.name}`)
  await pool.query('alter table issued_keys drop constraint issued_keys_user_id_request_key_key')
  await pool.query('alter table issued_keys disable trigger all')
  const { rows: holders } = await pool.query<{ n: number }>(
    'select count(*)::int as n from users where partner_id is not null',
  )
  for (let from = 0; from < keys; from += CHUNK) {
    await pool.query(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, cell_id,
         issued_at)
       select u.id, 'device-' || n, p.id, p.affiliation_code, p.province_name, p.district_name, c.id,
         $1::timestamptz + (n::float8 / $2 * $3) * interval '1 day'
       from generate_series($4::int, $5::int - 1) as n
       join (select *, row_number() over (order by id) - 1 as at from users where partner_id is not null) u
         on u.at = (n::bigint * 7919 + n / 3000) % $6
       join partners p on p.id = u.partner_id
       join key_cells c on c.partner_id = p.id and c.affiliation_code = p.affiliation_code
         and c.province_name = p.province_name and c.district_name = p.district_name`,
      [`${FIRST_DAY} 00:00:00+09`, keys, DAYS, from, Math.min(from + CHUNK, keys), holders[0]?.n],
    )
  }
  await pool.query(`set maintenance_work_mem = '512MB'`)
  await pool.query(`set work_mem = '512MB'`)
  for (const index of indexes) await pool.query(index.definition)
  await pool.query('alter table issued_keys add unique (user_id, request_key)')
  await pool.query('alter table issued_keys enable trigger all')
  await pool.query('truncate key_user_totals, key_totals, key_months')
  for (const statement of COUNTS) await pool.query(statement)
}
