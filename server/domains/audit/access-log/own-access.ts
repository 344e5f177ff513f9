import { sql } from 'kysely'
import type { listOwnAccess as endpoint } from '../../../../contract/audit.ts'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { foundPage } from '../../../db/list.ts'
import { nameColumn, wireTime } from '../../../db/sql.ts'
import type { Handler } from '../../../http/handler.ts'
import { findByMonths, hasNull } from './find.ts'
import { annotationOfRow, renderActAndTask, withIds } from './rows.ts'

/**
 * Returns a page of the successful accesses of other users to the caller's data, newest first (rules/audit#own-access):
 * who, when, by which call, and whether the row was recorded in error. Leaves out logins.
 */
export const listOwnAccess: Handler<typeof endpoint> = async ({ db, actor, language }, input) => {
  const isByOther = sql<boolean>`(l.actor_id <> ${actor.id}::bigint and l.act <> 'login' and l.result = '')`
  const isSeen = sql<boolean>`l.subjects @> array[${actor.id}]::bigint[]`
  const arms = [sql<boolean>`(${isSeen} and ${isByOther})`]
  if (actor.userId === 'null')
    arms.push(sql<boolean>`(l.named <> '{}' and ${hasNull} and not ${isSeen} and ${isByOther})`)
  const { rows, totalCount } = await foundPage(db, findByMonths({}, arms, input), input, (from, ids) => {
    const { isOne, place } = withIds(ids)
    return from
      .selectFrom('accessLog as l')
      .leftJoin('users as a', 'a.id', 'l.actorId')
      .leftJoin('codes as c', (join) =>
        join.onRef('c.code', '=', 'a.affiliationCode').on('c.groupCode', '=', CODE_GROUP.affiliation),
      )
      .select((eb) => [
        wireTime(eb.ref('l.at')).as('accessedAt'),
        sql<string>`coalesce(a.login_id, l.actor)`.as('userId'),
        sql<string>`coalesce(a.name, '')`.as('name'),
        sql<string>`coalesce(${sql.ref(`c.${nameColumn[language]}`)}, '')`.as('affiliationName'),
        'l.act',
        'l.call',
        annotationOfRow.as('annotation'),
      ])
      .where(isOne)
      .orderBy(place)
      .execute()
  })
  return { totalCount, rows: rows.map((row) => ({ ...row, ...renderActAndTask(row, language) })) }
}
