import { type Transaction, sql } from 'kysely'
import { ROLE } from '../../../../contract/permissions.ts'
import { mayLogIn, today } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { recordAudit } from '../../../services/audit.ts'
import { canAdministerToday, NO_END } from '../access/last-admin.ts'
import type { Account } from './ends.ts'
import { endAccess } from '../../account/index.ts'

/** Days between the warning and the suspension. */
const WARNED_BEFORE_DAYS = 14

/** The day from which inactivity counts: the last login, or a later decision that the account is needed. */
const UNUSED_SINCE = sql.raw<string>(`(greatest(confirmed_at, last_login_at,
  valid_from::timestamp at time zone 'Asia/Seoul') at time zone 'Asia/Seoul')::date`)

const ACCOUNT = sql.raw(
  `u.id, u.login_id as "userId", u.name, u.role_code as "roleCode", u.email, u.language`,
)

/** Returns the 관리자 who is never suspended: the one whose account ends last, and of several the one used last. */
async function findLastingAdmin(tx: Transaction<Database>): Promise<string | undefined> {
  await tx.selectFrom('roles').select('code').where('code', '=', ROLE.admin).forNoKeyUpdate().execute()
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('role_code', '=', ROLE.admin)
    .where(canAdministerToday('users'))
    .orderBy(sql`coalesce(valid_to, ${NO_END})`, 'desc')
    .orderBy(UNUSED_SINCE, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return admin?.id
}

/**
 * Suspends the accounts that were inactive for this many days and whose owners were warned at least 14 days ago, and marks the warnings
 * that are due today. No account is suspended without a warning, even if the warning was late.
 * @param days SUSPEND_AFTER_DAYS, not 0
 */
export async function suspendUnused(
  tx: Transaction<Database>,
  days: number,
): Promise<{ suspended: Account[]; warned: Account[] }> {
  // User rows are locked before the role, as in every edit. A row that another call edits now is skipped until the next day.
  const { rows: due } = await sql<{ id: string }>`
    select id from users u
    where ${mayLogIn('u')} and ${today} - ${UNUSED_SINCE} >= ${days}::int and exists (
      select from account_notices n where n.user_id = u.id and n.kind = 'disuse' and n.about = ${UNUSED_SINCE}
        and (n.created_at at time zone 'Asia/Seoul')::date <= ${today} - ${sql.lit(WARNED_BEFORE_DAYS)}
    )
    for no key update of u skip locked
  `.execute(tx)
  const lasting = (await findLastingAdmin(tx)) ?? null
  const { rows: suspended } = await sql<Account>`
    update users u set suspended_at = now(), updated_at = now()
    where id = any (${due.map(({ id }) => id)}::bigint[]) and id is distinct from ${lasting}::bigint
    returning ${ACCOUNT}, ${today}::text as day
  `.execute(tx)
  for (const account of suspended) {
    await endAccess(tx, account.id)
    await recordAudit(tx, {
      action: 'user.suspend',
      target: account.userId,
      detail: { days },
      // The server itself is the actor: there is no caller.
      address: '',
      requestId: '',
    })
  }
  const { rows: warned } = await sql<Account>`
    with taken as (
      insert into account_notices (user_id, kind, about)
      select id, 'disuse', ${UNUSED_SINCE} from users
      where ${mayLogIn()} and id is distinct from ${lasting}::bigint
        and ${today} - ${UNUSED_SINCE} >= ${days - WARNED_BEFORE_DAYS}::int
      on conflict do nothing
      returning user_id, about
    )
    select ${ACCOUNT}, greatest(t.about + ${days}::int, ${today} + ${sql.lit(WARNED_BEFORE_DAYS)})::text as day
    from taken t join users u on u.id = t.user_id
    order by t.about, u.id
  `.execute(tx)
  return { suspended, warned }
}
