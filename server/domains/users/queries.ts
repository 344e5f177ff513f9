import { type Kysely, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Actor, FunctionName } from '../../../contract/permissions.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { onPage, type Page } from '../../db/page.ts'
import { administrable, withinReach } from '../../db/reach.ts'
import { contains } from '../../db/search.ts'
import { MAY_LOG_IN, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { accountStateOf } from './account-state.ts'

/** What a user list is narrowed by; empty = no filter. */
export interface UserFilter {
  BELONGTO_CODE: string
  NAME: string
  PHONE_NUMBER: string
  APPROVA_CODE: string
}

/** The accounts of roles that the actor administers: withdrawn ones are out of every search (decisions §5). */
function visibleUsers(db: Kysely<Database>, actor: Actor, filter: UserFilter) {
  let query = db
    .selectFrom('users as u')
    .where('u.withdrawn_at', 'is', null)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
  if (filter.BELONGTO_CODE !== '') query = query.where('u.affiliation_code', '=', filter.BELONGTO_CODE)
  if (filter.APPROVA_CODE !== '') query = query.where('u.approval_code', '=', filter.APPROVA_CODE)
  if (filter.NAME !== '') query = query.where((eb) => contains(eb.ref('u.name'), filter.NAME))
  if (filter.PHONE_NUMBER !== '') {
    query = query.where((eb) => contains(eb.ref('u.phone_number'), filter.PHONE_NUMBER))
  }
  return query
}

/** A page of the user list, newest first, and how many there are in all. */
export async function findUsers(
  db: Kysely<Database>,
  actor: Actor,
  filter: UserFilter & Page,
  language: Language,
) {
  const matching = visibleUsers(db, actor, filter)
  const [{ total }, rows] = await Promise.all([
    matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    matching
      .leftJoin('codes as b', (join) =>
        join.onRef('b.code', '=', 'u.affiliation_code').on('b.group_code', '=', CODE_GROUP.affiliation),
      )
      .leftJoin('codes as a', (join) =>
        join.onRef('a.code', '=', 'u.approval_code').on('a.group_code', '=', CODE_GROUP.approval),
      )
      .select((eb) => [
        'u.login_id as USER_ID',
        'u.name as NAME',
        eb.fn.coalesce(`b.name_${language}`, 'u.affiliation_code').as('BELONGTO'),
        'u.phone_number as PHONE_NUMBER',
        wireTime(eb.ref('u.created_at')).as('REGSTER_DATETIME'),
        eb.fn.coalesce(`a.name_${language}`, 'u.approval_code').as('APPROVA'),
      ])
      .orderBy('u.created_at', 'desc')
      .orderBy('u.id', 'desc')
      .$call((query) => onPage(query, filter))
      .execute(),
  ])
  return { total, rows }
}

/**
 * The accounts that a call by ID is about: the own one, or one that the actor may administer. Both at once hold the
 * login ID against the row: an ID that changed hands since the call came leads to nobody (decisions §5).
 */
function accountOf(db: Kysely<Database>, actor: SignedIn, loginId: string, isOwn: boolean) {
  const account = db
    .selectFrom('users as u')
    .where('u.login_id', '=', loginId)
    .where('u.withdrawn_at', 'is', null)
  return isOwn
    ? account.where('u.id', '=', actor.id)
    : account.where('u.id', '<>', actor.id).where((eb) => administrable(actor, eb.ref('u.role_code')))
}

/**
 * A user record with the admin card's fields: the own one, or one that the actor may administer.
 * @throws {Refusal} FORBIDDEN for an account out of reach, USER_NOT_FOUND where there is none
 */
export async function findUser(
  db: Kysely<Database>,
  actor: SignedIn,
  loginId: string,
  isOwn: boolean,
  language: Language,
) {
  const user = await accountOf(db, actor, loginId, isOwn)
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .leftJoin('codes as a', (join) =>
      join.onRef('a.code', '=', 'u.approval_code').on('a.group_code', '=', CODE_GROUP.approval),
    )
    .select((eb) => [
      'u.login_id as USER_ID',
      'u.affiliation_code as BELONGTO_CODE',
      'u.position as RANK',
      'u.name as NAME',
      'u.phone_number as PHONE_NUMBER',
      'u.email as E_MAIL',
      eb.fn.coalesce(`a.name_${language}`, 'u.approval_code').as('APPROVA'),
      'u.approval_code as APPROVA_CODE',
      sql<string>`coalesce(u.valid_from::text, '')`.as('EXPIRY_DATETIME_START'),
      sql<string>`coalesce(u.valid_to::text, '')`.as('EXPIRY_DATETIME_END'),
      sql<string>`coalesce(p.code, '')`.as('PARTNER_CODE'),
      'u.role_code as AUTHORITYS_CODE',
    ])
    .select(accountStateOf())
    .executeTakeFirst()
  return user ?? refuseMissing(db, loginId)
}

/**
 * The row that a change is about, locked until the transaction ends. Not against references to it: two
 * administrators who edit each other name each other in the audit trail too, and PostgreSQL would end one of
 * them as a deadlock after a second.
 * @throws {Refusal} like `findUser`
 */
export async function lockUser(tx: Transaction<Database>, actor: SignedIn, loginId: string, isOwn: boolean) {
  const user = await accountOf(tx, actor, loginId, isOwn).selectAll('u').forNoKeyUpdate().executeTakeFirst()
  return user ?? refuseMissing(tx, loginId)
}

/** Why there is no row: only its name is asked for, nothing of it is read. */
async function refuseMissing(db: Kysely<Database>, loginId: string): Promise<never> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('login_id', '=', loginId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}

/**
 * What a role holds; undefined when there is none of this code. Locked as a reference to it would: it is not removed,
 * and nothing is granted to it, before the transaction ends.
 */
export async function lockRole(tx: Transaction<Database>, code: string): Promise<FunctionName[] | undefined> {
  const role = await tx
    .selectFrom('roles')
    .select('code')
    .where('code', '=', code)
    .forKeyShare()
    .executeTakeFirst()
  if (role === undefined) return undefined
  const rows = await tx
    .selectFrom('role_functions')
    .select('function_name')
    .where('role_code', '=', code)
    .execute()
  return rows.map((row) => row.function_name as FunctionName)
}

/** Whether the account may log in at this moment of the transaction. */
export async function mayLogIn(tx: Transaction<Database>, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where(sql.raw<boolean>(MAY_LOG_IN))
    .executeTakeFirst()
  return row !== undefined
}

/** The partner of an affiliation by its code; undefined when it belongs to another one or does not exist. */
export async function findPartnerId(
  db: Kysely<Database>,
  affiliation: string,
  code: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('partners')
    .select('id')
    .where('code', '=', code)
    .where('affiliation_code', '=', affiliation)
    .executeTakeFirst()
  return row?.id
}

/** The partner codes of an affiliation, by code. */
export async function findPartnersOfAffiliation(db: Kysely<Database>, affiliation: string) {
  return db
    .selectFrom('partners')
    .select('code as PARTNER_CODE')
    .where('affiliation_code', '=', affiliation)
    .orderBy('code')
    .execute()
}

/** The roles that the actor may grant, in the order that the select shows them. */
export async function findGrantableRoles(db: Kysely<Database>, actor: Actor, language: Language) {
  return db
    .selectFrom('roles')
    .select(['code as CODE', language === 'ko' ? 'group_name as CODE_NAME' : 'name_en as CODE_NAME'])
    .where((eb) => withinReach(actor, eb.ref('code')))
    .orderBy('sort_order')
    .orderBy('code')
    .execute()
}
