import { type Transaction } from 'kysely'
import type { approveRequests as endpoint } from '../../../contract/approvals.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { holdPartner } from '../partners/index.ts'
import { holdGrantableRole } from '../roles/index.ts'
import { approveOpenRequests } from './decide.ts'
import { lockApplicants, saveApproval } from './queries.ts'

/** Approves the chosen requests in one transaction, all or none, with a mail to everybody approved (ADR 011). */
export const approveRequests: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const applicants = await lockApplicants(tx, actor, input.requests)
    await holdGrantableRole(tx, actor, input.roleCode)
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
    await call.audit(tx, { target: users.join(', '), detail: { users, requests, ...granted } })
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
    found.set(affiliationCode, await holdPartner(tx, affiliationCode, partnerCode))
  }
  return found
}

function ids(users: readonly { id: string }[]): string[] {
  return users.map((user) => user.id)
}
