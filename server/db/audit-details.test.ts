import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { migrate, migrateTo, migrations } from './migrate.ts'
import type { OpenDatabase } from './open.ts'

const BEFORE = migrations.map(({ name }) => name).filter((name) => name < '099')

let database: OpenDatabase
let ids: Map<string, string>

const sql = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

interface OldRow {
  action: string
  target: string
  detail: object
  records?: readonly string[]
}

async function insert({ action, target, detail, records }: OldRow): Promise<void> {
  await sql(
    `insert into audit_log (action, target, detail, address, request_id, records) values ($1, $2, $3, '', '', $4)`,
    [action, target, JSON.stringify(detail), records ?? null],
  )
}

const rowOf = async (action: string, target: string) =>
  (await sql('select detail, records from audit_log where action = $1 and target = $2', [action, target]))[0]

beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrateTo(database.db, BEFORE)
  await sql(`insert into codes (group_code, code, name_ko, name_en, sort_order) values ('BEL', 'BEL001', '본사', 'HQ', 0)
    on conflict do nothing`)
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT003', '일반', 'User', 0) on conflict do nothing`,
  )
  const people = await sql(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
     select 'person.' || n, '', '김하늘', '', '', 'person.' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
     from generate_series(1, 3) n returning id, login_id`,
  )
  ids = new Map(people.map(({ id, login_id }) => [login_id, id]))
  const records = [...ids.values()].map((id) => `user/${id}`)
  // The third person has another ID now.
  await sql(`update users set login_id = 'renamed' where login_id = 'person.3'`)
  const old: OldRow[] = [
    {
      action: 'user.update',
      target: 'person.1',
      detail: {
        login_id: { before: 'a', after: 'person.1' },
        role_code: { before: 'AUT003', after: 'AUT001' },
        affiliationRequest: 'BEL002',
      },
    },
    {
      action: 'affiliation.create',
      target: 'BEL007',
      detail: { before: null, after: { name: 'a_b', partner: { affiliation_code: 'BEL007', limit_day: 1 } } },
    },
    {
      action: 'affiliation.close',
      target: 'BEL001, BEL002',
      detail: { closed: { before: false, after: true } },
    },
    {
      action: 'affiliation.order',
      target: 'affiliations',
      detail: { before: ['BEL001'], after: ['BEL001'] },
    },
    { action: 'notice.update', target: '1', detail: { title: 'must_read', changed: ['must_read', 'title'] } },
    { action: 'user.import', target: 'users', detail: { rows: 1, users: [['person.2', 'AUT003']] }, records },
    { action: 'user.approve', target: 'x', detail: { users: ['person.3', 'nobody', 'person.1'] }, records },
    {
      action: 'user.approve-affiliation',
      target: 'person.1',
      detail: { users: [{ user: 'person.1', before: 'BEL001', after: 'BEL002' }], requests: ['1'] },
      records,
    },
    // A later account that has the login ID of a user in the row is not this user.
    { action: 'user.refuse', target: 'person.2', detail: { users: ['person.2'] }, records: [] },
    { action: 'role.grant', target: 'AUT003', detail: { before: { functions: ['autho_user_manage'] } } },
  ]
  for (const row of old) await insert(row)
  await migrate(database.db)
})
afterAll(() => database.close())

describe('the audit details of an earlier version (rules/wire#audit)', () => {
  it('get the names of the code, and keep their values', async () => {
    expect((await rowOf('user.update', 'person.1'))?.detail).toEqual({
      loginId: { before: 'a', after: 'person.1' },
      roleCode: { before: 'AUT003', after: 'AUT001' },
      affiliationRequest: 'BEL002',
    })
    expect((await rowOf('affiliation.create', 'BEL007'))?.detail).toEqual({
      before: null,
      after: { name: 'a_b', partner: { affiliationCode: 'BEL007', limitDay: 1 } },
    })
    expect((await rowOf('role.grant', 'AUT003'))?.detail).toEqual({
      before: { functions: ['autho_user_manage'] },
    })
  })

  it('name the changed columns of a notice like the code', async () => {
    expect((await rowOf('notice.update', '1'))?.detail).toEqual({
      title: 'must_read',
      changed: ['mustRead', 'title'],
    })
  })

  it('get the IDs of the users in their lists, also after a rename', async () => {
    const [one, two, three] = ['person.1', 'person.2', 'person.3'].map((name) => ids.get(name))
    expect((await rowOf('user.import', 'users'))?.detail).toEqual({
      rows: 1,
      users: [{ id: two, loginId: 'person.2', roleCode: 'AUT003' }],
    })
    expect((await rowOf('user.approve', 'x'))?.detail).toEqual({
      users: [
        { id: three, loginId: 'person.3' },
        { id: null, loginId: 'nobody' },
        { id: one, loginId: 'person.1' },
      ],
    })
    expect((await rowOf('user.approve-affiliation', 'person.1'))?.detail).toEqual({
      moves: [{ id: one, loginId: 'person.1', before: 'BEL001', after: 'BEL002' }],
      requests: ['1'],
    })
  })

  it('get no ID of a user who is no record of the row', async () => {
    expect((await rowOf('user.refuse', 'person.2'))?.detail).toEqual({
      users: [{ id: null, loginId: 'person.2' }],
    })
  })

  it('get the IDs of the affiliations that their target names', async () => {
    expect((await rowOf('affiliation.close', 'BEL001, BEL002'))?.records).toEqual([
      'affiliation/BEL001',
      'affiliation/BEL002',
    ])
    expect((await rowOf('affiliation.order', 'affiliations'))?.records).toBeNull()
  })

  it('are found as changes of permissions (rules/audit#rights)', async () => {
    expect(
      await sql(`select action from audit_log where is_rights_record(action, detail) order by action`),
    ).toEqual(['role.grant', 'user.approve', 'user.import', 'user.update'].map((action) => ({ action })))
  })
})
