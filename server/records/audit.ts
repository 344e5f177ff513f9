import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { AuditAction } from '../../contract/endpoint.ts'
import { prepareQuery } from '../db/prepared-statements.ts'
import type { Db, Tx } from '../db/database.ts'

/** Kinds of records that have a history. */
const AUDITED = ['user', 'partner', 'notice', 'role', 'affiliation'] as const

/** Record that has a history, by an ID that is never reused (design/audit-log#records-of-a-row). */
export type AuditedRecord = `${(typeof AUDITED)[number]}/${string}`

/** Content of the audit row of a change, without its call and action (rules/wire#audit): the changed record and its changes. */
export interface AuditEntry {
  /** Name that users know: a login ID, a partner code, a number. */
  target: string
  /** Values by their name in the code; an entry of a list of users has `id` and `loginId` (design/audit-log#details-of-a-row). */
  detail?: Record<string, unknown>
  /** users.id of the actor, if no user was logged in yet, as at login. */
  actorId?: string | undefined
  /**
   * Records in whose histories the row appears. null for an action that changes no record with a history, such as a
   * login, an export or an issued key.
   */
  records: readonly AuditedRecord[] | null
}

/**
 * Writes an audit row, and returns when it is written. For a change, `tx` must be its transaction, so that neither exists without
 * the other.
 */
export async function recordAudit(
  tx: Db,
  row: AuditEntry & { action: AuditAction; address: string; requestId: string },
): Promise<void> {
  const query = tx.insertInto('auditLog').values({
    action: row.action,
    actorId: row.actorId ?? null,
    target: row.target,
    detail: JSON.stringify(row.detail ?? {}),
    address: row.address,
    requestId: row.requestId,
    records: row.records === null ? null : [...row.records],
  })
  await tx.executeQuery(prepareQuery(query))
}

/**
 * Changed record of a bulk change, and its audit row. The kind of the record is the first part of the action, such as `user`.
 * Rows of a kind without a history have no records.
 */
export interface AuditedOne {
  /** ID of the record, as in its history. */
  id: string
  /** Name that users know, as in `AuditEntry`. */
  target: string
  detail: Record<string, unknown>
}

/** Writes an audit row for each of many records in one statement, in the transaction that changes them. */
export async function recordAudits(
  tx: Tx,
  changed: readonly AuditedOne[],
  row: { actorId: string | undefined; action: AuditAction; address: string; requestId: string },
): Promise<void> {
  const noun = AUDITED.find((kind) => row.action.startsWith(`${kind}.`))
  const records = noun === undefined ? sql`null::text[]` : sql`array[${`${noun}/`}::text || id]`
  await sql`insert into audit_log (action, actor_id, target, detail, address, request_id, records)
    select ${row.action}, ${row.actorId ?? null}::bigint, target, detail, ${row.address}, ${row.requestId}, ${records}
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as one (id text, target text, detail jsonb)`.execute(
    tx,
  )
}

/**
 * Returns the columns of `after` whose values differ from `before`, each with the value before and after, for the detail of an
 * audit row.
 */
export function differences(
  before: object,
  after: object,
): Record<string, { before: unknown; after: unknown }> {
  const values = new Map<string, unknown>(Object.entries(before))
  const entries: [string, unknown][] = Object.entries(after)
  return Object.fromEntries(
    entries
      .filter(([column, value]) => !isDeepStrictEqual(values.get(column), value))
      .map(([column, value]) => [column, { before: values.get(column), after: value }]),
  )
}
