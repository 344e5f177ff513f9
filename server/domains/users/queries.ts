import { type Kysely, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { MAY_LOG_IN } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** A user record with the admin card's fields; undefined when there is no such active account. */
export async function findUser(db: Kysely<Database>, loginId: string, language: Language) {
  return db
    .selectFrom('users as u')
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
    .where('u.login_id', '=', loginId)
    .where('u.withdrawn_at', 'is', null)
    .executeTakeFirst()
}

/**
 * The row that an edit is about, locked until the transaction ends. Not against references to it: two
 * administrators who edit each other name each other in the audit trail too, and PostgreSQL would end one of
 * them as a deadlock after a second.
 */
export async function lockUser(tx: Transaction<Database>, loginId: string) {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('login_id', '=', loginId)
    .where('withdrawn_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Holds what was decided by login ID against the row: an ID that changed hands since the call came must not
 * turn the own record into another's, or another's into the own (decisions §5).
 * @param user the row, locked
 * @param isOwn what the ID said before the lock
 * @throws {Refusal} FORBIDDEN when the row says otherwise
 */
export function checkSameRow(actor: { id: string }, user: { id: string }, isOwn: boolean): void {
  if ((user.id === actor.id) !== isOwn) refuse('FORBIDDEN')
}

/**
 * Whether a 관리자 could log in today, after what the transaction has changed. Locks the role first, so that two
 * administrators who demote each other at once cannot both succeed.
 */
export async function hasAdmin(tx: Transaction<Database>): Promise<boolean> {
  await tx.selectFrom('roles').select('code').where('code', '=', ROLE.admin).forNoKeyUpdate().execute()
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('role_code', '=', ROLE.admin)
    .where(sql.raw<boolean>(MAY_LOG_IN))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether there is a role of this code. */
export async function hasRole(db: Kysely<Database>, code: string): Promise<boolean> {
  const row = await db.selectFrom('roles').select('code').where('code', '=', code).executeTakeFirst()
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

/** Every role in the order that the select shows them. */
export async function findRoles(db: Kysely<Database>, language: Language) {
  return db
    .selectFrom('roles')
    .select(['code as CODE', language === 'ko' ? 'group_name as CODE_NAME' : 'name_en as CODE_NAME'])
    .orderBy('sort_order')
    .execute()
}
