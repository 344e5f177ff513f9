import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { passwordWeakness } from '../../../contract/password-weakness.ts'
import { canGrant } from '../../../contract/permissions.ts'
import type { registerUser as endpoint } from '../../../contract/users.ts'
import { hasCode } from '../../db/codes.ts'
import { findPartnerId } from '../../db/partners.ts'
import { lockRole } from '../../db/roles.ts'
import type { Handler } from '../../http/handler.ts'
import { holdPassword, provePassword } from '../../services/own-password.ts'
import { insertUser } from './queries.ts'

/**
 * Registers a user with a password that need not be changed (spec §2, decisions §4). The manager's own password comes
 * first: whoever only has the session learns nothing, not even which e-mails are in use.
 */
export const registerUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  const managerHash = await provePassword(call, input.MANAGER_PASSWORD)

  const weakness = passwordWeakness(input.PASSWORD, {
    userId: input.USER_ID,
    phoneNumber: input.PHONE_NUMBER,
    email: input.E_MAIL,
  })
  if (weakness !== null) refuse(weakness)
  const hash = await services.passwords.hash(input.PASSWORD)

  await db.transaction().execute(async (tx) => {
    await holdPassword(tx, actor.id, managerHash)
    if (!(await hasCode(tx, CODE_GROUP.affiliation, input.BELONGTO_CODE))) refuse('CODE_NOT_FOUND')
    const functions = await lockRole(tx, input.AUTHORITYS_CODE)
    if (functions === undefined) return refuse('CODE_NOT_FOUND')
    if (!canGrant(actor, { functions })) refuse('FORBIDDEN')
    const partnerId = await findPartnerId(tx, input.BELONGTO_CODE, input.PARTNER_CODE)
    if (partnerId === undefined) return refuse('PARTNER_NOT_FOUND')
    await insertUser(tx, {
      login_id: input.USER_ID,
      password_hash: hash,
      name: input.NAME,
      position: input.RANK,
      phone_number: input.PHONE_NUMBER,
      email: input.E_MAIL,
      affiliation_code: input.BELONGTO_CODE,
      role_code: input.AUTHORITYS_CODE,
      approval_code: input.APPROVA_CODE,
      valid_from: input.EXPIRY_DATETIME_START,
      valid_to: input.EXPIRY_DATETIME_END,
      partner_id: partnerId,
    })
    const { AUTHORITYS_CODE, APPROVA_CODE, BELONGTO_CODE, PARTNER_CODE } = input
    await call.audit(tx, {
      target: input.USER_ID,
      detail: { AUTHORITYS_CODE, APPROVA_CODE, BELONGTO_CODE, PARTNER_CODE },
    })
  })
  return { USER_ID: input.USER_ID }
}
