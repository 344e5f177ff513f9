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
    const applicants = await lockApplicants(tx, actor, input.REQUEST_LIST)
    const functions = await lockRole(tx, input.AUTHORITYS_CODE)
    if (functions === undefined) return refuse('CODE_NOT_FOUND')
    if (!canGrant(actor, { functions })) refuse('FORBIDDEN')

    const partnerIds = await findPartners(tx, input.PARTNER_LIST)
    for (const [affiliation, people] of Map.groupBy(applicants, (user) => user.affiliation_code)) {
      const partnerId = partnerIds.get(affiliation)
      if (partnerId === undefined) return refuse('PARTNER_CHOICE_MISSING')
      await saveApproval(tx, ids(people), {
        role_code: input.AUTHORITYS_CODE,
        approval_code: APPROVAL.approved,
        valid_from: input.EXPIRY_DATETIME_START,
        valid_to: input.EXPIRY_DATETIME_END,
        partner_id: partnerId,
      })
    }
    await approveOpenRequests(tx, ids(applicants), { deciderId: actor.id, config: services.config })
    const { REQUEST_LIST, ...granted } = input
    const users = applicants.map((user) => user.login_id)
    await call.audit(tx, { target: users.join(', '), detail: { users, requests: REQUEST_LIST, ...granted } })
  })
  services.mail.wake()
  return { APPROVED_COUNT: input.REQUEST_LIST.length }
}

/** The chosen partners by affiliation; each must be one of it. */
async function findPartners(
  tx: Transaction<Database>,
  choices: ParsedInputOf<typeof endpoint>['PARTNER_LIST'],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { BELONGTO_CODE, PARTNER_CODE } of choices) {
    const id = await findPartnerId(tx, BELONGTO_CODE, PARTNER_CODE)
    if (id === undefined) refuse('PARTNER_NOT_FOUND')
    found.set(BELONGTO_CODE, id)
  }
  return found
}

function ids(users: readonly { id: string }[]): string[] {
  return users.map((user) => user.id)
}
