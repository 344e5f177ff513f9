import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Scope } from '../../contract/scopes.ts'
import type { Database } from '../db/types.ts'
import { recordAudit } from '../records/audit.ts'
import { addressOf, networkOf } from './client-address.ts'
import { PERSON_COLUMNS, personIn, type PersonRow, type SignedIn } from './sessions.ts'
import { hashToken, isTokenOf } from './bearer-tokens.ts'
import { isInNetworks } from './session-binding.ts'

/** Maximum number of stored networks per token. */
const MAX_NETWORKS = 20

/** Row of FIND_PROGRAM: the user, the token, its scopes and networks, and the seconds until it expires. */
interface ProgramRow extends PersonRow {
  program_id: string
  program_name: string
  scopes: Scope[]
  allowed_networks: string[]
  is_account: boolean
  seconds: number
  stale: boolean
}

/** Query for the valid token of a hash ($1); `stale` if its last use is older than a minute or the network ($2) is new. */
const FIND_PROGRAM = {
  name: 'find-program',
  text: `
    select ${PERSON_COLUMNS}, p.id as program_id, p.name as program_name, coalesce(a.scopes, p.scopes) as scopes, coalesce(a.allowed_networks, p.allowed_networks)::text[] as allowed_networks,
      a.user_id is not null as is_account,
      extract(epoch from p.expires_at - now())::float8 as seconds,
      coalesce(p.last_used_at < now() - interval '1 minute', true) or not $2 = any(p.networks) as stale
    from program_tokens p
    join users u on u.id = p.user_id
    join roles r on r.code = u.role_code
    left join program_accounts a on a.user_id = u.id
    where ${isTokenOf('p')} and p.ended_at is null and p.expires_at > now() and may_call(u)`,
}

/**
 * Returns the user of a program token as caller (`person`), and the scopes of the token. A program account's own
 * scopes and networks replace those of the token (rules/keys#program-tokens, rules/keys#program-accounts). Writes
 * nothing.
 * @returns `mustRecordUse` is true if the caller must call `recordProgramUse`: the recorded use is over a minute
 * old, or the network is new. null if the token is unknown, expired, revoked or not allowed in the network of the
 * request, or its user may not make calls
 */
export async function findProgram(pool: pg.Pool, request: FastifyRequest, token: string) {
  const tokenHash = hashToken(token)
  const { rows } = await pool.query<ProgramRow>({
    ...FIND_PROGRAM,
    values: [tokenHash, networkOf(addressOf(request))],
  })
  const [row] = rows
  if (row === undefined) return null
  const { scopes, allowed_networks: networks } = row
  if (networks.length > 0 && !isInNetworks(addressOf(request), networks)) return null
  const person = {
    ...personIn(row),
    // A program has no second factor.
    ...(row.is_account && { factorDay: '', mustSetUpFactor: false }),
    mustAcceptPrivacy: false,
    program: { programId: row.program_id, name: row.program_name, isAccount: row.is_account },
    // No user is there to enter a password.
    passwordChecked: false,
    confirmed: false,
    factorDue: true,
    factorGiven: false,
    tokenHash,
    isBound: false,
    idleSeconds: row.seconds,
    absoluteSeconds: row.seconds,
  } satisfies SignedIn
  return { person, mustRecordUse: row.stale, scopes }
}

/**
 * Stores the time and IP address of a token's last use. If its network is new, adds it to the stored ones (at most
 * MAX_NETWORKS; the oldest is dropped) and writes the audit row `program.network`.
 */
export async function recordProgramUse(
  db: Kysely<Database>,
  request: FastifyRequest,
  { id, program: { programId, name } }: NonNullable<Awaited<ReturnType<typeof findProgram>>>['person'],
): Promise<void> {
  const address = addressOf(request)
  const network = networkOf(address)
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('programTokens')
      .select(sql<boolean>`${network} = any(networks)`.as('isKnown'))
      .where('id', '=', programId)
      // Locked, so that only one of two concurrent calls writes the audit row of a new network.
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const networks = sql<
      string[]
    >`(networks || ${network}::text)[greatest(1, cardinality(networks) + 2 - ${MAX_NETWORKS}::int):]`
    await tx
      .updateTable('programTokens')
      .set({ lastUsedAt: sql`now()`, lastAddress: address, ...(!before.isKnown && { networks }) })
      .where('id', '=', programId)
      .execute()
    if (before.isKnown) return
    const row = {
      action: 'program.network',
      target: programId,
      detail: { name },
      actorId: id,
      records: null,
    } as const
    await recordAudit(tx, { ...row, address, requestId: request.id })
  })
}
