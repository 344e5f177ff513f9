import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from './types.ts'

/** Privileges on a table that are compared with the wanted ones. */
const OF_TABLES = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
/** Privileges on a sequence, all of which calls need. */
const OF_SEQUENCES = ['usage', 'select']

/** Privileges that calls need on a table. */
const USUAL: readonly string[] = ['select', 'insert', 'update', 'delete']

/**
 * Privileges on the tables with fewer privileges than USUAL: records of events stay unchanged, and only the owner
 * changes the schema.
 */
const REDUCED_PRIVILEGES: Record<string, readonly string[]> = {
  audit_log: ['select', 'insert'],
  access_annotations: ['select'],
  access_log_checks: ['select', 'insert'],
  access_log: ['select'],
  access_log_heads: ['select'],
  erasures: ['select', 'insert'],
  incident_records: ['select', 'insert'],
  incidents: ['select', 'insert', 'update'],
  leak_people: ['select', 'insert'],
  leak_searches: ['select', 'insert'],
  migrations: ['select'],
  migrations_lock: ['select'],
  privacy_acceptances: ['select', 'insert', 'delete'],
  privacy_notices: ['select', 'insert'],
}

/**
 * Grants a role the privileges that calls need on every table, and revokes all others (rules/running#database-role). Grants the
 * functions that calls need. Writes nothing if all are correct.
 * @param tx a transaction of the tables' owner
 * @param role name of the application role
 */
export async function grantServing(tx: Transaction<Database>, role: string): Promise<void> {
  const { rows } = await sql<Grantable>`
    select n.nspname as schema, c.oid::regclass::text as name, c.relname as table, c.relkind = 'S' as is_sequence,
      case when c.relkind = 'S'
        then array(select p from unnest(${OF_SEQUENCES}::text[]) as p where has_sequence_privilege(${role}, c.oid, p))
        else array(select p from unnest(${OF_TABLES}::text[]) as p where has_table_privilege(${role}, c.oid, p))
      end as held
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'S')
      and not c.relispartition and pg_has_role(c.relowner, 'usage')`.execute(tx)
  const lacking = rows.filter(({ held, ...row }) => held.join() !== wantedOf(row).join())
  const to = sql.id(role)
  for (const [privileges, alike] of Map.groupBy(lacking, (row) => wantedOf(row).join(', '))) {
    const kind = alike[0]?.isSequence === true ? 'sequence' : 'table'
    const names = sql.raw(`${kind} ${alike.map(({ name }) => name).join(', ')}`)
    await sql`revoke all on ${names} from ${to}`.execute(tx)
    await sql`grant ${sql.raw(privileges)} on ${names} to ${to}`.execute(tx)
  }
  await grantFunctions(tx, role)
  const [first] = lacking
  if (first) await sql`grant usage on schema ${sql.id(first.schema)} to ${to}`.execute(tx)
}

/**
 * Database functions that do work for which the application role lacks the privileges: the access log grows by them
 * (design/access-log#write-before-the-response), and expired rows leave the audit log
 * (design/erasure#anonymous-accounts).
 */
const FUNCTIONS = [
  'access_log_ahead()',
  'access_log_append(jsonb)',
  'access_log_drop(date, bigint, bytea)',
  'access_log_erase(integer)',
  'audit_log_erase(integer, integer)',
  'privacy_records_erase(integer, integer)',
]

/** Grants a role the functions that it may not execute yet. */
async function grantFunctions(tx: Transaction<Database>, role: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${FUNCTIONS}::text[]) as name where not has_function_privilege(${role}, name, 'execute')`.execute(
    tx,
  )
  for (const { name } of rows)
    await sql`grant execute on function ${sql.raw(name)} to ${sql.id(role)}`.execute(tx)
}

/** Table or sequence, and the privileges of a role on it. */
interface Grantable {
  schema: string
  /** Quoted name for a statement. */
  name: string
  /** Name of the table or sequence, without schema and quotes. */
  table: string
  isSequence: boolean
  /** Privileges that the role has. */
  held: string[]
}

/** Returns the privileges that calls need on a table or sequence. */
const wantedOf = ({ table, isSequence }: Pick<Grantable, 'table' | 'isSequence'>): readonly string[] =>
  isSequence ? OF_SEQUENCES : (REDUCED_PRIVILEGES[table] ?? USUAL)

/**
 * Returns whether the connected role could change the audit log or the access log: it is a superuser, owns the tables, may
 * become their owner, or may update, delete, truncate or add triggers.
 */
export async function mayChangeTrail(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select bool_or(pg_has_role(relowner, 'member') or has_table_privilege(oid, 'update, delete, truncate, trigger')) as may
    from pg_class where oid in ('audit_log'::regclass, 'access_log'::regclass)`.execute(db)
  return rows[0]?.may !== false
}

/**
 * Returns whether two pools connect to the same database of the same server. A restart of the server between the
 * queries gives false.
 */
export async function isSameDatabase(one: pg.Pool, other: pg.Pool): Promise<boolean> {
  const text = `select oid::text || ' since ' || extract(epoch from pg_postmaster_start_time()) as name from pg_database
    where datname = current_database()`
  const [own, its] = await Promise.all([one.query(text), other.query(text)])
  return own.rows[0]?.name === its.rows[0]?.name
}
