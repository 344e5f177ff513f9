import { type Kysely, sql } from 'kysely'
import { StartRefusal } from '../config.ts'
import { foundation } from './migrations/001-foundation.ts'
import { selfService } from './migrations/002-self-service.ts'
import { approvals } from './migrations/003-approvals.ts'
import { rolesAndValidity } from './migrations/004-roles-and-validity.ts'
import { files } from './migrations/006-files.ts'
import { noticeSearch } from './migrations/007-notices-search.ts'
import { noticeBoard } from './migrations/007-notices.ts'
import { partnerSearch } from './migrations/008-partners.ts'
import { keyIssuing } from './migrations/009-keys.ts'
import { partnerRevisions } from './migrations/010-partner-revisions.ts'
import { noticeTrigrams } from './migrations/011-notice-trigrams.ts'
import { noLimits } from './migrations/012-no-limits.ts'
import { seedAll } from './seed/seed.ts'
import type { Database } from './types.ts'

/** One step of the schema: applied once, in order, inside a transaction; never edited after it has shipped. */
export interface Migration {
  name: string
  sql: string
}

/** Every step, in the order of its number. */
export const migrations: readonly Migration[] = [
  foundation,
  selfService,
  approvals,
  rolesAndValidity,
  files,
  noticeBoard,
  noticeSearch,
  partnerSearch,
  keyIssuing,
  partnerRevisions,
  noticeTrigrams,
  noLimits,
]

/** Any number, the same in every Maru: two that start at once take turns. */
export const MIGRATION_LOCK = 7_120_415

/**
 * Brings the database to this version's schema and seed data; safe to run by several servers at once.
 * @param db opened with NO_TIME_LIMIT
 * @returns the names of the migrations that were applied now
 * @throws {StartRefusal} when the database was migrated by a newer Maru than this one, or its user may not
 *   make tables
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  try {
    return await applyPending(db)
  } catch (error) {
    // SQLSTATE 42501, insufficient privilege: since PostgreSQL 15 only the owner of a database may.
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
    throw new StartRefusal(
      `DATABASE_URL: its user may not make tables (${error.message}). Let the user own the database, or grant it CREATE on schema public.`,
      { cause: error },
    )
  }
}

function applyPending(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // A limit that the database sets for everybody is for queries, not for this.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
    await sql`
      create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())
    `.execute(tx)
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
    const applied = new Set(rows.map((row) => row.name))
    const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name))
    if (unknown.length > 0) {
      throw new StartRefusal(
        `The database was prepared by a newer version of Maru (${unknown.join(', ')}). Start that version, or restore a backup made with this one.`,
      )
    }
    const pending = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of pending) {
      await sql.raw(migration.sql).execute(tx)
      await sql`insert into migrations (name) values (${migration.name})`.execute(tx)
    }
    await seedAll(tx)
    return pending.map((migration) => migration.name)
  })
}
