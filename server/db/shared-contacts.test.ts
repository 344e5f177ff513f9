import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { migrate, migrateTo, migrations } from './migrate.ts'
import type { OpenDatabase } from './open.ts'

let database: OpenDatabase
const sql = async (text: string) => (await database.pool.query(text)).rows

beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrateTo(
    database.db,
    migrations.map(({ name }) => name).filter((name) => name < '103-shared'),
  )
})

afterAll(() => database.close())

test('keeps hidden what users had chosen not to show (rules/colleagues#what-colleagues-see)', async () => {
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT003', '일반', 'User', 0) on conflict do nothing`,
  )
  await sql(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code, phone_shown)
     select id, '', '김하늘', '', '', id || '@example.com', 'BEL001', 'AUT003', 'MEMAP001', id = 'chose.phone'
     from unnest(array['chose.phone', 'chose.nothing', 'never.chose']) id`,
  )
  await sql(
    `insert into audit_log (action, target, detail, address, request_id, records)
     select 'user.share', login_id, '{}', '', '', array['user/' || id] from users where login_id like 'chose.%'`,
  )
  await migrate(database.db)
  const rows = await sql(
    'select login_id, phone_shown, phone_hidden, email_shown, email_hidden from users order by id',
  )
  expect(rows).toEqual([
    {
      login_id: 'chose.phone',
      phone_shown: true,
      phone_hidden: false,
      email_shown: false,
      email_hidden: true,
    },
    {
      login_id: 'chose.nothing',
      phone_shown: false,
      phone_hidden: true,
      email_shown: false,
      email_hidden: true,
    },
    {
      login_id: 'never.chose',
      phone_shown: false,
      phone_hidden: false,
      email_shown: false,
      email_hidden: false,
    },
  ])
})
