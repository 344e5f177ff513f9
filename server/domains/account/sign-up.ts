import type { signUp as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Handler } from '../../http/handler.ts'
import { weaknessOf } from '../../services/password.ts'
import { requirePlaceable } from '../common/index.ts'
import { checkCode, useUp } from './email-verification.ts'
import { insertAccount, openRequest } from './queries.ts'
import { linkByTicket } from './sso-request.ts'

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
      loginId: request.userId,
      passwordHash: hash,
      passwordOwnFrom: new Date(),
      name: request.name,
      position: request.position,
      phoneNumber: request.phoneNumber,
      email: request.email,
      affiliationCode: request.affiliationCode,
      roleCode: ROLE.user,
      approvalCode: APPROVAL.notApproved,
      validFrom: null,
      validTo: null,
      partnerId: null,
      language,
    }
    // The error must not reveal that the email belongs to a user meanwhile.
    const id = await insertAccount(tx, applicant, services.keySecret, 'CERTIFICATION_FAILED')
    await openRequest(tx, { id, ...applicant })
    const { ssoTicket } = request
    const provider =
      ssoTicket &&
      (await linkByTicket(tx, services.config, { id, email: request.email, isRequested: true }, ssoTicket))
    await call.audit(tx, {
      target: request.userId,
      actorId: id,
      records: [`user/${id}`],
      ...(provider && { detail: { providerName: provider.name } }),
    })
  })
}
