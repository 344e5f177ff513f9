import type { approveRequests as endpoint } from '../../../contract/approvals.ts'
import { refuse } from '../../../contract/errors.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Handler } from '../../http/handler.ts'
import { endOf } from '../common/index.ts'
import { holdPartners } from '../partners/index.ts'
import { endFormerControl, holdGrantableRoles, requireInBranch, roleGrantDetail } from '../roles/index.ts'
import { approveOpenRequests } from './decide.ts'
import { lockRequests } from './lock.ts'
import { saveApproval } from './queries.ts'

/**
 * Approves the selected requests for an account in one transaction, all or none: gives each account the role,
 * validity period and partner of the input, with one audit row. Notifies and mails the users
 * (design/accounts#approval-requests). Ends the access of former controllers of the accounts.
 * @returns the number of requests
 * @throws {Refusal} AFFILIATION_CLOSED with the login IDs; PARTNER_CHOICE_MISSING if an affiliation has no partner
 * in the input; FORBIDDEN for a partner of another branch; and as `endOf`, `lockRequests`, `holdGrantableRoles`
 * and `holdPartners`
 */
export const approveRequests: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  const validTo = endOf(call, input.validTo)
  await db.transaction().execute(async (tx) => {
    const asked = await lockRequests(tx, actor, 'account', input.requests)
    call.touches(asked.map(({ user }) => user.id))
    // No user is approved into a closed affiliation (rules/affiliations#close).
    const closed = asked.filter(({ affiliation }) => affiliation === 'closed')
    if (closed.length > 0) refuse('AFFILIATION_CLOSED', { about: closed.map(({ user }) => user.loginId) })
    await holdGrantableRoles(tx, actor, input.roleCode)
    for (const { affiliationCode } of input.partners) requireInBranch(actor, affiliationCode)
    const partnerIds = await holdPartners(tx, input.partners)
    const placed = asked.map(({ user }) => ({
      id: user.id,
      partnerId: partnerIds.get(user.affiliationCode) ?? refuse('PARTNER_CHOICE_MISSING'),
    }))
    await saveApproval(tx, placed, {
      roleCode: input.roleCode,
      approvalCode: APPROVAL.approved,
      validFrom: input.validFrom,
      validTo,
    })
    await endFormerControl(
      tx,
      call,
      asked.map(({ user }) => ({ id: user.id, before: user.roleCode, after: input.roleCode })),
    )
    const ids = placed.map(({ id }) => id)
    await approveOpenRequests(tx, ids, { deciderId: actor.id, settings: services.settings })
    const { requests, grantReason: _, requestedBy: __, approvedBy: ___, ...granted } = input
    const users = asked.map(({ user: { id, loginId } }) => ({ id, loginId }))
    await call.audit(tx, {
      target: users.map(({ loginId }) => loginId).join(', '),
      detail: {
        users,
        requests,
        ...granted,
        ...roleGrantDetail(call, input),
      },
      records: users.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { approvedCount: input.requests.length }
}
