import type * as contract from '../../../contract/approvals.ts'
import { refuse } from '../../../contract/errors.ts'
import { ROLE } from '../../../contract/permissions.ts'
import type { Handler } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMails } from '../../services/mail.ts'
import { holdPartners } from '../partners/index.ts'
import { endFormerControl, keepingAdmins, requireInBranch } from '../roles/index.ts'
import {
  closeChanges,
  refuseChanges,
  saveAffiliations,
  notifyOfNewAffiliation,
  withdrawOpenChange,
} from './affiliation-queries.ts'
import { lockRequests } from './lock.ts'
import { nameColumn } from '../../db/sql.ts'

/**
 * Approves requests for another affiliation, all or none: gives each user that affiliation and its partner of the
 * input, with one audit row. Notifies the users in the portal, and by mail if they want immediate mail
 * (rules/approvals#change-of-affiliation). For a user whose affiliation is a permission, requires reauthentication and ends the
 * access of former controllers.
 * @returns the number of requests
 * @throws {Refusal} AFFILIATION_CLOSED with the login IDs; PARTNER_CHOICE_MISSING if an affiliation has no partner
 * in the input; FORBIDDEN for a partner of another branch; CONFIRMATION_REQUIRED; and as `lockRequests`,
 * `holdPartners` and `keepingAdmins`
 */
export const approveAffiliationChanges: Handler<typeof contract.approveAffiliationChanges> = async (
  call,
  { requests, partners },
) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const changes = await lockRequests(tx, actor, 'affiliation', requests)
    call.touches(changes.map(({ user }) => user.id))
    const closed = changes.filter(({ affiliation }) => affiliation !== 'open')
    if (closed.length > 0) refuse('AFFILIATION_CLOSED', { about: closed.map(({ user }) => user.loginId) })
    const holders = changes.filter(({ user }) => user.isBound)
    if (holders.length > 0) call.requireConfirmation('always')
    for (const { affiliationCode } of partners) requireInBranch(actor, affiliationCode)
    const partnerIds = await holdPartners(tx, partners)
    const placed = changes.map(({ user, to }) => ({
      id: user.id,
      affiliation: to,
      partnerId: partnerIds.get(to) ?? refuse('PARTNER_CHOICE_MISSING'),
    }))
    const save = () => saveAffiliations(tx, placed)
    await (changes.some(({ user }) => user.roleCode === ROLE.admin) ? keepingAdmins(tx, save) : save())
    await endFormerControl(
      tx,
      call,
      holders.map(({ user: { id, roleCode, isOutside } }) => ({
        id,
        before: roleCode,
        after: roleCode,
        isMoved: true,
        wasOutside: isOutside,
      })),
    )
    await closeChanges(tx, requests, actor.id)
    const decision = { deciderId: actor.id, settings: services.settings }
    await notifyOfNewAffiliation(
      tx,
      placed.map(({ id }) => id),
      decision,
    )
    const moves = changes.map(({ user, to }) => ({
      id: user.id,
      loginId: user.loginId,
      before: user.affiliationCode,
      after: to,
      ...(user.isBound && { branchRole: user.roleCode }),
    }))
    await call.audit(tx, {
      target: moves.map(({ loginId }) => loginId).join(', '),
      detail: { moves, requests, partners },
      records: moves.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { approvedCount: requests.length }
}

/**
 * Rejects requests for another affiliation, all or none, with one audit row. The accounts stay unchanged. Notifies
 * each requester of the reason in the portal, and by mail if they want immediate mail.
 * @returns the number of requests
 * @throws {Refusal} as `lockRequests`
 */
export const refuseAffiliationChanges: Handler<typeof contract.refuseAffiliationChanges> = async (
  call,
  { requests, reason },
) => {
  const { db, actor, services } = call
  const { settings } = services
  await db.transaction().execute(async (tx) => {
    const changes = await lockRequests(tx, actor, 'affiliation', requests)
    call.touches(changes.map(({ user }) => user.id))
    const mailed = await refuseChanges(tx, requests, { deciderId: actor.id, reason })
    await queueMails(
      tx,
      changes
        .filter(({ user }) => mailed.has(user.id))
        .map(({ user: { loginId, name, email, language }, ...affiliation }) => ({
          to: email,
          ...composeMail(
            settings,
            'affiliationRefused',
            language,
            { userId: loginId, name, affiliation: affiliation[nameColumn[language]], reason },
            settings.link('/mypage'),
          ),
          choices: settings.link('/notification/setting'),
          requester: call.requester,
        })),
    )
    const moves = changes.map(({ user: { id, loginId }, to }) => ({ id, loginId, to }))
    await call.audit(tx, {
      target: moves.map(({ loginId }) => loginId).join(', '),
      detail: { moves, requests, reason },
      records: moves.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { refusedCount: requests.length }
}

/**
 * Cancels the caller's own open request for another affiliation, with an audit row. Sends nothing.
 * @throws {Refusal} REQUEST_NOT_FOUND if there is none
 */
export const cancelAffiliationChange: Handler<typeof contract.cancelAffiliationChange> = async (call) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    // Locks users before requests, as a decision does.
    await tx.selectFrom('users').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
    const affiliation = (await withdrawOpenChange(tx, actor.id)) ?? refuse('REQUEST_NOT_FOUND')
    await call.audit(tx, {
      target: actor.userId,
      detail: { affiliationRequest: { before: affiliation, after: null } },
      records: [`user/${actor.id}`],
    })
  })
}
