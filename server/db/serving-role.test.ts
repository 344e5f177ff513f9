import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { onDatabase } from '../../dev/test-kit/database.ts'
import { createOwnDatabase, type OwnDatabase } from '../../dev/test-kit/own-database.ts'
import { populate } from '../../dev/test-kit/people.ts'
import { migrate } from './migrate.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from './open.ts'
import { isSameDatabase, mayChangeTrail } from './serving-role.ts'

/*
 * PostgreSQL itself refuses these statements to the application role (rules/running#database-role,
 * design/database-roles#application-role-and-owner-role).
 */

let own: OwnDatabase
let owner: OpenDatabase
let name: string

beforeAll(async () => {
  own = await createOwnDatabase()
  const { rows } = await own.owner.query<{ name: string }>('select current_database() as name')
  name = rows[0]?.name ?? ''
  owner = await openDatabase({ ...onDatabase(inject('server'), name), ...NO_TIME_LIMIT }, () => {})
  await add('user.update')
})

afterAll(async () => {
  await owner.close()
  await own.drop()
})

const serve = (text: string, values: unknown[] = []) => own.database.pool.query(text, values)
const add = (action: string, actorId: string | null = null) =>
  serve(
    `insert into audit_log (action, actor_id, target, address, request_id) values ($1, $2, 'kim', '10.0.0.1', 'r')
      returning id`,
    [action, actorId],
  )
const trail = async () => (await own.owner.query('select * from audit_log order by id')).rows

describe('the role that serves', () => {
  test.each([
    `update audit_log set target = 'lee'`,
    'delete from audit_log',
    'truncate audit_log',
    'truncate audit_log, users cascade',
    `merge into audit_log using (values (1)) as v on true when matched then delete`,
    'select from audit_log for update',
    'alter table audit_log add column more text',
    'alter table audit_log disable trigger all',
    'alter table audit_log owner to current_user',
    'alter table audit_log rename to elsewhere',
    'drop table audit_log',
    'create trigger quiet before insert on audit_log for each row execute function count_audit()',
    'create rule quiet as on insert to audit_log do instead nothing',
    'create policy quiet on audit_log for select using (false)',
    `create or replace function count_audit() returns trigger language plpgsql as 'begin return null; end'`,
    'grant all on audit_log to current_user with grant option',
    'set session_replication_role = replica',
    'drop table users',
    'create table more ()',
    'delete from migrations',
    'create role friend superuser',
    `copy audit_log to program 'true'`,
    `copy audit_log to '/tmp/elsewhere'`,
  ])('may not %s', async (statement) => {
    const before = await trail()
    // PostgreSQL only warns of a grant that gives nothing.
    const answer = await serve(statement).catch((error: { code: string }) => error.code)
    if (!statement.startsWith('grant')) expect(answer).toBe('42501')
    expect(await trail()).toEqual(before)
    expect(await mayChangeTrail(own.database.db)).toBe(false)
  })

  test('may not become the owner, and is not told to be one', async () => {
    await expect(serve(`set role ${owner.role}`)).rejects.toMatchObject({ code: '42501' })
    expect(own.database.role).not.toBe(owner.role)
    expect(await mayChangeTrail(owner.db)).toBe(true)
  })

  test('adds to the trail and reads it', async () => {
    const { rows } = await add('user.search')
    expect((await serve('select action from audit_log where id = $1', [rows[0].id])).rows).toEqual([
      { action: 'user.search' },
    ])
  })

  test('does not change it either when an account that acted is removed', async () => {
    const person = await populate(own.database, '-').createUser()
    await add('account.sign-up', person.id)
    const before = await trail()
    await serve('delete from password_history where user_id = $1', [person.id])
    await serve('delete from users where id = $1', [person.id])
    expect(await trail()).toEqual(before)
  })
})

describe('the migration, by the owner,', () => {
  test('grants a role what earlier versions did not, and revokes only what is too much', async () => {
    const { role } = own.database
    await own.owner.query(`revoke all on all tables in schema public from ${role};
      revoke all on all sequences in schema public from ${role}; grant all on audit_log to ${role}`)
    await expect(serve('select from users')).rejects.toMatchObject({ code: '42501' })
    expect(await mayChangeTrail(own.database.db)).toBe(true)
    const granted = async () =>
      (await own.owner.query('select xmin::text, relacl::text from pg_class where relacl is not null')).rows
    await migrate(owner.db, role)
    const first = await granted()
    expect(await mayChangeTrail(own.database.db)).toBe(false)
    await serve('update users set name = name')
    await serve(`select nextval('role_number')`)
    await migrate(owner.db, role)
    expect(await granted()).toEqual(first)
  })

  test('is of the database that is served', async () => {
    expect(await isSameDatabase(owner.pool, own.database.pool)).toBe(true)
    const other = await createOwnDatabase()
    expect(await isSameDatabase(other.owner, own.database.pool)).toBe(false)
    await other.drop()
  })
})
