import { sql } from 'kysely'
import { type Refusal, refuse } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { mayLogIn } from '../../db/sql.ts'
import { recordAudit } from '../../records/audit.ts'
import type { LockedProvider } from './queries.ts'

/** Suspensions, withdrawals and lost links per hour that are always allowed. */
const ENDINGS = 20
/**
 * Share of the managed accounts that a provider may end per hour, if it is more than ENDINGS. Accounts that are managed for
 * less than a day do not count, because a thief of the token could create any number.
 */
const PART = 0.1

/** Seconds after which a provider may try a stopped change again. */
const RETRY_SECONDS = 3600

/**
 * Counts a suspension, withdrawal or lost link by a provider, which the caller has locked, against the limit of an hour
 * (rules/scim#limit).
 * @throws {Refusal} SCIM_STOPPED if the limit is reached, and also later until an administrator releases the provider.
 * `mountScim` then records the stop (`recordStop`)
 */
export async function countEnding(tx: Tx, { id, scimStoppedAt, isReleased }: LockedProvider): Promise<void> {
  if (scimStoppedAt !== null) refuse('SCIM_STOPPED', { retryAfterSeconds: RETRY_SECONDS })
  const { rows } = await sql<{ ended: number; managed: number }>`
    select (select count(*)::int from scim_endings where provider_id = ${id} and at > now() - interval '1 hour') as ended,
      (select count(*)::int from scim_users where provider_id = ${id} and created_at < now() - interval '1 day') as managed`.execute(
    tx,
  )
  const { ended = 0, managed = 0 } = rows[0] ?? {}
  if (!isReleased && ended >= Math.max(ENDINGS, Math.floor(managed * PART)))
    refuse('SCIM_STOPPED', { retryAfterSeconds: RETRY_SECONDS })
  await tx.insertInto('scimEndings').values({ providerId: id }).execute()
  await sql`delete from scim_endings where provider_id = ${id} and at < now() - interval '1 hour'`.execute(tx)
}

/**
 * Marks a provider as stopped, so that it ends no accounts, writes the audit row, and notifies the managers of settings
 * in the portal. Does nothing if it is stopped already.
 */
export async function recordStop(
  db: Db,
  provider: { providerId: string; name: string },
  origin: { address: string; requestId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('identityProviders')
      .set({ scimStoppedAt: sql<Date>`now()` })
      .where('id', '=', provider.providerId)
      .where('scimStoppedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const detail = { providerName: provider.name }
    await recordAudit(tx, { action: 'scim.stop', target: provider.name, detail, records: null, ...origin })
    await sql`
      insert into notifications (kind, user_id, detail)
      select 'SCIM_STOPPED', u.id, ${JSON.stringify(detail)}::jsonb from users u
      where ${mayLogIn('u')} and u.role_code in
        (select role_code from role_functions where function_name = 'autho_setting_manage')`.execute(tx)
  })
}

/** Returns whether an error is the refusal SCIM_STOPPED. */
export const isStop = (error: unknown): error is Refusal =>
  error instanceof Error && 'code' in error && error.code === 'SCIM_STOPPED'
