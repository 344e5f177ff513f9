import { type Kysely, type RawBuilder, sql } from 'kysely'
import { TOKEN_END_TOLD_DAYS } from '../../../contract/keys.ts'
import { mayLogIn, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** Condition that a notification of the token's expiry is due: TOKEN_END_TOLD_DAYS before it, and not sent since. */
const isDue: RawBuilder<boolean> = sql<boolean>`t.expires_at > now() and exists (
  select from unnest(${[...TOKEN_END_TOLD_DAYS]}::int[]) as days
  where t.told_at < t.expires_at - make_interval(days => days) and t.expires_at <= now() + make_interval(days => days))`

const end = wireTime(sql.ref('t.expires_at'))

/**
 * Notifies the owners of program tokens and the managers of services that a token expires soon (rules/keys#token-end-told). Several
 * servers may run it concurrently: one statement marks a token and writes its notification, so that the later server sees the mark.
 */
export async function notifyExpiringTokens(db: Kysely<Database>): Promise<void> {
  await sql`
    with due as (
      update program_tokens t set told_at = now() from users u
      where u.id = t.user_id and ${mayLogIn('u')} and t.ended_at is null and ${isDue}
      returning t.user_id, jsonb_build_object('programName', t.name, 'expiresAt', ${end}) as detail
    )
    insert into notifications (kind, user_id, detail) select 'PROGRAM_ENDING', user_id, detail from due`.execute(
    db,
  )
  await sql`
    with due as (
      update service_tokens t set told_at = now() where t.revoked_at is null and ${isDue}
      returning jsonb_build_object('serviceName', t.name, 'expiresAt', ${end}) as detail
    )
    insert into notifications (kind, user_id, detail)
      select 'SERVICE_ENDING', u.id, due.detail from due cross join users u
      where ${mayLogIn('u')} and u.role_code in
        (select role_code from role_functions where function_name = 'autho_service_manage')`.execute(db)
}

/**
 * Deletes program and service tokens that ended at least `days` days ago (rules/retention#kinds).
 * @param most maximum number of one call
 * @returns the number of deleted tokens
 */
export async function eraseEndedTokens(tx: Kysely<Database>, days: number, most: number): Promise<number> {
  const remove = async (table: 'program_tokens' | 'service_tokens', over: string, limit: number) => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id = any(array(
      select id from ${sql.table(table)} where least(${sql.ref(over)}, expires_at) < now() - make_interval(days => ${days})
      order by id limit ${limit} for update skip locked))`.execute(tx)
    return Number(numAffectedRows)
  }
  const programs = await remove('program_tokens', 'ended_at', most)
  return programs + (await remove('service_tokens', 'revoked_at', most - programs))
}
