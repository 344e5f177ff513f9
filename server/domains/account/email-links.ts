import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { LINK, LINK_DAYS, LINK_TRIES } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { administers } from '../../db/administers.ts'
import type { Db, Tx } from '../../db/database.ts'

/** Purpose of an email link: an invitation, or the confirmation of a new email. */
export type LinkKind = (typeof LINK)[keyof typeof LINK]

/** Rows per insert statement. PostgreSQL accepts 65,535 values per statement. */
const LINKS_AT_ONCE = 5000

/** Returns the stored form of a link's token. */
const hashToken = (token: string) => createHash('sha256').update(token).digest()

/**
 * Creates a link for each account, valid for LINK_DAYS. It replaces an earlier one of the same kind
 * (rules/account#mailed-links). Sends no mail.
 * @param accounts `id` is users.id; `newEmail` is the email that a link of the kind EMAIL confirms; `requestedBy` is
 * users.id of the administrator without whose permissions the link is invalid
 * @returns the tokens in the order of the accounts: 256 random bits each, stored only in the mail
 */
export async function makeLinks(
  tx: Tx,
  kind: LinkKind,
  accounts: readonly { id: string; newEmail?: string; requestedBy?: string }[],
): Promise<string[]> {
  const links = accounts.map(({ id, newEmail, requestedBy }) => {
    const token = randomBytes(32).toString('base64url')
    const asked = { email: newEmail ?? null, requestedBy: requestedBy ?? null }
    return { token, row: { userId: id, kind, ...asked, tokenHash: hashToken(token) } }
  })
  const expiresAt = sql<Date>`now() + make_interval(days => ${LINK_DAYS})`
  for (let first = 0; first < links.length; first += LINKS_AT_ONCE) {
    await tx
      .insertInto('accountLinks')
      .values(links.slice(first, first + LINKS_AT_ONCE).map(({ row }) => ({ ...row, expiresAt })))
      .onConflict((conflict) =>
        conflict.columns(['userId', 'kind']).doUpdateSet((eb) => ({
          tokenHash: eb.ref('excluded.tokenHash'),
          email: eb.ref('excluded.email'),
          requestedBy: eb.ref('excluded.requestedBy'),
          expiresAt: eb.ref('excluded.expiresAt'),
          createdAt: sql`now()`,
          tries: 0,
        })),
      )
      .execute()
  }
  return links.map(({ token }) => token)
}

/**
 * SQL condition that the account `u` is active, and that the user who requested the link `l`, if there is one, could
 * request it now: they may log in, manage users, and grant the role of the account (rules/roles#giving).
 */
const STANDS = sql<boolean>`u.withdrawn_at is null and (l.requested_by is null or exists (
  select from users r where r.id = l.requested_by and login_refusal(r) is null and ${administers('r', 'u', true)}))`

/**
 * SQL condition that the link `l` of the account `u` is valid. It is neither expired nor tried too often, its account
 * is not withdrawn, and its requester could request it now.
 */
export const isGoodLink = sql<boolean>`l.expires_at > now() and l.tries < ${sql.lit(LINK_TRIES)} and ${STANDS}`

/**
 * Returns the kind of a valid link, the login ID and current email of its account, and the new email, which is null for
 * an invitation. Takes no attempt.
 * @throws {Refusal} LINK_INVALID if the link is unknown, used, replaced, expired or tried too often, if its account is
 * withdrawn, or if the user who requested it could not request it now
 */
export async function findLink(db: Db, token: string) {
  const link = await db
    .selectFrom('accountLinks as l')
    .innerJoin('users as u', 'u.id', 'l.userId')
    .where('l.tokenHash', '=', hashToken(token))
    .where(isGoodLink)
    .select(['l.kind', 'l.email as newEmail', 'u.loginId as userId', 'u.email'])
    .executeTakeFirst()
  return link ?? refuse('LINK_INVALID')
}

/**
 * Returns the account of a link that is about to be used, the hash of its token, and the new email. Takes one of its
 * LINK_TRIES attempts, so that parallel calls cannot exceed the limit. The caller then calls `consumeLink`.
 * @throws {Refusal} LINK_INVALID as `findLink`, also for a link of another kind
 */
export async function tryLink(db: Db, kind: LinkKind, token: string) {
  const link = await db
    .updateTable('accountLinks as l')
    .from('users as u')
    .whereRef('u.id', '=', 'l.userId')
    .where('l.tokenHash', '=', hashToken(token))
    .where('l.kind', '=', kind)
    .where(isGoodLink)
    .set({ tries: sql`l.tries + 1` })
    .returning([
      'l.tokenHash as hash',
      'l.email as newEmail',
      'u.id',
      'u.loginId as userId',
      'u.name',
      'u.email',
      'u.phoneNumber',
      'u.language',
    ])
    .executeTakeFirst()
  return link ?? refuse('LINK_INVALID')
}

/**
 * Deletes a link in the transaction of the call that it allows, and locks its account. Of concurrent calls the first
 * one succeeds.
 * @throws {Refusal} LINK_INVALID if the link was used or replaced since `tryLink`, its account was withdrawn, or its
 * requester could not request it now
 */
export async function consumeLink(tx: Tx, { hash, id }: { hash: Buffer; id: string }): Promise<void> {
  // Locks the account first, as the call that creates another link for it does.
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { numDeletedRows } = await tx
    .deleteFrom('accountLinks as l')
    .using('users as u')
    .whereRef('u.id', '=', 'l.userId')
    .where('l.tokenHash', '=', hash)
    .where(STANDS)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) refuse('LINK_INVALID')
}

/** Returns whether an account has a link of a kind, also if it has expired. */
export async function hasLink(tx: Tx, userId: string, kind: LinkKind): Promise<boolean> {
  const link = await tx
    .selectFrom('accountLinks')
    .select('userId')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return link !== undefined
}

/**
 * Deletes the link by which the owner of another email would confirm it for an account (`LINK.email`).
 * @param userId users.id
 * @returns whether there was one
 */
export async function endCorrection(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accountLinks')
    .where('userId', '=', userId)
    .where('kind', '=', LINK.email)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Deletes the accounts' links to new emails, and lets their invitations expire now. Expired invitations stay without a
 * token, so that administrators see who has no password, and can invite them again (rules/users#invitation).
 * @param userIds users.id
 */
export async function endLinks(tx: Tx, userIds: readonly string[]): Promise<void> {
  const anyUser = sql<string>`any(${userIds}::bigint[])`
  await tx
    .with('corrections', (db) =>
      db.deleteFrom('accountLinks').where('userId', '=', anyUser).where('kind', '=', LINK.email),
    )
    .updateTable('accountLinks')
    .set({
      expiresAt: sql`least(expires_at, now())`,
      tokenHash: sql`sha256(convert_to(gen_random_uuid()::text, 'UTF8'))`,
    })
    .where('userId', '=', anyUser)
    .where('kind', '=', LINK.invitation)
    .execute()
}

/** Deletes expired links to unconfirmed emails. Invitations stay: they show who has not accepted theirs. */
export async function removeExpiredLinks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from account_links where kind = 'EMAIL' and expires_at < now()`)
}
