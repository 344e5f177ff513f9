import type { Transaction } from 'kysely'
import type { AuditAction } from '../../contract/endpoint.ts'
import type { Database } from '../db/types.ts'

/** What stays on record of a change (rules/wire#audit): whom or what it was about, and what was changed. */
export interface AuditEntry {
  target: string
  detail?: Record<string, unknown>
  /** Set where nobody was signed in yet, as at login. */
  actorId?: string | undefined
}

/** Writes an audit row in the transaction that makes the change: neither is there without the other. */
export async function recordAudit(
  tx: Transaction<Database>,
  row: AuditEntry & { action: AuditAction; address: string; requestId: string },
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      action: row.action,
      actor_id: row.actorId ?? null,
      target: row.target,
      detail: JSON.stringify(row.detail ?? {}),
      address: row.address,
      request_id: row.requestId,
    })
    .execute()
}

/** What an edit changed, before and after, by column. */
export function differences(
  before: object,
  after: object,
): Record<string, { before: unknown; after: unknown }> {
  const values = new Map<string, unknown>(Object.entries(before))
  const entries: [string, unknown][] = Object.entries(after)
  return Object.fromEntries(
    entries
      .filter(([column, value]) => values.get(column) !== value)
      .map(([column, value]) => [column, { before: values.get(column), after: value }]),
  )
}
