import { Refusal, refuse } from '../../../../contract/errors.ts'
import type { registerUser as endpoint } from '../../../../contract/users.ts'
import type { Tx } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import { nobodysPassword, weaknessOf } from '../../../services/password.ts'
import {
  findEmailHolder,
  lockVerifiedPassword,
  insertAccount,
  verifyOwnPassword,
  sendInvitations,
} from '../../account/index.ts'
import { endOf, requirePhone, requirePosition } from '../../common/index.ts'
import { checkGrantable, requireInBranch, roleGrantDetail } from '../../roles/index.ts'
import { changeTeams } from '../../teams/index.ts'
import { planDetails, withoutDetails } from './details.ts'
import { holdChoices } from '../queries.ts'

/**
 * Registers a user with a password that need not be changed, or without one. Without one, the owner is invited by mail
 * to choose it (rules/users#register). Adds the user to the chosen teams, and writes the audit row. Checks the
 * manager's own password first: the holder of a stolen session learns nothing, not even which emails are in use.
 * @returns the login ID
 * @throws {Refusal} MAIL_UNAVAILABLE for an invitation; PASSWORD_COMMON, PASSWORD_PERSONAL; FORBIDDEN for another
 * branch or a role that the actor may not grant; EMAIL_TAKEN, USER_ID_TAKEN, EMPLOYEE_NUMBER_TAKEN; and as
 * `verifyOwnPassword`, `holdChoices`, `insertAccount` and `changeTeams`
 * @throws {InputRefusal} as `requirePhone`, `requirePosition`, `endOf`, `planDetails` and `roleGrantDetail`
 */
export const registerUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services, language } = call
  const {
    userId: loginId,
    password,
    managerPassword,
    partnerCode,
    teamId,
    otherTeamIds,
    grantReason,
    requestedBy,
    approvedBy,
    ...form
  } = input
  const { fields, given } = withoutDetails(form)
  const { roleCode, approvalCode, affiliationCode, email } = fields
  const validTo = endOf(call, fields.validTo)
  const managerHash = await verifyOwnPassword(call, managerPassword)
  requireInBranch(actor, affiliationCode)
  requirePhone(call, input.phoneNumber)
  requirePosition(call, input.position)
  const details = planDetails(call, given)

  if (password === undefined) {
    if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  } else {
    const weakness = await weaknessOf(password, input)
    if (weakness !== null) refuse(weakness)
  }
  const hash = await services.passwords.hash(password ?? nobodysPassword())

  const register = async (tx: Tx) => {
    await lockVerifiedPassword(tx, actor.id, managerHash)
    const partnerId = await holdChoices(tx, input)
    await checkGrantable(tx, actor, roleCode)
    const own = password === undefined ? { language } : {}
    const account = { ...fields, ...details.columns, validTo, loginId, passwordHash: hash, partnerId, ...own }
    const id = await insertAccount(tx, account, services.keySecret)
    if (password === undefined)
      await sendInvitations(
        tx,
        services,
        [{ id, loginId, name: fields.name, email, language }],
        call.requester,
      )
    const teams = await changeTeams(
      tx,
      actor,
      { id, affiliationCode, teamId: '', teamName: '', otherTeamIds: [] },
      { affiliationCode, teamId, otherTeamIds },
    )
    const invited = password === undefined ? { invited: true } : {}
    const grant = roleGrantDetail(call, { roleCode, grantReason, requestedBy, approvedBy })
    await call.audit(tx, {
      target: loginId,
      detail: {
        roleCode,
        approvalCode,
        affiliationCode,
        partnerCode,
        ...details.audited,
        ...teams,
        ...invited,
        ...grant,
      },
      records: [`user/${id}`],
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
  return { userId: loginId }
}
