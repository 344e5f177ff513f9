import { type Transaction, sql } from 'kysely'
import { mailTexts } from '../../contract/messages/mails.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/types.ts'
import { queueMail } from './mail.ts'

/** Opens the request of somebody who asks for an account, in the transaction that makes the account (ADR 011). */
export async function openRequest(
  tx: Transaction<Database>,
  applicant: { id: string; login_id: string; name: string; email: string; affiliation_code: string },
): Promise<void> {
  const { id, login_id, name, email, affiliation_code } = applicant
  await tx
    .insertInto('approval_requests')
    .values({ user_id: id, login_id, name, email, affiliation_code })
    .execute()
}

/** Who decides, and for whom the mail speaks. */
export interface Decision {
  /** users.id */
  deciderId: string
  config: Config
}

/**
 * Decides the open requests of accounts that the transaction has approved, by whatever call, and queues each its mail
 * in the applicant's language. The caller holds the users' rows; who has no open request gets no mail.
 * @param userIds users.id
 */
export async function approveOpenRequests(
  tx: Transaction<Database>,
  userIds: readonly string[],
  { deciderId, config }: Decision,
): Promise<void> {
  const decided = await tx
    .updateTable('approval_requests')
    .set({ state: 'approved', decided_by: deciderId, decided_at: sql<Date>`now()` })
    .where('user_id', 'in', userIds)
    .where('state', '=', 'waiting')
    .returning('user_id')
    .execute()
  if (decided.length === 0) return
  const approved = await tx
    .selectFrom('users')
    .select(['login_id', 'email', 'language', 'valid_from', 'valid_to'])
    .where(
      'id',
      'in',
      decided.map((row) => row.user_id),
    )
    .orderBy('id')
    .execute()
  for (const { login_id, email, language, valid_from, valid_to } of approved) {
    const text = mailTexts[language].approved(config.company.name, login_id, valid_from ?? '', valid_to ?? '')
    await queueMail(tx, { to: email, language, text })
  }
}
