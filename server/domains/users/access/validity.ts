import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { APPROVAL, ENDING_DAYS } from '../../../../contract/users.ts'
import {
  ENDING,
  type extendUser as extendEndpoint,
  type listEnding as listEndpoint,
} from '../../../../contract/users/validity.ts'
import { type Page, pageOf } from '../../../db/list.ts'
import { affiliationName } from '../../common/index.ts'
import { administrable } from '../../roles/index.ts'
import { dateText, today } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../http/sessions.ts'
import { differences } from '../../../services/audit.ts'
import { accountStateOf, extended } from '../account-state.ts'
import { lockUser } from '../queries.ts'
import { endAccess } from '../../account/index.ts'

type State = (typeof ENDING)[keyof typeof ENDING]

function findEnding(db: Kysely<Database>, actor: SignedIn, state: State, page: Page, language: Language) {
  const all = db
    .selectFrom('users as u')
    .where('u.withdrawn_at', 'is', null)
    .where('u.approval_code', '=', APPROVAL.approved)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
  const matching =
    state === ENDING.suspended
      ? all.where('u.suspended_at', 'is not', null)
      : all
          .where('u.suspended_at', 'is', null)
          .where(
            sql<boolean>`u.valid_to between ${today} - ${sql.lit(ENDING_DAYS)} and ${today} + ${sql.lit(ENDING_DAYS)}`,
          )
  return pageOf(
    db,
    matching
      .select([
        'u.login_id as userId',
        'u.name',
        affiliationName('u.affiliation_code', language).as('affiliationName'),
        dateText('u.valid_to').as('validTo'),
        sql<number | null>`u.valid_to - ${today}`.as('daysLeft'),
        sql<boolean>`u.id = ${actor.id}`.as('isOwn'),
      ])
      .select(accountStateOf())
      .orderBy(state === ENDING.suspended ? 'u.suspended_at' : 'u.valid_to')
      .orderBy('u.id'),
    page,
  )
}

/** Lists the accounts that end soon, or the suspended accounts. */
export const listEnding: Handler<typeof listEndpoint> = async (
  { db, actor, language },
  { state, ...page },
) => {
  const { totalCount, rows } = await findEnding(db, actor, state, page, language)
  return { totalCount, users: rows }
}

/** Extends the validity period of an account to a given day or by a year. Sessions that have ended stay ended. */
export const extendUser: Handler<typeof extendEndpoint> = async (call, { userId, validTo, extendTo }) => {
  const end = await call.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, call.actor, userId, false)
    if (user.valid_to !== validTo) refuse('RECORD_CHANGED')
    if (!user.may_log_in) await endAccess(tx, user.id)
    const { valid_to } = await tx
      .updateTable('users as u')
      .set({ valid_to: extendTo ?? sql<string>`(${extended})::date`, updated_at: sql`now()` })
      .where('u.id', '=', user.id)
      .returning('u.valid_to')
      .executeTakeFirstOrThrow()
    await call.audit(tx, { target: userId, detail: differences(user, { valid_to }) })
    return valid_to ?? ''
  })
  return { validTo: end }
}
