import { TRUSTED_DEVICE } from '../../../contract/account.ts'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Handlers } from '../../http/handler.ts'
import { networkOf } from '../../callers/client-address.ts'
import { endSession, startSession } from '../../callers/sessions.ts'
import { queueMail } from '../../services/mail.ts'
import { weaknessOf } from '../../services/password.ts'
import { certifyEmail } from './request-verification.ts'
import { beginSession, isEmergency, makeTicket, passwordLoginRefusal } from './begin-session.ts'
import {
  endOtherSessions,
  listSessions,
  endAccess,
  endOtherAccess,
  findLastingFields,
  savePasswordCheck,
} from './sessions.ts'
import { findId, resetPassword } from './reset-password.ts'
import { acceptInvitation, readLink } from './invitation.ts'
import { koreanMinute } from './factor-mails.ts'
import { mailPasswordDisabled } from './login-locks.ts'
import { clearAttempts, refundAttempt, verifyPasswordAttempt } from './login-attempts.ts'
import { certifyNewEmail, changeEmail, confirmEmail } from './new-email.ts'
import { readCheck, readLogin } from './passkey-login.ts'
import { beginPasskey, confirmPasskey, removePasskey, renamePasskey } from './passkeys.ts'
import { comparePassword, findTemporaryPassword, verifyOwnPassword } from './verify-own-password.ts'
import * as secondFactor from './second-factor.ts'
import * as finishing from './finish-login.ts'
import { acceptPrivacyNotice, readPrivacyNotice } from './privacy.ts'
import { signUp } from './sign-up.ts'
import { linkAtLogin } from './sso-request.ts'
import { removeDevice, loginFromTrustedDevice } from './trusted-devices.ts'
import { findAccount, findForNewPassword, isLoginIdTaken, savePassword } from './queries.ts'

/**
 * Limit of wrong passwords per address, for all IDs together. Beyond it, only right passwords from known networks log in. An
 * address may be a whole office (rules/account#address-limit).
 */
const FAILURES_PER_ADDRESS = { points: 100, seconds: 15 * 60 }

/**
 * Handlers of the calls about the caller's own account: login, logout, sign-up, forgotten ID and password, password,
 * email, email links, sessions, trusted devices, second factors, reauthentication, and acceptance of the privacy
 * notice.
 */
export const account: Handlers<'account'> = {
  /**
   * Logs in by password: returns the session, or refuses with a ticket for the second factor. A login from a trusted device
   * needs no factor. The refusals of the account's state come only after the right password.
   * @throws {Refusal} LOGIN_FAILED for a wrong password or an unknown ID; LOGIN_LOCKED, PASSWORD_DISABLED; TOO_MANY_TRIES
   * beyond FAILURES_PER_ADDRESS; SECOND_FACTOR_REQUIRED with the ticket; as `passwordLoginRefusal`, `beginSession` and
   * `linkAtLogin`
   */
  async login(call, { loginId, password, ssoTicket }) {
    const { db, services, address } = call
    call.triesAs(loginId)
    const network = networkOf(address)
    const slowed = await services.limits.refusal('login-failures', FAILURES_PER_ADDRESS, address)
    const found = await findAccount(db, loginId, network)
    if (slowed !== null && found?.knownHere !== true) {
      // Takes as long as a login from a known network, so that the time does not reveal which IDs are known there.
      await services.passwords.verifyNothing(password)
      throw slowed
    }
    // An unknown or locked ID takes as long as a wrong password.
    const simulateAttempt = () => services.passwords.verifyNothing(password)
    const isFitting = () =>
      found === undefined ? simulateAttempt() : services.passwords.verify(found.passwordHash, password)
    const knownFrom = found?.knownHere ? network : undefined
    const refusal = found === undefined ? null : passwordLoginRefusal(call, found, ssoTicket)
    let token = ''
    let isTicket = false
    const tried = verifyPasswordAttempt(db, loginId, isFitting, {
      knownFrom,
      simulateAttempt,
      async onRight() {
        if (found === undefined || refusal !== null)
          return (found?.hasSecondFactor ? refundAttempt : clearAttempts)(db, loginId, knownFrom)
        token = await db.transaction().execute(async (tx) => {
          if (!found.hasSecondFactor) {
            const link = await linkAtLogin(tx, call, found.id, ssoTicket)
            return beginSession(tx, call, found, undefined, link)
          }
          // A new link and an emergency account need the factor itself.
          const mayBeTrusted = ssoTicket === undefined && !isEmergency(call, found)
          if (mayBeTrusted && (await loginFromTrustedDevice(tx, call, found.id)))
            return beginSession(tx, call, found, { factor: TRUSTED_DEVICE })
          isTicket = true
          // Only refunds: a password without the second factor must not clear earlier attempts.
          await refundAttempt(tx, loginId, knownFrom)
          return makeTicket(tx, call, found)
        })
      },
      async onWrong({ isLocked, isLastOfAll }) {
        if (isLastOfAll) await mailPasswordDisabled(call, loginId)
        if (slowed === null && !isLocked)
          await services.limits.use('login-failures', FAILURES_PER_ADDRESS, address)
      },
    })
    // A slowed address gets no other error, and the right password still logs in.
    const isRight = await tried.catch((error: unknown) => {
      throw slowed ?? error
    })
    if (!isRight || found === undefined) throw slowed ?? new Refusal('LOGIN_FAILED')
    // Only after the right password, because the state of an account is private.
    if (refusal !== null) refuse(refusal)
    if (isTicket) refuse('SECOND_FACTOR_REQUIRED', { ticket: token })
    return {
      sessionUid: token,
      userId: found.loginId,
      mustChangePassword: found.passwordTemporary,
      mustSetUpFactor: found.mustSetUpFactor,
      mustAcceptPrivacy: found.mustAcceptPrivacy,
    }
  },

  /**
   * Ends the caller's session and clears its cookie, with an audit row. With `allDevices` it also ends all other access of the
   * caller (`endOtherAccess`).
   */
  async logout(call, { allDevices }) {
    const { db, actor } = call
    await db.transaction().execute(async (tx) => {
      if (allDevices) await endOtherAccess(tx, actor.id, actor.tokenHash)
      await endSession(tx, actor.tokenHash)
      await call.audit(tx, { target: actor.userId, records: null })
    })
    call.cookies.clear(actor.tokenHash)
    return {}
  },

  /** Refuses a login ID that is in use (`isLoginIdTaken`) with USER_ID_TAKEN. */
  async checkId({ db, actor, services }, { userId }) {
    if (await isLoginIdTaken(db, userId, actor, services.keySecret)) refuse('USER_ID_TAKEN')
    return {}
  },

  /**
   * Reauthenticates the session by password (`savePasswordCheck`), with an audit row.
   * @throws {Refusal} as `comparePassword`
   */
  async checkPassword(call, { password }) {
    const { db, actor } = call
    await comparePassword(call, password)
    await db.transaction().execute(async (tx) => {
      await savePasswordCheck(tx, actor.tokenHash)
      await call.audit(tx, { target: actor.userId, records: null })
    })
    return {}
  },

  /**
   * Changes the caller's password, ends all access (`endAccess`), mails the caller, writes an audit row, and begins a new
   * session. The current password may be missing if the caller has just logged in with a temporary one.
   * @throws {Refusal} PASSWORD_COMMON, PASSWORD_PERSONAL; PASSWORD_REUSED for the current or one of the latest passwords;
   * PASSWORD_WRONG if it was changed meanwhile; as `verifyOwnPassword` with a current password, and as `findTemporaryPassword`
   * without one
   */
  async setPassword(call, { currentPassword, newPassword }) {
    const { db, actor, services, address, userAgent } = call
    const provenHash =
      currentPassword === undefined
        ? await findTemporaryPassword(call)
        : await verifyOwnPassword(call, currentPassword)
    const own = await findForNewPassword(db, actor.id)
    const { email, language } = own
    const weakness = await weaknessOf(newPassword, {
      userId: actor.userId,
      phoneNumber: own.phoneNumber,
      email,
    })
    if (weakness !== null) refuse(weakness)
    for (const hash of new Set([provenHash, ...own.lastPasswords])) {
      if (await services.passwords.verify(hash, newPassword)) refuse('PASSWORD_REUSED')
    }

    const hash = await services.passwords.hash(newPassword)
    const token = await db.transaction().execute(async (tx) => {
      await savePassword(tx, actor.id, { provenHash, hash, network: networkOf(address) })
      const facts = await findLastingFields(tx, actor.tokenHash)
      await endAccess(tx, actor.id)
      const text = mailTexts[language].passwordChanged(
        services.settings.now().company,
        actor.userId,
        koreanMinute(),
      )
      await queueMail(tx, {
        to: email,
        language,
        text,
        link: services.settings.link('/login'),
        requester: call.requester,
      })
      await call.audit(tx, { target: actor.userId, records: [`user/${actor.id}`] })
      const bind = (tokenHash: Buffer) => call.cookies.bind(tokenHash, actor.tokenHash)
      return startSession(tx, { userId: actor.id, address, userAgent, facts, bind })
    })
    services.mail.wake()
    return { sessionUid: token }
  },

  certifyEmail,
  signUp,
  findId,
  resetPassword,
  certifyNewEmail,
  changeEmail,
  confirmEmail,
  readLink,
  acceptInvitation,
  listSessions,
  endOtherSessions,
  removeDevice,
  readLogin,
  readCheck,
  ...finishing,
  ...secondFactor,
  beginPasskey,
  confirmPasskey,
  renamePasskey,
  removePasskey,
  readPrivacyNotice,
  acceptPrivacyNotice,
}
