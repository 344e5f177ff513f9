import { type Insertable, type Kysely, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Actor } from '../../../contract/permissions.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { administrable, withinReach } from '../../db/reach.ts'
import { MAY_LOG_IN } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { accountStateOf } from './account-state.ts'

/**
 * The accounts that a call by ID is about: the own one, or one that the actor may administer. Both at once hold the
 * login ID against the row: an ID that changed hands since the call came leads to nobody (rules/users#identity-change).
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
      'u.login_id as userId',
      'u.affiliation_code as affiliationCode',
      'u.position as position',
      'u.name as name',
      'u.phone_number as phoneNumber',
      'u.email as email',
      eb.fn.coalesce(`a.name_${language}`, 'u.approval_code').as('approval'),
      'u.approval_code as approvalCode',
      sql<string>`coalesce(u.valid_from::text, '')`.as('validFrom'),
      sql<string>`coalesce(u.valid_to::text, '')`.as('validTo'),
      sql<string>`coalesce(p.code, '')`.as('partnerCode'),
      'u.role_code as roleCode',
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

/** The partner codes of an affiliation, by code. */
export async function findPartnersOfAffiliation(db: Kysely<Database>, affiliation: string) {
  return db
    .selectFrom('partners')
    .select('code as partnerCode')
    .where('affiliation_code', '=', affiliation)
    .orderBy('code')
    .execute()
}

/** The roles that the actor may grant, in the order that the select shows them. */
export async function findGrantableRoles(db: Kysely<Database>, actor: Actor, language: Language) {
  return db
    .selectFrom('roles')
    .select(['code as code', language === 'ko' ? 'group_name as codeName' : 'name_en as codeName'])
    .where((eb) => withinReach(actor, eb.ref('code')))
    .orderBy('sort_order')
    .orderBy('code')
    .execute()
}

/**
 * Writes a new account, its password remembered.
 * @throws {Refusal} USER_ID_TAKEN, EMAIL_TAKEN: the constraints decide, not a look before
 */
export async function insertUser(
  tx: Transaction<Database>,
  user: Insertable<Database['users']>,
): Promise<void> {
  try {
    const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    await tx
      .insertInto('password_history')
      .values({ user_id: id, password_hash: user.password_hash })
      .execute()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint === 'users_login_id_key') refuse('USER_ID_TAKEN')
    if (constraint === 'users_email_active') refuse('EMAIL_TAKEN')
    throw error
  }
}
