import type { signUp as endpoint } from '../../../contract/account.ts'
import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import { today } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { weaknessOf } from '../../services/password.ts'
import { requirePhone, requirePlaceable, requirePosition } from '../common/index.ts'
import { checkCode, consumeCode } from './email-verification.ts'
import { insertAccount, openRequest } from './queries.ts'
import { checkAcceptance, saveAcceptance } from './privacy.ts'
import { linkByTicket } from './sso-request.ts'

/**
 * Creates an account that waits for approval, as an ordinary user without a partner (rules/account#sign-up), with the
 * approval request and an audit row. With a ticket, its identity provider is linked, and may make the approval
 * unnecessary (rules/sso#first-login). Uses the email code up.
 * @throws {Refusal} CODE_NOT_FOUND, AFFILIATION_CLOSED; PASSWORD_COMMON, PASSWORD_PERSONAL; CERTIFICATION_FAILED, also
 * if the email is in use; USER_ID_TAKEN; PRIVACY_NOTICE_CHANGED; and as `linkByTicket`
 * @throws {InputRefusal} as `requirePhone`, `requirePosition` and `checkAcceptance`
 */
export const signUp: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language } = call
  // Input that the user can correct is checked before the code, which has only five attempts.
  requirePhone(call, request.phoneNumber)
  requirePosition(call, request.position)
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
    const privacyVersion = await checkAcceptance(tx, request.privacyVersion)
    await consumeCode(tx, certification)
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
    if (privacyVersion !== undefined) await saveAcceptance(tx, id, privacyVersion)
    const { ssoTicket } = request
    const provider =
      ssoTicket &&
      (await linkByTicket(tx, services.config, { id, email: request.email, isRequested: true }, ssoTicket))
    const approves = provider ? provider.approves : false
    if (approves) await approve(tx, id)
    else await openRequest(tx, { id, ...applicant })
    await call.audit(tx, {
      target: request.userId,
      actorId: id,
      records: [`user/${id}`],
      detail: {
        ...(provider && { providerName: provider.name }),
        ...(approves && { approvalCode: APPROVAL.approved }),
        ...(privacyVersion !== undefined && { privacyVersion }),
      },
    })
  })
}

/**
 * Approves an account whose identity provider needs no approval: from today, without an end, with the default partner of its
 * affiliation if that is active.
 */
const approve = (tx: Tx, id: string) =>
  tx
    .updateTable('users')
    .set({
      approvalCode: APPROVAL.approved,
      validFrom: today,
      partnerId: sql<string>`(
        select p.id from codes c join partners p on p.id = c.default_partner_id and p.stopped_at is null
        where c.group_code = ${CODE_GROUP.affiliation} and c.code = users.affiliation_code)`,
    })
    .where('id', '=', id)
    .execute()
