import { type Kysely, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type {
  listKeyDistricts as districtsEndpoint,
  listKeyProvinces as provincesEndpoint,
  listKeys as listEndpoint,
} from '../../../contract/keys.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { numbered } from '../../db/page.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { countMonths, type Direction, findWindow } from './position.ts'
import { sliceOf } from './slice.ts'

/** A page of the history (spec §2): one look at the database, so that the count and the rows are of one moment. */
export const listKeys: Handler<typeof listEndpoint> = ({ db, language }, input) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const slice = await sliceOf(tx, input)
      const direction = directionOf(input)
      const months = await countMonths(tx, slice, direction)
      const total = months.reduce((sum, { n }) => sum + n, 0)
      const window = { offset: (input.PAGE - 1) * input.PER_PAGE, limit: input.PER_PAGE }
      const ids = await findWindow(tx, slice, months, direction, window)
      return { TOTAL_COUNT: total, KEY_LIST: numbered(await findRows(tx, ids, language), total, input) }
    })

/** Which way the history runs: newest first unless told (decisions §2). */
export function directionOf({
  SORT,
  ORDER,
}: Pick<ParsedInputOf<typeof listEndpoint>, 'SORT' | 'ORDER'>): Direction {
  return SORT === 'ISSUANCE_DATE' && ORDER === 'ASC' ? 'asc' : 'desc'
}

/** What the history shows of these keys, in their order. */
async function findRows(db: Kysely<Database>, ids: readonly string[], language: Language) {
  if (ids.length === 0) return []
  return keyRows(db, language)
    .where('k.id', 'in', ids)
    .orderBy(sql`array_position(${ids}::bigint[], k.id)`)
    .execute()
}

/** Keys as the history shows them, in no order yet. */
export function keyRows(db: Kysely<Database>, language: Language) {
  return db
    .selectFrom('issued_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .leftJoin('codes as b', (join) =>
      join.onRef('b.code', '=', 'k.affiliation_code').on('b.group_code', '=', CODE_GROUP.affiliation),
    )
    .select((eb) => [
      'k.id as KEY_ID',
      'k.province_name as SIDO_NAME',
      'k.district_name as SIGUNGU_NAME',
      eb.fn.coalesce(`b.name_${language}`, 'k.affiliation_code').as('BELONGTO_CODE_NAME'),
      'u.login_id as USER_ID',
      'u.name as NAME',
      'u.phone_number as PHONE_NUMBER',
      'k.request_key as REQUEST_KEY',
      wireTime(eb.ref('k.issued_at')).as('ISSUANCE_DATE'),
      sql<string>`coalesce(${wireTime(sql`k.revoked_at`)}, '')`.as('REVOKED_DATE'),
      sql<string>`coalesce(k.revoke_reason, '')`.as('REVOKE_REASON'),
    ])
}

/** The provinces in force, then those that keys were issued in under names that are no more (decisions §6). */
export const listKeyProvinces: Handler<typeof provincesEndpoint> = async ({ db }) => {
  const { rows } = await sql<{ SIDO_NAME: string; CTPRVN_CD: string }>`
    select * from (
      select name as "SIDO_NAME", code as "CTPRVN_CD" from provinces
      union all
      select distinct province_name, '' from key_cells where province_name not in (select name from provinces)
    ) as every
    order by ("CTPRVN_CD" = ''), "CTPRVN_CD", "SIDO_NAME"`.execute(db)
  return { SIDO_LIST: rows }
}

/** The same of a province's districts; a name that is no more stands where a partner of it stood. */
export const listKeyDistricts: Handler<typeof districtsEndpoint> = async ({ db }, { SIDO_NAME }) => {
  const { rows } = await sql<{ SIGUNGU_NAME: string; X: number; Y: number }>`
    with in_force as (
      select d.name, d.x, d.y from districts d join provinces p on p.code = d.province_code where p.name = ${SIDO_NAME}
    )
    select * from (
    select name as "SIGUNGU_NAME", x as "X", y as "Y" from in_force
    union all
    select c.district_name, coalesce(min(p.x), 0), coalesce(min(p.y), 0) from key_cells c
      left join partners p on p.id = c.partner_id
      where c.province_name = ${SIDO_NAME} and c.district_name not in (select name from in_force)
      group by c.district_name
    ) as every
    order by "SIGUNGU_NAME" collate "C"`.execute(db)
  return { SIGUNGU_LIST: rows }
}
