import { refuse } from '../../../contract/errors.ts'
import type { registerUser as endpoint } from '../../../contract/users.ts'
import type { Handler } from '../../http/handler.ts'
import { weaknessOf } from '../../services/password.ts'
import { holdPassword, insertAccount, provePassword } from '../account/index.ts'
import { checkGrantable } from '../roles/index.ts'
import { holdChoices } from './queries.ts'

/**
 * Registers a user with a password that need not be changed (rules/users#register). The manager's own password comes
 * first: somebody who only has the session learns nothing, not even which e-mails are in use.
 */
export const registerUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  const managerHash = await provePassword(call, input.managerPassword)

  const weakness = await weaknessOf(input.password, {
    userId: input.userId,
    phoneNumber: input.phoneNumber,
    email: input.email,
  })
  if (weakness !== null) refuse(weakness)
  const hash = await services.passwords.hash(input.password)

  await db.transaction().execute(async (tx) => {
    await holdPassword(tx, actor.id, managerHash)
    const partnerId = await holdChoices(tx, input)
    await checkGrantable(tx, actor, input.roleCode)
    await insertAccount(tx, {
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
    })
    const { roleCode, approvalCode, affiliationCode, partnerCode } = input
    await call.audit(tx, {
      target: input.userId,
      detail: { roleCode, approvalCode, affiliationCode, partnerCode },
    })
  })
  return { userId: input.userId }
}
