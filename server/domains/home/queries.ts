import { type Kysely, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { OWN_KEYS_SHOWN, TO_READ_SHOWN } from '../../../contract/home.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import { ENDING_DAYS } from '../../../contract/users.ts'
import { countOf } from '../../db/list.ts'
import { today, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { decidable } from '../approvals/index.ts'
import { dueMonths, dueReviews } from '../audit/index.ts'
import { keysOf } from '../keys/index.ts'
import { toConfirm } from '../notices/index.ts'
import { nearLimit } from '../partners/index.ts'
import { decidableResets, endingUsers } from '../users/index.ts'

/**
 * Finds all tasks that wait for a user, in one statement (design/mail-and-notifications#to-do-list). Tasks that require a
 * permission the user lacks are null, and not queried.
 */
export async function findToDo(db: Kysely<Database>, actor: SignedIn, now: Date) {
  const unconfirmed = toConfirm(db, actor)
  const forHolders = <T>(name: FunctionName, part: () => RawBuilder<T>): RawBuilder<T | null> =>
    can(actor, name) ? part() : sql<null>`null`
  return db
    .selectNoFrom([
      jsonArrayFrom(
        unconfirmed
          .innerJoin('users as u', 'u.id', 'n.author_id')
          .select((eb) => [
            sql<string>`n.id::text`.as('noticeId'),
            'n.title',
            'u.login_id as userId',
            wireTime(eb.ref('n.published_at')).as('registeredAt'),
          ])
          .orderBy('n.published_at', 'desc')
          .orderBy('n.id', 'desc')
          .limit(TO_READ_SHOWN),
      ).as('unconfirmed'),
      count(unconfirmed).as('unconfirmedCount'),
      jsonObjectFrom(
        db
          .selectFrom('users as u')
          .select([
            sql<string>`u.valid_to::text`.as('validTo'),
            sql<number>`u.valid_to - ${today}`.as('daysLeft'),
          ])
          .where('u.id', '=', actor.id)
          .where(sql<boolean>`u.valid_to <= ${today} + ${sql.lit(ENDING_DAYS)}`),
      ).as('ownEnd'),
      forHolders('autho_user_manage', () => count(decidable(db, actor))).as('requestCount'),
      forHolders('autho_user_manage', () => count(decidableResets(db, actor))).as('factorResetCount'),
      forHolders('autho_user_manage', () => count(endingUsers(db, actor))).as('endingCount'),
      forHolders('autho_partner_search', () =>
        count(db.selectFrom('partners as p').where(nearLimit(now))),
      ).as('nearLimitCount'),
      forHolders('autho_audit_search', () => count(dueMonths(db))).as('inspectionCount'),
      forHolders('autho_role_manage', () => count(dueReviews(db))).as('reviewCount'),
      forHolders('autho_key_search', () =>
        jsonArrayFrom(
          keysOf(db, actor.id)
            .select((eb) => [
              sql<string>`k.id::text`.as('keyId'),
              'k.request_key as requestKey',
              wireTime(eb.ref('k.issued_at')).as('issuedAt'),
              sql<boolean>`k.revoked_at is not null`.as('revoked'),
            ])
            .limit(OWN_KEYS_SHOWN),
        ),
      ).as('keys'),
    ])
    .executeTakeFirstOrThrow()
}

const count = (rows: Parameters<typeof countOf>[0]) => sql<number>`(${countOf(rows)})`
