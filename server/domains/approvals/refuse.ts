import type { refuseRequests as endpoint } from '../../../contract/approvals.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Handler } from '../../http/handler.ts'
import { queueMails } from '../../services/mail.ts'
import { lockRequests } from './lock.ts'
import { saveRefusal } from './queries.ts'

/**
 * Rejects the selected requests in one transaction, all or none, and mails the reason to each applicant. Deletes the accounts, but keeps
 * the requests (design/accounts#approval-requests).
 */
export const refuseRequests: Handler<typeof endpoint> = async (call, { requests, reason }) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const applicants = (await lockRequests(tx, actor, 'account', requests)).map(({ user }) => user)
    call.touches(applicants.map(({ id }) => id))
    await queueMails(
      tx,
      applicants.map(({ login_id, email, language }) => ({
        to: email,
        language,
        text: mailTexts[language].refused(services.settings.now().company, login_id, reason),
        link: services.settings.link('/signup'),
        requester: call.requester,
      })),
    )
    await saveRefusal(
      tx,
      applicants.map((user) => user.id),
      { deciderId: actor.id, reason },
    )
    const users = applicants.map((user) => user.login_id)
    await call.audit(tx, {
      target: users.join(', '),
      detail: { users, requests, reason },
    })
  })
  services.mail.wake()
  return { refusedCount: requests.length }
}
