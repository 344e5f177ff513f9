import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { canGrant } from '../../../../contract/permissions.ts'
import {
  type getWithdrawn as getEndpoint,
  RESTORE_DAYS,
  type restoreUser as restoreEndpoint,
} from '../../../../contract/users.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import { dateText, orEmpty, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../http/sessions.ts'
import { differences } from '../../../services/audit.ts'
import { ACCOUNT_CONSTRAINTS, endAccess } from '../../account/index.ts'
import { affiliationName } from '../../common/index.ts'
import { administrable, functionsOf } from '../../roles/index.ts'

/** Returns the fields of `withdrawal` in the contract, as columns of a withdrawn users row `u` and of `w`, the user who withdrew it. */
export const withdrawalOf = () =>
  [
    wireTime(sql.ref('u.withdrawn_at')).as('withdrawnAt'),
    orEmpty('w.login_id').as('withdrawnBy'),
    orEmpty('w.name').as('withdrawnByName'),
    orEmpty('u.withdrawn_reason').as('withdrawnReason'),
  ] as const

/** Time until which the withdrawal of the row `u` can be undone. */
export const restorableUntil = sql<Date>`(u.withdrawn_at + make_interval(days => ${sql.lit(RESTORE_DAYS)}))`

/** Returns the query for a withdrawn account of this ID that the actor may administer, as the row `u`. */
function withdrawnWithinReach(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  return withdrawnOf(db, loginId).where((eb) => administrable(actor, eb.ref('u.role_code')))
}

function withdrawnOf(db: Kysely<Database>, loginId: string) {
  return db.selectFrom('users as u').where('u.login_id', '=', loginId).where('u.withdrawn_at', 'is not', null)
}

async function refuseWithdrawn(db: Kysely<Database>, loginId: string): Promise<never> {
  const row = await withdrawnOf(db, loginId).select('u.id').executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}

/** Returns a withdrawn account (rules/users#withdrawn-accounts). */
export const getWithdrawn: Handler<typeof getEndpoint> = async ({ db, actor, language }, { userId }) => {
  const account = await withdrawnWithinReach(db, actor, userId)
    .leftJoin('users as w', 'w.id', 'u.withdrawn_by')
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .innerJoin('roles as r', 'r.code', 'u.role_code')
    .select((eb) => [
      'u.login_id as userId',
      'u.name',
      affiliationName('u.affiliation_code', language).as('affiliationName'),
      'u.position',
      'u.phone_number as phoneNumber',
      'u.email',
      language === 'ko' ? 'r.group_name as roleName' : 'r.name_en as roleName',
      orEmpty('p.code').as('partnerCode'),
      dateText('u.valid_from').as('validFrom'),
      dateText('u.valid_to').as('validTo'),
      wireTime(eb.ref('u.created_at')).as('registeredAt'),
      wireTime(restorableUntil).as('restorableUntil'),
      sql<boolean>`${restorableUntil} > now()`.as('restorable'),
    ])
    .select(withdrawalOf())
    .executeTakeFirst()
  return account ?? refuseWithdrawn(db, userId)
}

/** Returns the audit detail of an account that ends: it loses its role (rules/audit#rights). */
export const rightsEnd = ({ role_code }: { role_code: string }) => ({
  role_code: { before: role_code, after: null },
})

/** Returns the audit detail of an account that is restored with its previous role. */
export const rightsReturn = ({ role_code }: { role_code: string }) => ({
  role_code: { before: null, after: role_code },
})

/** Column values of a restored account. The count of inactivity restarts. */
export const RESTORED = {
  withdrawn_at: null,
  withdrawn_by: null,
  withdrawn_reason: null,
  confirmed_at: sql<Date>`now()`,
} as const

/**
 * Restores a withdrawn account (rules/users#taking-back). The count of inactivity restarts, as after any other decision about the account.
 */
export const restoreUser: Handler<typeof restoreEndpoint> = async (call, { userId }) => {
  await call.db.transaction().execute(async (tx) => {
    const user =
      (await withdrawnWithinReach(tx, call.actor, userId)
        .select([
          'u.id',
          'u.role_code',
          'u.withdrawn_at',
          sql<boolean>`${restorableUntil} > now()`.as('restorable'),
          functionsOf(sql.ref('u.role_code')).as('functions'),
        ])
        .forNoKeyUpdate('u')
        .executeTakeFirst()) ?? (await refuseWithdrawn(tx, userId))
    // The restored account has its role again, so the caller must be allowed to grant it.
    if (!canGrant(call.actor, { roleCode: user.role_code, functions: user.functions }))
      refuse('FORBIDDEN', { raisesRights: true })
    if (!user.restorable) refuse('RESTORE_TOO_LATE')
    // The account should have no sessions; if it has, they must not become valid again.
    await endAccess(tx, user.id)
    await mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
      tx
        .updateTable('users')
        .set({ ...RESTORED, updated_at: sql`now()` })
        .where('id', '=', user.id)
        .execute(),
    )
    const detail = { ...rightsReturn(user), ...differences(user, { withdrawn_at: null }) }
    await call.audit(tx, { target: userId, detail })
  })
  return {}
}
