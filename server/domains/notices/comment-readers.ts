import { type RawBuilder, sql } from 'kysely'
import { functionsWithin } from '../../../contract/permissions.ts'
import { mayLogIn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import { functionsOf, withinOf } from '../roles/index.ts'
import { maySeeNotice } from '../../db/notice-visibility.ts'

/**
 * Returns those of some users who may log in and see a published notice now. Only they are notified of a comment on it
 * (rules/notices#replies).
 * @param userIds users.id, a few
 */
export async function readersAmong(db: Db, noticeId: string, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const people = await db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.loginId as userId',
      'u.affiliationCode',
      'u.roleCode',
      functionsOf(sql.ref('u.roleCode')).as('functions'),
      withinOf('u').as('within'),
    ])
    .where('u.id', 'in', userIds)
    .where(mayLogIn('u'))
    .execute()
  if (people.length === 0) return []
  const seeing = people.map((person): RawBuilder<unknown> => {
    const functions = functionsWithin(person.functions, person.within)
    return sql`select ${person.id}::text as id from notices n where n.id = ${noticeId} and n.published_at <= now()
      and ${maySeeNotice({ ...person, functions }, 'n')}`
  })
  const { rows } = await sql<{ id: string }>`${sql.join(seeing, sql` union all `)}`.execute(db)
  return rows.map(({ id }) => id)
}
