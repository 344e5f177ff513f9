import type { signUp as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Handler } from '../../http/handler.ts'
import { weaknessOf } from '../../services/password.ts'
import { requirePlaceable } from '../common/index.ts'
import { checkCode, useUp } from './certification.ts'
import { insertAccount, openRequest } from './queries.ts'

/** Requests an account (rules/account#sign-up): it waits for approval, as an ordinary user without a partner. */
export const signUp: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language } = call
  // Input that the user can correct is checked before the code, which has only five attempts.
  await requirePlaceable(db, request.affiliationCode)
  const weakness = await weaknessOf(request.password, {
    userId: request.userId,
    phoneNumber: request.phoneNumber,
    email: request.email,
  })
  if (weakness !== null) refuse(weakness)

  const certification = await checkCode(
    db,
    { type: request.certificationType, email: request.email, loginId: request.userId },
    request.certificationCode,
    call.requester,
  )
  const hash = await services.passwords.hash(request.password)
  await db.transaction().execute(async (tx) => {
    await useUp(tx, certification)
    const applicant = {
      login_id: request.userId,
      password_hash: hash,
      password_own_from: new Date(),
      name: request.name,
      position: request.position,
      phone_number: request.phoneNumber,
      email: request.email,
      affiliation_code: request.affiliationCode,
      role_code: ROLE.user,
      approval_code: APPROVAL.notApproved,
      valid_from: null,
      valid_to: null,
      partner_id: null,
      language,
    }
    // The error must not reveal that the email belongs to a user meanwhile.
    const id = await insertAccount(tx, applicant, services.keySecret, 'CERTIFICATION_FAILED')
    await openRequest(tx, { id, ...applicant })
    await call.audit(tx, { target: request.userId, actorId: id })
  })
  return {}
}
