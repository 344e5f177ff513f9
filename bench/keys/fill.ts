import pg from 'pg'
import { migrate } from '../../server/db/migrate.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../../server/db/open.ts'
import { populate } from '../../server/test-kit/people.ts'

const PARTNERS = 300
const USERS = 3000
/** From here to the end of 2026. */
const FIRST_DAY = '2024-01-01'
const DAYS = 1096
const CHUNK = 500_000

/** In the order of the days, as they are written in life: what is counted together lies together. */
const COUNTS = [
  `insert into key_user_days select user_id, issued_on, cell_id, count(*) from issued_keys group by 1, 2, 3
   order by 2, 1`,
  `insert into key_user_months select user_id, date_trunc('month', day::timestamp)::date as month, cell_id, sum(n)
   from key_user_days group by 1, 2, 3 order by 2, 1`,
  'insert into key_days select day, cell_id, sum(n) from key_user_days group by 1, 2 order by 1, 2',
  `insert into key_months select date_trunc('month', day::timestamp)::date as month, cell_id, sum(n)
   from key_days group by 1, 2 order by 1, 2`,
]

/** A database with this many keys: partners all over the country, names as people have them, every day alike. */
export async function fillKeys(
  connection: pg.ClientConfig,
  name: string,
  keys: number,
): Promise<{ database: OpenDatabase; userId: string }> {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  await admin.end()
  const writer = await openDatabase({ ...connection, database: name, ...NO_TIME_LIMIT }, () => {})
  await migrate(writer.db)
  const { pool } = writer
  await pool.query(
    `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y)
     select 'BENCH-' || n, 'pa', 'BEL00' || 1 + n % 8, p.code, p.name, d.name, d.x, d.y
     from generate_series(0, $1::int - 1) as n
     join (select *, row_number() over (order by code) - 1 as at from districts) d on d.at = n % 256
     join provinces p on p.code = d.province_code`,
    [PARTNERS],
  )
  await pool.query(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
       approval_code, partner_id)
     select 'user' || n, '-', (array['김','이','박','최','정'])[1 + n % 5] || (array['하늘','서준','민지','도윤','지우','예린','현우'])[1 + n % 7] || ' ' || n % 100,
       '대리', '010' || lpad(n::text, 8, '0'), 'user' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP001',
       (select id from partners order by id offset n % $1::int limit 1)
     from generate_series(0, $2::int - 1) as n`,
    [PARTNERS, USERS],
  )
  await writeKeys(pool, keys)
  const person = await populate(writer, '-').createUser({ role: 'user' })
  await pool.query('vacuum (analyze)')
  await writer.close()
  const database = await openDatabase({ ...connection, database: name }, () => {})
  return { database, userId: person.id }
}

/** Keys of everybody who has a partner, spread over three years, in one go and beside those that are there. */
export async function writeKeys(pool: pg.Pool, keys: number): Promise<void> {
  await pool.query(
    `insert into key_cells (partner_id, affiliation_code, province_name, district_name)
     select id, affiliation_code, province_name, district_name from partners on conflict do nothing`,
  )
  // Written in one go: indexes and counts are made afterwards, as the migration makes them of keys that are there.
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
  await pool.query('truncate key_user_days, key_user_months, key_days, key_months')
  for (const statement of COUNTS) await pool.query(statement)
}
