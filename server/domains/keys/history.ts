import { type Kysely, sql } from 'kysely'
import type {
  listKeyDistricts as districtsEndpoint,
  listKeyProvinces as provincesEndpoint,
  listKeys as listEndpoint,
} from '../../../contract/keys.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { COUNTED_PEOPLE, foundPage, rowsByIds } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'
import { type Direction, findKeyPage } from './key-page.ts'
import { toKeyViewer, maskRow } from './viewer.ts'
import { issuedWithin, isWhole, type KeySelection, toKeySelection } from './key-selection.ts'

/** Returns a page of the history (rules/keys#key-history). */
export const listKeys: Handler<typeof listEndpoint> = async (call, input) => {
  const { db, actor, language } = call
  const viewer = toKeyViewer(actor)
  const selection = toKeySelection(input, viewer)
  const found = findKeyPage(selection, directionOf(input), input)
  const { totalCount, rows } = await foundPage(db, found, input, keysByIds(language), isWhole(selection))
  call.touches(rows.map(({ personId }) => personId))
  if (rows.length < totalCount) call.touches(await countedPeople(db, selection))
  return { totalCount, keys: rows.map((row) => maskRow(viewer, row)) }
}

/** Returns the people whose keys a search by name or phone number counts. Returns none if they are more than COUNTED_PEOPLE. */
export async function countedPeople(db: Kysely<Database>, selection: KeySelection): Promise<string[]> {
  if (selection.users === null) return []
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.id in ${selection.users} and exists (
      select from issued_keys where user_id = u.id and ${issuedWithin({ ...selection, users: null })})
    limit ${COUNTED_PEOPLE + 1}`.execute(db)
  return rows.length > COUNTED_PEOPLE ? [] : rows.map(({ id }) => id)
}

/** Returns the direction of the history: newest first by default (rules/keys#key-history). */
export function directionOf({
  sort,
  order,
}: Pick<ParsedInputOf<typeof listEndpoint>, 'sort' | 'order'>): Direction {
  return sort === 'issuedAt' && order === 'ASC' ? 'asc' : 'desc'
}

/** Functions of the role of the user `u`. */
const heldFunctions = sql<
  FunctionName[]
>`array(select function_name from role_functions where role_code = u.role_code)`

/** Returns the query for keys as the history shows them, without an order. */
export function keyRows(db: Kysely<Database>, language: Language) {
  return db
    .selectFrom('issued_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select((eb) => [
      'k.id as keyId',
      'k.province_name as provinceName',
      'k.district_name as districtName',
      affiliationName('k.affiliation_code', language).as('affiliationName'),
      'k.partner_id as partnerId',
      sql<string>`(select p.code from partners p where p.id = k.partner_id)`.as('partnerCode'),
      'u.id as personId',
      'u.login_id as userId',
      'u.name',
      'u.phone_number as phoneNumber',
      heldFunctions.as('functions'),
      'k.request_key as requestKey',
      'k.secret_version as secretVersion',
      wireTime(eb.ref('k.issued_at')).as('issuedAt'),
      sql<string>`coalesce(${wireTime(sql`k.revoked_at`)}, '')`.as('revokedAt'),
      sql<string>`coalesce(k.revoke_reason, '')`.as('revokeReason'),
      sql<string>`coalesce((select r.login_id from users r where r.id = k.revoked_by), '')`.as('revokedBy'),
    ])
}

/** Returns the query for the keys that were issued to a user (users.id), newest first. */
export function keysOf(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('issued_keys as k')
    .where('k.user_id', '=', userId)
    .orderBy('k.issued_at', 'desc')
    .orderBy('k.id', 'desc')
}

const keysByIds = rowsByIds(keyRows, sql<string>`k.id`)

/** Lists the provinces in force, then the provinces of keys whose names no longer exist (rules/keys#key-filters). */
export const listKeyProvinces: Handler<typeof provincesEndpoint> = async ({ db }) => {
  const { rows } = await sql<{ provinceName: string; provinceCode: string }>`
    select * from (
      select name as "provinceName", code as "provinceCode" from provinces
      union all
      select distinct province_name, '' from key_cells where province_name not in (select name from provinces)
    ) as every
    order by ("provinceCode" = ''), "provinceCode", "provinceName"`.execute(db)
  return { provinces: rows }
}

/** Lists the districts of a province in the same way. A name that no longer exists has the coordinates of a partner there. */
export const listKeyDistricts: Handler<typeof districtsEndpoint> = async ({ db }, { provinceName }) => {
  const { rows } = await sql<{ districtName: string; longitude: number; latitude: number }>`
    with in_force as (
      select d.name, d.x, d.y from districts d join provinces p on p.code = d.province_code where p.name = ${provinceName}
    )
    select * from (
    select name as "districtName", x as longitude, y as latitude from in_force
    union all
    select c.district_name, coalesce(min(p.x), 0), coalesce(min(p.y), 0) from key_cells c
      left join partners p on p.id = c.partner_id
      where c.province_name = ${provinceName} and c.district_name not in (select name from in_force)
      group by c.district_name
    ) as every
    order by "districtName" collate "C"`.execute(db)
  return { districts: rows }
}
