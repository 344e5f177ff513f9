import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { findEmailHolder } from '../account/index.ts'
import { findOpenChange } from '../approvals/index.ts'
import * as factorReset from './access/factor-reset.ts'
import * as help from './access/help.ts'
import * as sessions from './access/sessions.ts'
import { liftSuspension, suspendUser } from './access/suspend.ts'
import { extendUser, listEnding } from './access/validity.ts'
import { countBelongings, getWithdrawn, restoreUser, withdrawUser } from './access/withdrawal.ts'
import { bulkChanges } from './bulk/bulk.ts'
import { checkUpdates, updateByImport } from './import/import-update.ts'
import { checkImport, importUsers } from './import/import.ts'
import { findUser } from './queries.ts'
import * as colleagues from './record/colleagues.ts'
import { listCustomFields, seenFields, shownOf } from './record/details.ts'
import { exportOwnData } from './record/own-data.ts'
import { registerUser } from './record/register.ts'
import { basicFields, isProfileReadOnly, updateUser, versionOf } from './record/update.ts'
import { exportUsers, listUsers } from './search/list.ts'
import * as savedSearches from './search/saved-searches.ts'

/** Handlers of user administration and of the caller's own record. */
export const users: Handlers<'users'> = {
  ...bulkChanges,
  ...colleagues,
  ...factorReset,
  ...help,
  ...savedSearches,
  ...sessions,
  listCustomFields,
  listUsers,
  exportUsers,
  exportOwnData,
  checkImport,
  importUsers,
  checkUpdates,
  updateByImport,
  registerUser,
  updateUser,
  countBelongings,
  withdrawUser,
  getWithdrawn,
  restoreUser,
  listEnding,
  extendUser,
  suspendUser,
  liftSuspension,

  /**
   * Returns a user record: the caller's own for '' or the caller's ID, or another user's with the admin card. The own record also
   * contains an open affiliation request, and whether the name, position and affiliation are read-only for the caller.
   * @throws {Refusal} FORBIDDEN without a permission for other users; and as `findUser`
   */
  async getUser(call, { userId }) {
    const { db, actor, mayActOnOthers, language } = call
    const isOwn = userId === '' || userId === actor.userId
    // A caller who may administer no users learns nothing, not even which IDs exist.
    if (!isOwn && !mayActOnOthers) refuse('FORBIDDEN')
    const user = await findUser(db, actor, isOwn ? actor.userId : userId, isOwn, language)
    const fields = seenFields(call, actor)
    const version = versionOf(user, isOwn, fields)
    const details = shownOf(user, fields)
    // The admin card is never part of the caller's own record (rules/roles#own-account).
    if (!isOwn) return { ...user, ...details, isOwn, version }
    const affiliationRequest = await findOpenChange(db, actor.id, language)
    const { teamId, otherTeamIds } = user
    return {
      ...basicFields(user),
      teamId,
      otherTeamIds,
      ...details,
      isOwn,
      version,
      ...(isProfileReadOnly(call, actor) && { profileReadOnly: true }),
      ...((user.partnerCode !== '' ||
        (actor.within !== null && actor.functions.length > 0) ||
        actor.company !== null) && {
        affiliationByRequest: true,
      }),
      ...(affiliationRequest && { affiliationRequest }),
    }
  },

  /**
   * Checks that no account has or reserves an email. Records its holder in the access log.
   * @throws {Refusal} EMAIL_TAKEN if an account has or reserves it
   */
  async checkEmail(call, { email }) {
    const holder = await findEmailHolder(call.db, email)
    call.touches(holder === undefined ? [] : [holder.id])
    if (holder !== undefined) refuse('EMAIL_TAKEN')
  },
}
