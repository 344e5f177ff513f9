import type { Transaction } from 'kysely'
import { Refusal, refuse } from '../../../../contract/errors.ts'
import type { registerUser as endpoint } from '../../../../contract/users.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { nobodysPassword, weaknessOf } from '../../../services/password.ts'
import {
  findEmailHolder,
  lockVerifiedPassword,
  insertAccount,
  verifyOwnPassword,
  sendInvitations,
} from '../../account/index.ts'
import { checkGrantable } from '../../roles/index.ts'
import { holdChoices } from '../queries.ts'

/**
 * Registers a user with a password that need not be changed, or without one. Without one, the owner is invited to choose it
 * (rules/users#register). Checks the manager's own password first: the holder of a stolen session learns nothing, not even which emails are
 * in use.
 */
export const registerUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services, language } = call
  const managerHash = await verifyOwnPassword(call, input.managerPassword)

  const { password, email } = input
  if (password === undefined) {
    if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  } else {
    const weakness = await weaknessOf(password, input)
    if (weakness !== null) refuse(weakness)
  }
  const hash = await services.passwords.hash(password ?? nobodysPassword())

  const register = async (tx: Transaction<Database>) => {
    await lockVerifiedPassword(tx, actor.id, managerHash)
    const partnerId = await holdChoices(tx, input)
    await checkGrantable(tx, actor, input.roleCode)
    const id = await insertAccount(
      tx,
      {
        login_id: input.userId,
        password_hash: hash,
        name: input.name,
        position: input.position,
        phone_number: input.phoneNumber,
        email: input.email,
        affiliation_code: input.affiliationCode,
        role_code: input.roleCode,
        approval_code: input.approvalCode,
        valid_from: input.validFrom,
        valid_to: input.validTo,
        partner_id: partnerId,
        ...(password === undefined ? { language } : {}),
      },
      services.keySecret,
    )
    if (password === undefined) {
      await sendInvitations(tx, services, [{ id, userId: input.userId, email, language }], call.requester)
    }
    const { roleCode, approvalCode, affiliationCode, partnerCode } = input
    const invited = password === undefined ? { invited: true } : {}
    await call.audit(tx, {
      target: input.userId,
      detail: { roleCode, approvalCode, affiliationCode, partnerCode, ...invited },
    })
  }
  await db
    .transaction()
    .execute(register)
    .catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'EMAIL_TAKEN') {
        const holder = await findEmailHolder(db, email)
        call.touches(holder === undefined ? [] : [holder.id])
      }
      throw error
    })
  if (password === undefined) services.mail.wake()
  return { userId: input.userId }
}
