import { type RawBuilder, sql } from 'kysely'
import { nameContains, phoneContains } from '../../db/user-search.ts'
import { partnersOfCode } from '../partners/index.ts'
import { withinReach } from '../roles/index.ts'
import type { KeyViewer } from './viewer.ts'

/** Filter of the history and its charts; '' = no filter. */
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

/** The keys that a filter selects, in terms of the tables of counts (key_days and others). */
export interface KeySelection {
  /** Subquery of key_cells.id; null for all regions. */
  cells: RawBuilder<unknown> | null
  /** The same regions as a condition on affiliation_code and province_name; null if these do not suffice, or for all regions. */
  regions: RawBuilder<boolean> | null
  /** Subquery of users.id; null for all users. */
  users: RawBuilder<unknown> | null
  /** First and last day; '' for no limit. */
  from: string
  to: string
}

/**
 * Converts a filter to a key selection.
 * @param viewer a phone number that the viewer sees masked is not found (rules/keys#phone-numbers)
 */
export function toKeySelection(filter: KeyFilter, { seesPhones, partnerId, actor }: KeyViewer): KeySelection {
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
        requesterName !== '' && nameContains(sql.ref('name'), requesterName),
        phoneNumber !== '' && phoneContains(sql.ref('phone_number'), phoneNumber),
        phoneNumber !== '' && seesPhones && withinReach(actor, sql.ref('role_code')),
      ]),
    ),
    from: filter.issuedFrom,
    to: filter.issuedTo,
  }
}

/** Returns whether a selection is the whole history. */
export const isWhole = ({ cells, users, from, to }: KeySelection) =>
  cells === null && users === null && from === '' && to === ''

const given = (conditions: (RawBuilder<boolean> | false)[]) =>
  conditions.filter((condition) => condition !== false)

function selecting(table: 'key_cells' | 'users', conditions: RawBuilder<boolean>[]) {
  if (conditions.length === 0) return null
  return sql`(select id from ${sql.table(table)} where ${sql.join(conditions, sql` and `)})`
}

/** Condition for the regions and users of a selection, on a table with cell_id and, if users are selected, user_id. */
export function within({ cells, users }: KeySelection) {
  const parts = [
    ...(cells === null ? [] : [sql<boolean>`cell_id in ${cells}`]),
    ...(users === null ? [] : [sql<boolean>`user_id in ${users}`]),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** Condition for a selection on the table of keys. Days are converted to times, which its indexes have. */
export function issuedWithin(selection: KeySelection) {
  const parts = [
    within(selection),
    ...(selection.from === '' ? [] : [sql<boolean>`issued_at >= ${midnight(sql`${selection.from}`)}`]),
    ...(selection.to === '' ? [] : [sql<boolean>`issued_at < ${midnight(sql`${selection.to}::date + 1`)}`]),
  ]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** Start of a day in Asia/Seoul. */
export const midnight = (day: RawBuilder<unknown>) =>
  sql`((${day})::date::timestamp at time zone 'Asia/Seoul')`

/** Day in Asia/Seoul on which a key was issued. */
export const issuedOn = sql`(issued_at at time zone 'Asia/Seoul')::date`
