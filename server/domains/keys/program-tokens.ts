import { type RawBuilder, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { endpoints } from '../../../contract/index.ts'
import { PROGRAMS_MAX } from '../../../contract/keys.ts'
import { type Actor, can } from '../../../contract/permissions.ts'
import { type Scope, SCOPES } from '../../../contract/scopes.ts'
import { hashToken, newToken } from '../../callers/bearer-tokens.ts'
import type { Database } from '../../db/types.ts'
import { endAfter } from './tokens.ts'

/** Days for which an expired or revoked token stays in the list. */
const SHOWN_DAYS = 90

/** SQL condition that a program token is listed: it is valid, or ended at most SHOWN_DAYS days ago. */
export const isShown = sql<boolean>`least(ended_at, expires_at) > now() - make_interval(days => ${sql.lit(SHOWN_DAYS)})`

/**
 * Returns the columns `scopes` and `allowedNetworks` of a token or of a program account.
 * @param tokens the table or its alias
 */
export const rightsOf = (tokens: 'programTokens' | 't' | 'a') =>
  [
    sql<Scope[]>`${sql.ref(`${tokens}.scopes`)}`.as('scopes'),
    sql<string[]>`${sql.ref(`${tokens}.allowedNetworks`)}::text[]`.as('allowedNetworks'),
  ] as const

/** Returns the scopes that the actor may give to a token or program: those with a call that the actor may make. */
export function scopesOf(actor: Actor): Scope[] {
  return SCOPES.filter((scope) =>
    endpoints.some(({ endpoint }) => {
      const { access } = endpoint
      if (endpoint.scope !== scope) return false
      if (access === 'service') return can(actor, 'autho_service_manage')
      // A call about the own record is of no use to a program: what it may do about others counts.
      const needed = endpoint.others ?? (typeof access === 'object' ? access.function : undefined)
      return needed === undefined || needed.some((name) => can(actor, name))
    }),
  )
}

/**
 * Returns the SQL expression for networks, as the columns `allowed_networks` store them; an address with a prefix
 * becomes its network.
 */
export const toNetworks = (networks: readonly string[]): RawBuilder<string[]> =>
  sql<string[]>`array(select network(n::inet) from unnest(${[...networks]}::text[]) n)`

/**
 * Creates a token of an account, whose row the caller has locked, and frees the names of the account's expired tokens.
 * Writes no audit row.
 * @param token `userId` is users.id; without `scopes`, those of the program account hold, or the token only issues keys
 * @returns the token, of which only a hash is stored, and its ID
 * @throws {Refusal} PROGRAMS_FULL beyond PROGRAMS_MAX valid tokens of the account; PROGRAM_NAME_TAKEN
 */
export async function insertToken(
  tx: Transaction<Database>,
  token: {
    userId: string
    name: string
    validDays: number
    scopes?: Scope[]
    allowedNetworks?: RawBuilder<string[]>
  },
): Promise<{ id: string; token: string }> {
  const { validDays, userId, ...columns } = token
  await endExpired(tx, userId)
  const live = await tx
    .selectFrom('programTokens')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(live.n) >= PROGRAMS_MAX) refuse('PROGRAMS_FULL')
  const secret = newToken('program')
  const row = await tx
    .insertInto('programTokens')
    .values({ userId, ...columns, tokenHash: hashToken(secret), expiresAt: endAfter(validDays) })
    .onConflict((conflict) =>
      conflict
        .expression(sql`user_id, lower(name)`)
        .where('endedAt', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row === undefined ? refuse('PROGRAM_NAME_TAKEN') : { id: row.id, token: secret }
}

/** Marks the expired tokens of a user as ended, so that new tokens can have their names. */
async function endExpired(tx: Transaction<Database>, userId: string): Promise<void> {
  await tx
    .updateTable('programTokens')
    .set({ endedAt: sql`expires_at`, endReason: 'expired' })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute()
}

/**
 * Returns the update query of a valid program token, to which the caller adds the columns; it changes nothing if the
 * token has expired or was revoked.
 */
export const liveProgram = (tx: Transaction<Database>, programId: string) =>
  tx
    .updateTable('programTokens')
    .where('id', '=', programId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)

/** Values of the columns of a program token that is revoked now. */
export const REVOKED = { endedAt: sql<Date>`now()`, endReason: 'revoked' } as const
