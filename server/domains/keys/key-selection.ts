import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { contains } from '../../db/list.ts'
import { midnight } from '../../db/sql.ts'
import { nameContains, phoneContains } from '../../db/user-search.ts'
import { partnersOfCode } from '../partners/index.ts'
import { affiliationsOf, inAffiliations, inBranch, isWithinReach } from '../roles/index.ts'
import { type Actor, can, reaches, type Rights, USER_READERS } from '../../../contract/permissions.ts'
import { maskedPhone } from '../exports/index.ts'

/** Filter of the history and its charts; '' in a field is no filter. */
interface KeyFilter {
  affiliationCode: string
  partnerCode: string
  requesterName: string
  userId: string
  phoneNumber: string
  /** First day on which keys were issued, in Asia/Seoul; `issuedTo` is the last. */
  issuedFrom: string
  issuedTo: string
  provinceName: string
  districtName: string
}

/**
 * The keys that a filter selects, as SQL conditions on the stored counts, so that a total reads no keys
 * (design/keys#counts-of-keys).
 */
export interface KeySelection {
  /** Subquery of key_cells.id; null for all regions. */
  cells: RawBuilder<unknown> | null
  /**
   * SQL condition for the same regions on affiliation_code and province_name; null if these do not suffice, or for all
   * regions.
   */
  regions: RawBuilder<boolean> | null
  /** Subquery of users.id; null for all users. */
  users: RawBuilder<unknown> | null
  /** First and last day; '' for no limit. */
  from: string
  to: string
}

/**
 * Returns the key selection of a filter, within the viewer's branch or, for a viewer of their own keys, of these.
 * @param viewer sees phone numbers or not: one that the viewer sees masked is not found (rules/keys#phone-numbers)
 */
export async function toKeySelection(
  db: Db,
  filter: KeyFilter,
  { seesPhones, onlyOf, partnerId, actor }: KeyViewer,
): Promise<KeySelection> {
  // The own keys of a user are from any branch.
  const branch = onlyOf === null ? actor : { within: null }
  const affiliations = await affiliationsOf(db, branch, filter.affiliationCode)
  const { partnerCode, provinceName, districtName, requesterName, userId, phoneNumber } = filter
  const isOwnOrWithin =
    onlyOf === null ? inBranch(actor, sql.ref('affiliationCode')) : sql<boolean>`id = ${onlyOf}`
  const region = given([
    affiliations !== null && inAffiliations(sql.ref('affiliationCode'), affiliations),
    provinceName !== '' && sql<boolean>`province_name = ${provinceName}`,
  ])
  const narrower = given([
    partnerCode !== '' && sql<boolean>`partner_id in ${partnersOfCode(branch, partnerCode)}`,
    phoneNumber !== '' && !seesPhones && sql<boolean>`partner_id = ${partnerId}`,
    districtName !== '' && sql<boolean>`district_name = ${districtName}`,
  ])
  return {
    cells: selecting('keyCells', [...region, ...narrower]),
    regions:
      region.length > 0 && narrower.length === 0 ? sql<boolean>`${sql.join(region, sql` and `)}` : null,
    users: selecting(
      'users',
      given([
        onlyOf !== null && sql<boolean>`id = ${onlyOf}`,
        requesterName !== '' && nameContains(sql.ref('name'), requesterName),
        userId !== '' && sql<boolean>`id in ${usersOfId(userId, isOwnOrWithin)}`,
        phoneNumber !== '' && phoneContains(sql.ref('phoneNumber'), phoneNumber),
        phoneNumber !== '' && seesPhones && isWithinReach(actor, 'users'),
      ]),
    ),
    from: filter.issuedFrom,
    to: filter.issuedTo,
  }
}

/**
 * Returns the subquery for users.id of the users that an ID filter selects. The ID of a user selects this user alone,
 * any other text selects all users whose ID contains it (rules/keys#key-filters).
 * @param isSeen SQL condition on users. A complete ID of any other user does not count, so that its existence stays
 * unknown.
 */
function usersOfId(text: string, isSeen: RawBuilder<boolean>): RawBuilder<unknown> {
  const isIt = sql`login_id = ${text.toLowerCase()} and ${isSeen}`
  return sql`(select id from users where ${contains(sql.ref('loginId'), text)}
    and (${isIt} or not exists (select from users where ${isIt})))`
}

/** Returns the conditions of the filters that are set. */
const given = (conditions: (RawBuilder<boolean> | false)[]) =>
  conditions.filter((condition) => condition !== false)

/** Returns the SQL subquery for the IDs of the rows that fulfill all conditions; null if there are none. */
function selecting(table: 'keyCells' | 'users', conditions: RawBuilder<boolean>[]) {
  if (conditions.length === 0) return null
  return sql`(select id from ${sql.table(table)} where ${sql.join(conditions, sql` and `)})`
}

/**
 * Returns the SQL condition for the regions and users of a selection, but not for its days. The table must have cell_id
 * and, if users are selected, user_id.
 */
export function within({ cells, users }: KeySelection) {
  const parts = [
    ...(cells === null ? [] : [sql<boolean>`cell_id in ${cells}`]),
    ...(users === null ? [] : [sql<boolean>`user_id in ${users}`]),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/**
 * Returns the SQL condition for the keys of a selection, on `issued_keys`. Its first and last day become times, which the
 * indexes hold.
 */
export function issuedWithin(selection: KeySelection) {
  const parts = [
    within(selection),
    ...(selection.from === '' ? [] : [sql<boolean>`issued_at >= ${midnight(sql`${selection.from}`)}`]),
    ...(selection.to === '' ? [] : [sql<boolean>`issued_at < ${midnight(sql`${selection.to}::date + 1`)}`]),
  ]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** SQL expression for the day in Asia/Seoul on which a row of `issued_keys` was issued. */
export const issuedOn = sql`(issued_at at time zone 'Asia/Seoul')::date`

/**
 * Viewer of the key history, with the facts that decide which keys and phone numbers they see
 * (rules/keys#phone-numbers).
 */
interface KeyViewer {
  /** True if the viewer sees the phone numbers of users within reach, also in keys of other partners. */
  seesPhones: boolean
  /** users.id of the viewer if they see their own keys alone; null if they see all keys (rules/keys#own-keys). */
  onlyOf: string | null
  /** Partner of the viewer: partners.id. */
  partnerId: string | null
  actor: Actor
}

/** Returns the caller as a viewer of the key history. */
export function toKeyViewer(actor: Actor & { id: string; partnerId: string | null }): KeyViewer {
  return {
    seesPhones: [...USER_READERS, 'autho_export_personal' as const].some((name) => can(actor, name)),
    onlyOf: can(actor, 'autho_key_search') ? null : actor.id,
    partnerId: actor.partnerId,
    actor,
  }
}

/**
 * Returns a row of the history with its phone number masked, unless the viewer may see it or the key belongs to the
 * viewer's partner. Removes the permissions and the affiliation of its user from the row.
 */
export function maskRow<
  R extends Rights & { partnerId: string; phoneNumber: string; personAffiliation: string },
>(
  { seesPhones, partnerId, actor }: KeyViewer,
  { functions, span, personAffiliation, ...row }: R,
): Omit<R, keyof Rights | 'personAffiliation'> {
  const isInBranch = actor.within?.includes(personAffiliation) ?? true
  const isShown =
    (seesPhones && isInBranch && reaches(actor, { functions, span })) || row.partnerId === partnerId
  return isShown ? row : { ...row, phoneNumber: maskedPhone(row.phoneNumber) }
}
