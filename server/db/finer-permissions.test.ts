import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { migrate, migrateTo, migrations } from './migrate.ts'
import type { OpenDatabase } from './open.ts'

let database: OpenDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrateTo(
    database.db,
    migrations.map(({ name }) => name).filter((name) => name < '100'),
  )
})

afterAll(() => database.close())

test('gives every role the parts of the permissions that it held before (rules/roles#functions)', async () => {
  await database.pool.query(
    `insert into roles (code, group_name, name_en, sort_order)
     values ('AUT900', '전부', 'All', 900), ('AUT901', '없음', 'None', 901)`,
  )
  await database.pool.query(
    `insert into functions (name) values ('autho_user_manage'), ('autho_key_search'), ('autho_audit_search')
     on conflict do nothing`,
  )
  await database.pool.query(
    `insert into role_functions select 'AUT900', unnest(array['autho_user_manage', 'autho_key_search', 'autho_audit_search'])`,
  )
  await migrate(database.db)
  const { rows } = await database.pool.query(
    `select role_code, array_agg(function_name::text order by function_name) as functions from role_functions
     where role_code in ('AUT900', 'AUT901') group by role_code order by role_code`,
  )
  expect(rows).toEqual([
    {
      role_code: 'AUT900',
      functions: [
        'autho_audit_manage',
        'autho_audit_search',
        'autho_key_own',
        'autho_key_search',
        'autho_notice_insert',
        'autho_user_manage',
        'autho_user_search',
      ],
    },
    { role_code: 'AUT901', functions: ['autho_notice_insert'] },
  ])
})
