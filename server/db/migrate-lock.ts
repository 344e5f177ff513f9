import { PostgresAdapter, PostgresDialect, sql } from 'kysely'
import type { Tx } from './database.ts'

/** Number of Kysely's advisory lock. Servers of earlier versions of Maru wait for it, too. */
const MIGRATION_LOCK = '3853314791062309107'

/**
 * Takes the lock of migrations. Waits without a time limit until no other server migrates. Other servers then wait
 * until the transaction ends. Kysely's own lock belongs to a session, and behind PgBouncer all clients share sessions.
 */
export async function lockMigrations(tx: Tx): Promise<void> {
  // Limits that are set in the database are meant for queries, not for this.
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(
    tx,
  )
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}::bigint)`.execute(tx)
}

/** PostgreSQL dialect of Kysely in which a migration in a transaction takes no lock except `lockMigrations`. */
export class PostgresInTransaction extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedAdapter()
  }
}

/** Arguments of Kysely's functions that take and release the lock. */
type LockArguments = Parameters<PostgresAdapter['acquireMigrationLock']>

/** Adapter of a transaction that has the lock already. */
class LockedAdapter extends PostgresAdapter {
  /** Takes Kysely's lock outside a transaction; does nothing inside one. */
  override async acquireMigrationLock(...[db, options]: LockArguments): Promise<void> {
    if (!db.isTransaction) await super.acquireMigrationLock(db, options)
  }

  /** Releases Kysely's lock outside a transaction; does nothing inside one. */
  override async releaseMigrationLock(...[db, options]: LockArguments): Promise<void> {
    if (!db.isTransaction) await super.releaseMigrationLock(db, options)
  }
}
