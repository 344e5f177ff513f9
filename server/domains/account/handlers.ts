import { Refusal, refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Handlers } from '../../http/handler.ts'
import { networkOf } from '../../http/address.ts'
import { endSessionsOf, startSession } from '../../http/sessions.ts'
import { queueMail } from '../../services/mail.ts'
import { weaknessOf } from '../../services/password.ts'
import { certifyEmail } from './certify-email.ts'
import { beginSession, loginRefusal } from './begin-session.ts'
import { endOtherSessions, listSessions } from './devices.ts'
import { findId } from './find-id.ts'
import { acceptInvitation, readLink } from './invitation.ts'
import { koreanMinute } from './korean-minute.ts'
import { tellDisabled } from './login-locks.ts'
import { clearAttempts, refundAttempt, verifyPasswordAttempt } from './login-attempts.ts'
import { certifyNewEmail, changeEmail, confirmEmail } from './new-email.ts'
import { readCheck, readLogin } from './passkey-login.ts'
import { beginPasskey, confirmPasskey, removePasskey, renamePasskey } from './passkeys.ts'
import { comparePassword, verifyOwnPassword } from './verify-own-password.ts'
import { resetPassword } from './reset-password.ts'
import { beginTotp, confirmTotp, getFactors, removeTotp, renewRecoveryCodes } from './second-factor.ts'
import { checkFactor, finishLogin } from './finish-login.ts'
import { signUp } from './sign-up.ts'
import { findAccount, findForNewPassword, isLoginIdTaken, savePassword } from './queries.ts'
import { endAccess, lastingPartsOf, savePasswordCheck } from './sessions.ts'
import { makeTicket } from './tickets.ts'

/**
 * Wrong passwords per address, for all IDs together, before its logins are slowed. An address may be a whole office
 * (rules/account#address-limit).
 */
const FAILURES_PER_ADDRESS = { points: 100, seconds: 15 * 60 }

/** Handlers for the caller's own account. */
export const account: Handlers<'account'> = {
  async login(call, { loginId, password }) {
    const { db, services, address } = call
    call.triesAs(loginId)
    const network = networkOf(address)
    const slowed = await services.limits.refusal('login-failures', FAILURES_PER_ADDRESS, address)
    const found = await findAccount(db, loginId, network)
    if (slowed !== null && found?.known_here !== true) {
      // Takes as long as a login from a known network, so that the time does not reveal which IDs are known there.
      await services.passwords.verifyNothing(password)
      throw slowed
    }
    // An unknown or locked ID takes as long as a wrong password.
    const simulateAttempt = () => services.passwords.verifyNothing(password)
    const isFitting = () =>
      found === undefined ? simulateAttempt() : services.passwords.verify(found.password_hash, password)
    const knownFrom = found?.known_here ? network : undefined
    const refusal = found === undefined ? null : loginRefusal(call, found)
    let token = ''
    const tried = verifyPasswordAttempt(db, loginId, isFitting, {
      knownFrom,
      simulateAttempt,
      async onRight() {
        if (found === undefined || refusal !== null) return clearAttempts(db, loginId, knownFrom)
        token = await db.transaction().execute(async (tx) => {
          if (!found.has_second_factor) return beginSession(tx, call, found)
          // Only refunds: a password without the second factor must not clear earlier attempts.
          await refundAttempt(tx, loginId, knownFrom)
          return makeTicket(tx, call, found)
        })
      },
      async onWrong({ isLocked, isLastOfAll }) {
        if (isLastOfAll) await tellDisabled(call, loginId)
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
    if (found.has_second_factor) refuse('SECOND_FACTOR_REQUIRED', { ticket: token })
    return {
      sessionUid: token,
      userId: found.login_id,
      mustChangePassword: found.password_temporary,
      mustSetUpFactor: found.must_set_up_factor,
    }
  },

  async logout(call) {
    const { db, actor } = call
    await db.transaction().execute(async (tx) => {
      await endSessionsOf(tx, actor.id)
      await call.audit(tx, { target: actor.userId })
    })
    call.cookies.clear(actor.tokenHash)
    return {}
  },

  async checkId({ db, actor, services }, { userId }) {
    if (await isLoginIdTaken(db, userId, actor, services.keySecret)) refuse('USER_ID_TAKEN')
    return {}
  },

  async checkPassword(call, { password }) {
    const { db, actor } = call
    await comparePassword(call, password)
    await db.transaction().execute(async (tx) => {
      await savePasswordCheck(tx, actor.tokenHash)
      await call.audit(tx, { target: actor.userId })
    })
    return {}
  },

  async setPassword(call, { currentPassword, newPassword }) {
    const { db, actor, services, address, userAgent } = call
    const provenHash = await verifyOwnPassword(call, currentPassword)
    const own = await findForNewPassword(db, actor.id)
    const { email, language } = own
    const weakness = await weaknessOf(newPassword, {
      userId: actor.userId,
      phoneNumber: own.phone_number,
      email,
    })
    if (weakness !== null) refuse(weakness)
    for (const hash of new Set([provenHash, ...own.last_passwords])) {
      if (await services.passwords.verify(hash, newPassword)) refuse('PASSWORD_REUSED')
    }

    const hash = await services.passwords.hash(newPassword)
    const token = await db.transaction().execute(async (tx) => {
      await savePassword(tx, actor.id, { provenHash, hash, network: networkOf(address) })
      const facts = await lastingPartsOf(tx, actor.tokenHash)
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
      await call.audit(tx, { target: actor.userId })
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
  readLogin,
  finishLogin,
  readCheck,
  checkFactor,
  getFactors,
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  beginPasskey,
  confirmPasskey,
  renamePasskey,
  removePasskey,
}
