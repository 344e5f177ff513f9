import { type Expression, type RawBuilder, sql } from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
import { OWN_KEYS_SHOWN, TO_READ_SHOWN } from '../../../contract/home.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import { ENDING_DAYS } from '../../../contract/users.ts'
import { countOf } from '../../db/list.ts'
import { today, wireTime } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { queryDecidableRequests } from '../approvals/index.ts'
import { dueMonths, dueReviews } from '../audit/index.ts'
import { keysOf } from '../keys/index.ts'
import { toConfirm } from '../notices/index.ts'
import { nearLimit } from '../partners/index.ts'
import { inBranch } from '../roles/index.ts'
import { decidableResets, endingUsers } from '../users/index.ts'

/**
 * Returns the tasks that wait for a user, from one statement (design/mail-and-notifications#to-do-list): notices to
 * confirm, the near end of their own account, their last keys, and numbers of approval requests, factor resets, ending
 * accounts, partners near a limit, and due inspections and access reviews. A task whose permission the user lacks is
 * null, and not queried.
 */
export async function findToDo(db: Db, actor: SignedIn, now: Date) {
  const unconfirmed = toConfirm(db, actor)
  /** Returns a part of the statement; the SQL `null` if the user lacks the permission. */
  const forHolders = <T>(name: FunctionName, part: () => RawBuilder<T>): RawBuilder<T | null> =>
    can(actor, name) ? part() : sql<null>`null`
  const keysFunction = can(actor, 'autho_key_search') ? 'autho_key_search' : 'autho_key_own'
  return db
    .selectNoFrom([
      rowsOf(
        unconfirmed
          .innerJoin('users as u', 'u.id', 'n.authorId')
          .select((eb) =>
            jsonBuildObject({
              noticeId: sql<string>`n.id::text`,
              title: eb.ref('n.title'),
              userId: eb.ref('u.loginId'),
              registeredAt: wireTime(eb.ref('n.publishedAt')),
            }).as('row'),
          )
          .orderBy('n.publishedAt', 'desc')
          .orderBy('n.id', 'desc')
          .limit(TO_READ_SHOWN),
      ).as('unconfirmed'),
      count(unconfirmed).as('unconfirmedCount'),
      db
        .selectFrom('users as u')
        .select(
          jsonBuildObject({
            validTo: sql<string>`u.valid_to::text`,
            daysLeft: sql<number>`u.valid_to - ${today}`,
          }).as('row'),
        )
        .where('u.id', '=', actor.id)
        .where(sql<boolean>`u.valid_to <= ${today} + ${sql.lit(ENDING_DAYS)}`)
        .as('ownEnd'),
      forHolders('autho_user_manage', () => count(queryDecidableRequests(db, actor))).as('requestCount'),
      forHolders('autho_user_manage', () => count(decidableResets(db, actor))).as('factorResetCount'),
      forHolders('autho_user_manage', () => count(endingUsers(db, actor))).as('endingCount'),
      forHolders('autho_partner_search', () =>
        count(
          db
            .selectFrom('partners as p')
            .where(nearLimit(now))
            .where(inBranch(actor, sql.ref('p.affiliationCode'))),
        ),
      ).as('nearLimitCount'),
      forHolders('autho_audit_manage', () => count(dueMonths(db))).as('inspectionCount'),
      forHolders('autho_role_manage', () => count(dueReviews(db))).as('reviewCount'),
      forHolders(keysFunction, () =>
        rowsOf(
          keysOf(db, actor.id)
            .select((eb) =>
              jsonBuildObject({
                keyId: sql<string>`k.id::text`,
                requestKey: eb.ref('k.requestKey'),
                issuedAt: wireTime(eb.ref('k.issuedAt')),
                revoked: sql<boolean>`k.revoked_at is not null`,
              }).as('row'),
            )
            .limit(OWN_KEYS_SHOWN),
        ),
      ).as('keys'),
    ])
    .executeTakeFirstOrThrow()
}

/** Returns the SQL expression for the column `row` of a query as an array. */
const rowsOf = <T>(rows: Expression<{ row: T }>) =>
  sql<T[]>`(select coalesce(json_agg(part.row), '[]') from ${rows} as part)`

/** Returns the SQL expression for the number of rows of a query. */
const count = (rows: Parameters<typeof countOf>[0]) => sql<number>`(${countOf(rows)})`
