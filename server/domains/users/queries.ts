import { type Kysely, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { dateText, mayLogIn, orEmpty } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { isHeld } from '../account/index.ts'
import { affiliationState, checkPlaceable } from '../common/index.ts'
import { heldPartner } from '../partners/index.ts'
import { accountOf, administrableAccountOf, functionsOf, heldRole, refuseAccount } from '../roles/index.ts'
import { accountStateOf, helpStateOf } from './account-state.ts'

/**
 * Returns the query for the account that a call is about: the caller's own, or one that the actor may administer. Both compare the login ID
 * with the row: an ID that was given to another account since the call arrived matches no row (rules/users#identity-change).
 */
function openTo(db: Kysely<Database>, actor: SignedIn, loginId: string, isOwn: boolean) {
  return isOwn
    ? accountOf(db, loginId).where('u.id', '=', actor.id)
    : administrableAccountOf(db, actor, loginId)
}

/**
 * Returns a user record with the fields of the admin card: the caller's own, or one that the actor may administer.
 * @throws {Refusal} FORBIDDEN for an account out of reach, USER_NOT_FOUND if there is none
 */
export async function findUser(
  db: Kysely<Database>,
  actor: SignedIn,
  loginId: string,
  isOwn: boolean,
  language: Language,
) {
  const user = await openTo(db, actor, loginId, isOwn)
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .leftJoin('codes as a', (join) =>
      join.onRef('a.code', '=', 'u.approval_code').on('a.group_code', '=', CODE_GROUP.approval),
    )
    .select((eb) => [
      'u.login_id as userId',
      'u.affiliation_code as affiliationCode',
      'u.position',
      'u.name',
      'u.phone_number as phoneNumber',
      'u.email',
      eb.fn.coalesce(`a.name_${language}`, 'u.approval_code').as('approval'),
      'u.approval_code as approvalCode',
      dateText('u.valid_from').as('validFrom'),
      dateText('u.valid_to').as('validTo'),
      orEmpty('p.code').as('partnerCode'),
      'u.role_code as roleCode',
    ])
    .select(accountStateOf())
    .select(helpStateOf())
    .executeTakeFirst()
  return user ?? refuseAccount(db, loginId)
}

/**
 * Locks the row that a change is about until the transaction ends, and returns it with its partner's code and whether it may log in. The
 * lock allows references to the row: two administrators who edit each other also refer to each other in the audit log, and PostgreSQL would
 * end one of the transactions as a deadlock after a second.
 * @throws {Refusal} as `findUser`
 */
export async function lockUser(tx: Transaction<Database>, actor: SignedIn, loginId: string, isOwn: boolean) {
  const user = await openTo(tx, actor, loginId, isOwn)
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .selectAll('u')
    .select([
      'p.code as partner_code',
      mayLogIn('u').as('may_log_in'),
      isHeld('u').as('is_held'),
      functionsOf(sql.ref('u.role_code')).as('role_functions'),
    ])
    .forNoKeyUpdate('u')
    .executeTakeFirst()
  return user ?? refuseAccount(tx, loginId)
}

/**
 * Locks the records that the admin card selects for an account until the transaction ends, in one query. The caller checks in a later
 * statement whether the actor may grant the role, so that permissions granted to it during the wait count.
 * @param present the affiliation that the account has and may keep
 * @param presentPartner partners.id of its partner, which it may keep too, even if deactivated
 * @returns partners.id
 * @throws {Refusal} CODE_NOT_FOUND (affiliation or role), AFFILIATION_CLOSED, PARTNER_NOT_FOUND, PARTNER_STOPPED
 */
export async function holdChoices(
  tx: Transaction<Database>,
  choice: { affiliationCode: string; roleCode: string; partnerCode: string },
  present?: string,
  presentPartner?: string | null,
): Promise<string> {
  const { affiliationCode, roleCode, partnerCode } = choice
  const { rows } = await sql<{
    affiliation: 'open' | 'closed' | null
    has_role: boolean
    partner_id: string | null
    is_stopped: boolean | null
  }>`
    with role as (${heldRole(roleCode)}), partner as (${heldPartner(affiliationCode, partnerCode)})
    select ${affiliationState(affiliationCode)} as affiliation,
      exists (select from role) as has_role, (select id from partner) as partner_id,
      (select is_stopped from partner) as is_stopped`.execute(tx)
  const [found] = rows
  if (!found?.has_role) return refuse('CODE_NOT_FOUND')
  checkPlaceable(found.affiliation, affiliationCode, present)
  const partnerId = found.partner_id ?? refuse('PARTNER_NOT_FOUND')
  if (found.is_stopped === true && partnerId !== presentPartner) refuse('PARTNER_STOPPED')
  return partnerId
}
