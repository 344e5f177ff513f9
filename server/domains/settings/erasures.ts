import { sql } from 'kysely'
import type {
  getErasure as getEndpoint,
  listErasures as listEndpoint,
  RetentionKind,
} from '../../../contract/settings/retention.ts'
import { pageOf } from '../../db/list.ts'
import { midnight, wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { findOfficer } from './retention.ts'

/** SQL expression for the day in Korea on which a batch of rows was erased. */
const day = sql<string>`(at at time zone 'Asia/Seoul')::date`

/**
 * Returns a page of the days on which data was erased, newest first, with the kinds and the number of erased records
 * (rules/retention#erasures). Leaves out days without an erasure.
 */
export const listErasures: Handler<typeof listEndpoint> = async ({ db }, input) => {
  const days = db
    .selectFrom('erasures')
    .select([
      sql<string>`${day}::text`.as('erasedOn'),
      sql<RetentionKind[]>`array_agg(distinct kind order by kind)`.as('erasedKinds'),
      sql<number>`sum(n)::float8`.as('erasedCount'),
    ])
    .groupBy(day)
    .as('day')
  const list = db
    .selectFrom(days)
    .select(['erasedOn', 'erasedKinds', 'erasedCount'])
    .orderBy('erasedOn', 'desc')
  const { rows, totalCount } = await pageOf(db, list, input)
  return { rows, totalCount }
}

/**
 * Returns what was erased in a period, both days included, for the certificate (rules/retention#certificate): by kind,
 * method and retention period the number of records and the first and last time, and the name of the officer. `rows` is
 * empty if nothing was erased.
 */
export const getErasure: Handler<typeof getEndpoint> = async ({ db }, { erasedFrom, erasedTo }) => {
  const rows = await db
    .selectFrom('erasures')
    .select((eb) => [
      'kind',
      'method as erasureMethod',
      'keptFor',
      sql<number>`sum(n)::float8`.as('erasedCount'),
      wireTime(eb.fn.min('at')).as('firstAt'),
      wireTime(eb.fn.max('at')).as('lastAt'),
    ])
    .where('at', '>=', midnight(sql`${erasedFrom}`))
    .where('at', '<', midnight(sql`${erasedTo}::date + 1`))
    .groupBy(['kind', 'method', 'keptFor'])
    .orderBy(sql`min(at)`)
    .execute()
  return {
    erasedFrom,
    erasedTo,
    officerName: (await findOfficer(db)).officerName,
    rows,
  }
}
