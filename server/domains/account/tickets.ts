import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { TICKET_SECONDS } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import { networkOf } from '../../http/address.ts'
import type { Call } from '../../http/handler.ts'
import { hashToken } from '../../http/tokens.ts'
import { type Account, findAccount } from './queries.ts'

/** Parts of a call that creates or uses a ticket. */
type Where = Pick<Call, 'address' | 'userAgent'>

const IS_LIVE = sql<boolean>`t.created_at > now() - make_interval(secs => ${sql.lit(TICKET_SECONDS)})`

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const browserOf = ({ address, userAgent }: Where) => sha256(JSON.stringify([networkOf(address), userAgent]))

/**
 * Creates the ticket of a login whose password was right. An earlier ticket of the user stays valid in the browser that it is bound to.
 * @returns 256 random bits, which only the caller receives
 */
export async function makeTicket(
  tx: Transaction<Database>,
  where: Where,
  { id, password_hash: passwordHash }: Account,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await tx
    .insertInto('login_tickets')
    .values({
      token_hash: hashToken(ticket),
      user_id: id,
      browser_hash: browserOf(where),
      password_mark: sha256(passwordHash),
    })
    .execute()
  return ticket
}

/**
 * Returns the account of a ticket, and the challenge for a passkey.
 * @throws {Refusal} TICKET_INVALID if the ticket is unknown, used, expired, of another browser or network, or of a previous password
 */
export async function readTicket(
  db: Kysely<Database>,
  where: Where,
  ticket: string,
): Promise<Account & { challenge: string | null }> {
  const row = await db
    .selectFrom('login_tickets as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.login_id', 't.password_mark', 't.challenge'])
    .where('t.token_hash', '=', hashToken(ticket))
    .where('t.browser_hash', '=', browserOf(where))
    .where(IS_LIVE)
    .executeTakeFirst()
  const found = row && (await findAccount(db, row.login_id, networkOf(where.address)))
  if (row === undefined || found === undefined || !sha256(found.password_hash).equals(row.password_mark))
    refuse('TICKET_INVALID')
  return { ...found, challenge: row.challenge }
}

/** Stores the challenge for a passkey in a ticket. Replaces the previous one. */
export async function saveChallenge(db: Kysely<Database>, ticket: string, challenge: string): Promise<void> {
  await db
    .updateTable('login_tickets')
    .set({ challenge })
    .where('token_hash', '=', hashToken(ticket))
    .execute()
}

/**
 * Uses a ticket up in the transaction of its login. Of concurrent calls the first one succeeds.
 * @throws {Refusal} TICKET_INVALID if it was used or has expired
 */
export async function useTicket(tx: Transaction<Database>, ticket: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_tickets as t')
    .where('t.token_hash', '=', hashToken(ticket))
    .where(IS_LIVE)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) refuse('TICKET_INVALID')
}

/** Deletes the expired tickets. */
export async function removeOldTickets(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_tickets t where t.created_at < now() - make_interval(secs => $1)`, [
    TICKET_SECONDS,
  ])
}
