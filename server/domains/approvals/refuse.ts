import type { refuseRequests as endpoint } from '../../../contract/approvals.ts'
import type { Handler } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMails } from '../../services/mail.ts'
import { lockRequests } from './lock.ts'
import { saveRefusal } from './queries.ts'

/**
 * Rejects the selected requests for an account in one transaction, all or none, with one audit row, and mails the
 * reason to each applicant. Deletes the accounts, but keeps the requests as rejected
 * (design/accounts#approval-requests).
 * @returns the number of requests
 * @throws {Refusal} as `lockRequests`
 */
export const refuseRequests: Handler<typeof endpoint> = async (call, { requests, reason }) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const applicants = (await lockRequests(tx, actor, 'account', requests)).map(({ user }) => user)
    call.touches(applicants.map(({ id }) => id))
    await queueMails(
      tx,
      applicants.map(({ loginId, name, email, language }) => {
        const values = { userId: loginId, name, reason }
        const { settings } = services
        return {
          to: email,
          ...composeMail(settings, 'refused', language, values, settings.link('/signup')),
          requester: call.requester,
        }
      }),
    )
    await saveRefusal(
      tx,
      applicants.map((user) => user.id),
      { deciderId: actor.id, reason },
    )
    const users = applicants.map(({ id, loginId }) => ({ id, loginId }))
    await call.audit(tx, {
      target: users.map(({ loginId }) => loginId).join(', '),
      detail: { users, requests, reason },
      records: users.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { refusedCount: requests.length }
}
