import { type Transaction } from 'kysely'
import type { approveRequests as endpoint } from '../../../contract/approvals.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { canGrant } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import { findPartnerId } from '../../db/partners.ts'
import { lockRole } from '../../db/roles.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { approveOpenRequests } from '../../services/approvals.ts'
import { lockApplicants, saveApproval } from './queries.ts'

/** Approves the chosen requests in one transaction, all or none, with a mail to everybody approved (ADR 011). */
export const approveRequests: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const applicants = await lockApplicants(tx, actor, input.requests)
    const functions = await lockRole(tx, input.roleCode)
    if (functions === undefined) return refuse('CODE_NOT_FOUND')
    if (!canGrant(actor, { functions })) refuse('FORBIDDEN')

    const partnerIds = await findPartners(tx, input.partners)
    for (const [affiliation, people] of Map.groupBy(applicants, (user) => user.affiliation_code)) {
      const partnerId = partnerIds.get(affiliation)
      if (partnerId === undefined) return refuse('PARTNER_CHOICE_MISSING')
      await saveApproval(tx, ids(people), {
        role_code: input.roleCode,
        approval_code: APPROVAL.approved,
        valid_from: input.validFrom,
        valid_to: input.validTo,
        partner_id: partnerId,
      })
    }
    await approveOpenRequests(tx, ids(applicants), { deciderId: actor.id, config: services.config })
    const { requests, ...granted } = input
    const users = applicants.map((user) => user.login_id)
    await call.audit(tx, { target: users.join(', '), detail: { users, requests: requests, ...granted } })
  })
  services.mail.wake()
  return { approvedCount: input.requests.length }
}

/** The chosen partners by affiliation; each must be one of it. */
async function findPartners(
  tx: Transaction<Database>,
  choices: ParsedInputOf<typeof endpoint>['partners'],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { affiliationCode, partnerCode } of choices) {
    const id = await findPartnerId(tx, affiliationCode, partnerCode)
    if (id === undefined) refuse('PARTNER_NOT_FOUND')
    found.set(affiliationCode, id)
  }
  return found
}

function ids(users: readonly { id: string }[]): string[] {
  return users.map((user) => user.id)
}
