import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { AuditAction } from '../../contract/endpoint.ts'
import { prepareQuery } from '../db/prepared-statements.ts'
import type { Database } from '../db/types.ts'

/** A record that has a history, by an ID that is never reused (design/audit-log#records-of-a-row). */
export type AuditedRecord = `${'user' | 'partner' | 'notice' | 'role' | 'affiliation'}/${string}`

/** Audit record of a change (rules/wire#audit): the changed record and its changes. */
export interface AuditEntry {
  /** Name that users know: a login ID, a partner code, a number. */
  target: string
  detail?: Record<string, unknown>
  /** Set if no user was logged in yet, as at login. */
  actorId?: string | undefined
  /** Records in whose histories the entry appears. If absent, they are looked up by the target, which must still exist. */
  records?: readonly AuditedRecord[]
}

/** Writes an audit row in the transaction that makes the change, if it is one: neither is there without the other. */
export async function recordAudit(
  tx: Kysely<Database>,
  row: AuditEntry & { action: AuditAction; address: string; requestId: string },
): Promise<void> {
  const query = tx.insertInto('audit_log').values({
    action: row.action,
    actor_id: row.actorId ?? null,
    target: row.target,
    detail: JSON.stringify(row.detail ?? {}),
    address: row.address,
    request_id: row.requestId,
    records: row.records === undefined ? namedBy(row.action, row.target) : sql`${row.records}::text[]`,
  })
  await tx.executeQuery(prepareQuery(query))
}

/** A changed record of a call that changes many, of the noun of its action. */
export interface AuditedOne {
  id: string
  /** Name that users know, as in `AuditEntry`. */
  target: string
  detail: Record<string, unknown>
}

/** Writes a row for each of many records in one statement, in the transaction that changes them. */
export async function recordAudits(
  tx: Transaction<Database>,
  changed: readonly AuditedOne[],
  row: { actorId: string | undefined; action: AuditAction; address: string; requestId: string },
): Promise<void> {
  const [noun] = row.action.split('.')
  await sql`insert into audit_log (action, actor_id, target, detail, address, request_id, records)
    select ${row.action}, ${row.actorId ?? null}::bigint, target, detail, ${row.address}, ${row.requestId},
      array[${`${noun}/`}::text || id]
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as one (id text, target text, detail jsonb)`.execute(
    tx,
  )
}

/** Actions that change nothing of the record. Like exports, they appear in the audit log and in no history. */
const USES: readonly AuditAction[] = [
  'account.login',
  'account.logout',
  'account.check-password',
  'account.check-factor',
  'notice.unread',
]

/** Returns the records that a target names now; several login IDs are joined by ', '. */
function namedBy(action: AuditAction, target: string): RawBuilder<string[] | null> {
  const [noun] = action.split('.')
  if (USES.includes(action) || action.endsWith('.export')) return sql`null`
  if (noun === 'user' || noun === 'account')
    return sql`(select array_agg('user/' || id) from users where login_id = any(${target.split(', ')}::text[]))`
  if (noun === 'partner') return sql`(select array['partner/' || id] from partners where code = ${target})`
  if (noun === 'notice' || noun === 'role' || noun === 'affiliation')
    return sql`${target.split(', ').map((id) => `${noun}/${id}`)}::text[]`
  return sql`null`
}

/** Returns the differences of an edit, before and after, by column. */
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
