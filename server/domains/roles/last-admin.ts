import { sql } from 'kysely'
import { LINK } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { toColumns } from '../../db/column-names.ts'
import { isExternal, mayLogIn } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'

/** Last day that a date field accepts (rules/frame#dates). As the end of a validity period it means no end. */
export const NO_END = '2099-12-31'

/**
 * Returns the SQL condition that the 관리자 of a users row can administer today: they may log in, are in no other company,
 * and once had a password that works. Invited users and users who never used their temporary password do not count,
 * because they may never log in. Does not check the role.
 */
export const canAdministerToday = (users: 'u' | 'w' | 'users') =>
  sql<boolean>`(${mayLogIn(users)}
    and not (${sql.ref(`${users}.passwordTemporary`)} and ${sql.ref(`${users}.lastLoginAt`)} is null)
    and not ${isExternal(sql.ref(`${users}.affiliationCode`))}
    and not exists (select from account_links i where i.user_id = ${sql.ref(`${users}.id`)} and i.kind = ${sql.lit(LINK.invitation)}))`

/**
 * Runs a change of 관리자 accounts, and refuses it if it would leave no 관리자 who can administer today, or an earlier last
 * day with a 관리자 than before (rules/roles#last-administrator). Locks the role's row, so that two 관리자 who change each other
 * cannot both succeed.
 * @returns the result of `change`
 * @throws {Refusal} LAST_ADMIN if no 관리자 could administer today; LAST_ADMIN_ENDS if the last day with a 관리자 would be
 * earlier than before
 */
export async function keepingAdmins<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.selectFrom('roles').select('code').where('code', '=', ROLE.admin).forNoKeyUpdate().execute()
  const before = await lastDayOfAdmins(tx)
  const changed = await change()
  const after = await lastDayOfAdmins(tx)
  const refusal = compareLastDays(before, after)
  return refusal === null ? changed : refuse(refusal)
}

/**
 * Returns the error code of a change, from the last day of the 관리자 before and after it (null for no 관리자).
 * @returns null if the change is allowed
 */
function compareLastDays(
  before: string | null,
  after: string | null,
): 'LAST_ADMIN' | 'LAST_ADMIN_ENDS' | null {
  if (after === null) return 'LAST_ADMIN'
  return after < NO_END && before !== null && after < before ? 'LAST_ADMIN_ENDS' : null
}

/**
 * Returns the error code with which `keepingAdmins` would refuse these changes. Writes and refuses nothing.
 * @param changes by users.id, of all users who are 관리자 before or after the change
 * @returns null if the changes are allowed
 */
export async function refusalOfAdmins(
  tx: Tx,
  changes: readonly { id: string; roleCode?: string; validFrom?: string | null; validTo?: string | null }[],
): Promise<ReturnType<typeof compareLastDays>> {
  const before = await lastDayOfAdmins(tx)
  // The rows after the change are passed to the same database function that checks the present rows.
  const { rows } = await sql<{ last: string | null }>`
    select max(coalesce(w.valid_to, ${NO_END}))::text as last
    from users u
    left join jsonb_array_elements(${JSON.stringify(changes.map(toColumns))}::jsonb) as c (change) on u.id = (c.change ->> 'id')::bigint
    cross join lateral jsonb_populate_record(u, coalesce(c.change, '{}')) w
    where (u.role_code = ${ROLE.admin} or u.id = any(${changes.map(({ id }) => id)}::bigint[]))
      and w.role_code = ${ROLE.admin} and ${canAdministerToday('w')}`.execute(tx)
  return compareLastDays(before, rows[0]?.last ?? null)
}

/**
 * Returns whether `keepingAdmins` would refuse that these accounts stop being 관리자: none could administer today, or the
 * last day with a 관리자 would be earlier.
 * @param ids users.id
 */
export async function leavesNoAdmin(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const last = sql`max(coalesce(valid_to, ${NO_END}))`
  const { before, after } = await tx
    .selectFrom('users')
    .select([
      sql<string | null>`${last}::text`.as('before'),
      sql<string | null>`(${last} filter (where id <> all(${ids}::bigint[])))::text`.as('after'),
    ])
    .where('roleCode', '=', ROLE.admin)
    .where(canAdministerToday('users'))
    .executeTakeFirstOrThrow()
  // The loss of accounts that cannot log in anyway changes nothing.
  return before !== after && (after === null || after < NO_END)
}

/**
 * Returns the last day of the 관리자 who can administer today; NO_END if one has no end.
 * @returns null if there is none
 */
async function lastDayOfAdmins(tx: Tx): Promise<string | null> {
  const { last } = await tx
    .selectFrom('users')
    .select(sql<string | null>`max(coalesce(valid_to, ${NO_END}))::text`.as('last'))
    .where('roleCode', '=', ROLE.admin)
    .where(canAdministerToday('users'))
    .executeTakeFirstOrThrow()
  return last
}
