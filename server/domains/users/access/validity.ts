import { sql } from 'kysely'
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
import type { Db } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { differences } from '../../../records/audit.ts'
import { accountStateOf, extendedEnd, changeUser } from '../queries.ts'
import { endAccess } from '../../account/index.ts'

/** Kind of accounts that the list of validity shows: those that end soon or ended recently, or suspended ones. */
type State = (typeof ENDING)[keyof typeof ENDING]

/** Returns a page of the list that `listEnding` describes, and the total number of its accounts. */
function findEnding(db: Db, actor: SignedIn, state: State, page: Page, language: Language) {
  const all = db
    .selectFrom('users as u')
    .where('u.withdrawnAt', 'is', null)
    .where('u.approvalCode', '=', APPROVAL.approved)
    .where(administrable(actor, 'u'))
  const matching =
    state === ENDING.suspended
      ? all.where('u.suspendedAt', 'is not', null)
      : all
          .where('u.suspendedAt', 'is', null)
          .where(
            sql<boolean>`u.valid_to between ${today} - ${sql.lit(ENDING_DAYS)} and ${today} + ${sql.lit(ENDING_DAYS)}`,
          )
  return pageOf(
    db,
    matching
      .select([
        'u.loginId as userId',
        'u.name',
        affiliationName('u.affiliationCode', language).as('affiliationName'),
        dateText('u.validTo').as('validTo'),
        sql<number | null>`u.valid_to - ${today}`.as('daysLeft'),
        sql<boolean>`u.id = ${actor.id}`.as('isOwn'),
      ])
      .select(accountStateOf())
      .orderBy(state === ENDING.suspended ? 'u.suspendedAt' : 'u.validTo')
      .orderBy('u.id'),
    page,
  )
}

/**
 * Lists approved accounts that the actor may administer: those that end within ENDING_DAYS before or after today, first
 * end first, or those that are suspended, longest suspended first.
 */
export const listEnding: Handler<typeof listEndpoint> = async (
  { db, actor, language },
  { state, ...page },
) => {
  const { totalCount, rows } = await findEnding(db, actor, state, page, language)
  return { totalCount, users: rows }
}

/**
 * Extends the validity period of an account to a given day (`extendTo`) or by a year (`extendedEnd`), and writes the
 * audit row. Sessions of an account that could not log in stay ended.
 * @returns the new end
 * @throws {Refusal} RECORD_CHANGED if the account does not end on `validTo` any more; FORBIDDEN and USER_NOT_FOUND as
 * `lockUser`
 */
export const extendUser: Handler<typeof extendEndpoint> = async (call, { userId, validTo, extendTo }) => {
  let end = ''
  await changeUser(call, userId, async (tx, user) => {
    if (user.validTo !== validTo) refuse('RECORD_CHANGED')
    if (!user.mayLogIn) await endAccess(tx, user.id)
    const changed = await tx
      .updateTable('users as u')
      .set({ validTo: extendTo ?? sql<string>`(${extendedEnd()})::date`, updatedAt: sql`now()` })
      .where('u.id', '=', user.id)
      .returning('u.validTo')
      .executeTakeFirstOrThrow()
    end = changed.validTo ?? ''
    return differences(user, changed)
  })
  return { validTo: end }
}
