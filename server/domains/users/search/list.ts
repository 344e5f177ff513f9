import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { LINK } from '../../../../contract/account.ts'
import { type CustomField, perSlot } from '../../../../contract/custom-fields.ts'
import { CODE_GROUP } from '../../../../contract/common.ts'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Actor } from '../../../../contract/permissions.ts'
import {
  ENDING_DAYS,
  LAST_LOGIN,
  type listUsers as endpoint,
  VALIDITY,
  USER_EXPORT_COLUMNS,
  type exportUsers as exportEndpoint,
} from '../../../../contract/users.ts'
import { compactCounts } from '../../../db/compact-counts.ts'
import {
  byText,
  contains,
  COUNTED_PEOPLE,
  countOf,
  inOrder,
  pageOfRows,
  rowsByIds,
  everyRowOf,
} from '../../../db/list.ts'
import { nameContains, userContains, phoneContains } from '../../../db/user-search.ts'
import { affiliationName, codeName, requireNameLength } from '../../common/index.ts'
import { partnersOfCode } from '../../partners/index.ts'
import { administrable, affiliationsOf, inAffiliations, readable } from '../../roles/index.ts'
import { isInTeam, teamPath } from '../../teams/index.ts'
import { fieldNames, fieldsOf, seenFields, shownOf } from '../record/details.ts'
import { fieldConditions } from './field-conditions.ts'
import { withdrawalOf } from '../access/withdrawal.ts'
import { midnight, nameColumn, PROGRAM, today, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { exportList } from '../../exports/index.ts'

/** Input of the user list: filter, order and page. */
type Input = ParsedInputOf<typeof endpoint>

/** Filter of a user list, without order and page; '' in a field is no filter. */
export type UserFilter = Omit<Input, 'page' | 'perPage' | 'sort' | 'order'>

/**
 * Filter with its conditions, and the affiliations that it finds, as `affiliationsOf` returns them; null for no limit.
 */
export type UserSearch = UserFilter & {
  affiliations: readonly string[] | null
  /** The conditions of the company's own fields. */
  ofFields: readonly RawBuilder<boolean>[]
}

/**
 * Adds to a filter the affiliations that it finds: that of the filter with those below it, within the actor's branch;
 * and its conditions of the company's own fields. Reads the database.
 * @throws {InputRefusal} as `fieldConditions`
 */
export async function toUserSearch<F extends UserFilter>(
  db: Kysely<Database>,
  actor: Actor,
  filter: F,
): Promise<F & UserSearch> {
  return {
    ...filter,
    affiliations: await affiliationsOf(db, actor, filter.affiliationCode),
    ofFields: await fieldConditions(db, filter.customValues),
  }
}

/** Order of a user list. */
type UserSort = Pick<Input, 'sort' | 'order'>

/**
 * Returns a page of the user list, newest first by default, and the total number of users found
 * (rules/users#user-search). Takes the total from stored counts if the filter contains codes only. Records in the
 * access log the users whose data the response or, in a search by name or number, the total reveals.
 * @throws {InputRefusal} as `requireNameLengths` and `fieldConditions`
 */
export const listUsers: Handler<typeof endpoint> = async (call, filter) => {
  const { db, actor, language } = call
  requireNameLengths(call, filter)
  const input = await toUserSearch(db, actor, filter)
  const matching = matchingUsers(db, actor, input)
  const ids = inAskedOrder(matching, input, language).select('u.id')
  const { totalCount, rows } = await pageOfRows(
    db,
    totalOf(db, actor, input),
    ids,
    input,
    (input.withdrawn ? withdrawnByIds : usersByIds)(language),
    isCounted(input) && input.roleCode === '' && input.sort === '',
  )
  call.touches(rows.map(({ id }) => id))
  if (isPersonal(input) && rows.length < totalCount && totalCount <= COUNTED_PEOPLE)
    call.touches((await matching.select('u.id').limit(COUNTED_PEOPLE).execute()).map(({ id }) => id))
  const fields = seenFields(call, actor)
  return { totalCount, users: rows.map((row) => ({ ...row, ...shownOf(row, fields) })) }
}

/**
 * Refuses search texts of one character in `keyword` and `name`, if the setting says so.
 * @throws {InputRefusal} as `requireNameLength`
 */
export function requireNameLengths(
  call: Pick<Call, 'services'>,
  { keyword, name }: Pick<UserFilter, 'keyword' | 'name'>,
): void {
  requireNameLength(call, keyword, 'keyword', 'KEYWORD')
  requireNameLength(call, name, 'name', 'NAME')
}

/**
 * Returns whether the number of results alone reveals personal data: in a search by keyword, name, phone number or a
 * field of the company.
 */
const isPersonal = (filter: UserFilter) =>
  filter.keyword + filter.name + filter.phoneNumber !== '' || hasFields(filter)

/** Returns whether the filter contains a field of the company. */
const hasFields = ({ customValues }: UserFilter) => Object.values(customValues).some(Boolean)

/**
 * Returns the query for the rows of an export, all that the search finds in the requested order, each with its
 * withdrawal.
 */
function userRows(db: Kysely<Database>, actor: Actor, input: UserSearch & UserSort, language: Language) {
  return inAskedOrder(matchingUsers(db, actor, input), input, language)
    .leftJoin('users as w', 'w.id', 'u.withdrawnBy')
    .select(userColumns(language))
    .select(withdrawalOf())
}

/** Returns the columns of a row of the user list, from the users row `u`, with names in a language. */
const userColumns =
  (language: Language) => (eb: ExpressionBuilder<Database & { u: Database['users'] }, 'u'>) =>
    [
      'u.id',
      'u.loginId as userId',
      'u.name',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      'u.phoneNumber',
      wireTime(eb.ref('u.createdAt')).as('registeredAt'),
      codeName(CODE_GROUP.approval, 'u.approvalCode', language).as('approval'),
      'u.position',
      'u.email',
      sql<string>`(select ${sql.ref(roleName(language))} from roles r where r.code = u.role_code)`.as(
        'roleName',
      ),
      sql<string>`coalesce((select p.code from partners p where p.id = u.partner_id), '')`.as('partnerCode'),
      teamPath(language).as('teamName'),
      'u.employeeNumber',
      'u.customValues',
      sql<string>`coalesce(u.valid_from::text, '')`.as('validFrom'),
      sql<string>`coalesce(u.valid_to::text, '')`.as('validTo'),
      sql<string>`coalesce(${wireTime(sql`u.last_login_at`)}, '')`.as('lastLoginAt'),
      sql<boolean>`u.suspended_at is not null`.as('suspended'),
    ] as const

/** Reads the rows of a page of the user list by their IDs. */
const usersByIds = rowsByIds((db, language) => allUsers(db).select(userColumns(language)), sql<string>`u.id`)

/** Reads the rows of a page of withdrawn users by their IDs, each with its withdrawal. */
const withdrawnByIds = rowsByIds(
  (db, language) =>
    allUsers(db)
      .leftJoin('users as w', 'w.id', 'u.withdrawnBy')
      .select(userColumns(language))
      .select(withdrawalOf()),
  sql<string>`u.id`,
)

/** Returns the column of `roles` with the name in a language. */
const roleName = (language: Language) => (language === 'ko' ? 'r.groupName' : 'r.nameEn')

/**
 * Joins for sorting. They are added only for the sort column: a lookup for every matching row would be the slowest
 * part.
 */
const JOINED: Partial<Record<UserSort['sort'], (users: Users) => Users>> = {
  affiliationName: (users) =>
    users.leftJoin('codes as c', (join) =>
      join.onRef('c.code', '=', 'u.affiliationCode').on('c.groupCode', '=', CODE_GROUP.affiliation),
    ),
  approval: (users) =>
    users.leftJoin('codes as c', (join) =>
      join.onRef('c.code', '=', 'u.approvalCode').on('c.groupCode', '=', CODE_GROUP.approval),
    ),
  roleName: (users) => users.leftJoin('roles as r', 'r.code', 'u.roleCode'),
  partnerCode: (users) => users.leftJoin('partners as p', 'p.id', 'u.partnerId'),
}

/** Sortable columns that are never null, so that an index can be read in either direction. */
const FILLED = ['userId', 'name', 'phoneNumber', 'registeredAt', 'position', 'email'] as const

/**
 * Orders a query of users by the requested column, or without one the newest first: by registration, or by withdrawal
 * for withdrawn users.
 */
function inAskedOrder(
  users: Users,
  { withdrawn, ...sort }: UserSort & { withdrawn: boolean },
  language: Language,
) {
  const registered = sql.ref('u.createdAt')
  const columns = {
    userId: sql.ref('u.loginId'),
    // Collation "C" sorts capitals first. Names are sorted ignoring case, as in a search.
    name: byText(sql`lower(u.name)`),
    affiliationName: byText(sql.ref(`c.${nameColumn[language]}`)),
    phoneNumber: byText(sql.ref('u.phoneNumber')),
    registeredAt: registered,
    approval: byText(sql.ref(`c.${nameColumn[language]}`)),
    position: byText(sql.ref('u.position')),
    email: byText(sql.ref('u.email')),
    roleName: byText(sql.ref(roleName(language))),
    partnerCode: sql.ref('p.code'),
    validFrom: sql.ref('u.validFrom'),
    validTo: sql.ref('u.validTo'),
    lastLoginAt: sql.ref('u.lastLoginAt'),
    withdrawnAt: sql.ref('u.withdrawnAt'),
  }
  const newest = { at: withdrawn ? sql.ref('u.withdrawnAt') : registered, id: sql.ref('u.id') }
  return inOrder(JOINED[sort.sort]?.(users) ?? users, sort, columns, newest, FILLED)
}

/** Query for rows of `users` as `u`. */
type Users = ReturnType<typeof allUsers>

/** Returns the query for all users, also withdrawn ones, without the accounts of programs. */
const allUsers = (db: Kysely<Database>) =>
  db.selectFrom('users as u').where('u.approvalCode', '<>', sql.lit(PROGRAM))

/**
 * Returns the query for the accounts that a filter finds among those that the actor may read, as rows of `u`. Withdrawn
 * accounts are found only if the filter asks for them, erased ones never (rules/users#user-search,
 * rules/users#withdrawn-accounts, rules/roles#reach).
 */
export function matchingUsers(db: Kysely<Database>, actor: Actor, filter: UserSearch) {
  let query = allUsers(db)
    .where('u.withdrawnAt', filter.withdrawn ? 'is not' : 'is', null)
    .$if(filter.withdrawn, (found) => found.where('u.erasedAt', 'is', null))
    .where(matchesCodes(actor, filter))
  if (filter.keyword !== '') query = query.where(userContains(filter.keyword))
  if (filter.name !== '') {
    // The index of an affiliation contains the names, and they are few enough to be read.
    const has = filter.affiliations === null ? nameContains : contains
    query = query.where((eb) => has(eb.ref('u.name'), filter.name))
  }
  if (filter.phoneNumber !== '') {
    query = query.where((eb) => phoneContains(eb.ref('u.phoneNumber'), filter.phoneNumber))
  }
  if (filter.partnerCode !== '') {
    query = query.where(sql<boolean>`u.partner_id in ${partnersOfCode(actor, filter.partnerCode)}`)
  }
  for (const condition of filter.ofFields) query = query.where(condition)
  if (filter.teamId !== '') query = query.where(isInTeam(filter.teamId))
  const validity = VALIDITY_SQL[filter.validity]
  if (validity !== null) query = query.where(validity)
  const login = lastLoginCondition(filter)
  return login === null ? query : query.where(login)
}

/**
 * Returns the query for the accounts that the actor may administer and that are active and end within ENDING_DAYS days
 * from today.
 */
export function endingUsers(db: Kysely<Database>, actor: Actor) {
  return allUsers(db)
    .where('u.withdrawnAt', 'is', null)
    .where(administrable(actor, 'u'))
    .where(VALIDITY_SQL[VALIDITY.ending])
}

/**
 * Returns the SQL condition for the codes of the filter and the roles that the actor may read. It applies to `users`
 * and to `user_counts`, both as `u`.
 */
function matchesCodes(actor: Actor, { affiliations, approvalCode, roleCode }: UserSearch) {
  return sql<boolean>`${sql.join(
    [
      readable(actor, 'u'),
      // `readable` limits the list to the branch already.
      ...(affiliations === null || affiliations === actor.within
        ? []
        : [inAffiliations(sql.ref('u.affiliationCode'), affiliations)]),
      ...(approvalCode === '' ? [] : [sql`u.approval_code = ${approvalCode}`]),
      ...(roleCode === '' ? [] : [sql`u.role_code = ${roleCode}`]),
    ],
    sql` and `,
  )}`
}

/** Returns whether the filter contains codes only, so that `user_counts` can answer it. */
function isCounted(filter: UserFilter): boolean {
  const { keyword, name, phoneNumber, partnerCode, teamId, validity, lastLogin: login, withdrawn } = filter
  return (
    !withdrawn &&
    !hasFields(filter) &&
    [keyword, name, phoneNumber, partnerCode, teamId, validity, login].every((value) => value === '')
  )
}

/**
 * Returns the query for the number of users that a search finds, from the stored counts if they suffice
 * (design/lists-and-counts#stored-counts).
 */
function totalOf(db: Kysely<Database>, actor: Actor, filter: UserSearch) {
  return isCounted(filter)
    ? db
        .selectFrom('userCounts as u')
        .select(sql<number>`coalesce(sum(n), 0)::int`.as('totalCount'))
        .where('u.approvalCode', '<>', PROGRAM)
        .where(matchesCodes(actor, filter))
    : countOf(matchingUsers(db, actor, filter))
}

/**
 * Compacts the table `user_counts`: adds up the rows that changes of users inserted, so that there is one per
 * affiliation, role and approval (design/lists-and-counts#stored-counts).
 */
export function mergeUserCounts(pool: pg.Pool): Promise<void> {
  return compactCounts(pool, 'user_counts', ['affiliation_code', 'role_code', 'approval_code'])
}

/** SQL expression for today in Korea. A subquery, because it is evaluated once and not for every row. */
const thisDay = sql`(select ${today})`

/**
 * SQL condition that the account `u` is not suspended and today is within its validity period. It does not check the
 * approval.
 */
const ACTIVE = sql<boolean>`(u.suspended_at is null and coalesce(u.valid_from <= ${thisDay}, true) and coalesce(u.valid_to >= ${thisDay}, true))`

/** SQL condition of each value of the filter `validity`; null for no filter. */
const VALIDITY_SQL = {
  '': null,
  [VALIDITY.active]: ACTIVE,
  [VALIDITY.ending]: sql<boolean>`${ACTIVE} and u.valid_to between ${today} and ${today} + ${sql.lit(ENDING_DAYS)}`,
  [VALIDITY.expired]: sql<boolean>`u.valid_to < ${today}`,
  [VALIDITY.notYet]: sql<boolean>`u.valid_from > ${today}`,
  [VALIDITY.suspended]: sql<boolean>`u.suspended_at is not null`,
  [VALIDITY.invited]: hasInvitation(sql`l.expires_at > now()`),
  [VALIDITY.invitationEnded]: hasInvitation(sql`l.expires_at <= now()`),
}

/** Returns the SQL condition that the user `u` has an invitation link `l` that fulfills `when`. */
function hasInvitation(when: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from account_links l where l.user_id = u.id and l.kind = ${sql.lit(LINK.invitation)} and ${when})`
}

/** Returns the SQL condition of the filter by last login; null without one. */
function lastLoginCondition(filter: UserFilter) {
  switch (filter.lastLogin) {
    case LAST_LOGIN.never:
      return sql<boolean>`u.last_login_at is null`
    case LAST_LOGIN.before:
      return sql<boolean>`u.last_login_at < (select now() - make_interval(days => ${filter.lastLoginDays}))`
    case LAST_LOGIN.since:
      // Without a first day: all users who ever logged in.
      return sql<boolean>`u.last_login_at >= (select coalesce(${midnight(sql`nullif(${filter.lastLoginSince}, '')`)}, '-infinity'))`
    default:
      return null
  }
}

/**
 * Exports the users that a search finds as a file (rules/users#user-export), with the company's own fields that the
 * settings define. Includes the columns of a withdrawal only in a search for withdrawn accounts. `exportList` masks
 * personal data and writes the audit row.
 * @throws {Refusal} as `exportList`: FORBIDDEN, EXPORT_BUSY, EXPORT_TOO_LARGE, DISK_FULL and those of the password
 * @throws {InputRefusal} as `requireNameLengths` and `fieldConditions`
 */
export const exportUsers: Handler<typeof exportEndpoint> = async (call, input) => {
  requireNameLengths(call, input)
  const fields = fieldsOf(call)
  const isKnown = (column: string) =>
    (!column.startsWith('custom') || fields.some(({ slot }) => slot === column)) &&
    (!column.startsWith('withdrawn') || input.withdrawn)
  const dates = fields.filter(({ kind }) => kind === 'date').map(({ slot }) => [slot, 'date'] as const)
  return exportList(call, toAuditedInput(input, fields), {
    list: 'users',
    columns: USER_EXPORT_COLUMNS.filter(isKnown),
    headers: {
      ...perSlot(''),
      ...catalogues[call.language].users.search.columns,
      ...fieldNames(fields, call.language),
    },
    kinds: {
      ...Object.fromEntries(dates),
      validFrom: 'date',
      validTo: 'date',
      registeredAt: 'moment',
      lastLoginAt: 'moment',
      withdrawnAt: 'moment',
    },
    read: async (tx) =>
      everyRowOf(userRows(tx, call.actor, await toUserSearch(tx, call.actor, input), call.language)),
    cells: (row) => ({ ...perSlot(''), ...row, ...shownOf(row, fields) }),
    peopleIn: ({ id }) => [id],
  })
}

/**
 * Returns the input as the audit log records it: the days only with the filter that uses them, and the names of fields.
 */
function toAuditedInput(
  { lastLoginDays, customValues, ...others }: ParsedInputOf<typeof exportEndpoint>,
  fields: readonly CustomField[],
) {
  const named = fields.flatMap(({ slot, name }) => (customValues[slot] ? [[name, customValues[slot]]] : []))
  return {
    ...others,
    ...(others.lastLogin === LAST_LOGIN.before && { lastLoginDays }),
    ...(named.length > 0 && { customValues: Object.fromEntries(named) as Record<string, string> }),
  }
}
