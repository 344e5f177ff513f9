import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/types.ts'
import { erasedLoginId } from '../account/index.ts'

/** What stands where the name of an erased person stood (rules/retention#withdrawn-people). */
export const ERASED_NAME = '탈퇴한 사용자'

/** What is of the person alone, by the column that names them: it goes with them. */
export const GOES = {
  account_links: 'user_id',
  account_notices: 'user_id',
  approval_requests: 'user_id',
  factor_resets: 'user_id',
  login_networks: 'user_id',
  login_tickets: 'user_id',
  notice_reminders: 'user_id',
  notification_reads: 'user_id',
  notification_states: 'user_id',
  notifications: 'user_id',
  passkey_enrolments: 'user_id',
  passkeys: 'user_id',
  password_history: 'user_id',
  program_tokens: 'user_id',
  recovery_codes: 'user_id',
  saved_searches: 'user_id',
  sessions: 'user_id',
  totp_secrets: 'user_id',
  upload_days: 'user_id',
} as const satisfies Partial<Record<keyof Database, string>>

/** What others have of the person, by every other column that names one: it stays, and names nobody any more. */
export const STAYS = [
  'account_links.requested_by',
  'approval_requests.decided_by',
  'factor_resets.asked_by',
  'factor_resets.decided_by',
  'issued_keys.revoked_by',
  'issued_keys.user_id',
  'key_user_totals.user_id',
  'login_ids.user_id',
  'notice_comments.author_id',
  'notice_reads.user_id',
  'notices.author_id',
  'service_tokens.created_by',
  'service_tokens.revoked_by',
  'settings.changed_by',
  'uploads.user_id',
  'users.withdrawn_by',
] as const

/**
 * Makes accounts anonymous that were withdrawn so many days ago: their rows stay for what hangs on them and name nobody, what was the
 * person's alone goes, and their IDs stay taken without being written down (rules/retention#withdrawn-people). A row that somebody else
 * holds is left for the next time.
 * @returns how many, `most` at once
 */
export async function eraseWithdrawn(tx: Kysely<Database>, days: number, most: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from users where withdrawn_at < now() - make_interval(days => ${days}) and erased_at is null
    order by withdrawn_at, id limit ${most} for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const people = sql`any(${rows.map(({ id }) => id)}::bigint[])`

  for (const [table, column] of Object.entries(GOES))
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${people}`.execute(tx)
  await sql`delete from login_failures where login_id in (select login_id from login_ids where user_id = ${people})`.execute(
    tx,
  )
  await sql`update login_ids set login_id = ${erasedLoginId(sql.ref('login_id'))} where user_id = ${people}`.execute(
    tx,
  )
  await tx
    .updateTable('users')
    .set({
      login_id: sql<string>`'~' || id`,
      name: ERASED_NAME,
      position: '',
      phone_number: '',
      phone_shown: false,
      email: '',
      email_shown: false,
      password_hash: '',
      password_temporary: false,
      temporary_until: null,
      partner_id: null,
      valid_from: null,
      valid_to: null,
      last_login_at: null,
      withdrawn_reason: null,
      suspended_at: null,
      suspended_for: null,
      suspended_reason: null,
      updated_at: sql<Date>`now()`,
      erased_at: sql<Date>`now()`,
    })
    .where(sql<boolean>`id = ${people}`)
    .execute()
  return rows.length
}
