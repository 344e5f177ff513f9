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

/** Where a ticket is used, or made. */
type Where = Pick<Call, 'address' | 'userAgent'>

const IS_LIVE = sql<boolean>`t.created_at > now() - make_interval(secs => ${sql.lit(TICKET_SECONDS)})`

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const browserOf = ({ address, userAgent }: Where) => sha256(JSON.stringify([networkOf(address), userAgent]))

/**
 * Makes the ticket of a login whose password was right; the one before of the same person goes on, in the browser that it is bound to.
 * @returns 256 random bits, known to nobody but the caller
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
 * The account that a ticket leads into, and what a passkey has to sign for it.
 * @throws {Refusal} TICKET_INVALID for one that is unknown, used, over, of another browser or network, or of a password before
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

/** Keeps what a passkey has to sign for a ticket, in the place of what it had to before. */
export async function saveChallenge(db: Kysely<Database>, ticket: string, challenge: string): Promise<void> {
  await db
    .updateTable('login_tickets')
    .set({ challenge })
    .where('token_hash', '=', hashToken(ticket))
    .execute()
}

/**
 * Uses a ticket up in the transaction of its login: of two at once the first one wins.
 * @throws {Refusal} TICKET_INVALID when it was used or is over by now
 */
export async function useTicket(tx: Transaction<Database>, ticket: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_tickets as t')
    .where('t.token_hash', '=', hashToken(ticket))
    .where(IS_LIVE)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) refuse('TICKET_INVALID')
}

/** Removes the tickets whose time is over. */
export async function removeOldTickets(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_tickets t where t.created_at < now() - make_interval(secs => $1)`, [
    TICKET_SECONDS,
  ])
}
