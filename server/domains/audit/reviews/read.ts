import { sql } from 'kysely'
import type { getReview as one, listReviews as many } from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { pageOf } from '../../../db/list.ts'
import type { Handler } from '../../../http/handler.ts'
import { countItems, findItems, findQuarter, findQuarters } from './queries.ts'

/** SQL `from` clause for the items of the review of a quarter `q`. */
const items = sql`from rights_review_items i where i.quarter = q.quarter`

/**
 * Returns a page of the quarters that could be reviewed, newest first, with the state of their reviews and the numbers
 * of items and of decided ones (rules/audit#reviews).
 */
export const listReviews: Handler<typeof many> = async ({ db }, input) => {
  const list = findQuarters(db)
    .select([
      sql<number>`(select count(*)::float8 ${items})`.as('itemCount'),
      sql<number>`(select count(*)::float8 ${items} and decision <> '')`.as('decidedCount'),
    ])
    .orderBy('q.quarter', 'desc')
  const { rows, totalCount } = await pageOf(db, list, input)
  return { rows, totalCount }
}

/** Codes of the built-in roles. */
const BUILT_IN: readonly string[] = Object.values(ROLE)

/**
 * Returns the review of a quarter with its items: roles, and users whose role is not the default one, within the
 * caller's administration scope (rules/audit#review). The numbers of items include hidden ones.
 * @throws {Refusal} REVIEW_NOT_FOUND if the quarter cannot be reviewed
 */
export const getReview: Handler<typeof one> = async (call, { quarter }) => {
  const { db, actor, language } = call
  const review = await findQuarter(db, quarter)
  if (review === undefined) refuse('REVIEW_NOT_FOUND')
  const found = await findItems(db, actor, quarter, language)
  call.touches(found.flatMap(({ personId }) => personId ?? []))
  const { itemCount, decidedCount } = await countItems(db, actor, quarter)
  return {
    ...review,
    roles: found.flatMap(({ userCount, roleCode, ...role }) =>
      userCount === null ? [] : [{ ...role, userCount, builtIn: BUILT_IN.includes(roleCode) }],
    ),
    people: found.filter(({ personId }) => personId !== null),
    itemCount,
    decidedCount,
  }
}
