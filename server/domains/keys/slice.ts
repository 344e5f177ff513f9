import { type RawBuilder, sql } from 'kysely'
import { nameHas, phoneHas } from '../../db/people.ts'
import { partnersOfCode } from '../partners/index.ts'
import { withinReach } from '../roles/index.ts'
import type { Reader } from './reader.ts'

/** What the history and its charts are narrowed by; empty = no filter. */
export interface KeyFilter {
  affiliationCode: string
  partnerCode: string
  requesterName: string
  phoneNumber: string
  /** Inclusive, in Asia/Seoul. */
  issuedFrom: string
  issuedTo: string
  provinceName: string
  districtName: string
}

/** The part of the history that a filter leaves, in the terms of the counts (key_days and its like). */
export interface Slice {
  /** Selects from key_cells.id; null: every place. */
  cells: RawBuilder<unknown> | null
  /** The same places as a condition on affiliation_code and province_name; null where these do not say it, or for every place. */
  regions: RawBuilder<boolean> | null
  /** Selects from users.id; null: everybody. */
  users: RawBuilder<unknown> | null
  /** The first and the last day; '' where there is none. */
  from: string
  to: string
}

/**
 * The places and the people that a filter names.
 * @param reader who asks. A phone number that the reader sees masked is not found (rules/keys#phone-numbers).
 */
export function sliceOf(filter: KeyFilter, { seesPhones, partnerId, actor }: Reader): Slice {
  const { affiliationCode, partnerCode, provinceName, districtName, requesterName, phoneNumber } = filter
  const region = given([
    affiliationCode !== '' && sql<boolean>`affiliation_code = ${affiliationCode}`,
    provinceName !== '' && sql<boolean>`province_name = ${provinceName}`,
  ])
  const narrower = given([
    partnerCode !== '' && sql<boolean>`partner_id in ${partnersOfCode(partnerCode)}`,
    phoneNumber !== '' && !seesPhones && sql<boolean>`partner_id = ${partnerId}`,
    districtName !== '' && sql<boolean>`district_name = ${districtName}`,
  ])
  return {
    cells: selecting('key_cells', [...region, ...narrower]),
    regions:
      region.length > 0 && narrower.length === 0 ? sql<boolean>`${sql.join(region, sql` and `)}` : null,
    users: selecting(
      'users',
      given([
        requesterName !== '' && nameHas(sql.ref('name'), requesterName),
        phoneNumber !== '' && phoneHas(sql.ref('phone_number'), phoneNumber),
        phoneNumber !== '' && seesPhones && withinReach(actor, sql.ref('role_code')),
      ]),
    ),
    from: filter.issuedFrom,
    to: filter.issuedTo,
  }
}

/** Whether it is the whole history. */
export const isWhole = ({ cells, users, from, to }: Slice) =>
  cells === null && users === null && from === '' && to === ''

const given = (conditions: (RawBuilder<boolean> | false)[]) =>
  conditions.filter((condition) => condition !== false)

function selecting(table: 'key_cells' | 'users', conditions: RawBuilder<boolean>[]) {
  if (conditions.length === 0) return null
  return sql`(select id from ${sql.table(table)} where ${sql.join(conditions, sql` and `)})`
}

/** The condition of a slice's places and people, on a table that has cell_id and, when people are named, user_id. */
export function within({ cells, users }: Slice) {
  const parts = [
    ...(cells === null ? [] : [sql<boolean>`cell_id in ${cells}`]),
    ...(users === null ? [] : [sql<boolean>`user_id in ${users}`]),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** The condition of a slice on keys themselves, its days as moments: what their indexes have. */
export function issuedWithin(slice: Slice) {
  const parts = [
    within(slice),
    ...(slice.from === '' ? [] : [sql<boolean>`issued_at >= ${midnight(sql`${slice.from}`)}`]),
    ...(slice.to === '' ? [] : [sql<boolean>`issued_at < ${midnight(sql`${slice.to}::date + 1`)}`]),
  ]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** The first moment of a day. */
export const midnight = (day: RawBuilder<unknown>) =>
  sql`((${day})::date::timestamp at time zone 'Asia/Seoul')`

/** The Korean day of a key, of what its indexes hold. */
export const issuedOn = sql`(issued_at at time zone 'Asia/Seoul')::date`
