import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { findEmailHolder } from '../account/index.ts'
import { findOpenChange } from '../approvals/index.ts'
import { bulkChanges } from './bulk/bulk.ts'
import { changeSharing, getColleague, getSharing, listColleagues } from './record/colleagues.ts'
import { exportUsers } from './search/export.ts'
import { inviteUser, removeUser, requestEmail, resetUser, unlockUser } from './access/help.ts'
import {
  askFactorReset,
  confirmFactorReset,
  getFactorReset,
  refuseFactorReset,
  withdrawFactorReset,
} from './access/factor-reset.ts'
import { checkImport, importUsers } from './import/import.ts'
import { checkUpdates, updateByImport } from './import/import-update.ts'
import { listUsers } from './search/list.ts'
import { findUser } from './queries.ts'
import { exportOwnData } from './record/own-data.ts'
import { registerUser } from './record/register.ts'
import { listSavedSearches, removeSearch, renameSearch, saveSearch } from './search/saved-searches.ts'
import { endUserSession, endUserSessions, listUserSessions } from './access/sessions.ts'
import { liftSuspension, suspendUser } from './access/suspend.ts'
import { updateUser } from './record/update.ts'
import { extendUser, listEnding } from './access/validity.ts'
import { basicFields, versionOf } from './record/version.ts'
import { getWithdrawn, restoreUser } from './access/withdrawal.ts'
import { withdrawUser } from './access/withdraw.ts'

/** Handlers of user administration and of the caller's own record. */
export const users: Handlers<'users'> = {
  listUsers,
  exportUsers,
  exportOwnData,
  listColleagues,
  getColleague,
  getSharing,
  changeSharing,
  listSavedSearches,
  saveSearch,
  renameSearch,
  removeSearch,
  checkImport,
  importUsers,
  checkUpdates,
  updateByImport,

  async getUser({ db, actor, mayActOnOthers, language }, { userId }) {
    const isOwn = userId === '' || userId === actor.userId
    // A caller who may administer no users learns nothing, not even which IDs exist.
    if (!isOwn && !mayActOnOthers) refuse('FORBIDDEN')
    const user = await findUser(db, actor, isOwn ? actor.userId : userId, isOwn, language)
    const version = versionOf(user, isOwn)
    // The admin card is never part of the caller's own record (rules/roles#own-account).
    if (!isOwn) return { ...user, isOwn, version }
    const affiliationRequest = await findOpenChange(db, actor.id, language)
    return {
      ...basicFields(user),
      isOwn,
      version,
      ...(user.partnerCode !== '' && { affiliationByRequest: true }),
      ...(affiliationRequest && { affiliationRequest }),
    }
  },

  async checkEmail(call, { email }) {
    const holder = await findEmailHolder(call.db, email)
    call.touches(holder === undefined ? [] : [holder.id])
    if (holder !== undefined) refuse('EMAIL_TAKEN')
    return {}
  },

  updateUser,
  ...bulkChanges,
  withdrawUser,
  getWithdrawn,
  restoreUser,
  listEnding,
  extendUser,
  suspendUser,
  liftSuspension,
  unlockUser,
  resetUser,
  listUserSessions,
  getFactorReset,
  askFactorReset,
  withdrawFactorReset,
  confirmFactorReset,
  refuseFactorReset,
  endUserSession,
  endUserSessions,
  inviteUser,
  requestEmail,
  removeUser,
  registerUser,
}
