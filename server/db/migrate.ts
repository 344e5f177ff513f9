import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { readdirSync, readFileSync } from 'node:fs'
import { hasCode } from '../caught-errors.ts'
import { StartRefusal } from '../startup-error.ts'
import { lockMigrations } from './migrate-lock.ts'
import { seedAll } from './seed/seed.ts'
import { grantServing } from './serving-role.ts'
import type { Db, Tx } from './database.ts'

/** Folder of the migrations. */
const FOLDER = new URL('migrations/', import.meta.url)

/** All steps of the schema in order: the files of `migrations/`, which are never edited after their release. */
export const migrations: readonly { name: string; sql: string }[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -'.sql'.length))
  .toSorted()
  .map((name) => ({ name, sql: readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8') }))

/**
 * Migrates the database to this version's schema and seed data. Several servers may call it concurrently.
 * @param db opened with NO_TIME_LIMIT
 * @param servingRole the application role, if it is not the one that migrates
 * @returns the names of the migrations that this call applied
 * @throws {StartRefusal} if a newer Maru migrated the database, or its user may not create tables
 */
export async function migrate(db: Db, servingRole?: string): Promise<string[]> {
  return asOwner(() =>
    db.transaction().execute(async (tx) => {
      const applied = await migrateIn(tx, steps)
      await seedAll(tx)
      if (servingRole !== undefined) await grantServing(tx, servingRole)
      return applied
    }),
  )
}

/**
 * Migrates an empty database to an earlier schema, that of a backup, without seed data.
 * @param names the migrations that had run
 * @throws {StartRefusal} if a migration is unknown, or the user may not create tables
 */
export async function migrateTo(db: Db, names: readonly string[]): Promise<void> {
  refuseUnknown(names)
  const chosen = Object.fromEntries(Object.entries(steps).filter(([name]) => names.includes(name)))
  await asOwner(() => db.transaction().execute((tx) => migrateIn(tx, chosen)))
}

/**
 * Runs work that creates tables.
 * @throws {StartRefusal} if the user may not create tables
 */
async function asOwner<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // SQLSTATE 42501, insufficient privilege: since PostgreSQL 15 only the owner of a database may create tables.
    if (!hasCode(error, '42501')) throw error
    throw new StartRefusal(
      `DATABASE_URL: its user may not create tables (${error.message}). Make it the owner of the database, or set DATABASE_OWNER_URL to the owner.`,
      { cause: error },
    )
  }
}

/**
 * Runs those of the wanted migrations that have not run, under the lock.
 * @returns their names
 */
async function migrateIn(tx: Tx, wanted: typeof steps): Promise<string[]> {
  await lockMigrations(tx)
  const { rows } = await sql<{ table: string | null }>`select to_regclass('migrations') as table`.execute(tx)
  if (rows[0]?.table) {
    await adoptHistory(tx)
    await refuseNewer(tx)
  } else {
    // Kysely would query again after a failure, which hides the error, because a failed transaction answers no queries.
    await sql`create table migrations (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      tx,
    )
    await sql`create table if not exists migrations_lock
      (id varchar(255) primary key, is_locked integer default 0 not null)`.execute(tx)
  }
  const migrator = new Migrator({
    db: tx,
    provider: { getMigrations: () => Promise.resolve(wanted) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    // Branches that are developed in parallel may be merged in a different order than their numbers.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Migrations as Kysely's migrator takes them, by name. */
const steps = Object.fromEntries(
  migrations.map((step) => [
    step.name,
    {
      up: async (tx: Kysely<unknown>) => {
        await releaseRowTypes(tx)
        await sql.raw(step.sql).execute(tx)
      },
    },
  ]),
)

/**
 * Rewrites the functions that have a row of a table as parameter, so that their bodies are stored as text. PostgreSQL
 * 15.20 does not add a column with a default to a table whose row type a parsed body (`RETURN …`) uses.
 */
async function releaseRowTypes(tx: Kysely<unknown>): Promise<void> {
  await sql`do $$ declare
    f record;
  begin
    for f in select pg_get_functiondef(oid) as definition, pg_get_function_sqlbody(oid) as body from pg_proc
      where pronamespace = current_schema()::regnamespace and pg_get_function_sqlbody(oid) like 'RETURN %'
        and exists (select from pg_type t where t.oid = any (proargtypes::oid[]) and t.typtype = 'c')
    loop
      execute replace(f.definition, f.body, 'AS ' || quote_literal(regexp_replace(f.body, '^RETURN', 'SELECT')));
    end loop;
  end $$`.execute(tx)
}

/**
 * Renames and converts the column applied_at of a history that Maru wrote before it used Kysely's migrator, as the
 * migrator expects it.
 */
async function adoptHistory(tx: Tx): Promise<void> {
  await sql`do $$ begin
    if exists (select from information_schema.columns
      where table_schema = current_schema() and table_name = 'migrations' and column_name = 'applied_at') then
      alter table migrations rename applied_at to timestamp;
      alter table migrations alter timestamp drop default, alter timestamp type varchar(255)
        using to_char(timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    end if;
  exception when undefined_column then null; -- another server did so just now
  end $$`.execute(tx)
}

/**
 * Refuses a database that a newer version of Maru has migrated.
 * @throws {StartRefusal} naming the migrations that this version does not have
 */
async function refuseNewer(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
  refuseUnknown(rows.map(({ name }) => name))
}

/**
 * Refuses names of migrations that this version does not have.
 * @throws {StartRefusal} naming them
 */
function refuseUnknown(names: readonly string[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(steps, name))
  if (unknown.length === 0) return
  throw new StartRefusal(
    `The database was prepared by a newer version of Maru (${unknown.join(', ')}). Start that version, or restore a backup made with this one.`,
  )
}
