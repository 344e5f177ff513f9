import { sql } from 'kysely'
import {
  type listKeyDistricts as districtsEndpoint,
  type listKeyProvinces as provincesEndpoint,
  type listKeys as listEndpoint,
  type exportKeys as exportEndpoint,
  ISSUED_KEY_MASK,
  KEY_EXPORT_COLUMNS,
  type getKeyStatistics as statisticsEndpoint,
} from '../../../contract/keys.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { type Actor, can, type FunctionName } from '../../../contract/permissions.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { COUNTED_PEOPLE, foundPage, rowsByIds, ROWS_AT_ONCE } from '../../db/list.ts'
import { wireTime, nameColumn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import type { Handler, Call } from '../../http/handler.ts'
import { affiliationName, requireNameLength } from '../common/index.ts'
import { inBranch, spanOf } from '../roles/index.ts'
import { type Direction, findKeyPage } from './key-page.ts'
import { toKeyViewer, maskRow, issuedWithin, type KeySelection, toKeySelection } from './key-selection.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { exportList } from '../exports/index.ts'
import { monthRows, dayRows, isInTotals, regionRows } from './key-counts.ts'
import { CODE_GROUP } from '../../../contract/common.ts'

/**
 * Returns a page of the keys that a search finds, newest first by default, with phone numbers masked for this viewer
 * (rules/keys#key-history). A caller without autho_key_search finds their own keys only. Records in the access log the
 * users whose data the response or the total reveals.
 * @throws {InputRefusal} as `requireNameLength`
 */
export const listKeys: Handler<typeof listEndpoint> = async (call, input) => {
  const { db, actor, language } = call
  requireNameLength(call, input.requesterName, 'requesterName', 'USER_NAME')
  const viewer = toKeyViewer(actor)
  const selection = await toKeySelection(db, input, viewer)
  const found = findKeyPage(selection, directionOf(input), input)
  const { totalCount, rows, people } = await foundPage(
    db,
    found,
    input,
    keysByIds(language),
    isInTotals(selection),
  )
  call.touches([...rows.map(({ personId }) => personId), ...people])
  return { totalCount, keys: rows.map((row) => maskRow(viewer, row)) }
}

/**
 * Returns users.id of the users whose keys a search by name, ID or phone number counts, for the access log. Returns
 * none without such a search, or if they are more than COUNTED_PEOPLE.
 */
async function countedPeople(db: Db, selection: KeySelection): Promise<string[]> {
  if (selection.users === null) return []
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.id in ${selection.users} and exists (
      select from issued_keys where user_id = u.id and ${issuedWithin({ ...selection, users: null })})
    limit ${COUNTED_PEOPLE + 1}`.execute(db)
  return rows.length > COUNTED_PEOPLE ? [] : rows.map(({ id }) => id)
}

/** Returns the direction of the history: newest first by default (rules/keys#key-history). */
function directionOf({ sort, order }: Pick<ParsedInputOf<typeof listEndpoint>, 'sort' | 'order'>): Direction {
  return sort === 'issuedAt' && order === 'ASC' ? 'asc' : 'desc'
}

/** SQL expression for the permissions of the role of the user `u`. */
const heldFunctions = sql<
  FunctionName[]
>`array(select function_name from role_functions where role_code = u.role_code)`

/**
 * Returns the query for keys `k` as the history shows them, with their users, unordered. Contains the full phone
 * number, which the caller must mask (`maskRow`).
 */
function keyRows(db: Db, language: Language) {
  return db
    .selectFrom('issuedKeys as k')
    .innerJoin('users as u', 'u.id', 'k.userId')
    .select((eb) => [
      'k.id as keyId',
      'k.provinceName',
      'k.districtName',
      affiliationName('k.affiliationCode', language).as('affiliationName'),
      'k.partnerId',
      sql<string>`(select p.code from partners p where p.id = k.partner_id)`.as('partnerCode'),
      'u.id as personId',
      'u.loginId as userId',
      'u.name',
      'u.phoneNumber',
      heldFunctions.as('functions'),
      spanOf(sql.ref('u.roleCode')).as('span'),
      'u.affiliationCode as personAffiliation',
      'k.requestKey',
      'k.secretVersion',
      wireTime(eb.ref('k.issuedAt')).as('issuedAt'),
      sql<string>`coalesce(${wireTime(sql`k.revoked_at`)}, '')`.as('revokedAt'),
      sql<string>`coalesce(k.revoke_reason, '')`.as('revokeReason'),
      sql<string>`coalesce((select r.login_id from users r where r.id = k.revoked_by), '')`.as('revokedBy'),
    ])
}

/**
 * Returns the query for the keys `k` that were issued to a user, revoked ones too, newest first.
 * @param userId users.id
 */
export function keysOf(db: Db, userId: string) {
  return db
    .selectFrom('issuedKeys as k')
    .where('k.userId', '=', userId)
    .orderBy('k.issuedAt', 'desc')
    .orderBy('k.id', 'desc')
}

/** Returns the rows of `keyRows` with these IDs, in their order. */
const keysByIds = rowsByIds(keyRows, sql<string>`k.id`)

/**
 * Returns the SQL condition that the former region names of a row of `key_cells` are offered to the actor as filters: those
 * of their branch. An actor with only autho_key_own is offered all, because their own keys are from any branch. Limits no
 * keys or counts, as `toKeySelection` does.
 * @param cells alias of the table
 */
const isOffered = (actor: Actor, cells: string) =>
  can(actor, 'autho_key_search') ? inBranch(actor, sql.ref(`${cells}.affiliationCode`)) : sql`true`

/**
 * Returns names and codes of the current provinces, then the former names of provinces that keys have, with the code ''
 * (rules/keys#key-filters).
 */
export const listKeyProvinces: Handler<typeof provincesEndpoint> = async ({ db, actor }) => {
  const { rows } = await sql<{ provinceName: string; provinceCode: string }>`
    select * from (
      select name as province_name, code as province_code from provinces
      union all
      select distinct province_name, '' from key_cells where province_name not in (select name from provinces)
        and ${isOffered(actor, 'key_cells')}
    ) as every
    order by (province_code = ''), province_code, province_name`.execute(db)
  return { provinces: rows }
}

/**
 * Returns names and coordinates of the districts of a province by name, including former names that keys have. A former
 * name has the coordinates of a partner there; 0 if there is none.
 */
export const listKeyDistricts: Handler<typeof districtsEndpoint> = async (
  { db, actor },
  { provinceName },
) => {
  const { rows } = await sql<{ districtName: string; longitude: number; latitude: number }>`
    with in_force as (
      select d.name, d.x, d.y from districts d join provinces p on p.code = d.province_code where p.name = ${provinceName}
    )
    select * from (
    select name as district_name, x as longitude, y as latitude from in_force
    union all
    select c.district_name, coalesce(min(p.x), 0), coalesce(min(p.y), 0) from key_cells c
      left join partners p on p.id = c.partner_id
      where c.province_name = ${provinceName} and c.district_name not in (select name from in_force) and ${isOffered(actor, 'c')}
      group by c.district_name
    ) as every
    order by district_name collate "C"`.execute(db)
  return { districts: rows }
}

/**
 * Exports the keys that a search finds as a file (rules/keys#key-export). Phone numbers are masked as in `listKeys` if the
 * input has the caller's password, else all of them (`exportList`). Records the users of the keys in the access log.
 * The file contains no issued key, because keys are not stored (design/keys#derived-keys).
 * @throws {Refusal} as `exportList`
 * @throws {InputRefusal} as `requireNameLength`
 */
export const exportKeys: Handler<typeof exportEndpoint> = (call, input) => {
  const viewer = toKeyViewer(call.actor)
  return exportList(call, input, {
    list: 'keys',
    columns: KEY_EXPORT_COLUMNS,
    headers: catalogues[call.language].keys.columns,
    kinds: { issuedAt: 'moment', revokedAt: 'moment', secretVersion: 'number' },
    read: (tx) => readKeys(tx, call, input),
    cells: (row) => ({
      ...maskRow(viewer, row),
      issuedKey: ISSUED_KEY_MASK,
      secretVersion: String(row.secretVersion),
    }),
    peopleIn: ({ personId }) => [personId],
  })
}

/**
 * Returns all keys that a search finds, in the order of `listKeys`, as a stream, and their number, which comes from the
 * stored counts.
 * @throws {InputRefusal} as `requireNameLength`
 */
async function readKeys(
  tx: Db,
  { actor, language, services }: Pick<Call<typeof exportEndpoint>, 'actor' | 'language' | 'services'>,
  input: ParsedInputOf<typeof exportEndpoint>,
) {
  requireNameLength({ services }, input.requesterName, 'requesterName', 'USER_NAME')
  const selection = await toKeySelection(tx, input, toKeyViewer(actor))
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::float8 as total from ${monthRows(selection)}`.execute(tx)
  const direction = directionOf(input)
  const keys = keyRows(tx, language)
    .where(issuedWithin(selection))
    .orderBy('k.issuedAt', direction)
    .orderBy('k.id', direction)
  return { total: rows[0]?.total ?? 0, rows: keys.stream(ROWS_AT_ONCE) }
}

/** Counts of keys by day, and by province and affiliation; names of the affiliations by code. */
interface Sums {
  days: { date: string; count: number }[]
  regions: { provinceName: string; affiliationCode: string; count: number }[]
  names: Record<string, string>
}

/**
 * Returns the number of keys that a search finds, in total, by day, by province and by affiliation, for the charts.
 * Sums the stored counts or, if the search selects users (by name, ID or phone number, or the caller alone), reads the keys
 * of these users. Records `countedPeople` in the access log.
 * @throws {InputRefusal} as `requireNameLength`
 */
export const getKeyStatistics: Handler<typeof statisticsEndpoint> = async (call, input) => {
  const { db, actor, language } = call
  requireNameLength(call, input.requesterName, 'requesterName', 'USER_NAME')
  const selection = await toKeySelection(db, input, toKeyViewer(actor))
  call.touches(await countedPeople(db, selection))
  const { rows } = await sql<Sums>`
    select array(
      select json_build_object('date', day, 'count', sum(n)) from ${dayRows(selection)}
      group by day having sum(n) > 0 order by day
    ) as days, array(
      select json_build_object('provinceName', province_name, 'affiliationCode', affiliation_code, 'count', sum(n))
      from ${regionRows(selection)} group by province_name, affiliation_code having sum(n) > 0
    ) as regions, (
      select json_object_agg(code, ${sql.ref(nameColumn[language])}) from codes where group_code = ${CODE_GROUP.affiliation}
    ) as names`.execute(db)
  const { days, regions, names } = rows[0] ?? { days: [], regions: [], names: {} }
  return {
    totalCount: regions.reduce((sum, { count }) => sum + count, 0),
    days,
    provinces: sumBy(regions, (region) => region.provinceName).map(([provinceName, count]) => ({
      provinceName,
      count,
    })),
    affiliations: sumBy(regions, (region) => region.affiliationCode).map(([code, count]) => ({
      affiliationCode: code,
      affiliationName: names[code] ?? code,
      count,
    })),
  }
}

/** Returns the sum of the counts for each key, the largest sum first. */
function sumBy<T extends { count: number }>(rows: readonly T[], key: (row: T) => string): [string, number][] {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.count)
  return [...sums].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
