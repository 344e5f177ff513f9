import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { StartRefusal } from '../startup-error.ts'
import { findPartnersOfAffiliation } from '../domains/partners/queries.ts'
import { onDatabase, onServer } from '../../dev/test-kit/database.ts'
import { migrate, migrations } from './migrate.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from './open.ts'

const all = migrations.map((migration) => migration.name)
let name: string
let opened: OpenDatabase[]

async function open(more: pg.PoolConfig = {}): Promise<OpenDatabase> {
  const database = await openDatabase({ ...onDatabase(inject('server'), name), max: 2, ...more }, () => {})
  opened.push(database)
  return database
}

async function rows(database: OpenDatabase, query: string): Promise<unknown[]> {
  return (await database.pool.query(query)).rows
}

async function countWaiting(database: OpenDatabase): Promise<unknown> {
  const waiting = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
  const [row] = (await database.pool.query<{ n: number }>(waiting)).rows
  return row?.n
}

beforeEach(async () => {
  opened = []
  name = `maru_test_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name} encoding 'UTF8' template template0`)
})

afterEach(async () => {
  for (const database of opened) await database.close()
  await onServer(inject('server'), `drop database ${name} with (force)`)
})

describe('the migration (rules/running#migration)', () => {
  test('creates tables, codes, regions and roles once in an empty database (rules/running#seed)', async () => {
    const database = await open()
    expect(await migrate(database.db)).toEqual(all)
    expect(all).toEqual(all.toSorted())
    const counts = `select (select count(*)::int from provinces) as provinces, (select count(*)::int from districts) as districts,
      (select count(*)::int from roles) as roles, (select count(*)::int from codes) as codes`
    const first = await rows(database, counts)
    expect(first).toEqual([{ provinces: 16, districts: 256, roles: 3, codes: 12 }])
    expect(await migrate(database.db)).toEqual([])
    expect(await rows(database, counts)).toEqual(first)
  })

  test('is done by one of several servers that start at once, all of which start', async () => {
    const databases = await Promise.all(Array.from({ length: 5 }, () => open()))
    const applied = await Promise.all(databases.map(({ db }) => migrate(db)))
    expect(applied.flat()).toEqual(all)
  })

  test('waits for another server’s migration for longer than a query may take', async () => {
    // The database sets this limit for every session.
    await onServer(inject('server'), `alter database ${name} set statement_timeout = 300`)
    const [other, database] = [await open(), await open(NO_TIME_LIMIT)]
    const waiting = await other.db.connection().execute(async (locker) => {
      const { adapter } = locker.getExecutor()
      const lock = { lockTable: '', lockRowId: '' }
      await sql`set statement_timeout = 0`.execute(locker)
      await adapter.acquireMigrationLock(locker, lock)
      const migrated = migrate(database.db)
      await expect.poll(() => countWaiting(other)).toBe(1)
      await sql`select pg_sleep(1)`.execute(locker)
      await adapter.releaseMigrationLock(locker, lock)
      return { migrated }
    })
    expect(await waiting.migrated).toContain('001-foundation')
  })

  test('refuses a database of a newer Maru in one line and leaves it untouched', async () => {
    const database = await open()
    await migrate(database.db)
    await database.pool.query(`insert into migrations values ('999-of-the-future', now()); delete from codes`)
    await expect(migrate(database.db)).rejects.toThrow(StartRefusal)
    await expect(migrate(database.db)).rejects.toThrow(
      /^[^\n]*newer version of Maru \(999-of-the-future\)[^\n]*$/,
    )
    expect(await rows(database, 'select * from codes')).toEqual([])
  })

  test('leaves no function that keeps PostgreSQL 15.20 from adding columns to a table', async () => {
    const database = await open()
    await migrate(database.db)
    const parsed = `select p.oid::regprocedure::text as name from pg_proc p join pg_type t on t.oid = any (p.proargtypes::oid[])
      where t.typtype = 'c' and p.pronamespace = 'public'::regnamespace and pg_get_function_sqlbody(p.oid) is not null`
    expect(await rows(database, parsed)).toEqual([])
    expect(await rows(database, 'select factor_day(u) from users u')).toEqual([])
  })

  test('keeps what an administrator granted and revoked (rules/roles#effect-of-changes)', async () => {
    const database = await open()
    await migrate(database.db)
    await database.pool.query(`
      insert into role_functions values ('AUT003', 'autho_partner_search');
      delete from role_functions where role_code = 'AUT002' and function_name = 'autho_user_insert';
      insert into roles values ('AUT009', '감사', 'Auditor', 9);
      insert into role_functions values ('AUT009', 'autho_key_search')`)
    const before = await rows(database, 'select * from role_functions order by 1, 2')
    await migrate(database.db)
    expect(await rows(database, 'select * from role_functions order by 1, 2')).toEqual(before)
  })

  test('updates names to the version that starts, but for what an administrator named (rules/affiliations#seed)', async () => {
    const database = await open()
    await migrate(database.db)
    await database.pool.query(`update codes set name_ko = '옛 이름' where code in ('BEL001', 'MEMAP001');
      update districts set name = '옛 구' where code = (select min(code) from districts)`)
    await migrate(database.db)
    const names = await rows(
      database,
      `select code, name_ko from codes where code in ('BEL001', 'MEMAP001') order by code`,
    )
    expect(names).toEqual([
      { code: 'BEL001', name_ko: '옛 이름' },
      { code: 'MEMAP001', name_ko: '승인' },
    ])
    expect(await rows(database, `select from districts where name = '옛 구'`)).toEqual([])
  })

  test('keeps the region names that records were written with (rules/partners#stored-region)', async () => {
    const database = await open()
    await migrate(database.db)
    await database.pool
      .query(`insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y)
      values ('OLD-1', 'pa', 'BEL001', '29', '광주광역시', '서구', 126.8, 35.1)`)
    await migrate(database.db)
    expect(await rows(database, 'select province_code, province_name from partners')).toEqual([
      { province_code: '29', province_name: '광주광역시' },
    ])
  })

  test('refuses a user who may not create tables in one line that names DATABASE_URL', async () => {
    const guest = `guest_${name}`.slice(0, 60)
    await onServer(inject('server'), `create role ${guest}`)
    try {
      const database = await open({ options: `-c role=${guest}` })
      await expect(migrate(database.db)).rejects.toThrow(
        /^DATABASE_URL: its user may not create tables [^\n]+$/,
      )
      await database.close()
      opened = []
    } finally {
      await onServer(inject('server'), `drop role ${guest}`)
    }
  })
})

/** A database as Maru left it before Kysely's migrator kept the history. */
async function openOlder(isApplied: (name: string) => boolean): Promise<OpenDatabase> {
  const database = await open()
  await database.pool.query(
    'create table migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  for (const { name: applied, sql: step } of migrations.filter((migration) => isApplied(migration.name))) {
    await database.pool.query(step)
    await database.pool.query('insert into migrations (name) values ($1)', [applied])
  }
  return database
}

test('takes over a database migrated before the library and applies only new ones', async () => {
  const database = await openOlder((applied) => applied < '010')
  const again = await open()
  const before = await rows(
    database,
    'select name, applied_at at time zone $$UTC$$ as at from migrations order by 1',
  )
  expect((await Promise.all([migrate(database.db), migrate(again.db)])).flat()).toEqual(
    all.filter((applied) => applied >= '010'),
  )
  const adopted = `select name, timestamp::timestamptz at time zone $$UTC$$ as at from migrations where name < '010' order by 1`
  expect(await rows(database, adopted)).toEqual(before)
  expect(await migrate(database.db)).toEqual([])
})

test('creates a request for each user waiting for approval, not for revoked ones (design/accounts#approval-requests)', async () => {
  const database = await openOlder((applied) => applied < '003')
  await database.pool.query(`insert into roles values ('AUT003', '일반 사용자', 'Ordinary user', 0);
    insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
      approval_code, created_at, last_login_at, withdrawn_at)
    select id, '', '이름', '대리', '01012345678', id || '@example.com', 'BEL001', 'AUT003', approval, '2026-03-01', login, gone
    from (values ('waiting', 'MEMAP002', null, null), ('approved', 'MEMAP001', null, null),
      ('lost.it', 'MEMAP002', now(), null), ('withdrawn', 'MEMAP002', null, now()))
      as people (id, approval, login, gone)`)
  await migrate(database.db)
  expect(
    await rows(
      database,
      `select r.login_id, r.name, r.email, r.state, r.requested_at = u.created_at as since
       from approval_requests r join users u on u.id = r.user_id`,
    ),
  ).toEqual([
    { login_id: 'waiting', name: '이름', email: 'waiting@example.com', state: 'waiting', since: true },
  ])
})

test('keeps older service tokens valid without an expiry (design/partners-and-programs#program-tokens)', async () => {
  const database = await openOlder((applied) => applied < '069')
  await database.pool.query(`insert into roles values ('AUT001', '관리자', 'Administrator', 0);
    insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
      approval_code) values ('admin', '', '이름', '대리', '01012345678', 'a@example.com', 'BEL001', 'AUT001', 'MEMAP001');
    insert into service_tokens (name, token_hash, created_by) select '지도', '\\x01', id from users`)
  await migrate(database.db)
  expect(
    await rows(
      database,
      'select name, expires_at, previous_hash, previous_until, revoked_at from service_tokens',
    ),
  ).toEqual([{ name: '지도', expires_at: null, previous_hash: null, previous_until: null, revoked_at: null }])
})

test('lists sort the same whatever the collation of the database (rules/running#migration)', async () => {
  const icu = `${name}_icu`
  await onServer(
    inject('server'),
    `create database ${icu} encoding 'UTF8' template template0 locale_provider icu icu_locale 'en-US'`,
  )
  const database = await openDatabase({ ...onDatabase(inject('server'), icu), max: 2 }, () => {})
  try {
    await migrate(database.db)
    await database.pool
      .query(`insert into partners (code, type, affiliation_code, province_code, province_name,
        district_name, x, y)
      select code, 'pa', 'BEL001', '11', '서울특별시', '종로구', 126.9, 37.5
      from unnest(array['A_1', 'A-2', 'AB', 'A1']) as code`)
    expect(
      await findPartnersOfAffiliation(database.db, { userId: '', functions: [], within: null }, 'BEL001'),
    ).toEqual(['A-2', 'A1', 'AB', 'A_1'].map((partnerCode) => ({ partnerCode })))
    const sorted = await rows(
      database,
      `select attrelid::regclass || '.' || attname as column from pg_attribute
       where attcollation = '"C"'::regcollation and attrelid >= 16384 order by 1`,
    )
    expect(sorted.map((row) => (row as { column: string }).column)).toEqual(
      expect.arrayContaining([
        'districts.name',
        'partners.code',
        'provinces.name',
        'roles.group_name',
        'users.login_id',
      ]),
    )
  } finally {
    await database.close()
    await onServer(inject('server'), `drop database ${icu} with (force)`)
  }
})

test('refuses a database that is not in UTF-8 in one line that names DATABASE_URL', async () => {
  const latin = `${name}_latin`
  await onServer(
    inject('server'),
    `create database ${latin} encoding 'LATIN1' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  try {
    const opening = openDatabase(onDatabase(inject('server'), latin), () => {})
    await expect(opening).rejects.toThrow(StartRefusal)
    await expect(opening).rejects.toThrow(/^DATABASE_URL: the database's encoding is LATIN1[^\n]+$/)
  } finally {
    await onServer(inject('server'), `drop database ${latin} with (force)`)
  }
})

test('reads dates as the days they are, whatever the time zone of the machine', async () => {
  const database = await open({ options: '-c timezone=America/Los_Angeles' })
  expect(await rows(database, `select '2026-03-01'::date as day`)).toEqual([{ day: '2026-03-01' }])
})
