import { sql } from 'kysely'
import { validityTexts } from '../../../contract/messages/mails.ts'
import type { Tx } from '../../db/database.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { byPerson, queueMails } from '../../services/mail.ts'
import { notifyChanged } from '../../records/notifications.ts'
import type { Settings } from '../../services/settings.ts'

/** Administrator who decides on approval requests, and the settings for the mail. */
export interface Decision {
  /** users.id */
  deciderId: string
  settings: Settings
}

/**
 * Marks as approved the open requests of accounts that the transaction has approved by any call. Notifies these
 * applicants and queues a mail in their language to each. The caller must lock the users' rows. A user without an open
 * request gets neither.
 * @param userIds users.id
 */
export async function approveOpenRequests(
  tx: Tx,
  userIds: readonly string[],
  { deciderId, settings }: Decision,
): Promise<void> {
  const approved = await tx
    .with('approved', (db) =>
      db
        .updateTable('approvalRequests as r')
        .from('users as u')
        .set({ state: 'approved', decidedBy: deciderId, decidedAt: sql<Date>`now()` })
        .whereRef('u.id', '=', 'r.userId')
        .where('r.userId', 'in', userIds)
        .where('r.state', '=', 'waiting')
        .where('r.kind', '=', 'account')
        .returning([
          'u.id as userId',
          'u.loginId',
          'u.name',
          'u.email',
          'u.language',
          'u.validFrom',
          'u.validTo',
        ])
        .returning(sql`'{}'::jsonb`.as('detail')),
    )
    .with('told', (db) => notifyChanged(db, 'ACCOUNT_APPROVED', 'approved'))
    .selectFrom('approved')
    .select(['loginId', 'name', 'email', 'language', 'validFrom', 'validTo'])
    .execute()
  await queueMails(
    tx,
    approved.map(({ loginId, name, email, language, validFrom, validTo }) => {
      const validity = validityTexts[language](validFrom ?? '', validTo ?? '')
      const values = { userId: loginId, name, validity }
      return {
        to: email,
        ...composeMail(settings, 'approved', language, values, settings.link('/login')),
        requester: byPerson(deciderId),
      }
    }),
  )
}
